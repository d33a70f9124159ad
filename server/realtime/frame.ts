import { isTooDeep, maxJsonDepth } from '../http/json-depth.ts'
/** The two versions of Phoenix' serializer: JSON objects, and JSON arrays with binary frames for broadcasts. */
export const versions = ['1.0.0', '2.0.0'] as const
export type Version = (typeof versions)[number]

/** `joinRef` identifies the join that a frame belongs to, `ref` the request that it answers. */
export type Frame = {
  readonly joinRef: string | null
  readonly ref: string | null
  readonly topic: string
  readonly event: string
  readonly payload: unknown
}

/** An outgoing frame: the same bytes for each of many receivers. */
export type Encoded = { readonly data: Buffer; readonly isBinary: boolean }

/** An invalid frame: its connection is closed. */
export class MalformedFrame extends Error {}

export function isVersion(value: string): value is Version {
  return versions.some((version) => version === value)
}

/** @throws MalformedFrame. */
export function parseFrame(text: string, version: Version): Frame {
  const parsed = parseJson(text)
  const [joinRef, ref, topic, event, payload] =
    version === '2.0.0'
      ? listOf(parsed)
      : [
          field(parsed, 'join_ref'),
          field(parsed, 'ref'),
          field(parsed, 'topic'),
          field(parsed, 'event'),
          field(parsed, 'payload'),
        ]
  if (typeof topic !== 'string' || typeof event !== 'string')
    throw new MalformedFrame('A frame has a topic and an event')
  return { joinRef: reference(joinRef), ref: reference(ref), topic, event, payload }
}

export function encodeFrame({ joinRef, ref, topic, event, payload }: Frame, version: Version): string {
  return version === '2.0.0'
    ? JSON.stringify([joinRef, ref, topic, event, payload])
    : JSON.stringify({ topic, event, payload, ref, join_ref: joinRef })
}

/** The same for a payload that is already JSON. */
export function encodeWritten(
  { joinRef, ref, topic, event, payload }: Frame & { payload: string },
  version: Version,
): string {
  if (version === '2.0.0') return `${JSON.stringify([joinRef, ref, topic, event]).slice(0, -1)},${payload}]`
  return `${JSON.stringify({ topic, event, ref, join_ref: joinRef }).slice(0, -1)},"payload":${payload}}`
}

function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new MalformedFrame(`A frame is nested at most ${maxJsonDepth} levels deep`)
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedFrame('A frame is JSON')
  }
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length !== 5) throw new MalformedFrame('A frame is a list of five')
  return value
}

/** A field of a JSON object; undefined when the value isn't an object or lacks it. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function reference(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new MalformedFrame('A reference is a text')
}
