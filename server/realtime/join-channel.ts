import type { Caller } from '../postgres/caller.ts'
import { authorize } from './authorize.ts'
import { Channel, type Line, type NumberedBinding } from './channel.ts'
import type { RealtimeParts } from './connection.ts'
import type { Frame } from './frame.ts'
import { JoinRefused, parseJoin } from './join-config.ts'
import { limits } from './limits.ts'

let lastBindingId = 0

/**
 * `phx_join`: opens a topic, as the bearer of the token in its payload, else of the connection's key. The answer comes once every
 * later change will be seen, so whoever reads after it has missed nothing.
 * @throws JoinRefused with the reason for the client.
 */
export async function joinChannel(
  line: Line,
  { topic, joinRef, ref, payload }: Frame,
  byKey: Caller,
  parts: RealtimeParts,
) {
  if (
    !topic.startsWith('realtime:') ||
    topic.length === 'realtime:'.length ||
    Buffer.byteLength(topic) > limits.maxTopicLength
  ) {
    throw new JoinRefused('unmatched topic')
  }
  const config = parseJoin(payload)
  const authorization = await authorize(parts.callers, byKey, config.accessToken)
  // No policies on messages have been written yet, so nobody has been let into any private channel.
  if (config.isPrivate) {
    const name = topic.slice('realtime:'.length)
    throw new JoinRefused(`Unauthorized: You do not have permissions to read from this Channel topic: ${name}`)
  }
  if (config.bindings.length > 0) {
    await parts.feed.requireFollowable(config.bindings, authorization.caller)
    await parts.feed.requireLive()
  }
  const bindings = config.bindings.map((binding): NumberedBinding => ({ ...binding, id: ++lastBindingId }))
  const channel = new Channel(line, { topic, joinRef, config, bindings }, authorization)
  parts.hub.enter(channel)
  parts.feed.follow(channel)
  channel.reply(ref, 'ok', { postgres_changes: bindings.map(({ id, asSent }) => ({ ...asSent, id })) })
  if (bindings.length > 0) channel.tell('ok', 'postgres_changes', 'Subscribed to PostgreSQL')
  if (channel.hasPresence) channel.send('presence_state', parts.hub.presencesOf(channel))
  return channel
}
