import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { tipMaxCents } from '@ovation/contract/limits'
import { monetizationTexts } from '@ovation/contract/texts/monetization'
import { payingTexts } from '@ovation/contract/texts/paying'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { centsOf } from '../../lib/format/cents-of.ts'
import { formatCents } from '../../lib/format/format.ts'
import { forgetDraft } from '../../lib/forms/draft.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { type Monetization, monetizationQuery, undecided } from './monetization.ts'
import { useCheckout } from './use-checkout.ts'

const texts = payingTexts.tip

export type TipTarget = {
  creatorId: string
  name: string
  /** The post the tip is given under; a tip from the profile has none. */
  postId?: string
}

/** What the creator suggests at a press, and any other amount from their smallest to $500; then the checkout (PROF-21, D28). */
export default function TipDialog({ target, onClose }: { target: TipTarget; onClose: () => void }) {
  const settings = useQuery(monetizationQuery(target.creatorId))
  const close = () => {
    forgetDraft(draftKey(target))
    onClose()
  }
  // A refusal stands in the form.
  const checkout = useCheckout('create-payment-checkout', payingTexts.error, { onPaid: close, isTold: () => true })
  // What could not be read is no reason to take no tips: the server knows.
  const terms = settings.data ?? undecided
  return (
    <Dialog title={texts.title(target.name)} onClose={close} size="sm" closable={!checkout.pending}>
      {settings.isPending ? (
        <Skeleton height={180} />
      ) : terms.takes_tips ? (
        <TipForm target={target} terms={terms} checkout={checkout} close={close} />
      ) : (
        <Text>{monetizationTexts.noTips(target.name)}</Text>
      )}
    </Dialog>
  )
}

type Props = {
  target: TipTarget
  terms: Monetization
  checkout: ReturnType<typeof useCheckout>
  close: () => void
}

function TipForm({ target, terms, checkout, close }: Props) {
  const { tip_presets_cents: presets, tip_min_cents: smallest } = terms
  const form = useAppForm({
    initialValues: { dollars: String((presets[1] ?? presets[0] ?? smallest) / 100) },
    validate: {
      dollars: (value) =>
        isTip(centsOf(value), smallest) ? null : monetizationTexts.amountWrong(formatCents(smallest)),
    },
    draft: { key: draftKey(target) },
  })
  // Also when what the creator takes comes after the dialog has put the focus somewhere.
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const cents = centsOf(form.values.dollars)
  const pending = checkout.pending !== undefined
  const submit = form.handleSubmit(async ({ dollars }) => {
    const { creatorId, postId } = target
    await checkout.pay({ kind: 'tip', targetId: creatorId, amountCents: centsOf(dollars), ...(postId && { postId }) })
    form.forgetDraft()
  })

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Group grow gap="xs" role="group" aria-label={texts.presets} preventGrowOverflow={false}>
          {presets.map((preset) => (
            <Button
              key={preset}
              variant={cents === preset ? 'light' : 'default'}
              aria-pressed={cents === preset}
              disabled={pending}
              onClick={() => form.setFieldValue('dollars', String(preset / 100))}
              px="xs"
              flex="1 1 3.5rem" // equally wide, and none narrower than its amount
              miw="max-content"
            >
              {formatCents(preset).replace('.00', '')}
            </Button>
          ))}
        </Group>
        <PriceInput
          label={texts.amount}
          description={monetizationTexts.amountHint(formatCents(smallest))}
          hideControls={false}
          min={0}
          step={1}
          readOnly={pending}
          data-autofocus
          ref={field}
          {...form.getInputProps('dollars')}
          onChange={(dollars) => form.setFieldValue('dollars', String(dollars))}
        />
        <FormFoot
          submit={isTip(cents, smallest) ? `${texts.submit} · ${formatCents(cents)}` : texts.submit}
          pending={pending}
          failed={payingTexts.error}
          error={checkout.error}
          onCancel={close}
        />
      </Stack>
    </form>
  )
}

const draftKey = ({ creatorId, postId }: TipTarget) => `tip:${postId ?? creatorId}`
const isTip = (cents: number, smallest: number) => cents >= smallest && cents <= tipMaxCents
