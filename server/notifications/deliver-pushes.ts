import { sql } from '../postgres/sql.ts'
import { finishDeliveries, takeDeliveries } from './deliveries.ts'
import { type Delivery, pathOf } from './notification-mail.ts'
import { buildPushSender, type PushSender, type PushTarget } from './push-sender.ts'
import type { Services } from './services.ts'

const batch = 100
/** A push service accepts up to 4096 bytes, including what encryption adds. */
const maxMessage = 500

type Target = PushTarget & { readonly id: string; readonly userId: string }

/** Pushes unseen notifications to each of the user's browsers (SET-16, SET-17), and deletes subscriptions that are gone. */
export async function deliverPushes(services: Services): Promise<void> {
  const { database, log } = services
  const sender = buildPushSender(services)
  while (true) {
    const people = await takeDeliveries(database.service, 'push', { delaySeconds: 0, limit: batch })
    if (people.size === 0) return
    const targets = await findTargets(services, [...people.keys()])
    for (const [userId, deliveries] of people) {
      const outcomes = await Promise.allSettled(
        (targets.get(userId) ?? []).map((target) => pushAll(services, sender, target, deliveries)),
      )
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      // Retried only if no browser was reached: otherwise the user has seen it.
      if (failed && outcomes.every((outcome) => outcome.status === 'rejected')) {
        log.warn({ err: failed.reason, profileId: userId }, 'a push was not sent and will be retried')
      } else await finishDeliveries(database.service, 'push', deliveries)
    }
  }
}

async function findTargets({ database }: Services, profileIds: readonly string[]): Promise<Map<string, Target[]>> {
  const rows = await database.service.rows<Target>(sql`
    select id, user_id as "userId", endpoint, p256dh, auth from private.push_subscriptions
    where user_id = any(${[...profileIds]}::uuid[])`)
  return Map.groupBy(rows, ({ userId }) => userId)
}

async function pushAll({ database }: Services, sender: PushSender, target: Target, deliveries: readonly Delivery[]) {
  for (const delivery of deliveries) {
    if ((await sender.send(target, payloadOf(delivery))) === 'sent') continue
    await database.service.rows(sql`delete from private.push_subscriptions where id = ${target.id}`)
    return
  }
}

/** What web/public/service-worker.js shows. */
function payloadOf({ notificationId, title, message, data }: Delivery) {
  return { id: notificationId, title, body: message.slice(0, maxMessage), url: pathOf({ data }) }
}
