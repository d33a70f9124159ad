import { Button, Group, NumberInput, Skeleton, Stack, Text } from '@mantine/core'
import { tipMaxCents } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { monetizationTexts } from '@ovation/contract/texts/monetization'
import { payingTexts } from '@ovation/contract/texts/paying'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formatCents } from '../../lib/format.ts'
import { type Monetization, monetizationQuery, undecided } from '../../lib/monetization.ts'
import { Dialog } from '../../ui/dialog.tsx'
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
  const checkout = useCheckout('create-payment-checkout', payingTexts.error)
  // What could not be read is no reason to take no tips: the server knows.
  const terms = settings.data ?? undecided
  return (
    <Dialog title={texts.title(target.name)} onClose={onClose} size="sm" closable={!checkout.pending}>
      {settings.isPending ? (
        <Skeleton height={180} />
      ) : terms.takes_tips ? (
        <TipForm target={target} terms={terms} checkout={checkout} onClose={onClose} />
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
  onClose: () => void
}

function TipForm({ target, terms, checkout, onClose }: Props) {
  const { tip_presets_cents: presets, tip_min_cents: smallest } = terms
  // A string while it is being typed, such as "2.".
  const [dollars, setDollars] = useState<number | string>((presets[1] ?? presets[0] ?? smallest) / 100)
  const [wrong, setWrong] = useState(false)
  const cents = Math.round(Number(dollars) * 100) || 0

  const choose = (amount: number | string) => {
    setDollars(amount)
    setWrong(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (cents < smallest || cents > tipMaxCents) return setWrong(true)
    const { creatorId, postId } = target
    checkout.start({ kind: 'tip', targetId: creatorId, amountCents: cents, ...(postId && { postId }) })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Group grow gap="xs" role="group" aria-label={texts.presets} preventGrowOverflow={false}>
          {presets.map((preset) => (
            <Button
              key={preset}
              variant={cents === preset ? 'light' : 'default'}
              aria-pressed={cents === preset}
              onClick={() => choose(preset / 100)}
              px="xs"
            >
              {formatCents(preset).replace('.00', '')}
            </Button>
          ))}
        </Group>
        <NumberInput
          label={texts.amount}
          description={monetizationTexts.amountHint(formatCents(smallest))}
          prefix="$"
          allowNegative={false}
          decimalScale={2}
          min={0}
          step={1}
          value={dollars}
          onChange={choose}
          error={wrong && monetizationTexts.amountWrong(formatCents(smallest))}
          data-autofocus
        />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose} disabled={checkout.pending !== undefined}>
            {commonTexts.cancel}
          </Button>
          <Button type="submit" loading={checkout.pending !== undefined}>
            {cents >= smallest && cents <= tipMaxCents ? `${texts.submit} · ${formatCents(cents)}` : texts.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
