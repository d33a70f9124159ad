import { operationsTexts } from '@ovation/contract/texts/operations'
import { paymentKinds } from '@ovation/contract/texts/refunds'
import { formatDate } from '../../../lib/format/format-date.ts'
import { formatTime } from '../../../lib/format/format-time.ts'
import type { ListedPayment } from './payment-queries.ts'

const texts = operationsTexts.payments

/** `"Mar 4, 2023, 4:05 PM"`: the time of day tells two payments of a day apart. */
export const formatMoment = (iso: string): string => `${formatDate(iso)}, ${formatTime(iso)}`

/** What a payment was for: its kind, and the post, plan, session, or message. */
export function aboutPayment(payment: ListedPayment): string {
  const { transaction_type: kind, target, target_at } = payment
  const isMessage = kind === 'paid_message'
  const partner = payment.creator_name || payment.creator_username
  const what = isMessage && partner ? texts.messageFrom(partner) : paymentKinds[kind as keyof typeof paymentKinds]
  const when = target_at && formatMoment(target_at)
  // Only a message has a time without words.
  const words = when && !target ? (isMessage ? texts.sent(when) : texts.messageOf(when)) : when
  return [what, target, words].filter(Boolean).join(' · ')
}
