import { payingTexts } from '@ovation/contract/texts/paying'
import type { QueryClient } from '@tanstack/react-query'
import { formatCents } from '../../lib/format/format-number.ts'

/** The message after a payment. @param kind `ppv`, `tip`, `message` or `session`. */
export function paidMessage(kind: string, amountCents: number): string {
  if (kind === 'tip') return payingTexts.tipped(formatCents(amountCents))
  if (kind === 'message') return payingTexts.unlocked
  return kind === 'session' ? payingTexts.booked : payingTexts.opened
}

/** The state of the history entry to which a buyer returns: not part of the URL, so that a shared link doesn't carry it. */
export const justBought = 'just-bought'

/** Refetches posts, messages, and bookings, which a payment may have unlocked. */
export function refreshPaid(queryClient: QueryClient): void {
  for (const queryKey of [['posts'], ['action-target'], ['media-links'], ['messages'], ['conversations'], ['bookings']])
    void queryClient.invalidateQueries({ queryKey })
}
