import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import type { Broadcast } from './broadcast-frame.ts'
import { field } from './frame.ts'
import type { LoggedRow } from './row-filter.ts'
import { bareTopic } from './topic-rights.ts'

/** The longest time that a broadcast is stored; clients never ask for older ones. */
const longestTtlSeconds = 72 * 3600
const mostReplayed = 25

/** The storage time that a sender requests: `true` for the longest, or `{ ttl }` in seconds. Undefined: it isn't stored. */
export function readTtl(persist: unknown): number | undefined {
  if (persist === true || persist === 'true') return longestTtlSeconds
  const ttl = Number(field(persist, 'ttl'))
  if (Number.isFinite(ttl) && ttl > 0) return Math.min(ttl, longestTtlSeconds)
  return typeof persist === 'object' && persist !== null ? longestTtlSeconds : undefined
}

/**
 * Stores a sent broadcast for later joiners. It needs the service: the sender's permission has been checked already, and
 * the policy must not restrict the other columns of the row.
 */
export async function storeBroadcast(service: ServiceDb, topic: string, broadcast: Broadcast, ttlSeconds: number) {
  const { event, json, bytes } = partsOf(broadcast)
  await service.rows(sql`
    insert into realtime.messages (topic, extension, event, payload, binary_payload, is_delivered, expires_at)
    values (${bareTopic(topic)}, 'broadcast', ${event}, ${json}::jsonb, ${bytes}, true, now() + ${ttlSeconds} * interval '1 second')`)
}

/** The latest broadcasts of a private topic since then, oldest first. The joiner's permission has been checked already. */
export async function readStored(
  service: ServiceDb,
  topic: string,
  { since, limit }: { since: number; limit: number },
) {
  const rows = await service.rows<{ id: string; event: string; payload: unknown; hex: string | null }>(sql`
    select m.id, m.event, m.payload, encode(m.binary_payload, 'hex') as hex from (
      select * from realtime.messages
      where topic = ${bareTopic(topic)} and extension = 'broadcast' and private and event is not null
        and inserted_at >= to_timestamp(${since} / 1000.0) and expires_at > now()
      order by inserted_at desc limit ${Math.min(limit, mostReplayed)}
    ) m order by m.inserted_at`)
  return rows.map(({ id, event, payload, hex }): Broadcast => {
    const meta = { replayed: true, id }
    if (hex === null) return { kind: 'json', payload: { type: 'broadcast', event, payload, meta } }
    return { kind: 'bytes', event, encoding: 0, bytes: Buffer.from(hex, 'hex'), meta }
  })
}

/** A row of `realtime.messages` from the log, which `realtime.send` wrote. Undefined for one that was already sent. */
export function readLogged(row: LoggedRow): { topic: string; isPrivate: boolean; broadcast: Broadcast } | undefined {
  const { id, topic, extension, event, payload } = row
  if (extension !== 'broadcast' || row.is_delivered === 't' || !topic || !event) return undefined
  const isPrivate = row.private === 't'
  const binary = row.binary_payload
  if (binary) {
    const bytes = Buffer.from(binary.replace(/^\\x/, ''), 'hex')
    return { topic, isPrivate, broadcast: { kind: 'bytes', event, encoding: 0, bytes, meta: { id } } }
  }
  const message = { type: 'broadcast', event, payload: payload ? JSON.parse(payload) : {}, meta: { id } }
  return { topic, isPrivate, broadcast: { kind: 'json', payload: message } }
}

function partsOf(broadcast: Broadcast): { event: string; json: string | null; bytes: Buffer | null } {
  if (broadcast.kind === 'json') {
    const { event, payload } = broadcast.payload as { event?: unknown; payload?: unknown }
    return { event: String(event ?? ''), json: JSON.stringify(payload ?? {}), bytes: null }
  }
  const isJson = broadcast.encoding === 1
  return {
    event: broadcast.event,
    json: isJson ? broadcast.bytes.toString('utf8') : null,
    bytes: isJson ? null : broadcast.bytes,
  }
}
