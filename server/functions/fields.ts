import { isTooDeep } from '../http/json-depth.ts'
import { functionErrors } from './errors.ts'

/** Reads one member of a body, or rejects it by name. `undefined` means an absent member; so does `null`. */
export type Field<T> = (value: unknown, name: string) => T
export type Fields = Readonly<Record<string, Field<unknown>>>
export type Input<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> }

/** Reads a body. Unknown members are ignored, so that an older server accepts a newer client's call. */
export function readInput<F extends Fields>(fields: F, body: unknown): Input<F> {
  const values = asObject(body)
  const entries = Object.entries(fields).map(([name, read]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return [name, read(value ?? undefined, name)]
  })
  return Object.fromEntries(entries) as Input<F>
}

/** The body as the functions client sends it: JSON text, or nothing at all. @throws 400 for anything but an object. */
function asObject(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null || body === '') return {}
  if (typeof body === 'string' && isTooDeep(body)) throw functionErrors.bodyNotJson()
  try {
    const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : body
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // Handled below: invalid JSON, and JSON that isn't an object, are the same mistake.
  }
  throw functionErrors.bodyNotJson()
}

type Words = { readonly label: string; readonly missing?: string }

/** Trimmed, non-empty text. */
export function text({ label, missing, max }: Words & { readonly max: number }): Field<string> {
  const read = optionalText({ label, max })
  return (value, name) => read(value, name) ?? refuse(name, missing ?? `${label} is missing`)
}

/** Trimmed text; absent or blank is null. */
export function optionalText({ label, max }: { readonly label: string; readonly max: number }): Field<string | null> {
  return (value, name) => {
    if (value === undefined) return null
    if (typeof value !== 'string') return refuse(name, `${label} must be text`)
    const trimmed = value.trim()
    // PostgreSQL can't store the character, and nobody needs it.
    if (trimmed.includes('\0')) return refuse(name, `${label} contains a character that isn't allowed`)
    if ([...trimmed].length > max) return refuse(name, `${label} can have up to ${max} characters`)
    return trimmed === '' ? null : trimmed
  }
}

/** A list of trimmed, non-empty texts; blank ones are dropped. Absent is null, which differs from an empty list. */
export function optionalTexts({
  label,
  each,
  max,
  maxLength,
}: {
  readonly label: string
  /** One of them, in an error: "A benefit". */
  readonly each: string
  readonly max: number
  readonly maxLength: number
}): Field<readonly string[] | null> {
  const read = optionalText({ label: each, max: maxLength })
  return (value, name) => {
    if (value === undefined) return null
    if (!Array.isArray(value)) return refuse(name, `${label} must be a list`)
    const texts = value.flatMap((one: unknown) => {
      const text = read(one ?? undefined, name)
      if (text?.includes('\n')) return refuse(name, `${each} must be one line`)
      return text === null ? [] : [text]
    })
    return texts.length > max ? refuse(name, `${label} can have up to ${max} entries`) : texts
  }
}

type Bounds = { readonly min: number; readonly max: number; readonly tooSmall?: string; readonly tooLarge?: string }

/** A JSON integer. A number in quotes is rejected, so that "1e3" and " 7" never become money. */
export function integer({ label, missing, ...bounds }: Words & Bounds): Field<number> {
  const read = optionalInteger({ label, ...bounds })
  return (value, name) => read(value, name) ?? refuse(name, missing ?? `${label} is missing`)
}

export function optionalInteger({
  label,
  min,
  max,
  ...words
}: { readonly label: string } & Bounds): Field<number | null> {
  return (value, name) => {
    if (value === undefined) return null
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      return refuse(name, `${label} must be a whole number`)
    if (value < min) return refuse(name, words.tooSmall ?? `${label} must be at least ${min}`)
    if (value > max) return refuse(name, words.tooLarge ?? `${label} can be at most ${max}`)
    return value
  }
}

export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  { label, missing }: Words,
): Field<Choice> {
  const read = optionalOneOf(choices, { label })
  return (value, name) => read(value, name) ?? refuse(name, missing ?? `${label} is missing`)
}

export function optionalOneOf<const Choice extends string>(
  choices: readonly Choice[],
  { label }: { readonly label: string },
): Field<Choice | null> {
  return (value, name) => {
    if (value === undefined) return null
    return choices.find((choice) => choice === value) ?? refuse(name, `${label} must be one of ${choices.join(', ')}`)
  }
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function uuid({ label, missing }: Words): Field<string> {
  const read = optionalUuid({ label })
  return (value, name) => read(value, name) ?? refuse(name, missing ?? `${label} is missing`)
}

export function optionalUuid({ label }: { readonly label: string }): Field<string | null> {
  return (value, name) => {
    if (value === undefined) return null
    return typeof value === 'string' && uuidPattern.test(value)
      ? value.toLowerCase()
      : refuse(name, `${label} must be an id`)
  }
}

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/

/** A time with its offset, as JSON and PostgREST write it, such as "2026-03-04T18:30:00+00:00". Returned in UTC. */
export function optionalTime({ label }: { readonly label: string }): Field<string | null> {
  return (value, name) => {
    if (value === undefined) return null
    const time = typeof value === 'string' && timePattern.test(value) ? Date.parse(value) : Number.NaN
    return Number.isNaN(time) ? refuse(name, `${label} must be a time with its offset`) : new Date(time).toISOString()
  }
}

function refuse(name: string, message: string): never {
  throw functionErrors.invalidField(name, message)
}
