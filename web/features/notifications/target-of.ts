import { paths } from '@ovation/contract/paths'
import { queuePathOf } from '@ovation/contract/queue-paths'
import { addressOf } from '../../lib/auth/viewer.ts'
import type { Notification } from './queries.ts'

/** The screen that a notification is about, if there is one. */
export function targetOf({ type, group, post_id, booking_id, actor }: Notification): string | undefined {
  const queue = queuePathOf(group)
  if (queue) return queue
  if (post_id) return paths.post(post_id)
  if (booking_id) return paths.privateSessions
  if (!actor) return undefined
  return type === 'message' ? paths.conversation(addressOf(actor)) : paths.profile(addressOf(actor))
}
