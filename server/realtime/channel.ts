import { randomUUID } from 'node:crypto'
import type { Caller } from '../postgres/caller.ts'
import type { Authorization } from './authorize.ts'
import { type Broadcast, encodeDelivery } from './broadcast-frame.ts'
import type { FilterKey } from './filter-key.ts'
import { type Encoded, encodeFrame, encodeWritten, type Version } from './frame.ts'
import type { Binding, JoinConfig } from './join-config.ts'
import { type Room, roomOf } from './room.ts'
import { bareTopic, type Extension } from './topic-rights.ts'

/** The parts of a connection that a channel needs. */
export type Line = {
  readonly version: Version
  send(data: string | Encoded): void
  /** Removes the channel: it has ended on the server's side. */
  drop(channel: Channel): void
}

/** A binding with its delivery number and its lookup key. */
export type NumberedBinding = Binding & { readonly id: number; readonly filterKey: FilterKey | undefined }

let lastNumber = 0

/** One joined topic of one connection. */
export class Channel {
  readonly topic: string
  readonly joinRef: string | null
  readonly config: JoinConfig
  readonly bindings: readonly NumberedBinding[]
  /** Identifies it on this node. */
  readonly number = ++lastNumber
  readonly #line: Line
  #ownKey: string | undefined
  #authorization: Authorization
  /** False until the client wants presence: it tracks, or asked for it when it joined. */
  hasPresence: boolean

  constructor(
    line: Line,
    joining: { topic: string; joinRef: string | null; config: JoinConfig; bindings: readonly NumberedBinding[] },
    authorization: Authorization,
  ) {
    this.#line = line
    this.topic = joining.topic
    this.joinRef = joining.joinRef
    this.config = joining.config
    this.bindings = joining.bindings
    this.hasPresence = joining.config.presence.enabled
    this.#authorization = authorization
  }

  /** A private and a public channel of the same name are two rooms. */
  get room(): Room {
    return roomOf(this.topic, this.config.isPrivate)
  }

  hears(extension: Extension): boolean {
    return this.#authorization.rights.hears.includes(extension)
  }

  says(extension: Extension): boolean {
    return this.#authorization.rights.says.includes(extension)
  }

  /** The caller that this channel currently reads as. */
  get caller(): Caller {
    return this.#authorization.caller
  }

  /** Presences of one key count as one user; without a key from the client, each channel has its own. */
  get presenceKey(): string {
    this.#ownKey ??= this.config.presence.key || randomUUID()
    return this.#ownKey
  }

  get version(): Version {
    return this.#line.version
  }

  /** Sets a fresh token on the open channel. */
  renew(authorization: Authorization) {
    this.#authorization = authorization
  }

  send(event: string, payload: unknown, ref: string | null = null) {
    const { topic, joinRef } = this
    this.#line.send(encodeFrame({ joinRef, ref, topic, event, payload }, this.version))
  }

  /** Sends a row change that is already JSON: many receivers get the same text. */
  sendChange(ids: readonly number[], change: string) {
    const { topic, joinRef } = this
    const payload = `{"ids":${JSON.stringify(ids)},"data":${change}}`
    this.#line.send(encodeWritten({ joinRef, ref: null, topic, event: 'postgres_changes', payload }, this.version))
  }

  sendEncoded(data: Encoded) {
    this.#line.send(data)
  }

  /** Replays a stored broadcast to this channel alone. Version 1.0.0 can't carry one that isn't JSON. */
  tellAgain(broadcast: Broadcast) {
    if (broadcast.kind === 'json') return this.send('broadcast', broadcast.payload)
    const data = this.version === '2.0.0' ? encodeDelivery(this.topic, broadcast) : undefined
    if (data) this.sendEncoded({ data, isBinary: true })
  }

  reply(ref: string | null, status: 'ok' | 'error', response: unknown = {}) {
    this.send('phx_reply', { status, response }, ref)
  }

  /** Word from the server itself, in the shape of Supabase's realtime. */
  tell(status: 'ok' | 'error', extension: 'system' | 'postgres_changes', message: string) {
    this.send('system', { status, extension, message, channel: bareTopic(this.topic) })
  }

  /** Ends the channel for good: the client doesn't join again on its own. */
  shutDown(message: string) {
    this.tell('error', 'system', message)
    this.send('phx_close', {}, this.joinRef)
    this.#line.drop(this)
  }

  /** Ends the channel after a failure of the server: the client joins again on its own. */
  fail(message: string) {
    this.tell('error', 'postgres_changes', message)
    this.send('phx_error', {}, this.joinRef)
    this.#line.drop(this)
  }

  /** Ends the channel when its token has expired or its session has ended. Called regularly, because thousands of timers would cost more. */
  endWhenExpired(now: number, hasEnded: (caller: Caller) => boolean) {
    const { caller, expiresAt } = this.#authorization
    if (hasEnded(caller)) return this.shutDown('This session has ended. Sign in again.')
    if (!expiresAt || expiresAt.getTime() > now) return
    this.shutDown(`Token has expired ${Math.round((now - expiresAt.getTime()) / 1000)} seconds ago`)
  }
}
