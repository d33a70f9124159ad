import { NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { messageMaxLength, paidMessageMinPriceCents, priceMaxCents } from '@ovation/contract/limits'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useMutation } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { pluralize } from '../../lib/format/format-number.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import type { SubscriberGroup } from './subscriber-queries.ts'

const texts = dashboardTexts.subscribers.message

type Values = { group: SubscriberGroup; content: string; price: number | string }
type Props = { profileId: string; group: SubscriberGroup; onClose: () => void }

/**
 * Sends a message to a group of fans, free or paid (MSG-05). The server delivers it in the background. A draft survives closing the
 * dialog, as in a thread, until it is sent.
 */
export default function GroupMessage({ profileId, group, onClose }: Props) {
  const form = useAppForm<Values>({
    initialValues: { group, content: '', price: '' },
    validate: {
      content: (value) => (value.trim() ? null : texts.errors.content),
      price: wrongWithPrice,
    },
    draft: { key: `group-message:${profileId}`, omit: ['group'] },
  })
  const send = useMutation({
    mutationFn: async ({ group: subscriber_group, content, price }: Values) => {
      const message = { content: content.trim(), price: centsOf(price), subscriber_group }
      const { data } = await supabase.rpc('message_subscribers', message).throwOnError()
      if (data === 0) throw new Error(texts.nobody) // nobody received it, so keep the draft
      return data
    },
    onSuccess: (count) => {
      form.forgetDraft()
      toast.success(texts.sent(pluralize(count, texts.person)))
      onClose()
    },
  })
  const busy = { readOnly: send.isPending }
  return (
    <Dialog title={texts.title} onClose={onClose} closable={!send.isPending} fullScreenOnPhone>
      <form onSubmit={form.handleSubmit((values) => send.mutateAsync(values))} noValidate>
        <Stack>
          <NativeSelect
            label={texts.to}
            data={Object.entries(texts.groups).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('group')}
          />
          <Textarea
            label={texts.content}
            rows={5}
            required
            maxLength={messageMaxLength}
            data-autofocus
            {...busy}
            {...form.getInputProps('content')}
          />
          <PriceInput
            label={texts.price.label}
            description={texts.price.hint}
            {...busy}
            {...form.getInputProps('price')}
          />
          <Text size="sm" c="dimmed">
            {texts.hint}
          </Text>
          <FormFoot submit={texts.submit} pending={send.isPending} failed={texts.failed} error={send.error} />
        </Stack>
      </form>
    </Dialog>
  )
}

function wrongWithPrice(price: number | string): string | null {
  const cents = centsOf(price)
  return price === '' || cents === 0 || (cents >= paidMessageMinPriceCents && cents <= priceMaxCents)
    ? null
    : texts.errors.price
}
