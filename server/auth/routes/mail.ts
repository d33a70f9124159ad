import type { FastifyInstance, FastifyRequest } from 'fastify'
import pg from 'pg'
import { GatewayError } from '../../http/errors.ts'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { resendEmailChange } from '../email/email-change.ts'
import { readEmail } from '../email/read-email-address.ts'
import { authErrors } from '../errors.ts'
import { fromDatabase } from '../from-database.ts'
import { requestEmailEntry, requestPhoneEntry, resendCode } from '../one-time-tokens/otp.ts'
import { type Proof, phoneTypes, type Verified, verify, verifyTypes } from '../one-time-tokens/verify.ts'
import { requestRecovery, resendConfirmation } from '../passwords/recover.ts'
import { readPhone } from '../phone/phone.ts'
import { allowedRedirect } from '../redirects.ts'
import { originOf } from '../request-origin.ts'
import { readCodeChallenge } from '../sessions/code-challenge.ts'
import { queryOf } from './query.ts'
import { sessionFragment } from './session-fragment.ts'

const resendings = new Map([
  ['signup', resendConfirmation],
  ['email_change', resendEmailChange],
])

const half = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** Flows by email: `/otp`, `/recover`, `/resend`, `/verify` (API-AUTH-07..10). */
export function mailRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.post('/recover', async (request) => {
    const body = new Body(request)
    const email = readEmail(body)
    if (!email) throw authErrors.validationFailed('Password recovery requires an email')
    const redirectTo = allowedRedirect(ctx, queryOf(request).redirect_to)
    await requestRecovery(ctx, { email, redirectTo, codeChallenge: readCodeChallenge(body) }, originOf(request))
    return {}
  })

  app.post('/otp', async (request) => {
    const body = new Body(request)
    const email = readEmail(body)
    const phone = readPhone(body)
    const entry = { createUser: body.flag('create_user') ?? true, data: body.data('data') ?? {} }
    if (email && phone) throw authErrors.validationFailed('Only an email address or phone number should be provided')
    if (email) return sendLink(ctx, request, body, { email, ...entry })
    if (!phone) throw authErrors.validationFailed('One of email or phone must be set')
    if ((body.text('channel') ?? 'sms') !== 'sms') throw authErrors.validationFailed('channel must be sms')
    await requestPhoneEntry(ctx, { phone, ...entry }, originOf(request))
    return {}
  })

  // The older name, which clients other than auth-js still use.
  app.post('/magiclink', async (request) => {
    const body = new Body(request)
    const email = readEmail(body)
    if (!email) throw authErrors.validationFailed('An email address is required')
    return sendLink(ctx, request, body, { email, createUser: true, data: body.data('data') ?? {} })
  })

  app.post('/resend', async (request) => {
    const body = new Body(request)
    const type = body.text('type')
    if (type === 'sms' || type === 'phone_change') {
      const phone = readPhone(body)
      if (!phone) throw authErrors.validationFailed('Type provided requires a phone number')
      await resendCode(ctx, type, phone, originOf(request))
      return {}
    }
    const resend = resendings.get(type ?? '')
    if (!resend)
      throw authErrors.validationFailed('Missing one of these types: signup, email_change, sms, phone_change')
    const email = readEmail(body)
    if (!email) throw authErrors.validationFailed('Type provided requires an email address')
    const redirectTo = allowedRedirect(ctx, queryOf(request).redirect_to)
    await resend(ctx, { email, redirectTo, codeChallenge: readCodeChallenge(body) }, originOf(request))
    return {}
  })

  app.post('/verify', async (request) => {
    const verified = await verify(ctx, readProof(new Body(request)), originOf(request))
    if ('half' in verified) return { msg: half, code: '200' }
    return 'session' in verified ? verified.session : verified
  })

  // No HEAD: a mail scanner that only looks must not spend the token.
  app.get('/verify', { exposeHeadRoute: false }, async (request, reply) => {
    const { token = '', type = '', redirect_to } = queryOf(request)
    if (!token || !verifyTypes.has(type)) throw authErrors.validationFailed('Verify requires a token and a known type')
    const target = allowedRedirect(ctx, redirect_to)
    const outcome = await verify(ctx, { type, link: token, isFollowed: true }, originOf(request)).catch(describeRefusal)
    return reply.header('referrer-policy', 'no-referrer').redirect(addressFor(target, outcome, type), 303)
  })
}

async function sendLink(
  ctx: AuthContext,
  request: FastifyRequest,
  body: Body,
  entry: Omit<Parameters<typeof requestEmailEntry>[1], 'redirectTo' | 'codeChallenge'>,
) {
  const redirectTo = allowedRedirect(ctx, queryOf(request).redirect_to)
  const codeChallenge = readCodeChallenge(body)
  await requestEmailEntry(ctx, { ...entry, redirectTo, codeChallenge }, originOf(request))
  return {}
}

function readProof(body: Body): Proof {
  const type = body.text('type') ?? ''
  if (!verifyTypes.has(type)) throw authErrors.validationFailed('Verify requires a verification type')
  const link = body.text('token_hash')
  if (link) return { type, link }
  const to = phoneTypes.has(type) ? readPhone(body) : readEmail(body)
  const code = body.text('token')
  if (!to || !code) throw authErrors.validationFailed('Verify requires a token_hash, or an email or phone and a token')
  return { type, to, code }
}

type Refusal = { readonly error: string; readonly error_code: string; readonly error_description: string }

/** An error that the user should read in the app. A failure of ours gets an error response. */
function describeRefusal(error: unknown): Refusal {
  const refusal = error instanceof pg.DatabaseError ? fromDatabase(error) : error
  if (!(refusal instanceof GatewayError) || refusal.status >= 500) throw error
  return { error: 'access_denied', error_code: refusal.code, error_description: refusal.message }
}

/** A session goes behind `#`, so that it stays in the browser: no server or log on the way sees it. A code may be seen. */
function addressFor(target: string, outcome: Verified | Refusal, type: string): string {
  const url = new URL(target)
  if ('code' in outcome) url.searchParams.set('code', outcome.code)
  else if ('session' in outcome) url.hash = sessionFragment(outcome.session, { type })
  else url.hash = new URLSearchParams('half' in outcome ? { message: half } : outcome).toString()
  return url.href
}
