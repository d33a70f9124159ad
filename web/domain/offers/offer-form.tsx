import { Checkbox, NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { offerMaxPeriods, offerMaxUsers } from '@ovation/contract/limits'
import { creatorOfferTexts as texts } from '@ovation/contract/texts/creator-offers'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { endOfDay, localDate } from '../../lib/format/local-time.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from '../plans/creator-plans.module.css'
import own from './offers.module.css'
import { type OfferAudience, planOffersKey } from './plan-offers.ts'
import { offersKey } from './queries.ts'

type Values = {
  percentOff: number | string
  periods: number | string
  audience: OfferAudience
  which: 'all' | 'some'
  plans: string[]
  /** A date, `"2026-03-04"`; empty for none. */
  lastDay: string
  userLimit: number | string
}
type Props = { creatorId: string; plans: readonly { id: string; name: string }[] }

/** The form for a new offer. It starts at once. */
export function OfferForm({ creatorId, plans }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: {
      percentOff: 20,
      periods: 1,
      audience: 'new',
      which: 'all',
      plans: [],
      lastDay: '',
      userLimit: '',
    },
    validate: {
      percentOff: (value) => (isWhole(value, 99) ? null : texts.errors.percent),
      periods: (value) => (isWhole(value, offerMaxPeriods) ? null : texts.errors.periods),
      plans: (value, { which }) => (which === 'all' || chosen(value).length > 0 ? null : texts.errors.plans),
      lastDay: (value, { userLimit }) => {
        if (value === '') return userLimit === '' ? texts.errors.end : null
        return isWithinAYear(value) ? null : texts.errors.lastDay
      },
      userLimit: (value) => (value === '' || isWhole(value, offerMaxUsers) ? null : texts.errors.limit),
    },
    draft: { key: `offer:${creatorId}` },
  })
  // A draft may name a plan that has been deactivated since.
  const chosen = (ids: readonly string[]) => ids.filter((id) => plans.some((plan) => plan.id === id))
  const create = useMutation({
    mutationFn: async (values: Values) => {
      await supabase
        .rpc('create_offer', {
          percent_off: Number(values.percentOff),
          periods: Number(values.periods),
          audience: values.audience,
          ...(values.which === 'some' && { plan_ids: chosen(values.plans) }),
          ...(values.lastDay !== '' && { ends_at: endOfDay(values.lastDay).toISOString() }),
          ...(values.userLimit !== '' && { user_limit: Number(values.userLimit) }),
        })
        .throwOnError()
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: offersKey }),
        queryClient.invalidateQueries({ queryKey: planOffersKey }),
      ])
    },
    onSuccess: () => {
      toast.success(texts.created)
      form.forgetDraft()
      form.reset()
    },
  })
  const busy = { readOnly: create.isPending }
  const number = { allowDecimal: false, allowNegative: false, hideControls: true, inputMode: 'numeric' } as const
  return (
    <form
      className={`surface ${classes.form} ${classes.promotion}`}
      aria-label={texts.form}
      onSubmit={form.handleSubmit((values) => create.mutateAsync(values))}
      noValidate
    >
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={texts.percent}
            description={texts.percentHint}
            required
            suffix="%"
            {...number}
            {...busy}
            {...form.getInputProps('percentOff')}
          />
          <NumberInput
            label={texts.periods}
            description={texts.periodsHint}
            required
            {...number}
            {...busy}
            {...form.getInputProps('periods')}
          />
        </SimpleGrid>
        <NativeSelect
          label={texts.audience}
          data={Object.entries(texts.audiences).map(([value, label]) => ({ value, label }))}
          disabled={create.isPending}
          {...form.getInputProps('audience')}
        />
        <NativeSelect
          label={texts.plans}
          data={[
            { value: 'all', label: texts.allPlans },
            { value: 'some', label: texts.somePlans },
          ]}
          disabled={create.isPending}
          {...form.getInputProps('which')}
        />
        {form.values.which === 'some' && (
          <Checkbox.Group label={texts.choosePlans} required {...form.getInputProps('plans')}>
            <div className={own.plans}>
              {plans.map(({ id, name }) => (
                <Checkbox key={id} value={id} label={<bdi>{name}</bdi>} disabled={create.isPending} />
              ))}
            </div>
          </Checkbox.Group>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            type="date"
            label={texts.lastDay}
            description={texts.lastDayHint}
            min={localDate(new Date())}
            {...busy}
            {...form.getInputProps('lastDay')}
          />
          <NumberInput
            label={texts.limit}
            description={texts.limitHint}
            thousandSeparator=","
            {...number}
            {...busy}
            {...form.getInputProps('userLimit')}
          />
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          {texts.replacesTrial} {texts.periodsNote}
        </Text>
        <FormFoot
          submit={texts.create}
          pending={create.isPending}
          failed={texts.error}
          error={create.error}
          secondary
        />
      </Stack>
    </form>
  )
}

const isWhole = (value: number | string, max: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max

const yearMs = 365 * 86_400_000
function isWithinAYear(day: string): boolean {
  const end = endOfDay(day).getTime()
  return end > Date.now() && end <= Date.now() + yearMs
}
