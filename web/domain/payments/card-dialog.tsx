import { Button, Group, Stack, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { payingTexts } from '@ovation/contract/texts/paying'
import { IconCreditCard } from '@tabler/icons-react'
import { formatCents } from '../../lib/format/format-number.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { OpenQuestion } from './card-question.ts'

const texts = payingTexts.card

/** Confirms the charge of a saved card: for what, how much, and which card (D40). */
export default function CardDialog({ question: { card, amountCents, title, answer } }: { question: OpenQuestion }) {
  const amount = formatCents(amountCents)
  return (
    <Dialog title={texts.title(amount)} onClose={() => answer('cancel')} size="sm">
      <Stack>
        <Text>{title}</Text>
        <Group gap="sm" wrap="nowrap">
          <IconCreditCard size={22} stroke={1.6} aria-hidden="true" />
          <Text>{texts.named(card.brand, card.last4)}</Text>
        </Group>
        <Text c="dimmed" size="sm">
          {texts.hint}
        </Text>
        <Button fullWidth onClick={() => answer('use')}>
          {texts.pay(amount)}
        </Button>
        <Button fullWidth variant="default" onClick={() => answer('skip')}>
          {texts.another}
        </Button>
        <Button fullWidth variant="subtle" color="gray" onClick={() => answer('cancel')} data-autofocus>
          {commonTexts.cancel}
        </Button>
      </Stack>
    </Dialog>
  )
}
