import { findAddresses } from './find-addresses.ts'
import { mailFrame } from './mail-frame.ts'
import {
  type Announcement,
  type Retried,
  retryAnnouncement,
  returnDigest,
  takeAnnouncements,
  takeDigests,
} from './post-announcements.ts'
import { postMail } from './post-mail.ts'
import type { Services } from './services.ts'

/**
 * Sends the next emails about new posts: those of one creator's fans who want them immediately, and some of those that come once a day.
 * @param limit the most of each.
 * @returns whether there may be more; false if the mail server accepted none, which the next run may find different.
 */
export async function deliverPostMails(services: Services, limit: number): Promise<boolean> {
  const { service } = services.database
  const options = { delaySeconds: services.config.notifications.mailDelaySeconds, limit }
  const [immediate, daily] = await Promise.all([
    takeAnnouncements(service, 'email', options),
    takeDigests(service, options),
  ])
  const recipients = [...immediate.recipients, ...daily.recipients]
  const addresses = await findAddresses(
    services,
    recipients.map(({ userId }) => userId),
  )
  const sent = await Promise.all([
    ...immediate.recipients.map((one) =>
      send(services, addresses, one, () => retryAnnouncement(service, 'email', one)),
    ),
    ...daily.recipients.map((one) => send(services, addresses, one, () => returnDigest(service, one))),
  ])
  return (immediate.more || daily.more) && (sent.length === 0 || sent.includes(true))
}

/** @param giveBack called when the mail server rejects the email. @returns whether it wasn't. */
async function send(
  services: Services,
  addresses: ReadonlyMap<string, string>,
  { userId, news }: Announcement | Retried,
  giveBack: () => Promise<void>,
): Promise<boolean> {
  const to = addresses.get(userId)
  if (to === undefined) return true
  try {
    await services.mailer.send(postMail({ ...mailFrame(services, userId, to, 'posts'), news }))
    return true
  } catch (err) {
    services.log.warn({ err, profileId: userId }, 'an email about new posts was not sent and will be retried')
    await giveBack()
    return false
  }
}
