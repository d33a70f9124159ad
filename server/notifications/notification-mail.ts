import { paths } from '@ovation/contract/paths'
import { renderEmail } from '../mail/email.ts'
import type { Mail } from '../mail/mail.ts'

/** A notification to be sent. */
export type Delivery = {
  /** profiles.id */
  readonly userId: string
  readonly notificationId: string
  readonly type: string
  readonly title: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Longer emails wouldn't be read; the screen shows the rest. */
const maxListed = 20

type Options = {
  readonly to: string
  readonly deliveries: readonly Delivery[]
  readonly productName: string
  readonly siteUrl: string
  readonly unsubscribeUrl: string
}

/** One email with all notifications that the user hasn't seen yet (SET-16). */
export function notificationMail({ to, deliveries, productName, siteUrl, unsubscribeUrl }: Options): Mail {
  const [first] = deliveries
  const isOne = deliveries.length === 1 && first !== undefined
  const listed = deliveries.slice(0, maxListed).map(({ title, message }) => (message ? `${title}: ${message}` : title))
  const more = deliveries.length - listed.length
  return renderEmail({
    to,
    productName,
    subject: isOne ? `${first.title} · ${productName}` : `${deliveries.length} notifications on ${productName}`,
    paragraphs: more > 0 ? [...listed, `And ${more} more.`] : listed,
    action: isOne
      ? { label: 'Open', url: siteUrl + pathOf(first) }
      : { label: 'Open notifications', url: siteUrl + paths.notifications },
    closing: `You're getting this because email notifications are on. Choose what we email you in Settings: ${siteUrl}${paths.settingsTab('notifications')}`,
    unsubscribeUrl,
  })
}

/** The screen that the notification is about. */
export function pathOf({ data }: Pick<Delivery, 'data'>): string {
  if (typeof data.post_id === 'string') return paths.post(data.post_id)
  if (typeof data.booking_id !== 'string') return paths.notifications
  return data.call === true ? paths.call(data.booking_id) : paths.privateSessions
}
