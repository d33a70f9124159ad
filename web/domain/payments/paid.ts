import { payingTexts } from '@ovation/contract/texts/paying'
import type { QueryClient } from '@tanstack/react-query'
import { formatCents } from '../../lib/format/format.ts'

/** What follows a payment, wherever it was made. @param kind `ppv`, `tip`, `message` or `session`. */
export function paidWords(kind: string, amountCents: number): string {
  if (kind === 'tip') return payingTexts.tipped(formatCents(amountCents))
  if (kind === 'message') return payingTexts.unlocked
  return kind === 'session' ? payingTexts.booked : payingTexts.opened
}

/** What was locked is open now: whatever shows posts, messages or bookings asks again. */
export function refreshPaid(queryClient: QueryClient): void {
  for (const queryKey of [['posts'], ['media-links'], ['messages'], ['conversations'], ['bookings']])
    void queryClient.invalidateQueries({ queryKey })
}
