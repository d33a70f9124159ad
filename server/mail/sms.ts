import { createHmac, randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { escapeHtml } from '../escape-html.ts'
import { writeToOutbox } from './outbox.ts'
import type { SmsSettings } from './sms-settings.ts'

/** A code for a phone. `to` holds the digits of the international number, without the plus. */
export type TextMessage = {
  readonly to: string
  readonly text: string
  readonly code: string
  readonly userId: string
}

export type SmsSender = {
  /** Resolves when the message is handed over; rejects if it wasn't. */
  send(message: TextMessage): Promise<void>
}

const timeoutMs = 8_000

/** Undefined if nothing can send; phone sign-in is rejected then. */
export function buildSmsSender({ auth: { sms }, dataDir }: Pick<Config, 'auth' | 'dataDir'>): SmsSender | undefined {
  if (!sms.enabled) return undefined
  const { hook, twilio } = sms
  if (hook) return { send: (message) => callHook(hook, message) }
  if (twilio) return { send: (message) => askTwilio(twilio, message) }
  return {
    async send({ to, text }) {
      // In production a number without a test code has no sender. The error appears on use, not at the start.
      if (!sms.outbox) throw new Error('no sender for text messages is configured')
      await writeToOutbox(dataDir, { to: `+${to}`, subject: 'Text message', text, html: `<p>${escapeHtml(text)}</p>` })
    },
  }
}

/**
 * Sends through the operator's hook, like GoTrue's "send SMS" hook: a request signed as standardwebhooks.com describes. Any status below
 * 300 counts as sent.
 */
async function callHook({ uri, secret }: NonNullable<SmsSettings['hook']>, { to, text, code, userId }: TextMessage) {
  const id = randomUUID()
  const timestamp = Math.floor(Date.now() / 1000).toString()
  const body = JSON.stringify({ user: { id: userId, phone: to }, sms: { otp: code, phone: to, text } })
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  await post(uri, body, {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  })
}

/** Twilio's Messages resource (twilio.com/docs/messaging/api/message-resource). */
async function askTwilio(twilio: NonNullable<SmsSettings['twilio']>, { to, text }: TextMessage) {
  const { accountSid, authToken, sender, apiBase } = twilio
  const fields = new URLSearchParams({ To: `+${to}`, Body: text, MessagingServiceSid: sender })
  await post(`${apiBase}/2010-04-01/Accounts/${accountSid}/Messages.json`, fields.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  })
}

/** The response body isn't kept: it may repeat the message, including the code. */
async function post(url: string, body: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(timeoutMs) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the text message was rejected with status ${response.status}`)
}
