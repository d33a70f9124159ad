import { deliverNewPostEmails } from './deliver-new-post-emails.ts'
import { type Delivery, finishDeliveries, takeDeliveries } from './deliveries.ts'
import { emailFrame } from './email-frame.ts'
import { findAddresses } from './find-addresses.ts'
import { notificationEmail } from './notification-email.ts'
import { returnDigest, takeDigestPosts } from './post-announcements.ts'
import type { Services } from './services.ts'

const batch = 100
/** The job's next run goes on. A longer run would count as lost. */
const longestRunMs = 10 * 60_000
/** How many emails about new posts are sent side by side. */
const postMails = 10

/**
 * Emails users the notifications they haven't seen and want to get (SET-16, SET-17), one email per user, and new posts (LOOP-02).
 * Emails about new posts, of which a popular creator causes many, wait for all others after every ten.
 */
export async function deliverEmails(services: Services): Promise<void> {
  const endAt = Date.now() + longestRunMs
  let limit = 1 // The first one finds out whether the mail server works.
  while (Date.now() < endAt) {
    if (await deliverNotifications(services)) continue
    if (!(await deliverNewPostEmails(services, limit))) return
    limit = postMails
  }
}

/** @returns whether there may be more. */
async function deliverNotifications(services: Services): Promise<boolean> {
  const { database, config, log } = services
  const delaySeconds = config.notifications.mailDelaySeconds
  const people = await takeDeliveries(database.service, 'email', { delaySeconds, limit: batch })
  if (people.size === 0) return false
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
  return true
}

async function sendTo(services: Services, userId: string, to: string | undefined, deliveries: readonly Delivery[]) {
  if (to === undefined) return
  const { mailer, database } = services
  const frame = emailFrame(services, userId, to)
  const posts = await takeDigestPosts(database.service, userId)
  try {
    await mailer.send(notificationEmail({ ...frame, deliveries, news: posts?.news ?? [] }))
  } catch (error) {
    if (posts) await returnDigest(database.service, posts)
    throw error
  }
}
