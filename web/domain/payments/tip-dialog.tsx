import { Button, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { tipMaxCents, tipNoteMaxLength } from '@ovation/contract/limits'
import { monetizationTexts } from '@ovation/contract/texts/monetization'
import { payingTexts } from '@ovation/contract/texts/paying'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { centsOf } from '../../lib/format/cents-of.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { forgetDraft } from '../../lib/forms/draft.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { type Goal, goalsQuery, isTippable } from '../goals/queries.ts'
import { TipGoals } from '../goals/tip-goals.tsx'
import { type Monetization, monetizationQuery, undecided } from './monetization.ts'
import { useCheckout } from './use-checkout.ts'

const texts = payingTexts.tip

export type TipTarget = {
  creatorId: string
  name: string
  /** The post being tipped; undefined for a tip on the profile. */
  postId?: string
  /** The goal that is chosen at first (OFFER-07). */
  goalId?: string
}

/** The creator's preset amounts, or any amount from their minimum to $500, and a note; then the checkout (PROF-21, D28). */
export default function TipDialog({ target, onClose }: { target: TipTarget; onClose: () => void }) {
  const settings = useQuery(monetizationQuery(target.creatorId))
  const goals = useQuery(goalsQuery(target.creatorId))
  const close = () => {
    forgetDraft(draftKey(target))
    onClose()
  }
  // The form shows errors itself.
  const checkout = useCheckout('create-payment-checkout', payingTexts.error, { onPaid: close, isHandled: () => true })
  // If the settings couldn't be read, allow any tip: the server checks it.
  const terms = settings.data ?? undecided
  return (
    <Dialog title={texts.title(target.name)} onClose={close} size="sm" closable={!checkout.pending}>
      {settings.isPending || goals.isPending ? (
        <Skeleton height={180} />
      ) : terms.takes_tips ? (
        <TipForm
          target={target}
          terms={terms}
          goals={goals.data?.filter(isTippable) ?? []}
          checkout={checkout}
          close={close}
        />
      ) : (
        <Text>{monetizationTexts.noTips(target.name)}</Text>
      )}
    </Dialog>
  )
}

type Props = {
  target: TipTarget
  terms: Monetization
  goals: Goal[]
  checkout: ReturnType<typeof useCheckout>
  close: () => void
}

function TipForm({ target, terms, goals, checkout, close }: Props) {
  const { tip_presets_cents: presets, tip_min_cents: smallest } = terms
  const form = useAppForm({
    initialValues: {
      dollars: String((presets[1] ?? presets[0] ?? smallest) / 100),
      note: '',
      goalId: target.goalId ?? '',
    },
    validate: {
      dollars: (value) =>
        isTip(centsOf(value), smallest) ? null : monetizationTexts.amountWrong(formatCents(smallest)),
    },
    draft: { key: draftKey(target) },
  })
  // Also if the settings load after the dialog has set the focus.
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const cents = centsOf(form.values.dollars)
  const pending = checkout.pending !== undefined
  const submit = form.handleSubmit(async ({ dollars, goalId, ...words }) => {
    const { creatorId, postId } = target
    const note = words.note.trim()
    await checkout.pay({
      kind: 'tip',
      targetId: creatorId,
      amountCents: centsOf(dollars),
      ...(postId && { postId }),
      ...(note && { note }),
      // A draft may name a goal that has ended since.
      ...(goals.some(({ id }) => id === goalId) && { goalId }),
    })
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
              flex="1 1 3.5rem" // equally wide, and at least as wide as the amount
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
        <Textarea
          label={texts.note}
          description={texts.noteHint(target.name)}
          rows={2}
          maxLength={tipNoteMaxLength}
          dir="auto"
          readOnly={pending}
          {...form.getInputProps('note')}
        />
        {goals.length > 0 && (
          <TipGoals
            goals={goals}
            chosen={form.values.goalId}
            disabled={pending}
            onChoose={(id) => form.setFieldValue('goalId', id)}
          />
        )}
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

const draftKey = ({ creatorId, postId, goalId }: TipTarget) => `tip:${goalId ?? postId ?? creatorId}`
const isTip = (cents: number, smallest: number) => cents >= smallest && cents <= tipMaxCents
