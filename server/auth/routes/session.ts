import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { readEmail } from '../email/read-email-address.ts'
import { authErrors } from '../errors.ts'
import { signInWithPassword } from '../passwords/sign-in.ts'
import { readPhone } from '../phone/phone.ts'
import { grantByIdToken } from '../providers/id-token.ts'
import { requireProvider } from '../providers/provider-client.ts'
import { allowedRedirect } from '../redirects.ts'
import { originOf } from '../request-origin.ts'
import { exchangeCode, readCodeChallenge } from '../sessions/code-challenge.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import { requireRequester } from '../sessions/requester.ts'
import { signOut, signOutScopes } from '../sessions/sign-out.ts'
import { signUp } from '../sign-up/sign-up.ts'
import { signUpAnonymously } from '../sign-up/sign-up-anonymous.ts'
import { signUpByPhone } from '../sign-up/sign-up-phone.ts'
import { grantByWallet, requireWallets } from '../wallet/wallet.ts'
import { queryOf } from './query.ts'

/** `POST /signup`, `POST /token`, `POST /logout` (API-AUTH-01..06, 11). */
export function sessionRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.post('/signup', async (request) => {
    const body = new Body(request)
    const email = readEmail(body)
    const password = body.text('password')
    const phone = readPhone(body)
    const data = body.data('data') ?? {}
    if (!email && !phone && !password) return signUpAnonymously(ctx, data, originOf(request))
    if (email && phone) throw authErrors.validationFailed('Only an email address or phone number should be provided')
    if (!password) throw authErrors.validationFailed('Signup requires a valid password')
    if (phone) return signUpByPhone(ctx, { phone, password, data }, originOf(request))
    if (!email) throw authErrors.validationFailed('To signup, please provide your email')
    const redirectTo = allowedRedirect(ctx, queryOf(request).redirect_to)
    const codeChallenge = readCodeChallenge(body)
    return signUp(ctx, { email, password, data, redirectTo, codeChallenge }, originOf(request))
  })

  app.post('/token', async (request) => {
    const grant = grants.get(queryOf(request).grant_type ?? '')
    if (!grant) throw authErrors.unsupportedGrantType()
    return grant(ctx, request)
  })

  app.post('/logout', async (request, reply) => {
    const requested = queryOf(request).scope || 'global'
    const scope = signOutScopes.find((known) => known === requested)
    if (!scope) throw authErrors.validationFailed(`Unsupported logout scope "${requested}"`)
    await signOut(ctx, await requireRequester(ctx, request, { letsAppsIn: true }), scope, originOf(request))
    return reply.status(204).send()
  })
}

type Grant = (ctx: AuthContext, request: FastifyRequest) => Promise<unknown>

const grants: ReadonlyMap<string, Grant> = new Map<string, Grant>([
  ['password', grantByPassword],
  ['refresh_token', grantByRefreshToken],
  ['pkce', grantByCode],
  ['id_token', grantByProviderToken],
  ['web3', grantBySignature],
])

async function grantByPassword(ctx: AuthContext, request: FastifyRequest) {
  const body = new Body(request)
  const email = readEmail(body)
  const password = body.text('password')
  const phone = readPhone(body)
  if (email && phone) throw authErrors.validationFailed('Only an email address or phone number should be provided')
  const login = email ? { email } : phone && { phone }
  if (!login || !password) throw authErrors.validationFailed('Signing in needs an email or a phone, and a password')
  return signInWithPassword(ctx, login, password, originOf(request))
}

async function grantByRefreshToken(ctx: AuthContext, request: FastifyRequest) {
  const token = new Body(request).text('refresh_token')
  if (!token) throw authErrors.validationFailed('refresh_token is required')
  return refreshSession(ctx, token, originOf(request))
}

async function grantByCode(ctx: AuthContext, request: FastifyRequest) {
  const body = new Body(request)
  const code = body.text('auth_code')
  const verifier = body.text('code_verifier')
  if (!code || !verifier) {
    throw authErrors.validationFailed('invalid request: both auth code and code verifier should be non-empty')
  }
  return exchangeCode(ctx, code, verifier, originOf(request))
}

async function grantByProviderToken(ctx: AuthContext, request: FastifyRequest) {
  const body = new Body(request)
  const provider = body.text('provider')
  requireProvider(ctx, provider)
  const idToken = body.text('id_token')
  if (!idToken) throw authErrors.validationFailed('id_token is required')
  const requester = body.flag('link_identity') ? await requireRequester(ctx, request) : undefined
  if (requester && !ctx.config.auth.manualLinking) throw authErrors.linkingDisabled()
  const grant = { provider, idToken, accessToken: body.text('access_token'), nonce: body.text('nonce'), requester }
  return grantByIdToken(ctx, grant, originOf(request))
}

async function grantBySignature(ctx: AuthContext, request: FastifyRequest) {
  requireWallets(ctx)
  const body = new Body(request)
  const grant = {
    chain: body.text('chain'),
    message: body.text('message') ?? '',
    signature: body.text('signature') ?? '',
  }
  return grantByWallet(ctx, grant, originOf(request))
}
