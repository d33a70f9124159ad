import type { EnvironmentReader } from '../environment-reader.ts'

export type NotificationSettings = ReturnType<typeof readNotificationSettings>

export function readNotificationSettings(read: EnvironmentReader) {
  const publicKey = read.optional('VAPID_PUBLIC_KEY')
  const privateKey = read.optional('VAPID_PRIVATE_KEY')
  read.require(
    (publicKey === undefined) === (privateKey === undefined),
    'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together: set both or neither',
  )
  return {
    /** The operator's own VAPID key pair. If undefined, the pair generated at the first start is used. */
    vapid: publicKey !== undefined && privateKey !== undefined ? { publicKey, privateKey } : undefined,
    /** How long a notification may stay unseen before it is emailed. */
    mailDelaySeconds: read.integer('NOTIFICATION_MAIL_DELAY_SECONDS', 300, 0, 86_400),
    /** How long notifications are kept, by whole months. If undefined, forever. */
    keptDays: read.integer('NOTIFICATION_DAYS', 0, 0, 36_500) || undefined,
  }
}
