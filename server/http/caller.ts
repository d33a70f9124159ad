import type { IncomingHttpHeaders } from 'node:http'
import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { anonymous, type Caller, serviceRole } from '../postgres/caller.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import type { Database } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'
import type { EndedSessions } from './ended-sessions.ts'
import { errors } from './errors.ts'
import { bodyLimitBytes } from './options.ts'
import type { Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, which is taken as it comes. */
    readonly takesFiles?: true
  }
  interface FastifyRequest {
    /** On whose behalf the request runs. Set before any handler of an API. */
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
export function buildCallerResolver(secrets: Secrets, tokens: Tokens, ended: Pick<EndedSessions, 'rejects'>) {
  const keys = new Map<string, Caller>([
    [secrets.anonKey, anonymous],
    [secrets.publishableKey, anonymous],
    [secrets.serviceRoleKey, serviceRole],
    [secrets.secretKey, serviceRole],
  ])
  /**
   * auth/v1 is where the second factor is shown, and looks the session up in the database by itself.
   * @throws GatewayError 401 `session_ended`; 403 `insufficient_aal`.
   */
  function fromClaims(claims: Caller['claims'], isForAuth = false): Caller {
    if (!isForAuth && ended.rejects(claims)) throw errors.sessionEnded()
    if (!isForAuth && claims.second_factor === pendingSecondFactor.second_factor) throw errors.insufficientAal()
    return { role: typeof claims.role === 'string' ? claims.role : 'anon', claims }
  }
  return {
    /** @throws GatewayError 401 `invalid_api_key`. */
    fromKey(key: string): Caller {
      const caller = keys.get(key)
      if (!caller) throw errors.invalidApiKey()
      return caller
    },
    /** A key in a token's place counts as that key. @throws GatewayError 401 `bad_jwt`, `jwt_expired`, or `session_ended`; 403 `insufficient_aal`. */
    async fromToken(token: string): Promise<Caller> {
      return keys.get(token) ?? fromClaims(await tokens.verify(token))
    },
    /** Whether the caller's session has ended since. For connections that outlive a request. */
    hasEnded: ({ claims }: Caller): boolean => ended.rejects(claims),
    /** At once for a key and for a token that was verified before: nearly always. @throws as `fromKey` and `fromToken`. */
    fromRequest(request: Credentials): Caller | Promise<Caller> {
      const key = readKey(request)
      const byKey = key === undefined ? anonymous : this.fromKey(key)
      const token = readBearer(request)
      if (token === undefined) return byKey
      const keyInPlace = keys.get(token)
      if (keyInPlace) return keyInPlace
      const claims = tokens.cached(token)
      if (claims) return fromClaims(claims, isForAuth(request))
      return tokens.verify(token).then((verified) => fromClaims(verified, isForAuth(request)))
    },
  }
}

const isForAuth = ({ url }: Credentials): boolean => url.startsWith('/auth/v1/')

export type CallerResolver = ReturnType<typeof buildCallerResolver>

type CallerOptions = {
  readonly resolver: CallerResolver
  readonly database: Database
  /** How large a body that is parsed may be while nobody is signed in. */
  readonly anonymousBodyBytes: number
}

/** Gives every request of the scope it is registered in a `caller` and a `db`. */
export const callerPlugin = fastifyPlugin(
  async (app: FastifyInstance, { resolver, database, anonymousBodyBytes }: CallerOptions) => {
    app.decorateRequest('caller')
    app.decorateRequest('db')
    const tooLarge = () => errors.anonymousBodyTooLarge(anonymousBodyBytes)
    /** @throws GatewayError 413 `body_too_large`. */
    function admit(request: FastifyRequest, caller: Caller) {
      request.caller = caller
      request.db = database.as(caller)
      if (isBounded(request) && Number(request.headers['content-length']) > anonymousBodyBytes) throw tooLarge()
    }
    // A body that does not say how long it is, is counted while it comes.
    app.addHook('preParsing', (request, _reply, payload, done) => {
      if (!isBounded(request) || request.headers['content-length'] !== undefined) return done(null, payload)
      let bytes = 0
      const counted = new Transform({
        transform(chunk: Buffer, _encoding, passOn) {
          bytes += chunk.length
          passOn(bytes > anonymousBodyBytes ? tooLarge() : null, chunk)
        },
      })
      payload.once('error', (error) => counted.destroy(error))
      done(null, payload.pipe(counted))
    })
    // Not async: nearly all requests need not wait for anything here.
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.method === 'OPTIONS') return done()
      const caller = resolver.fromRequest(request)
      if (caller instanceof Promise) {
        caller.then((verified) => admit(request, verified)).then(() => done(), done)
      } else {
        try {
          admit(request, caller)
        } catch (error) {
          return done(error as Error)
        }
        done()
      }
    })
  },
)

/** Files, and paths with a limit of their own, have theirs. */
function isBounded({ caller, routeOptions: { bodyLimit, config } }: FastifyRequest): boolean {
  return caller?.role === 'anon' && bodyLimit === bodyLimitBytes && !config.takesFiles
}

function readKey(request: Credentials): string | undefined {
  const header = request.headers.apikey
  if (typeof header === 'string' && header !== '') return header
  const { apikey } = request.query as { apikey?: unknown }
  return typeof apikey === 'string' && apikey !== '' ? apikey : undefined
}

/** Where another application names itself and not a person (auth/oauth-server/authenticate-client.ts). */
function isOfOAuthClient({ url }: Credentials, header: string): boolean {
  return url.split('?')[0] === '/auth/v1/oauth/token' && /^Basic /i.test(header)
}

/** @throws GatewayError 401 when the header is there and is not a bearer token. */
function readBearer(request: Credentials): string | undefined {
  const header = request.headers.authorization
  if (header === undefined || isOfOAuthClient(request, header)) return undefined
  const token = /^Bearer +(\S+)$/i.exec(header.trim())?.[1]
  if (token === undefined) throw errors.invalidToken('Authorization must be: Bearer <token>')
  return token
}
