import { NativeSelect, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { giftCodesMax } from '@ovation/contract/limits'
import { giftCodeTexts as texts } from '@ovation/contract/texts/gifts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './given-gifts.module.css'
import { giftBatchesKey } from './queries.ts'

type Values = {
  plan: string
  months: number | string
  codes: number | string
  /** A date, `"2026-03-04"`. */
  lastDay: string
}

type Props = { creatorId: string; plans: readonly { id: string; name: string }[] }

/** The form for new gift codes (OFFER-03). */
export function GiftCodesForm({ creatorId, plans }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: { plan: plans[0]?.id ?? '', months: 1, codes: 50, lastDay: '' },
    validate: {
      months: (value) => (isWhole(value, 12) ? null : texts.errors.months),
      codes: (value) => (isWhole(value, giftCodesMax) ? null : texts.errors.codes),
      lastDay: (value) => (value >= today() ? null : texts.errors.lastDay),
    },
    draft: { key: `gift-codes:${creatorId}` },
  })
  const plan = plans.find(({ id }) => id === form.values.plan) ?? plans[0]
  const create = useMutation({
    mutationFn: async ({ months, codes, lastDay }: Values) =>
      void (await supabase
        .rpc('create_gift_codes', {
          plan_id: plan?.id ?? '',
          months: Number(months),
          codes: Number(codes),
          last_day: lastDay,
        })
        .throwOnError()),
    onSuccess: (_, { codes }) => {
      toast.success(texts.created(formatCount(Number(codes))))
      form.forgetDraft()
      form.reset()
      return queryClient.invalidateQueries({ queryKey: giftBatchesKey })
    },
  })
  const busy = { readOnly: create.isPending }
  const whole = { required: true, allowDecimal: false, allowNegative: false, hideControls: true } as const
  return (
    <form
      className={`surface ${classes.form}`}
      aria-label={texts.form}
      onSubmit={form.handleSubmit((values) => create.mutateAsync(values))}
      noValidate
    >
      <Stack>
        {plans.length > 1 && (
          <NativeSelect
            label={texts.plan}
            data={plans.map(({ id, name }) => ({ value: id, label: name }))}
            disabled={create.isPending}
            {...form.getInputProps('plan')}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={texts.months}
            inputMode="numeric"
            {...whole}
            {...busy}
            {...form.getInputProps('months')}
          />
          <NumberInput
            label={texts.codes}
            description={texts.codesHint}
            inputMode="numeric"
            {...whole}
            {...busy}
            {...form.getInputProps('codes')}
          />
        </SimpleGrid>
        <TextInput
          type="date"
          label={texts.lastDay}
          description={texts.lastDayHint}
          required
          min={today()}
          {...busy}
          {...form.getInputProps('lastDay')}
        />
        <FormFoot
          submit={texts.create}
          pending={create.isPending}
          failed={texts.failed}
          error={create.error}
          secondary
        />
      </Stack>
    </form>
  )
}

/** In UTC, as the server counts days. */
const today = (): string => new Date().toISOString().slice(0, 10)

const isWhole = (value: number | string, max: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max
