import { refundedTexts as refunded } from '@ovation/contract/texts/refunded'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'

/** A payment that was returned in full, as `verify-payment` and `verify-subscription` describe it. */
export type ReturnedPayment = { at: string; amountCents: number; hasFailed: boolean }

/** What the payer reads about a refund: that and when it was made, and what it means. */
export function refundWords(
  { at, amountCents, hasFailed }: ReturnedPayment,
  kind: keyof typeof refunded.effects,
): { title: string; message: string } {
  const amount = formatCents(amountCents)
  if (hasFailed)
    return {
      title: refunded.failedTitle,
      message: [refunded.failed(amount), refunded.effects[kind]].filter(Boolean).join(' '),
    }
  return {
    title: refunded.title,
    message: [refunded.message(amount, formatDate(at)), refunded.effects[kind], refunded.arrival]
      .filter(Boolean)
      .join(' '),
  }
}
