import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../postgres/database.ts'
import { Listener } from '../postgres/listener.ts'
import { sql } from '../postgres/sql.ts'

type Change = { readonly sessionId: string; readonly requiredAal: string | null }

type Options = {
  readonly database: Database
  /** Lifetime of an access token in seconds: earlier changes concern no valid token. */
  readonly tokenSeconds: number
  readonly log: FastifyBaseLogger
}

/** Also the longest time that a node accepts a token of an ended session while it gets no notifications. */
const pollMs = 20_000
/** A poll looks back further than the last one, because a transaction's rows appear only when it commits. */
const pollOverlapSeconds = 300

/**
 * The sessions whose access tokens are rejected although they haven't expired: sessions that were signed out, revoked, or deleted, and
 * sessions that were raised to a higher assurance level after the token was issued. A check costs one lookup in a Map.
 *
 * The database notifies every node at once. A poll finds what a node missed while its listening connection was away.
 */
export class EndedSessions {
  readonly #options: Options
  readonly #listener: Listener
  #changes = new Map<string, string | null>()
  #timer: NodeJS.Timeout | undefined
  #reloadedAt = 0

  constructor(options: Options) {
    this.#options = options
    this.#listener = new Listener({
      ownerUrl: options.database.ownerUrl,
      channel: 'ovation_ended_sessions',
      log: options.log,
      onNotification: (payload) => this.#hear(payload),
    })
  }

  /** Resolves once the sessions that ended before the start are known. */
  async start(): Promise<void> {
    await this.#reload()
    await this.#listener.listen()
    this.#timer = setInterval(() => this.#inBackground(this.#poll()), pollMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#listener.close()
  }

  /** Whether a token with these claims may no longer be used. A token that names no session can't be ended. */
  rejects({ session_id: sessionId, aal }: Readonly<Record<string, unknown>>): boolean {
    if (this.#changes.size === 0 || typeof sessionId !== 'string') return false
    const requiredAal = this.#changes.get(sessionId)
    return requiredAal === null || (requiredAal !== undefined && requiredAal !== aal)
  }

  #hear(payload: string | undefined) {
    const [, sessionId, requiredAal] = /^([0-9a-f-]{36}):(.*)$/.exec(payload ?? '') ?? []
    if (sessionId !== undefined) this.#apply({ sessionId, requiredAal: requiredAal || null })
    else this.#inBackground(this.#reload())
  }

  #apply({ sessionId, requiredAal }: Change) {
    // aal1 is what every session starts with: a session that was lowered to it accepts all of its tokens.
    if (requiredAal === 'aal1') this.#changes.delete(sessionId)
    else this.#changes.set(sessionId, requiredAal)
  }

  /** Replaces everything, which also drops sessions whose tokens have all expired by now. */
  async #reload(): Promise<void> {
    const since = this.#options.tokenSeconds + pollOverlapSeconds
    const known = this.#changes
    this.#changes = new Map(known) // changes that arrive during the query are added on top of its result
    const changes = await this.#read(since)
    const heard = [...this.#changes].filter(([id, aal]) => known.get(id) !== aal)
    this.#changes = new Map()
    for (const change of changes) this.#apply(change)
    for (const [sessionId, requiredAal] of heard) this.#apply({ sessionId, requiredAal })
    this.#reloadedAt = performance.now()
  }

  async #poll(): Promise<void> {
    const isDue = performance.now() - this.#reloadedAt > this.#options.tokenSeconds * 1000
    if (isDue) return this.#reload()
    for (const change of await this.#read(pollOverlapSeconds)) this.#apply(change)
  }

  #read(seconds: number): Promise<Change[]> {
    return this.#options.database.service.rows<Change>(sql`
      select session_id as "sessionId", required_aal as "requiredAal" from auth.ended_sessions
      where changed_at > now() - make_interval(secs => ${seconds})`)
  }

  #inBackground(work: Promise<void>) {
    work.catch((err: unknown) => this.#options.log.warn({ err }, 'ended sessions could not be read'))
  }
}
