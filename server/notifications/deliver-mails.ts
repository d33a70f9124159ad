import { sql } from '../postgres/sql.ts'
import { finishDeliveries, takeDeliveries } from './deliveries.ts'
import { type Delivery, notificationMail } from './notification-mail.ts'
import type { Services } from './services.ts'
import { signUnsubscribe } from './unsubscribe-link.ts'

const batch = 100

/** Emails users the notifications they haven't seen and want to get (SET-16, SET-17), one email per user. */
export async function deliverMails(services: Services): Promise<void> {
  const { database, config, log } = services
  while (true) {
    const delaySeconds = config.notifications.mailDelaySeconds
    const people = await takeDeliveries(database.service, 'email', { delaySeconds, limit: batch })
    if (people.size === 0) return
    const addresses = await findAddresses(services, [...people.keys()])
    for (const [userId, deliveries] of people) {
      try {
        await sendTo(services, userId, addresses.get(userId), deliveries)
        await finishDeliveries(database.service, 'email', deliveries)
      } catch (err) {
        // A failure must not hold up the others. The delivery stays due, so the next run retries it.
        log.warn({ err, profileId: userId }, 'a notification email was not sent and will be retried')
      }
    }
  }
}

/** Only to confirmed addresses: a mistyped one may belong to someone else. */
async function findAddresses({ database }: Services, profileIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await database.service.rows<{ id: string; email: string }>(sql`
    select p.id, u.email from private.profiles p join auth.users u on u.id = p.user_id
    where p.id = any(${[...profileIds]}::uuid[]) and u.email is not null and u.email_confirmed_at is not null
      and u.deleted_at is null`)
  return new Map(rows.map(({ id, email }) => [id, email]))
}

async function sendTo(services: Services, userId: string, to: string | undefined, deliveries: readonly Delivery[]) {
  if (to === undefined) return
  const { config, secrets, mailer } = services
  const siteUrl = services.siteUrl()
  const token = signUnsubscribe(secrets.jwtSecret, userId)
  const { productName } = config.operator
  const unsubscribeUrl = `${siteUrl}/functions/v1/unsubscribe-email?token=${token}`
  await mailer.send(notificationMail({ to, deliveries, productName, siteUrl, unsubscribeUrl }))
}
