import { errors } from './errors.ts'
import type { Raw, RawObject } from './form.ts'

/** Reads one parameter, or refuses it by name. `path` is the name as the caller wrote it: `line_items[0][price]`. */
export type Rule<T> = { read: (raw: Raw, path: string) => T; required?: true }
export type Required<T> = Rule<T> & { required: true }
export type Fields = Record<string, Rule<unknown>>

type Value<R> = R extends Rule<infer T> ? T : never
/** What a set of fields reads to: the required ones are there, the others may be. */
export type Params<F extends Fields> = {
  [K in keyof F as F[K] extends Required<unknown> ? K : never]: Value<F[K]>
} & { [K in keyof F as F[K] extends Required<unknown> ? never : K]?: Value<F[K]> }

export const required = <T>(rule: Rule<T>): Required<T> => ({ ...rule, required: true })

const textOf = (raw: Raw, path: string): string => {
  if (typeof raw !== 'string') throw errors.invalidParam(path, `Invalid string: ${path} must be text.`)
  if (raw === '') throw errors.emptyParam(path)
  return raw
}

/** Text that is not empty. */
export const string = (maxLength = 5000): Rule<string> => ({
  read: (raw, path) => {
    const text = textOf(raw, path)
    if (text.length > maxLength)
      throw errors.invalidParam(
        path,
        `Invalid string: ${path} must be at most ${maxLength} characters`,
        'parameter_invalid_string',
      )
    return text
  },
})

/** An empty value unsets the field. */
export const unsettable = <T>(rule: Rule<T>): Rule<T | null> => ({
  read: (raw, path) => (raw === '' ? null : rule.read(raw, path)),
})

export const integer = ({ min, max }: { min?: number; max?: number } = {}): Rule<number> => ({
  read: (raw, path) => {
    const text = textOf(raw, path)
    if (!/^-?\d{1,15}$/.test(text)) throw errors.invalidInteger(path, text)
    const value = Number(text)
    if (min !== undefined && value < min)
      throw errors.invalidParam(
        path,
        `This value must be greater than or equal to ${min}.`,
        'parameter_invalid_integer',
      )
    if (max !== undefined && value > max)
      throw errors.invalidParam(path, `This value must be less than or equal to ${max}.`, 'parameter_invalid_integer')
    return value
  },
})

/** US cents that a card can be charged: Stripe's minimum is 50, its maximum 99,999,999. */
export const amount = (): Rule<number> => ({
  read: (raw, path) => {
    const value = integer().read(raw, path)
    if (value < 50) throw errors.amountTooSmall(path)
    if (value > 99_999_999) throw errors.amountTooLarge(path)
    return value
  },
})

/** 0 to 100, with at most two decimals, as `application_fee_percent` takes it. */
export const percent = (): Rule<number> => ({
  read: (raw, path) => {
    const text = textOf(raw, path)
    if (!/^\d{1,3}(\.\d{1,2})?$/.test(text) || Number(text) > 100)
      throw errors.invalidParam(path, `Invalid decimal: ${text}; must be between 0 and 100, with at most two decimals`)
    return Number(text)
  },
})

export const boolean = (): Rule<boolean> => ({
  read: (raw, path) => {
    if (raw === 'true') return true
    if (raw === 'false') return false
    throw errors.invalidParam(path, `Invalid boolean: ${typeof raw === 'string' ? raw : path}`)
  },
})

export const oneOf = <const T extends string>(...values: T[]): Rule<T> => ({
  read: (raw, path) => {
    const found = values.find((value) => value === raw)
    if (found === undefined) {
      const last = values.at(-1)
      const list = values.length > 1 ? `one of ${values.slice(0, -1).join(', ')} or ${last}` : last
      throw errors.invalidParam(path, `Invalid ${path}: must be ${list}`)
    }
    return found
  },
})

/** The sandbox's only currency. */
export const usd = (): Rule<'usd'> => ({
  read: (raw, path) => {
    if (textOf(raw, path).toLowerCase() !== 'usd')
      throw errors.invalidParam(path, `Invalid currency: ${raw}. The sandbox works in usd.`)
    return 'usd'
  },
})

export const url = (): Rule<string> => ({
  read: (raw, path) => {
    const text = textOf(raw, path)
    // Checkout fills {CHECKOUT_SESSION_ID} in later; the braces are no part of a URL.
    const parsed = URL.canParse(text) ? new URL(text) : undefined
    if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || text.length > 5000)
      throw errors.invalidParam(path, 'Not a valid URL', 'url_invalid')
    return text
  },
})

export const email = (): Rule<string> => ({
  read: (raw, path) => {
    const text = string(512).read(raw, path)
    if (!isEmail(text)) throw errors.invalidParam(path, `Invalid email address: ${text}`, 'email_invalid')
    return text
  },
})

/** Good enough to be reached: something, an at sign, a host with a dot. */
export const isEmail = (text: string): boolean => /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/.test(text)

export const object = <F extends Fields>(fields: F): Rule<Params<F>> => ({
  read: (raw, path) => {
    if (typeof raw === 'string') throw errors.invalidParam(path, `Invalid object: ${path} must be an object.`)
    return readFields(fields, raw, path)
  },
})

export const array = <T>(rule: Rule<T>, { max = 100 }: { max?: number } = {}): Rule<T[]> => ({
  read: (raw, path) => {
    if (typeof raw === 'string') throw errors.invalidParam(path, `Invalid array: ${path} must be an array.`)
    const names = Object.keys(raw)
    if (names.some((name) => !/^\d+$/.test(name)))
      throw errors.invalidParam(path, `Invalid array: ${path} must be an array.`)
    if (names.length > max) throw errors.invalidParam(path, `Array ${path} exceeded maximum ${max} allowed elements.`)
    return names.toSorted((a, b) => Number(a) - Number(b)).map((name) => rule.read(raw[name] ?? '', `${path}[${name}]`))
  },
})

/** Up to 50 names of at most 40 characters, values of at most 500. An empty value removes its name, `null` is "remove". */
export const metadata = (): Rule<Record<string, string | null>> => ({
  read: (raw, path) => {
    if (raw === '') return {}
    if (typeof raw === 'string') throw errors.invalidParam(path, 'Invalid object: metadata must be an object.')
    const entries = Object.entries(raw).map(([name, value]) => {
      const here = `${path}[${name}]`
      if (typeof value !== 'string') throw errors.invalidParam(here, `Invalid string: ${here} must be text.`)
      if (name.length > 40) throw errors.invalidParam(here, 'Metadata keys can have up to 40 characters.')
      if (value.length > 500) throw errors.invalidParam(here, 'Metadata values can have up to 500 characters.')
      return [name, value === '' ? null : value] as const
    })
    if (entries.length > 50) throw errors.invalidParam(path, 'You can have up to 50 metadata keys.')
    return Object.fromEntries(entries)
  },
})

/** `created=…` or `created[gte]=…`, in unix seconds. */
export const range = (): Rule<{ gt?: number; gte?: number; lt?: number; lte?: number }> => ({
  read: (raw, path) => {
    if (typeof raw !== 'string')
      return object({ gt: integer(), gte: integer(), lt: integer(), lte: integer() }).read(raw, path)
    const at = integer().read(raw, path)
    return { gte: at, lte: at }
  },
})

/** Reads all fields, refusing the first that is unknown, missing or wrong. */
export function readFields<F extends Fields>(fields: F, raw: RawObject, path = ''): Params<F> {
  const nameOf = (name: string) => (path ? `${path}[${name}]` : name)
  for (const name of Object.keys(raw)) if (!Object.hasOwn(fields, name)) throw errors.unknownParam(nameOf(name))
  const values: Record<string, unknown> = {}
  for (const [name, rule] of Object.entries(fields)) {
    const value = raw[name]
    if (value !== undefined) values[name] = rule.read(value, nameOf(name))
    else if (rule.required) throw errors.missingParam(nameOf(name))
  }
  return values as Params<F>
}
