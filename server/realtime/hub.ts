import { type Broadcast, encodeDelivery, toJsonPayload } from './broadcast-frame.ts'
import type { Channel } from './channel.ts'
import { encodeFrame } from './frame.ts'
import { PresenceList } from './presence.ts'

type Topic = { readonly channels: Set<Channel>; readonly presences: PresenceList<Channel> }

/** Who is in which topic on this node: what broadcasts and presence run over. */
export class Hub {
  readonly #topics = new Map<string, Topic>()

  get topicCount(): number {
    return this.#topics.size
  }

  enter(channel: Channel) {
    const topic = this.#topics.get(channel.topic) ?? { channels: new Set(), presences: new PresenceList<Channel>() }
    this.#topics.set(channel.topic, topic)
    topic.channels.add(channel)
  }

  leave(channel: Channel) {
    const topic = this.#topics.get(channel.topic)
    if (!topic) return
    topic.channels.delete(channel)
    this.#announce(topic, topic.presences.untrack(channel))
    if (topic.channels.size === 0) this.#topics.delete(channel.topic)
  }

  /** @param from the sending channel, which gets its own broadcast only when it asked to; undefined for one sent over HTTP. */
  broadcast(topicName: string, broadcast: Broadcast, from?: Channel) {
    const topic = this.#topics.get(topicName)
    if (!topic) return
    // Encoded once for all receivers of a version: a topic may have thousands.
    const bytes = broadcast.kind === 'bytes' ? encodeDelivery(topicName, broadcast) : undefined
    const payload = toJsonPayload(broadcast)
    const text = (version: '1.0.0' | '2.0.0') =>
      payload === undefined
        ? undefined
        : encodeFrame({ joinRef: null, ref: null, topic: topicName, event: 'broadcast', payload }, version)
    const encoded = { '1.0.0': text('1.0.0'), '2.0.0': bytes ?? text('2.0.0') }
    for (const channel of topic.channels) {
      const data = encoded[channel.version]
      if (data !== undefined && (channel !== from || channel.config.broadcast.self)) channel.sendEncoded(data)
    }
  }

  presencesOf(channel: Channel) {
    return this.#topics.get(channel.topic)?.presences.state() ?? {}
  }

  track(channel: Channel, key: string, told: Readonly<Record<string, unknown>>) {
    const topic = this.#topics.get(channel.topic)
    if (topic) this.#announce(topic, topic.presences.track(channel, key, told))
  }

  untrack(channel: Channel) {
    const topic = this.#topics.get(channel.topic)
    if (topic) this.#announce(topic, topic.presences.untrack(channel))
  }

  #announce(topic: Topic, diff: ReturnType<PresenceList<Channel>['untrack']>) {
    if (!diff) return
    for (const channel of topic.channels) {
      if (channel.hasPresence) channel.send('presence_diff', diff)
    }
  }
}
