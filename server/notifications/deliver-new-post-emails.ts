import { isRejectedEmail } from '../mail/mailer.ts'
import { emailFrame } from './email-frame.ts'
import { findAddresses } from './find-addresses.ts'
import { newPostEmail } from './new-post-email.ts'
import {
  type Announcement,
  retryAnnouncement,
  returnDigest,
  takeAnnouncements,
  takeDigests,
} from './post-announcements.ts'
import { sendInParallel } from './send-in-parallel.ts'
import type { Services } from './services.ts'

/**
 * Sends the next emails about new posts: those of one creator's fans who want them immediately, then some of those that come once a day.
 * @param limit the most of each.
 * @returns whether there may be more; false if the mail server is down, which the next run may find different.
 */
export async function deliverNewPostEmails(services: Services, limit: number): Promise<boolean> {
  const { service } = services.database
  const options = { delaySeconds: services.config.notifications.mailDelaySeconds, limit }
  const immediate = await takeAnnouncements(service, 'email', options)
  if (!(await sendAll(services, immediate.recipients, (one) => retryAnnouncement(service, 'email', one)))) return false
  const daily = await takeDigests(service, options)
  if (!(await sendAll(services, daily.recipients, (one) => returnDigest(service, one)))) return false
  return immediate.more || daily.more
}

/** @returns whether the mail server works. It does if it rejects single emails. */
async function sendAll<Taken extends Announcement>(
  services: Services,
  recipients: readonly Taken[],
  giveBack: (one: Taken) => Promise<void>,
): Promise<boolean> {
  const failures = await sendInParallel(services, recipients, {
    find: (userIds) => findAddresses(services, userIds),
    async send({ userId, news }, addresses) {
      const to = addresses.get(userId)
      if (to !== undefined)
        await services.mailer.send(newPostEmail({ ...emailFrame(services, userId, to, 'posts'), news }))
    },
    giveBack,
  })
  return recipients.length === 0 || failures.length < recipients.length || failures.some(isRejectedEmail)
}
