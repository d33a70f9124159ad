import { isTooDeep, maxJsonDepth } from '../http/json-depth.ts'
import { type Frame, field, MalformedFrame } from './frame.ts'

/** Kinds of binary frames (version 2.0.0): what a client sends, and what it receives. */
const pushKind = 3
const deliveryKind = 4
const jsonEncoding = 1

/** A broadcast in transit: as JSON, or as bytes that are JSON or any format that the clients agreed on. */
export type Broadcast =
  | { readonly kind: 'json'; readonly payload: unknown }
  | {
      readonly kind: 'bytes'
      readonly event: string
      readonly encoding: number
      readonly bytes: Buffer
      /** The server's metadata: the row's id in `realtime.messages`, and whether it was replayed. */
      readonly meta?: Readonly<Record<string, unknown>>
    }

/** `persist`: whether and how long the sender wants it stored. */
export type BroadcastPush = Omit<Frame, 'event' | 'payload'> & {
  readonly broadcast: Broadcast
  readonly persist: unknown
}

/**
 * Reads a client's broadcast: kind, five lengths, encoding; join ref, ref, topic, event, metadata; the payload.
 * @throws MalformedFrame.
 */
export function parseBroadcastPush(data: Buffer): BroadcastPush {
  if (data.length < 7 || data[0] !== pushKind) throw new MalformedFrame('An unknown binary frame')
  const encoding = data[6] ?? 0
  let offset = 7
  const texts = [1, 2, 3, 4, 5].map((position) => {
    const end = offset + (data[position] ?? 0)
    if (end > data.length) throw new MalformedFrame('A binary frame is shorter than it says')
    const text = data.toString('utf8', offset, end)
    offset = end
    return text
  })
  const [joinRef, ref, topic, event, metadata] = texts
  const bytes = data.subarray(offset)
  // Receivers parse it without a check, so declared JSON must be JSON.
  if (encoding === jsonEncoding) parsePayload(bytes)
  const persist = metadata ? field(parsePayload(Buffer.from(metadata)), 'persist') : undefined
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic: topic ?? '',
    broadcast: { kind: 'bytes', event: event ?? '', encoding, bytes },
    persist,
  }
}

/** The frame for receivers of version 2.0.0; undefined when a text is too long for its length byte. */
export function encodeDelivery(
  topic: string,
  { event, encoding, bytes, meta }: Extract<Broadcast, { kind: 'bytes' }>,
): Buffer | undefined {
  const texts = [topic, event, meta ? JSON.stringify(meta) : ''].map((text) => Buffer.from(text))
  if (texts.some(({ length }) => length > 255)) return undefined
  return Buffer.concat([Buffer.from([deliveryKind, ...texts.map(({ length }) => length), encoding]), ...texts, bytes])
}

/** The frame for receivers of version 1.0.0; undefined when that version can't carry it. */
export function toJsonPayload(broadcast: Broadcast): unknown {
  if (broadcast.kind === 'json') return broadcast.payload
  if (broadcast.encoding !== jsonEncoding) return undefined
  return { type: 'broadcast', event: broadcast.event, payload: parsePayload(broadcast.bytes) }
}

function parsePayload(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  if (isTooDeep(text)) throw new MalformedFrame(`A broadcast is nested at most ${maxJsonDepth} levels deep`)
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedFrame('A broadcast said to be JSON is JSON')
  }
}
