import type { IncomingHttpHeaders } from 'node:http'
import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { anonymous, type Caller, serviceRole } from '../postgres/caller.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import type { Database } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'
import { type BodyBudget, leaveUnread } from './body-budget.ts'
import type { EndedSessions } from './ended-sessions.ts'
import { errors } from './errors.ts'
import { bodyLimitBytes } from './fastify-options.ts'
import { readsBody } from './read-body.ts'
import type { Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, which is streamed. */
    readonly takesFiles?: true
  }
  interface FastifyRequest {
    /** On whose behalf the request runs. Set before any handler of an API. */
    caller: Caller
    /** The database as the caller sees it. */
    db: CallerDb
  }
}

/** The claim that auth/v1 sets for a user who has a second factor and hasn't verified it in this session (AUTH-19). */
export const pendingSecondFactor = { second_factor: 'pending' } as const

/** The parts of a request that identify the caller. */
export type Credentials = {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly query: unknown
}

/**
 * Identifies the caller (DESIGN §2): no key and no token is `anon`; an unknown key or a bad token is rejected; a user's token overrides
 * the key. A websocket can't send headers, so the key may also be the query parameter `apikey`.
 */
export function buildCallerResolver(secrets: Secrets, tokens: Tokens, ended: Pick<EndedSessions, 'rejects'>) {
  const keys = new Map<string, Caller>([
    [secrets.anonKey, anonymous],
    [secrets.publishableKey, anonymous],
    [secrets.serviceRoleKey, serviceRole],
    [secrets.secretKey, serviceRole],
  ])
  /**
   * auth/v1 verifies the second factor, and looks up the session in the database itself.
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
    /** A key as the token counts as that key. @throws GatewayError 401 `bad_jwt`, `jwt_expired`, or `session_ended`; 403 `insufficient_aal`. */
    async fromToken(token: string): Promise<Caller> {
      return keys.get(token) ?? fromClaims(await tokens.verify(token))
    },
    /** Whether the caller's session has ended by now. For connections that outlive a request. */
    hasEnded: ({ claims }: Caller): boolean => ended.rejects(claims),
    /** Synchronous for a key and for a token that was verified before: nearly always. @throws like `fromKey` and `fromToken`. */
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
  /** The maximum size of a parsed body while nobody is signed in. */
  readonly anonymousBodyBytes: number
  readonly bodyBudget: BodyBudget
}

/** Gives every request of its scope a `caller` and a `db`. */
export const callerPlugin = fastifyPlugin(
  async (app: FastifyInstance, { resolver, database, anonymousBodyBytes, bodyBudget }: CallerOptions) => {
    app.decorateRequest('caller')
    app.decorateRequest('db')
    const tooLarge = () => errors.anonymousBodyTooLarge(anonymousBodyBytes)
    /** @throws GatewayError 413 `body_too_large`, and what `BodyBudget.reserve` throws. */
    function admit(request: FastifyRequest, reply: FastifyReply, caller: Caller) {
      request.caller = caller
      request.db = database.as(caller)
      const { bodyLimit, config } = request.routeOptions
      if (isBounded(request) && Number(request.headers['content-length']) > anonymousBodyBytes) {
        leaveUnread(request.raw, reply.raw)
        throw tooLarge()
      }
      if (config.takesFiles || caller.role === 'service_role' || !readsBody(request.method)) return
      bodyBudget.reserve(request.raw, reply.raw, bodyLimit ?? bodyLimitBytes)
    }
    // A body without a declared length is counted while it arrives.
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
    // Before the answer arrives, so that the next read, on any node, sees what this request has changed.
    app.addHook('onSend', (request, _reply, payload, done) => {
      const account = request.caller?.claims.sub
      if (!readsBody(request.method) || typeof account !== 'string') return done(null, payload)
      database.stayOnPrimary(account).then(() => done(null, payload), done)
    })
    // Not async: nearly all requests need not wait for anything here.
    app.addHook('onRequest', (request, reply, done) => {
      if (request.method === 'OPTIONS') return done()
      const caller = resolver.fromRequest(request)
      if (caller instanceof Promise) {
        caller.then((verified) => admit(request, reply, verified)).then(() => done(), done)
      } else {
        try {
          admit(request, reply, caller)
        } catch (error) {
          return done(error as Error)
        }
        done()
      }
    })
  },
)

/** Files, and paths with their own limit, are exempt. */
function isBounded({ caller, routeOptions: { bodyLimit, config } }: FastifyRequest): boolean {
  return caller?.role === 'anon' && bodyLimit === bodyLimitBytes && !config.takesFiles
}

function readKey(request: Credentials): string | undefined {
  const header = request.headers.apikey
  if (typeof header === 'string' && header !== '') return header
  const { apikey } = request.query as { apikey?: unknown }
  return typeof apikey === 'string' && apikey !== '' ? apikey : undefined
}

/** Where another application identifies itself instead of a user (auth/oauth-server/authenticate-client.ts). */
function isOfOAuthClient({ url }: Credentials, header: string): boolean {
  return url.split('?')[0] === '/auth/v1/oauth/token' && /^Basic /i.test(header)
}

/** @throws GatewayError 401 if the header is present but isn't a bearer token. */
function readBearer(request: Credentials): string | undefined {
  const header = request.headers.authorization
  if (header === undefined || isOfOAuthClient(request, header)) return undefined
  const token = /^Bearer +(\S+)$/i.exec(header.trim())?.[1]
  if (token === undefined) throw errors.invalidToken('Authorization must be: Bearer <token>')
  return token
}
