import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { expect } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { listOutbox, type OutboxMail } from '../../mail/outbox.ts'
import type { TestGateway } from '../../testing/gateway.ts'

/** Settings under which a test may send as often as it likes. */
export const patient = {
  AUTH_MAILER_AUTOCONFIRM: '0',
  AUTH_SMTP_MAX_FREQUENCY: '0',
  AUTH_SMS_MAX_FREQUENCY: '0',
  AUTH_RATE_LIMIT_EMAIL_SENT: '1000',
  AUTH_RATE_LIMIT_SMS_SENT: '1000',
  AUTH_RATE_LIMIT_EMAIL_SENT_PER_RECIPIENT: '1000',
  AUTH_RATE_LIMIT_SMS_SENT_PER_RECIPIENT: '1000',
  AUTH_RATE_LIMIT_VERIFY: '1000',
  AUTH_RATE_LIMIT_VERIFY_PER_ACCOUNT: '1000',
} as const

/** Messages may be written after the response: waits for the newest one to this address or number, once there are `count`. */
export function messageTo({ dataDir }: Pick<TestGateway, 'dataDir'>, to: string, count = 1): Promise<OutboxMail> {
  return eventually(async () => {
    const messages = (await listOutbox(dataDir)).filter((message) => message.to === to)
    expect(messages).toHaveLength(count)
    return messages[0] ?? expect.unreachable()
  })
}

/** The number of messages, once everything in the background has been sent. */
export async function countTo({ dataDir, services }: TestGateway, to: string): Promise<number> {
  await services.backgroundWork.settled()
  return (await listOutbox(dataDir)).filter((message) => message.to === to).length
}

/** The link in the email: to a page of the app. */
export const emailLinkIn = ({ text }: OutboxMail) => /https?:\S+/.exec(text)?.[0] ?? expect.unreachable()

/** The target of the page's button. */
export function linkIn(mail: OutboxMail): string {
  const page = new URL(emailLinkIn(mail))
  return `${page.origin}/auth/v1/verify?${page.hash.slice(1)}`
}
export const codeIn = ({ text }: OutboxMail) => /\b(\d{6})\b/.exec(text)?.[1] ?? expect.unreachable()

/** A code in the same format, but not the one that was sent. */
export const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000')

/** Opens a URL like a browser, and returns the redirect. */
export async function follow(link: string, cookie?: string) {
  const response = await fetch(link, { redirect: 'manual', headers: cookie ? { cookie } : {} })
  const target = new URL(response.headers.get('location') ?? expect.unreachable())
  return {
    status: response.status,
    target,
    fragment: Object.fromEntries(new URLSearchParams(target.hash.slice(1))),
    cookies: response.headers.getSetCookie(),
  }
}

/** The official client as a browser uses it: its storage persists between calls, and codes are exchanged with a challenge. */
export function pkceClient({ url, secrets }: TestGateway): SupabaseClient {
  const stored = new Map<string, string>()
  return createClient(url, secrets.anonKey, {
    auth: {
      flowType: 'pkce',
      experimental: { recoveryCodes: true } as never,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: (key) => void stored.delete(key),
      },
    },
  })
}
