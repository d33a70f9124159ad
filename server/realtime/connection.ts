import pg from 'pg'
import type { RawData, WebSocket } from 'ws'
import { GatewayError } from '../http/errors.ts'
import { fromDatabaseFailure } from '../http/from-database-failure.ts'
import type { Caller } from '../postgres/caller.ts'
import { DatabaseFailure } from '../postgres/database-failure.ts'
import { type AddressUse, describeExceeded, type Sender, weightOf } from './allowances.ts'
import { authorize } from './authorize.ts'
import { type Broadcast, parseBroadcastPush } from './broadcast-frame.ts'
import type { Channel, Line } from './channel.ts'
import { limits } from './connection-limits.ts'
import { type Encoded, encodeFrame, type Frame, field, MalformedFrame, parseFrame, type Version } from './frame.ts'
import { fromDatabase } from './from-database.ts'
import { joinChannel } from './join-channel.ts'
import { JoinRefused } from './join-config.ts'
import { RateMeter } from './rate-meter.ts'
import type { RealtimeParts } from './realtime-parts.ts'
import { readTtl, storeBroadcast } from './stored-broadcasts.ts'
import { bareTopic, extensions } from './topic-rights.ts'

/** Close codes of RFC 6455. */
const closeCodes = { goingAway: 1001, malformed: 1007, tooMuch: 1008, failure: 1011, tooSlow: 1013 } as const

/** One websocket and the topics joined over it. */
export class Connection implements Line {
  readonly version: Version
  readonly #socket: WebSocket
  readonly #byKey: Caller
  readonly #address: AddressUse
  readonly #parts: RealtimeParts
  readonly #channels = new Map<string, Channel>()
  /** Frames of one topic are handled one after another; a slow join delays no other topic. */
  readonly #tails = new Map<string, Promise<unknown>>()
  readonly #rate = new RateMeter(limits.framesPerSecond, limits.framesAtOnce)
  #joining = 0
  #heardAt = Date.now()

  constructor(socket: WebSocket, version: Version, byKey: Caller, address: AddressUse, parts: RealtimeParts) {
    this.#socket = socket
    this.#address = address
    this.version = version
    this.#byKey = byKey
    this.#parts = parts
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('close', () => this.#dispose())
    socket.on('error', () => undefined) // ws closes the socket on its own after each error
  }

  get isSilent(): boolean {
    return Date.now() - this.#heardAt > limits.silentMs
  }

  send(frame: string | Encoded) {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > limits.maxUnsentBytes) return this.terminate(closeCodes.tooSlow, 'Too slow')
    if (typeof frame === 'string') this.#socket.send(frame)
    else this.#socket.send(frame.data, { binary: frame.isBinary })
  }

  /** Ends the channels whose token has expired or whose session has ended. */
  endExpired(now: number) {
    for (const channel of this.#channels.values()) channel.endWhenExpired(now, this.#parts.callers.hasEnded)
  }

  /** Ends the channels that read as this user (auth.users.id), who has lost access before their token expired. */
  endOf(userId: string, reason: string) {
    for (const channel of this.#channels.values()) if (channel.caller.claims.sub === userId) channel.shutDown(reason)
  }

  drop(channel: Channel) {
    if (this.#channels.get(channel.topic) === channel) {
      this.#channels.delete(channel.topic)
      this.#address.channels -= 1
    }
    this.#chargeLeaving(channel)
    this.#parts.hub.leave(channel)
    this.#parts.changes.unfollow(channel)
  }

  /** Sends a close frame, and waits only briefly for the answer. */
  terminate(code: number = closeCodes.goingAway, reason = 'The server is going away') {
    this.#socket.close(code, reason)
    setTimeout(() => this.#socket.terminate(), 500).unref()
  }

  #receive(data: RawData, isBinary: boolean) {
    this.#heardAt = Date.now()
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)
    if (!this.#rate.take()) return this.terminate(closeCodes.tooMuch, 'Too many messages per second')
    if (!this.#address.events.draw(weightOf(bytes.length))) {
      return this.terminate(closeCodes.tooMuch, 'Too many messages per second from your address')
    }
    try {
      if (isBinary) this.#receiveBroadcast(bytes)
      else this.#receiveFrame(parseFrame(bytes.toString('utf8'), this.version), bytes.length)
    } catch (error) {
      this.#failed(error)
    }
  }

  #receiveFrame(frame: Frame, size: number) {
    if (frame.topic === 'phoenix') {
      if (frame.event === 'heartbeat') this.#reply(frame, 'ok', {})
      return
    }
    this.#queue(frame.topic, () => this.#handle(frame, size))
  }

  #queue(topic: string, work: () => unknown) {
    const tail = (this.#tails.get(topic) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        if (this.#tails.get(topic) === tail) this.#tails.delete(topic)
      })
    this.#tails.set(topic, tail)
  }

  async #handle(frame: Frame, size: number) {
    if (frame.event === 'phx_join') return this.#join(frame)
    const channel = this.#channels.get(frame.topic)
    if (!channel || (frame.joinRef !== null && frame.joinRef !== channel.joinRef)) {
      return this.#reply(frame, 'error', { reason: 'unmatched topic' })
    }
    switch (frame.event) {
      case 'phx_leave':
        this.drop(channel)
        return this.#reply(frame, 'ok', {})
      case 'access_token':
        return this.#renew(channel, field(frame.payload, 'access_token'))
      case 'broadcast':
        return this.#broadcast(channel, frame.ref, { kind: 'json', payload: frame.payload }, size)
      case 'presence':
        return this.#presence(channel, frame)
      default:
        return this.#reply(frame, 'error', { reason: `unknown event: ${frame.event.slice(0, 100)}` })
    }
  }

  async #join(frame: Frame) {
    const joinedBefore = this.#channels.get(frame.topic)
    if (joinedBefore) {
      joinedBefore.send('phx_close', {}, joinedBefore.joinRef)
      this.drop(joinedBefore)
    }
    this.#joining += 1
    try {
      if (this.#channels.size + this.#joining > limits.maxChannelsPerConnection) {
        throw new JoinRefused('ChannelRateLimitReached: Too many channels')
      }
      this.#requireJoinAllowed()
      const channel = await joinChannel(this, frame, { byKey: this.#byKey, address: this.#address }, this.#parts)
      // The socket may have closed while the join was waiting.
      if (this.#socket.readyState !== this.#socket.OPEN) return this.drop(channel)
      this.#channels.set(frame.topic, channel)
      this.#address.channels += 1
    } catch (error) {
      const refusal = explain(error)
      const isRefused = refusal instanceof JoinRefused || refusal instanceof GatewayError
      if (!isRefused) this.#parts.log.error({ err: error }, 'realtime: a join failed')
      this.#reply(frame, 'error', { reason: isRefused ? refusal.message : 'Unknown Error on Channel' })
    } finally {
      this.#joining -= 1
    }
  }

  /** @throws JoinRefused. */
  #requireJoinAllowed() {
    if (this.#address.channels >= this.#address.mostChannels) {
      throw new JoinRefused('ChannelRateLimitReached: Too many channels from your address')
    }
    if (!this.#address.joins.take()) {
      throw new JoinRefused('ClientJoinRateLimitReached: Too many joins per second from your address')
    }
    if (!this.#parts.allowances.joins.take())
      throw new JoinRefused('ClientJoinRateLimitReached: Too many joins per second')
  }

  /** Sets a fresh token on the open channel, which reads as its user from now on, or ends. */
  async #renew(channel: Channel, token: unknown) {
    if (typeof token !== 'string' || token === '') return
    try {
      const { topic, config, bindings } = channel
      const authorization = await authorize(this.#parts, this.#byKey, { topic, isPrivate: config.isPrivate, token })
      await this.#parts.changes.prepare(bindings, authorization.caller)
      if (this.#channels.get(topic) !== channel) return
      const isRevoked = extensions.some((each) => channel.hears(each) && !authorization.rights.hears.includes(each))
      if (isRevoked) {
        throw new JoinRefused(`You no longer have permission to read from this Channel topic: ${bareTopic(topic)}`)
      }
      channel.renew(authorization)
      if (!channel.says('presence')) this.#untrack(channel)
    } catch (error) {
      if (error instanceof JoinRefused) return channel.shutDown(error.message)
      this.#parts.log.error({ err: error }, 'realtime: failed to renew a token')
      channel.fail('The token could not be renewed. Join again.')
    }
  }

  #presence(channel: Channel, frame: Frame) {
    const event = field(frame.payload, 'event')
    const told = field(frame.payload, 'payload') ?? {}
    if (event === 'track' && !channel.says('presence')) return this.#refuse(channel, frame.ref)
    if (!this.#parts.allowances.events.take()) return channel.shutDown('Too many presence messages per second')
    const length = JSON.stringify(told).length
    if (event === 'track' && length > limits.maxPresenceLength) {
      return channel.shutDown('Track message size exceeded')
    }
    if (event === 'track' && typeof told === 'object' && told !== null && !Array.isArray(told)) {
      const { hub } = this.#parts
      const costs = [
        hub.costOf(channel.room, length),
        ...(channel.hasPresence ? [] : [hub.costOfPresences(channel.room)]),
      ]
      const exceeded = this.#parts.allowances.draw(this.#senderOf(channel), costs)
      if (exceeded) return channel.reply(frame.ref, 'error', { reason: describeExceeded(exceeded) })
      if (!channel.hasPresence) {
        channel.hasPresence = true
        if (channel.hears('presence')) channel.send('presence_state', hub.presencesOf(channel))
      }
      hub.track(channel, channel.presenceKey, told as Record<string, unknown>)
    } else if (event === 'untrack') {
      this.#untrack(channel)
    } else {
      return this.#reply(frame, 'error', { reason: 'presence takes track and untrack' })
    }
    return this.#reply(frame, 'ok', {})
  }

  #untrack(channel: Channel) {
    this.#chargeLeaving(channel)
    this.#parts.hub.untrack(channel)
  }

  /** Leaving can't be rejected, but everyone in the room is notified. */
  #chargeLeaving(channel: Channel) {
    const cost = this.#parts.hub.costOfLeaving(channel)
    if (cost.count > 0) this.#parts.allowances.charge(this.#senderOf(channel), cost)
  }

  #senderOf({ caller }: Channel): Sender {
    return this.#parts.allowances.senderOf(caller, this.#address)
  }

  #receiveBroadcast(bytes: Buffer) {
    const { topic, ref, joinRef, broadcast, persist } = parseBroadcastPush(bytes)
    const channel = this.#channels.get(topic)
    if (!channel || joinRef !== channel.joinRef) {
      return this.#reply({ topic, ref, joinRef, event: 'broadcast', payload: {} }, 'error', {
        reason: 'unmatched topic',
      })
    }
    const ttl = readTtl(persist)
    if (ttl === undefined) return this.#broadcast(channel, ref, broadcast, bytes.length)
    this.#queue(topic, () => this.#keep(channel, ref, broadcast, { ttl, size: bytes.length }))
  }

  /** Stores a broadcast for later joiners and sends it. A broadcast that can't be stored isn't sent either. */
  async #keep(
    channel: Channel,
    ref: string | null,
    broadcast: Broadcast,
    { ttl, size }: { readonly ttl: number; readonly size: number },
  ) {
    if (!channel.config.isPrivate)
      return channel.reply(ref, 'error', { error: 'Only private channels keep broadcasts' })
    if (!this.#maySpeak(channel, ref, size)) return
    try {
      await storeBroadcast(this.#parts.service, channel.topic, broadcast, ttl)
    } catch (error) {
      const refusal = error instanceof pg.DatabaseError ? fromDatabase(error) : undefined
      if (!refusal) throw error
      return channel.reply(ref, 'error', { reason: refusal.message })
    }
    this.#tell(channel, ref, broadcast)
  }

  #broadcast(channel: Channel, ref: string | null, broadcast: Broadcast, size: number) {
    if (this.#maySpeak(channel, ref, size)) this.#tell(channel, ref, broadcast)
  }

  /** Whether the sender may broadcast within the limits; if not, it has sent the rejection. @param size in bytes. */
  #maySpeak(channel: Channel, ref: string | null, size: number): boolean {
    if (!channel.says('broadcast')) {
      this.#refuse(channel, ref)
      return false
    }
    const { hub, allowances } = this.#parts
    if (!allowances.events.take()) {
      channel.shutDown('Too many messages per second')
      return false
    }
    const exceeded = allowances.draw(this.#senderOf(channel), [hub.costOf(channel.room, size)])
    if (!exceeded) return true
    channel.reply(ref, 'error', { reason: describeExceeded(exceeded) })
    return false
  }

  #tell(channel: Channel, ref: string | null, broadcast: Broadcast) {
    this.#parts.hub.broadcast(channel.room, broadcast, this.#senderOf(channel), channel)
    if (channel.config.broadcast.ack) channel.reply(ref, 'ok')
  }

  #refuse(channel: Channel, ref: string | null) {
    const reason = `You do not have permissions to write to this Channel topic: ${bareTopic(channel.topic)}`
    channel.reply(ref, 'error', { reason })
  }

  #reply({ topic, ref, joinRef }: Frame, status: 'ok' | 'error', response: unknown) {
    this.send(encodeFrame({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } }, this.version))
  }

  #failed(error: unknown) {
    if (error instanceof MalformedFrame) return this.terminate(closeCodes.malformed, error.message)
    this.#parts.log.error({ err: error }, 'realtime: failed to handle a frame')
    this.terminate(closeCodes.failure, 'Something went wrong on our side')
  }

  #dispose() {
    for (const channel of [...this.#channels.values()]) this.drop(channel)
  }
}

function explain(error: unknown): unknown {
  if (error instanceof DatabaseFailure) return fromDatabaseFailure(error)
  return error instanceof pg.DatabaseError ? fromDatabase(error) : error
}
