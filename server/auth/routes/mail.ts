import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { GatewayError } from '../../http/errors.ts'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { readEmail } from '../email.ts'
import { authErrors } from '../errors.ts'
import { fromDatabase } from '../from-database.ts'
import { requestRecovery, resendConfirmation } from '../recover.ts'
import { allowedRedirect } from '../redirects.ts'
import { type Proof, type Verified, verify, verifyTypes } from '../verify.ts'
import { visitorOf } from '../visitor.ts'
import { queryOf } from './query.ts'

const half = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** What is sent by mail and comes back: `/recover`, `/resend`, `/verify` (API-AUTH-08..10). */
export function mailRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.post('/recover', async (request) => {
    const email = readEmail(new Body(request))
    if (!email) throw authErrors.validationFailed('Password recovery requires an email')
    requestRecovery(ctx, email, allowedRedirect(ctx, queryOf(request).redirect_to), visitorOf(request))
    return {}
  })

  app.post('/resend', async (request) => {
    const body = new Body(request)
    const type = body.text('type')
    if (type === 'sms' || type === 'phone_change') throw authErrors.phoneDisabled()
    if (type !== 'signup') throw authErrors.validationFailed('Missing one of these types: signup')
    const email = readEmail(body)
    if (!email) throw authErrors.validationFailed('Type provided requires an email address')
    resendConfirmation(ctx, email, allowedRedirect(ctx, queryOf(request).redirect_to), visitorOf(request))
    return {}
  })

  app.post('/verify', async (request) => {
    const verified = await verify(ctx, readProof(new Body(request)), visitorOf(request))
    return 'session' in verified ? verified.session : { msg: half, code: '200' }
  })

  // No HEAD: a mail scanner that only looks must not spend the token.
  app.get('/verify', { exposeHeadRoute: false }, async (request, reply) => {
    const { token = '', type = '', redirect_to } = queryOf(request)
    if (!token || !verifyTypes.has(type)) throw authErrors.validationFailed('Verify requires a token and a known type')
    const target = allowedRedirect(ctx, redirect_to)
    const outcome = await verify(ctx, { type, link: token }, visitorOf(request)).catch(describeRefusal)
    return reply
      .header('referrer-policy', 'no-referrer')
      .redirect(`${withoutHash(target)}#${fragmentOf(outcome, type)}`, 303)
  })
}

function readProof(body: Body): Proof {
  const type = body.text('type') ?? ''
  if (type === 'sms' || type === 'phone_change') throw authErrors.phoneDisabled()
  if (!verifyTypes.has(type)) throw authErrors.validationFailed('Verify requires a verification type')
  const link = body.text('token_hash')
  if (link) return { type, link }
  const email = readEmail(body)
  const code = body.text('token')
  if (!email || !code) throw authErrors.validationFailed('Only the token_hash and type should be provided')
  return { type, email, code }
}

type Refusal = { readonly error: string; readonly error_code: string; readonly error_description: string }

/** A refusal that the person should read in the app. A failure of ours is answered as one. */
function describeRefusal(error: unknown): Refusal {
  const refusal = error instanceof pg.DatabaseError ? fromDatabase(error) : error
  if (!(refusal instanceof GatewayError) || refusal.status >= 500) throw error
  return { error: 'access_denied', error_code: refusal.code, error_description: refusal.message }
}

/** Behind `#`, so that it stays in the browser: no server and no log on the way sees the session. */
function fragmentOf(outcome: Verified | Refusal, type: string): URLSearchParams {
  if ('half' in outcome) return new URLSearchParams({ message: half })
  if ('error' in outcome) return new URLSearchParams(outcome)
  const { access_token, refresh_token, token_type, expires_in, expires_at } = outcome.session
  return new URLSearchParams({
    access_token,
    expires_at: String(expires_at),
    expires_in: String(expires_in),
    refresh_token,
    token_type,
    type,
  })
}

function withoutHash(url: string): string {
  return url.split('#')[0] ?? url
}
