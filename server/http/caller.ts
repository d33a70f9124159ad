import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { anonymous, type Caller, serviceRole } from '../postgres/caller.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import type { Database } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'
import { errors } from './errors.ts'
import type { Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** On whose behalf the request runs. Set before any handler of a door. */
    caller: Caller
    /** The database as that person sees it. */
    db: CallerDb
  }
}

/** What auth/v1 puts into the token of a person who has a second factor and has not shown it yet (AUTH-19). */
export const pendingSecondFactor = { second_factor: 'pending' } as const

/** Where a request says who is calling. */
export type Credentials = {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly query: unknown
}

/**
 * Who is calling (DESIGN §2): no key and no token is `anon`; an unknown key or a bad token is refused; a user's token outranks
 * the key. A websocket can't send headers, so the key may also stand in the query as `apikey`.
 */
export function buildCallerResolver(secrets: Secrets, tokens: Tokens) {
  const keys = new Map<string, Caller>([
    [secrets.anonKey, anonymous],
    [secrets.publishableKey, anonymous],
    [secrets.serviceRoleKey, serviceRole],
    [secrets.secretKey, serviceRole],
  ])
  return {
    /** @throws GatewayError 401 `invalid_api_key`. */
    fromKey(key: string): Caller {
      const caller = keys.get(key)
      if (!caller) throw errors.invalidApiKey()
      return caller
    },
    /** A key in a token's place counts as that key. @throws GatewayError 401 `bad_jwt` or `jwt_expired`; 403 `insufficient_aal`. */
    async fromToken(token: string): Promise<Caller> {
      return keys.get(token) ?? fromClaims(await tokens.verify(token))
    },
    /** For a key and for a token that was verified before: nearly always. @throws as `fromKey` and `fromToken`. */
    known(request: Credentials): Caller | undefined {
      const key = readKey(request)
      const byKey = key === undefined ? anonymous : this.fromKey(key)
      const token = readBearer(request)
      if (token === undefined) return byKey
      const keyInPlace = keys.get(token)
      if (keyInPlace) return keyInPlace
      const claims = tokens.remembered(token)
      return claims && fromClaims(claims, acceptsPending(request))
    },
    /** At once where the caller is known. @throws as `fromKey` and `fromToken`. */
    fromRequest(request: Credentials): Caller | Promise<Caller> {
      const verify = (token = '') =>
        tokens.verify(token).then((verified) => fromClaims(verified, acceptsPending(request)))
      return this.known(request) ?? verify(readBearer(request))
    },
  }
}

/** auth/v1 is where the second factor is shown. */
const acceptsPending = ({ url }: Credentials): boolean => url.startsWith('/auth/v1/')

/** @throws GatewayError 403 `insufficient_aal`. */
function fromClaims(claims: Caller['claims'], acceptPending = false): Caller {
  if (!acceptPending && claims.second_factor === pendingSecondFactor.second_factor) throw errors.insufficientAal()
  return { role: typeof claims.role === 'string' ? claims.role : 'anon', claims }
}

export type CallerResolver = ReturnType<typeof buildCallerResolver>

/** Gives every request of the scope it is registered in a `caller` and a `db`. */
export const callerPlugin = fastifyPlugin(
  async (app: FastifyInstance, { resolver, database }: { resolver: CallerResolver; database: Database }) => {
    app.decorateRequest('caller')
    app.decorateRequest('db')
    function admit(request: FastifyRequest, caller: Caller) {
      request.caller = caller
      request.db = database.as(caller)
    }
    // Not async: nearly all requests need not wait for anything here.
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.method === 'OPTIONS') return done()
      const caller = resolver.fromRequest(request)
      if (caller instanceof Promise) {
        caller.then((verified) => admit(request, verified)).then(() => done(), done)
      } else {
        admit(request, caller)
        done()
      }
    })
  },
)

function readKey(request: Credentials): string | undefined {
  const header = request.headers.apikey
  if (typeof header === 'string' && header !== '') return header
  const { apikey } = request.query as { apikey?: unknown }
  return typeof apikey === 'string' && apikey !== '' ? apikey : undefined
}

/** @throws GatewayError 401 when the header is there and is not a bearer token. */
function readBearer(request: Credentials): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const token = /^Bearer +(\S+)$/i.exec(header.trim())?.[1]
  if (token === undefined) throw errors.invalidToken('Authorization must be: Bearer <token>')
  return token
}
