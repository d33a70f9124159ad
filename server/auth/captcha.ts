import type { FastifyRequest } from 'fastify'
import { Body } from './body.ts'
import type { AuthContext } from './context.ts'
import { authErrors } from './errors.ts'
import { originOf } from './request-origin.ts'
import { queryOf } from './routes/query.ts'

const timeoutMs = 5_000

const guarded: ReadonlySet<string> = new Set([
  '/signup',
  '/otp',
  '/magiclink',
  '/recover',
  '/resend',
  '/sso',
  '/passkeys/authentication/options',
])
const guardedGrants: ReadonlySet<string | undefined> = new Set(['password', 'web3'])

/**
 * If the operator has turned it on (it is off by default), creating accounts, sending messages, and guessing passwords require a solved
 * captcha. The service key doesn't need one. @throws GatewayError 400 `captcha_failed`.
 */
export async function requireCaptcha({ config, log }: AuthContext, request: FastifyRequest): Promise<void> {
  const { captcha } = config.auth
  if (!captcha || request.caller.role === 'service_role' || !isGuarded(request)) return
  const token = new Body(request).data('gotrue_meta_security')?.captcha_token
  if (typeof token !== 'string' || token === '') throw authErrors.captchaFailed('no captcha_token found')
  const { ip } = originOf(request)
  const form = new URLSearchParams({ secret: captcha.secret, response: token, ...(ip && { remoteip: ip }) })
  const answer = await fetch(captcha.url, { method: 'POST', body: form, signal: AbortSignal.timeout(timeoutMs) })
    .then(async (response) => (await response.json()) as { success?: unknown })
    .catch((err: unknown) => {
      // A service that doesn't respond hasn't agreed: letting requests through during an outage would invite attacks.
      log.error({ err }, 'the captcha service does not respond')
      return { success: false }
    })
  if (answer.success !== true) throw authErrors.captchaFailed('captcha verification process failed')
}

/** Compares the matched route, not the raw URL: `%73ignup` leads to `/signup` as well. */
function isGuarded(request: FastifyRequest): boolean {
  if (request.method !== 'POST') return false
  const path = (request.routeOptions.url ?? '').replace(/^\/auth\/v1/, '')
  return guarded.has(path) || (path === '/token' && guardedGrants.has(queryOf(request).grant_type))
}
