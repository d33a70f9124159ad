import { payingTexts } from '@ovation/contract/texts/paying'
import type { QueryClient } from '@tanstack/react-query'
import { formatCents } from '../../lib/format/format-number.ts'

/** The message after a payment. @param kind `ppv`, `tip`, `message`, `session`, `gift`, or `product`. */
export function paidMessage(kind: string, amountCents: number): string {
  if (kind === 'tip') return payingTexts.tipped(formatCents(amountCents))
  if (kind === 'message') return payingTexts.unlocked
  if (kind === 'gift') return payingTexts.given
  if (kind === 'product') return payingTexts.gotProduct
  return kind === 'session' ? payingTexts.booked : payingTexts.opened
}

/** The state of the history entry to which a buyer returns: not part of the URL, so that a shared link doesn't carry it. */
export const justBought = 'just-bought'

/** Refetches what a payment may have unlocked or added. */
export function refreshPaid(queryClient: QueryClient): void {
  for (const queryKey of [
    ['posts'],
    ['action-target'],
    ['media-links'],
    ['messages'],
    ['conversations'],
    ['bookings'],
    ['given-gifts'],
    ['products'],
    ['goals'],
    ['library'],
  ])
    void queryClient.invalidateQueries({ queryKey })
}
