import type { Caller } from '../postgres/caller.ts'
import { type AddressUse, describeExceeded } from './allowances.ts'
import { authorize, mayNotRead } from './authorize.ts'
import { Channel, type Line, type NumberedBinding } from './channel.ts'
import { limits } from './connection-limits.ts'
import type { Frame } from './frame.ts'
import { JoinRefused, parseJoin } from './join-config.ts'
import type { RealtimeParts } from './realtime-parts.ts'
import { readStored } from './stored-broadcasts.ts'

let lastBindingId = 0

/**
 * `phx_join`: opens a topic, as the user of the token in its payload, or else with the connection's key. The answer comes once every
 * later change will be seen, so a client that reads the table after it misses nothing.
 * @throws JoinRefused with the reason for the client.
 */
export async function joinChannel(
  line: Line,
  { topic, joinRef, ref, payload }: Frame,
  { byKey, address }: { readonly byKey: Caller; readonly address: AddressUse },
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
  const { isPrivate, accessToken: token } = config
  const authorization = await authorize(parts, byKey, { topic, isPrivate, token })
  const lookUps = await parts.changes.prepare(config.bindings, authorization.caller)
  if (config.bindings.length > 0) {
    await parts.changes.requireLive()
  } else if (config.broadcast.tellsReady) await parts.changes.requireLive()
  else parts.changes.start()
  const { replay } = config.broadcast
  const isHeard = authorization.rights.hears.includes('broadcast')
  if (replay && !isHeard) throw new JoinRefused(mayNotRead(topic))
  const stored = replay ? await readStored(parts.service, topic, replay) : []
  const bindings = config.bindings.map(
    (binding, index): NumberedBinding => ({ ...binding, id: ++lastBindingId, filterKey: lookUps[index] }),
  )
  const channel = new Channel(line, { topic, joinRef, config, bindings }, authorization)
  const wantsPresence = channel.hasPresence && channel.hears('presence')
  if (wantsPresence) {
    const sender = parts.allowances.senderOf(authorization.caller, address)
    const exceeded = parts.allowances.draw(sender, [parts.hub.costOfPresences(channel.room)])
    if (exceeded) throw new JoinRefused(describeExceeded(exceeded))
  }
  parts.hub.enter(channel)
  parts.changes.follow(channel)
  channel.reply(ref, 'ok', { postgres_changes: bindings.map(({ id, asSent }) => ({ ...asSent, id })) })
  if (bindings.length > 0) channel.tell('ok', 'postgres_changes', 'Subscribed to PostgreSQL')
  if (wantsPresence) channel.send('presence_state', parts.hub.presencesOf(channel))
  if (config.broadcast.tellsReady) channel.tell('ok', 'system', 'Replication connection established')
  for (const broadcast of stored) channel.tellAgain(broadcast)
  return channel
}
