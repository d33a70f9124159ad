import { NativeSelect, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { promotionCodeForm, promotionCodeMaxLength, promotionMaxRedemptions } from '@ovation/contract/limits'
import { promotionTexts as texts } from '@ovation/contract/texts/promotion-codes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callFunction, FunctionFailure } from '../../lib/api/functions.ts'
import { endOfDay, localDate } from '../../lib/format/local-time.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './creator-plans.module.css'
import { type Promotion, type PromotionDuration, promotionCodesKey } from './queries.ts'

/** Named like the fields of the function's body, so that errors show on their fields. */
type Values = {
  code: string
  percentOff: number | string
  duration: PromotionDuration
  maxRedemptions: number | string
  /** A date, `"2026-03-04"`; empty for no expiry. */
  expiresAt: string
}

const durationMonths = 3

/** The form for a new promotion code. */
export function PromotionForm({ creatorId }: { creatorId: string }) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: { code: '', percentOff: 20, duration: 'once', maxRedemptions: '', expiresAt: '' },
    validate: {
      code: (value) => (promotionCodeForm.test(value) ? null : texts.errors.code),
      percentOff: (value) => (isWhole(value, 100) ? null : texts.errors.percent),
      maxRedemptions: (value) => (value === '' || isWhole(value, promotionMaxRedemptions) ? null : texts.errors.limit),
      expiresAt: (value) => (value === '' || endOfDay(value).getTime() > Date.now() ? null : texts.errors.lastDay),
    },
    draft: { key: `promotion:${creatorId}` },
  })
  const create = useMutation({
    mutationFn: ({ code, percentOff, duration, maxRedemptions, expiresAt }: Values) =>
      callFunction<{ promotionCode: Promotion }>('create-promotion-code', {
        code,
        percentOff,
        duration,
        ...(duration === 'repeating' && { durationMonths }),
        ...(maxRedemptions !== '' && { maxRedemptions }),
        ...(expiresAt !== '' && { expiresAt: endOfDay(expiresAt).toISOString() }),
      }),
    onSuccess: ({ promotionCode }) => {
      toast.success(texts.created(promotionCode.code))
      form.forgetDraft()
      form.reset()
      return queryClient.invalidateQueries({ queryKey: promotionCodesKey })
    },
    onError: (error) => {
      const field = error instanceof FunctionFailure && error.refusal.field
      if (field && field in form.values) form.showError(field as keyof Values, error.message)
    },
  })
  const busy = { readOnly: create.isPending }
  return (
    <form
      className={`surface ${classes.form} ${classes.promotion}`}
      aria-label={texts.form}
      onSubmit={form.handleSubmit((values) => create.mutateAsync(values))}
      noValidate
    >
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={texts.code}
            description={texts.codeHint}
            required
            maxLength={promotionCodeMaxLength}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...busy}
            {...form.getInputProps('code')}
            onChange={(event) => form.setFieldValue('code', event.currentTarget.value.toUpperCase())}
          />
          <NumberInput
            label={texts.percent}
            description={texts.percentHint}
            required
            allowDecimal={false}
            allowNegative={false}
            hideControls
            inputMode="numeric"
            suffix="%"
            {...busy}
            {...form.getInputProps('percentOff')}
          />
        </SimpleGrid>
        <NativeSelect
          label={texts.duration}
          data={Object.entries(texts.durations).map(([value, label]) => ({ value, label }))}
          disabled={create.isPending}
          {...form.getInputProps('duration')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={texts.limit}
            description={texts.limitHint}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            inputMode="numeric"
            thousandSeparator=","
            {...busy}
            {...form.getInputProps('maxRedemptions')}
          />
          <TextInput
            type="date"
            label={texts.lastDay}
            description={texts.lastDayHint}
            min={localDate(new Date())}
            {...busy}
            {...form.getInputProps('expiresAt')}
          />
        </SimpleGrid>
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
