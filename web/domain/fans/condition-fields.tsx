import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { ruleDaysMax } from '@ovation/contract/limits'
import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { useQuery } from '@tanstack/react-query'
import { centsOf } from '../../lib/format/cents-of.ts'
import { PriceInput } from '../../ui/price-input.tsx'
import { productsQuery } from '../plans/queries.ts'
import { linkNamesQuery } from '../tracking-links/queries.ts'
import { choices, conditions, type DraftCondition, type FieldName } from './audience-rule.ts'
import { fanListsQuery } from './list-queries.ts'

const texts = fanListTexts.rule

type Props = {
  viewerId: string
  value: DraftCondition
  onChange: (value: DraftCondition) => void
  ownList: string | undefined
}

/** The fields of one condition, from left to right as a sentence. */
export function ConditionFields({ viewerId, value, onChange, ownList }: Props) {
  return conditions[value.condition].map((field) => (
    <Field
      key={field}
      field={field}
      viewerId={viewerId}
      condition={value.condition}
      value={value.values[field]}
      onChange={(next) => onChange({ ...value, values: { ...value.values, [field]: next } })}
      ownList={ownList}
    />
  ))
}

type FieldProps = {
  field: FieldName
  viewerId: string
  condition: DraftCondition['condition']
  value: string | number | undefined
  onChange: (value: string | number | undefined) => void
  ownList: string | undefined
}

function Field({ field, viewerId, condition, value, onChange, ownList }: FieldProps) {
  const label = texts.fields[field]
  if (field === 'plan') return <PlanField {...{ viewerId, value, onChange, label }} />
  if (field === 'list') return <ListField {...{ viewerId, value, onChange, label, ownList }} />
  if (field === 'link') return <LinkField {...{ viewerId, value, onChange, label }} />
  if (field === 'date')
    return (
      <TextInput
        type="date"
        aria-label={label}
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  if (field === 'cents')
    return (
      <PriceInput
        aria-label={label}
        placeholder="$0.00"
        value={typeof value === 'number' ? value / 100 : ''}
        onChange={(dollars) => onChange(dollars === '' ? undefined : centsOf(dollars))}
        data-short
      />
    )
  if (field === 'days')
    return (
      <NumberInput
        aria-label={label}
        placeholder="30"
        suffix={` ${condition === 'expired' || condition === 'last_seen' ? texts.daysAgo : texts.days}`}
        min={0}
        max={ruleDaysMax}
        allowDecimal={false}
        allowNegative={false}
        value={value ?? ''}
        onChange={(days) => onChange(typeof days === 'number' ? days : undefined)}
        description={condition === 'last_seen' ? texts.seenHint : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    )
  return (
    <NativeSelect
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={choices[field].map((choice) => ({ value: choice, label: texts.choices[choice] }))}
    />
  )
}

type ChoiceProps = Pick<FieldProps, 'viewerId' | 'value' | 'onChange'> & { label: string }

function PlanField({ viewerId, value, onChange, label }: ChoiceProps) {
  const plans = useQuery(productsQuery(viewerId))
  return (
    <NativeSelect
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: texts.choosePlan },
        ...(plans.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

function LinkField({ viewerId, value, onChange, label }: ChoiceProps) {
  const links = useQuery(linkNamesQuery(viewerId))
  return (
    <NativeSelect
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: texts.chooseLink },
        { value: 'any', label: texts.anyLink },
        ...(links.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

function ListField({ viewerId, value, onChange, label, ownList }: ChoiceProps & Pick<FieldProps, 'ownList'>) {
  const lists = useQuery(fanListsQuery(viewerId))
  return (
    <NativeSelect
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: texts.chooseList },
        ...(lists.data ?? []).filter(({ id }) => id !== ownList).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}
