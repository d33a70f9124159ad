import { vaultTexts } from '@ovation/contract/texts/vault'
import { formatDate, formatDay } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import type { ReceivedFile } from './queries.ts'

const texts = vaultTexts.received

/** `"Sent Mar 3 · $12.00, unlocked"`: how a fan already got a file, when, and for how much (INBOX-04). */
export function describeReceived({ post_id, price, is_bought, received_at }: ReceivedFile, now = new Date()): string {
  const at = new Date(received_at)
  const day = at.getFullYear() === now.getFullYear() ? formatDay(at) : formatDate(received_at)
  if (post_id !== null) return price === 0 ? texts.openedPost(day) : texts.boughtPost(day, formatCents(price))
  if (price === 0) return texts.free(day)
  return (is_bought ? texts.unlocked : texts.locked)(day, formatCents(price))
}
