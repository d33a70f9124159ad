import { Button, MultiSelect, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { massMessageConditionsMax } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { fanListsQuery } from '../../../domain/fans/list-queries.ts'
import { choicesOf } from '../../../domain/mass-messages/audience.ts'
import { type Recipients, recipientsCountQuery } from '../../../domain/mass-messages/queries.ts'
import { productsQuery } from '../../../domain/plans/queries.ts'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { formatCount } from '../../../lib/format/format-number.ts'
import type { AppForm } from '../../../ui/use-app-form.ts'
import classes from './mass-form.module.css'
import { type MassValues, recipientsOf } from './mass-values.ts'

const texts = massMessageTexts.compose

type Props = { viewerId: string; form: AppForm<MassValues>; readOnly: boolean }

/** Who gets the message, who doesn't, and how many that are now (MASS-01). */
export function AudienceFields({ viewerId, form, readOnly }: Props) {
  const { data: lists = [] } = useQuery(fanListsQuery(viewerId))
  const { data: plans = [] } = useQuery(productsQuery(viewerId))
  const field = (name: 'to' | 'except', other: 'to' | 'except') => ({
    label: texts[name],
    data: choicesOf(lists, plans, form.values[name]).map(({ group, items }) => ({
      group,
      // Nobody gets a message that leaves out those it is for.
      items: items.map((item) => ({ ...item, disabled: form.values[other].includes(item.value) })),
    })),
    placeholder: form.values[name].length === 0 ? texts[`${name}Placeholder`] : '',
    nothingFoundMessage: texts.nothingFound,
    searchable: true,
    hidePickedOptions: true,
    maxValues: massMessageConditionsMax,
    readOnly,
    comboboxProps: { withinPortal: false },
    classNames: { input: classes.audience ?? '', inputField: classes.audienceInput ?? '' },
    ...form.getInputProps(name),
  })
  return (
    <>
      <MultiSelect required {...field('to', 'except')} />
      <MultiSelect {...field('except', 'to')} />
      <RecipientsCount viewerId={viewerId} recipients={recipientsOf(form.values)} />
    </>
  )
}

function RecipientsCount({ viewerId, recipients }: { viewerId: string; recipients: Recipients }) {
  const [settled] = useDebouncedValue(recipients, 400)
  const isChosen = recipients.audience.include.length > 0
  const count = useQuery({ ...recipientsCountQuery(viewerId, settled), placeholderData: keepPreviousData })
  return (
    <div className={classes.count} role="status" data-old={count.isPlaceholderData || undefined}>
      <IconUsers size={18} stroke={1.75} aria-hidden="true" />
      {isChosen ? <Counted count={count} /> : texts.noneChosen}
    </div>
  )
}

type CountQuery = { data: number | undefined; error: Error | null; refetch: () => unknown }

function Counted({ count: { data, error, refetch } }: { count: CountQuery }) {
  if (error)
    return (
      <>
        {texts.countFailed}: {errorMessageOf(error)}
        <Button size="compact-sm" variant="subtle" onClick={() => void refetch()}>
          {commonTexts.retry}
        </Button>
      </>
    )
  if (data === undefined)
    return (
      <>
        <span className="visually-hidden">{texts.counting}</span>
        <Skeleton height={14} width="11rem" />
      </>
    )
  return data === 0 ? texts.nobody : texts.count(data, formatCount(data))
}
