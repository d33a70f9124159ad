import { postEmailTexts } from '@ovation/contract/texts/post-emails'
import { sql } from '../postgres/sql.ts'
import { type Delivery, finishDeliveries, takeDeliveries } from './deliveries.ts'
import { pathOfNews } from './new-post-email.ts'
import { pathOf } from './notification-email.ts'
import { type Announcement, type PostNews, retryAnnouncement, takeAnnouncements } from './post-announcements.ts'
import { buildPushSender, type PushSender, type PushTarget } from './push-sender.ts'
import { sendInParallel } from './send-in-parallel.ts'
import type { Services } from './services.ts'

const batch = 100
/** The job's next run goes on. A longer run would count as lost. */
const longestRunMs = 10 * 60_000
/** A push service accepts up to 4096 bytes, including what encryption adds. */
const maxMessage = 500

type Target = PushTarget & { readonly id: string; readonly userId: string }

/**
 * Pushes unseen notifications to each of the user's browsers (SET-16, SET-17), and deletes subscriptions that are gone. New posts (LOOP-02),
 * of which a popular creator causes many pushes, wait for all others after every hundred.
 */
export async function deliverPushes(services: Services): Promise<void> {
  const endAt = Date.now() + longestRunMs
  const sender = buildPushSender(services)
  while (Date.now() < endAt) {
    if (await deliverNotifications(services, sender)) continue
    if (!(await deliverPosts(services, sender))) return
  }
}

/** @returns whether there may be more. */
async function deliverNotifications(services: Services, sender: PushSender): Promise<boolean> {
  const { database, log } = services
  const people = await takeDeliveries(database.service, 'push', { delaySeconds: 0, limit: batch })
  if (people.size === 0) return false
  const targets = await findTargets(services, [...people.keys()])
  for (const [userId, deliveries] of people) {
    const failure = await pushTo(services, sender, targets.get(userId), deliveries.map(payloadOf))
    if (failure) log.warn({ err: failure.reason, profileId: userId }, 'a push was not sent and will be retried')
    else await finishDeliveries(database.service, 'push', deliveries)
  }
  return true
}

/** Announces new posts to the next fans of a creator. @returns whether there may be more. */
async function deliverPosts(services: Services, sender: PushSender): Promise<boolean> {
  const { service } = services.database
  const { recipients, more } = await takeAnnouncements(service, 'push', { delaySeconds: 0, limit: batch })
  await sendInParallel(services, recipients, {
    find: (userIds) => findTargets(services, userIds),
    async send(announcement, targets) {
      const payloads = announcement.news.map((one) => postsPayload(one, announcement))
      const failure = await pushTo(services, sender, targets.get(announcement.userId), payloads)
      if (failure) throw failure.reason
    },
    giveBack: (announcement) => retryAnnouncement(service, 'push', announcement),
  })
  return more
}

/** @returns the failure if no browser was reached. If one was, the user has seen it. */
async function pushTo(
  services: Services,
  sender: PushSender,
  targets: readonly Target[] = [],
  payloads: readonly object[],
) {
  const outcomes = await Promise.allSettled(targets.map((target) => pushAll(services, sender, target, payloads)))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  return outcomes.every((outcome) => outcome.status === 'rejected') ? failed : undefined
}

async function findTargets({ database }: Services, profileIds: readonly string[]): Promise<Map<string, Target[]>> {
  const rows = await database.service.rows<Target>(sql`
    select id, user_id as "userId", endpoint, p256dh, auth from private.push_subscriptions
    where user_id = any(${[...profileIds]}::uuid[])`)
  return Map.groupBy(rows, ({ userId }) => userId)
}

async function pushAll({ database }: Services, sender: PushSender, target: Target, payloads: readonly object[]) {
  for (const payload of payloads) {
    if ((await sender.send(target, payload)) === 'sent') continue
    await database.service.rows(sql`delete from private.push_subscriptions where id = ${target.id}`)
    return
  }
}

/** What web/public/service-worker.js shows. A later message with the same id replaces it. */
function payloadOf({ notificationId, title, message, data }: Delivery) {
  return { id: notificationId, title, body: message.slice(0, maxMessage), url: pathOf({ data }) }
}

function postsPayload(news: PostNews, { until }: Announcement) {
  // The title has that of a single post.
  const body = news.latest.map(news.posts === 1 ? postEmailTexts.start : postEmailTexts.post).join('\n')
  return {
    id: `posts ${news.creatorId} ${until}`,
    title: postEmailTexts.subject(news),
    body: body.slice(0, maxMessage),
    url: pathOfNews(news),
  }
}
