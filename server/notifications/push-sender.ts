import webPush from 'web-push'
import { isPublicHost, requestOutside } from '../outside-request.ts'
import type { Services } from './services.ts'

export type PushTarget = { readonly endpoint: string; readonly p256dh: string; readonly auth: string }
/** `gone`: the browser has unsubscribed or can never be reached, so the subscription can be deleted. */
export type PushOutcome = 'sent' | 'gone'

/** How long a push service keeps a message for a browser that is off, in seconds. */
const keepSeconds = 24 * 3600
const timeoutMs = 10_000
/** Push services explain a rejection in a sentence or a small page. */
const maxResponseBytes = 64 * 1024

/** Sends messages to browsers, encrypted for each (RFC 8291) and signed by us (RFC 8292). */
export function buildPushSender({ config, secrets, siteUrl }: Services) {
  // Any browser can supply any URL, so in production it must not lead into our own network.
  const guarded = config.environment === 'production'
  return {
    /** @throws if the push service doesn't respond or is busy; the caller retries. */
    async send({ endpoint, p256dh, auth }: PushTarget, payload: object): Promise<PushOutcome> {
      const url = new URL(endpoint)
      if (guarded && (url.protocol !== 'https:' || !isPublicHost(url.hostname))) return 'gone'
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(payload),
        {
          vapidDetails: {
            subject: siteUrl().startsWith('https:') ? siteUrl() : `mailto:${config.mail.from}`,
            publicKey: secrets.vapidPublicKey,
            privateKey: secrets.vapidPrivateKey,
          },
          TTL: keepSeconds,
        },
      )
      const { status } = await requestOutside(url, {
        method: 'POST',
        headers,
        body,
        timeoutMs,
        maxBytes: maxResponseBytes,
        publicOnly: guarded,
      })
      if (status >= 200 && status < 300) return 'sent'
      if (final.has(status)) return 'gone'
      throw new Error(`The push service ${url.host} answered ${status}`)
    },
  }
}

export type PushSender = ReturnType<typeof buildPushSender>

/** 404 and 410: unsubscribed. 400, 401, 403 and 413: this subscription will never take this message. 429 and 5xx are temporary. */
const final: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 413])
