import type { EnvironmentReader } from '../environment.ts'

export type NotificationSettings = ReturnType<typeof readNotificationSettings>

export function readNotificationSettings(read: EnvironmentReader) {
  const publicKey = read.optional('VAPID_PUBLIC_KEY')
  const privateKey = read.optional('VAPID_PRIVATE_KEY')
  read.require(
    (publicKey === undefined) === (privateKey === undefined),
    'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together: set both or neither',
  )
  return {
    /** A pair of VAPID keys of one's own; undefined: the pair that the first run made. */
    vapid: publicKey !== undefined && privateKey !== undefined ? { publicKey, privateKey } : undefined,
    /** How long a notification may go unseen before it is mailed. */
    mailDelaySeconds: read.integer('NOTIFICATION_MAIL_DELAY_SECONDS', 300, 0, 86_400),
  }
}
