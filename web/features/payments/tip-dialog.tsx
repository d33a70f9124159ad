import { Button, Group, NumberInput, Stack } from '@mantine/core'
import { tipMaxCents, tipMinCents, tipPresetsCents } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { payingTexts } from '@ovation/contract/texts/paying'
import { type FormEvent, useState } from 'react'
import { formatCents } from '../../lib/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useCheckout } from './use-checkout.ts'

const texts = payingTexts.tip

export type TipTarget = {
  creatorId: string
  name: string
  /** The post the tip is given under; a tip from the profile has none. */
  postId?: string
}

/** Four amounts at a press, and any other from $1 to $500; then the checkout (PROF-21, D28). */
export default function TipDialog({ target, onClose }: { target: TipTarget; onClose: () => void }) {
  // A string while it is being typed, such as "2.".
  const [dollars, setDollars] = useState<number | string>((tipPresetsCents[1] ?? tipMinCents) / 100)
  const [wrong, setWrong] = useState(false)
  const checkout = useCheckout('create-payment-checkout', payingTexts.error)
  const cents = Math.round(Number(dollars) * 100) || 0

  const choose = (amount: number | string) => {
    setDollars(amount)
    setWrong(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (cents < tipMinCents || cents > tipMaxCents) return setWrong(true)
    const { creatorId, postId } = target
    checkout.start({ kind: 'tip', targetId: creatorId, amountCents: cents, ...(postId && { postId }) })
  }

  return (
    <Dialog title={texts.title(target.name)} onClose={onClose} size="sm" closable={!checkout.pending}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Group grow gap="xs" role="group" aria-label={texts.presets} preventGrowOverflow={false}>
            {tipPresetsCents.map((preset) => (
              <Button
                key={preset}
                variant={cents === preset ? 'light' : 'default'}
                aria-pressed={cents === preset}
                onClick={() => choose(preset / 100)}
                px="xs"
              >
                {`$${preset / 100}`}
              </Button>
            ))}
          </Group>
          <NumberInput
            label={texts.amount}
            description={texts.hint}
            prefix="$"
            allowNegative={false}
            decimalScale={2}
            min={0}
            step={1}
            value={dollars}
            onChange={choose}
            error={wrong && texts.wrong}
            data-autofocus
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose} disabled={checkout.pending !== undefined}>
              {commonTexts.cancel}
            </Button>
            <Button type="submit" loading={checkout.pending !== undefined}>
              {cents >= tipMinCents && cents <= tipMaxCents ? `${texts.submit} · ${formatCents(cents)}` : texts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
