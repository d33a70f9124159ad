import type { Services } from './services.ts'
import { signUnsubscribe } from './unsubscribe-link.ts'

/** What all emails of notifications have in common. */
export type EmailFrame = {
  readonly to: string
  readonly productName: string
  readonly siteUrl: string
  readonly unsubscribeUrl: string
}

/** @param only what the unsubscribe link turns off: emails about new posts, or all. */
export function emailFrame(services: Services, userId: string, to: string, only?: 'posts'): EmailFrame {
  const { config, secrets } = services
  const siteUrl = services.siteUrl()
  const token = signUnsubscribe(secrets.jwtSecret, userId)
  return {
    to,
    productName: config.operator.productName,
    siteUrl,
    unsubscribeUrl: `${siteUrl}/functions/v1/unsubscribe-email?token=${token}${only ? `&only=${only}` : ''}`,
  }
}
