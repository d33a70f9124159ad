import { paths } from '@ovation/contract/paths'
import { queuePathOf } from '@ovation/contract/queue-paths'
import { postEmailTexts } from '@ovation/contract/texts/post-emails'
import type { Mail } from '../mail/mail.ts'
import { renderEmail } from '../mail/render-email.ts'
import type { Delivery } from './deliveries.ts'
import type { EmailFrame } from './email-frame.ts'
import type { PostNews } from './post-announcements.ts'

/** Longer emails wouldn't be read; the screen shows the rest. */
const maxListed = 20

type Options = EmailFrame & {
  readonly deliveries: readonly Delivery[]
  /** New posts that the same email announces (LOOP-02). */
  readonly news: readonly PostNews[]
}
type Listed = Pick<Delivery, 'title' | 'message' | 'data'>

/** One email with all notifications that the user hasn't seen yet (SET-16). */
export function notificationEmail({ deliveries, news, productName, siteUrl, ...frame }: Options): Mail {
  const all: Listed[] = [
    ...deliveries,
    ...news.map((one) => ({ title: postEmailTexts.subject(one), message: '', data: {} })),
  ]
  const [first] = all
  const isOne = all.length === 1 && first !== undefined
  // The subject has the title of the only one.
  const listed = isOne ? [first.message || first.title] : all.slice(0, maxListed).map(sentencesOf)
  const more = all.length - listed.length
  return renderEmail({
    ...frame,
    productName,
    subject: isOne ? `${first.title} · ${productName}` : `${all.length} notifications on ${productName}`,
    paragraphs: more > 0 ? [...listed, `And ${more} more.`] : listed,
    action: isOne
      ? { label: 'Open', url: siteUrl + pathOf(first) }
      : { label: 'Open notifications', url: siteUrl + paths.notifications },
    closing: `You're getting this because email notifications are on. Choose what we email you in Settings: ${siteUrl}${paths.settingsTab('notifications')}`,
  })
}

/** `"Ada tipped you $5.00. You earned $4.50."` */
function sentencesOf({ title, message }: Listed): string {
  if (!message) return title
  return /[.!?…:]$/.test(title) ? `${title} ${message}` : `${title}. ${message}`
}

/** The screen that the notification is about. */
export function pathOf({ data }: Pick<Delivery, 'data'>): string {
  if (typeof data.post_id === 'string') return paths.post(data.post_id)
  if (typeof data.goal_id === 'string') return paths.goals
  if (typeof data.gift_code === 'string') return paths.gift(data.gift_code)
  if (typeof data.booking_id !== 'string') return queuePathOf(data.group) ?? paths.notifications
  return data.call === true ? paths.call(data.booking_id) : paths.privateSessions
}
