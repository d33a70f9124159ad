import { SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { ppvMinPriceCents, priceMaxCents, tipMaxCents, tipMinCents } from '@ovation/contract/limits'
import { monetizationTexts as texts } from '@ovation/contract/texts/monetization'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Monetization, monetizationQuery } from '../../domain/payments/monetization.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './earnings.module.css'

/** The values as typed. */
type Values = {
  ppvPrice: number | string
  messagePrice: number | string
  takesTips: boolean
  tipMin: number | string
  presets: string
}
type Props = { creatorId: string; settings: Monetization }

/** The creator's default prices and tip settings. */
export function MonetizationForm({ creatorId, settings }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: valuesOf(settings),
    validate: {
      ppvPrice: wrongWithPrice,
      messagePrice: wrongWithPrice,
      tipMin: (value) => (isTip(centsOf(value)) ? null : texts.errors.tipMin),
      presets: (value, { tipMin }) => (arePresets(presetsOf(value), centsOf(tipMin)) ? null : presetsError(tipMin)),
    },
    draft: { key: `monetization:${creatorId}` },
  })
  const save = useMutation({
    mutationFn: async (values: Values) => {
      const row: Monetization = {
        ppv_price_cents: priceOf(values.ppvPrice),
        message_price_cents: priceOf(values.messagePrice),
        takes_tips: values.takesTips,
        tip_min_cents: centsOf(values.tipMin),
        tip_presets_cents: presetsOf(values.presets),
      }
      await supabase
        .from('monetization_settings')
        .upsert({ creator_id: creatorId, ...row })
        .throwOnError()
      return row
    },
    onSuccess: (row) => {
      form.forgetDraft()
      queryClient.setQueryData(monetizationQuery(creatorId).queryKey, row)
      toast.success(texts.saved)
    },
  })
  const busy = { readOnly: save.isPending }
  return (
    <form
      className={`surface ${classes.panel}`}
      aria-labelledby="prices"
      onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}
      noValidate
    >
      <Stack>
        <div>
          <h2 id="prices" className={classes.heading}>
            {texts.title}
          </h2>
          <Text c="dimmed" mt="xs">
            {texts.hint}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={{ base: 'md', sm: 0 }} className={classes.fields ?? ''}>
          <PriceInput
            label={texts.ppvPrice}
            description={texts.priceHint}
            {...busy}
            {...form.getInputProps('ppvPrice')}
          />
          <PriceInput
            label={texts.messagePrice}
            description={texts.priceHint}
            {...busy}
            {...form.getInputProps('messagePrice')}
          />
        </SimpleGrid>
        <Switch
          label={texts.takesTips}
          description={texts.takesTipsHint}
          disabled={save.isPending}
          {...form.getInputProps('takesTips', { type: 'checkbox' })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={{ base: 'md', sm: 0 }} className={classes.fields ?? ''}>
          <PriceInput label={texts.tipMin} description={texts.tipMinHint} {...busy} {...form.getInputProps('tipMin')} />
          <TextInput
            label={texts.presets}
            description={texts.presetsHint}
            inputMode="text"
            {...busy}
            {...form.getInputProps('presets')}
          />
        </SimpleGrid>
        <FormFoot submit={texts.submit} pending={save.isPending} failed={texts.failed} error={save.error} />
      </Stack>
    </form>
  )
}

const inDollars = (cents: number | null): number | string => (cents === null ? '' : cents / 100)
const valuesOf = (settings: Monetization): Values => ({
  ppvPrice: inDollars(settings.ppv_price_cents),
  messagePrice: inDollars(settings.message_price_cents),
  takesTips: settings.takes_tips,
  tipMin: inDollars(settings.tip_min_cents),
  presets: settings.tip_presets_cents.map((cents) => cents / 100).join(', '),
})

const priceOf = (typed: number | string): number | null => (typed === '' ? null : centsOf(typed))
/** Parses `$5, 10, 2.50`. */
const presetsOf = (typed: string): number[] =>
  typed
    .split(/[,;]|\s+/)
    .map((amount) => amount.trim().replace(/^\$/, ''))
    .filter((amount) => amount !== '')
    .map(centsOf)

function wrongWithPrice(typed: number | string): string | null {
  const cents = priceOf(typed)
  return cents === null || (cents >= ppvMinPriceCents && cents <= priceMaxCents) ? null : texts.errors.price
}

const isTip = (cents: number): boolean => cents >= tipMinCents && cents <= tipMaxCents
const arePresets = (presets: number[], smallest: number): boolean =>
  presets.length >= 1 &&
  presets.length <= 4 &&
  new Set(presets).size === presets.length &&
  presets.every((cents) => isTip(cents) && cents >= smallest)
const presetsError = (tipMin: number | string): string =>
  texts.errors.presets(formatCents(Math.max(centsOf(tipMin) || 0, tipMinCents)))
