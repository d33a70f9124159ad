import { NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import {
  priceMaxCents,
  sessionDescriptionMaxLength,
  sessionMaxMinutes,
  sessionMinMinutes,
  sessionMinPriceCents,
  sessionTitleMaxLength,
} from '@ovation/contract/limits'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Offer, offersKey } from '../../domain/private-sessions/offer-queries.ts'
import { appConfig } from '../../lib/api/config.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'

const texts = sessionTexts.offers

type Values = { title: string; description: string; minutes: number | string; price: number | string }
const blank: Values = { title: '', description: '', minutes: 30, price: '' }
const valuesOf = (offer: Offer): Values => ({
  title: offer.title,
  description: offer.description ?? '',
  minutes: offer.duration_minutes,
  price: offer.price_cents / 100,
})

type Props = {
  creatorId: string
  offer?: Offer
  /** In a dialog: closes it, after saving or with Cancel. */
  onClose?: () => void
}

/** The draft's key, for an existing offer or a new one of this creator. */
export const offerDraftKey = (id: string): string => `session-offer:${id}`

/** Creates or edits an offer. Existing bookings don't change. */
export function OfferForm({ creatorId, offer, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: offer ? valuesOf(offer) : blank,
    validate: {
      title: (value) => (value.trim() ? null : texts.errors.title),
      minutes: (value) =>
        Number.isInteger(value) && Number(value) >= sessionMinMinutes && Number(value) <= sessionMaxMinutes
          ? null
          : texts.errors.duration,
      price: wrongWithPrice,
    },
    draft: { key: offerDraftKey(offer?.id ?? creatorId) },
  })
  const save = useMutation({
    mutationFn: async ({ title, description, minutes, price }: Values) => {
      const row = {
        title: title.trim(),
        description: description.trim() || null,
        duration_minutes: Number(minutes),
        price_cents: centsOf(price),
      }
      const offers = supabase.from('session_offers')
      await (offer
        ? offers.update(row).eq('id', offer.id)
        : offers.insert({ ...row, creator_id: creatorId })
      ).throwOnError()
    },
    onSuccess: (_nothing, { title }) => {
      form.forgetDraft()
      form.reset()
      toast.success(offer ? texts.saved : texts.created(title.trim()))
      onClose?.()
      return queryClient.invalidateQueries({ queryKey: offersKey(creatorId) })
    },
  })
  const busy = { readOnly: save.isPending }
  return (
    <form onSubmit={form.handleSubmit((values) => save.mutateAsync(values))} noValidate>
      <Stack>
        <TextInput
          label={texts.name.label}
          description={texts.name.hint}
          required
          maxLength={sessionTitleMaxLength}
          {...busy}
          {...form.getInputProps('title')}
        />
        <Textarea
          label={texts.description.label}
          description={texts.description.hint}
          rows={2}
          maxLength={sessionDescriptionMaxLength}
          {...busy}
          {...form.getInputProps('description')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={texts.duration.label}
            description={texts.duration.hint}
            required
            allowDecimal={false}
            allowNegative={false}
            hideControls
            inputMode="numeric"
            {...busy}
            {...form.getInputProps('minutes')}
          />
          <PriceInput
            label={texts.price.label}
            description={texts.price.hint(appConfig().feePercent)}
            required
            {...busy}
            {...form.getInputProps('price')}
          />
        </SimpleGrid>
        <FormFoot
          submit={offer ? texts.save : texts.submit}
          pending={save.isPending}
          failed={texts.saveFailed}
          error={save.error}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

function wrongWithPrice(price: number | string): string | null {
  const cents = centsOf(price)
  if (price === '' || Number.isNaN(cents) || cents < sessionMinPriceCents) return texts.errors.price
  return cents > priceMaxCents ? texts.errors.priceHigh : null
}
