import { paths } from '@ovation/contract/paths'
import { queuePathOf } from '@ovation/contract/queue-paths'
import { addressOf } from '../../lib/auth/viewer.ts'
import type { Notification } from './queries.ts'

/** The screen that a notification is about, if there is one. */
export function targetOf({
  type,
  group,
  post_id,
  booking_id,
  gift_code,
  product_id,
  goal_id,
  actor,
}: Notification): string | undefined {
  const queue = queuePathOf(group)
  if (queue) return queue
  if (post_id) return paths.post(post_id)
  if (product_id) return paths.product(product_id)
  if (goal_id) return paths.goals
  if (booking_id) return paths.privateSessions
  if (gift_code) return paths.gift(gift_code)
  if (!actor) return undefined
  return type === 'message' ? paths.conversation(addressOf(actor)) : paths.profile(addressOf(actor))
}
