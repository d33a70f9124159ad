import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timingSafeEqualText } from '../../timing-safe-equal.ts'
import type { AuthContext } from '../context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The names under which a user signs in with this request: an address, a number, the account's id. */
    signedInAs?: readonly string[]
    /** A proof that this device signed in as one of them before. Undefined if it can't prove that. */
    deviceOf?: (name: string) => string | undefined
  }
}

const cookieName = 'ovation-device'
const path = '/auth/v1'
const lifetimeSeconds = 180 * 24 * 60 * 60
/** Users who share a device; the latest one is kept. */
const maxNames = 8

/**
 * A signed cookie that remembers who has signed in with a browser, including the second factor of an account with one. It signs nobody in
 * and gives no permissions: it only gives its holder separate attempts when guesses at the account are limited (guess-limit.ts), so that a
 * stranger can't use them up.
 */
export function rememberDevices(app: FastifyInstance, ctx: AuthContext) {
  app.addHook('onRequest', async (request) => {
    const proofs = readProofs(request)
    if (proofs.length > 0) request.deviceOf = (name) => proofs.find((proof) => isProofOf(ctx, proof, name))
  })
  app.addHook('onSend', async (request, reply) => {
    const names = request.signedInAs
    if (!names || reply.statusCode >= 400) return
    const issue = `${Math.floor(Date.now() / 1000) + lifetimeSeconds}-${randomBytes(9).toString('base64url')}`
    const others = readProofs(request).filter((proof) => !names.some((name) => isProofOf(ctx, proof, name)))
    const proofs = [...names.map((name) => prove(ctx, name, issue)), ...others].slice(0, maxNames)
    const secure = ctx.siteUrl().startsWith('https:') ? '; Secure' : ''
    const rules = `Path=${path}; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Strict${secure}`
    reply.header('set-cookie', `${cookieName}=${proofs.join('~')}; ${rules}`)
  })
}

/** @param issue the expiry and a random part, so that no two devices share their attempts. */
function prove(ctx: AuthContext, name: string, issue: string): string {
  return `${issue}.${ctx.keyedHash('known device', `${issue}\0${name}`)}`
}

function isProofOf(ctx: AuthContext, proof: string, name: string): boolean {
  const [issue = ''] = proof.split('.')
  return Number.parseInt(issue, 10) > Date.now() / 1000 && timingSafeEqualText(proof, prove(ctx, name, issue))
}

function readProofs({ headers }: FastifyRequest): string[] {
  const pair = headers.cookie?.split('; ').find((each) => each.startsWith(`${cookieName}=`))
  return (
    pair
      ?.slice(cookieName.length + 1)
      .split('~')
      .slice(0, maxNames) ?? []
  )
}
