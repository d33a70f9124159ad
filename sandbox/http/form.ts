import { errors } from './errors.ts'

/** A decoded body: text, or names with values below them. Arrays are names `0`, `1`, …; rules turn them into arrays. */
export type Raw = string | RawObject
export type RawObject = { [name: string]: Raw }

const maxFields = 1000
const maxDepth = 8

/**
 * Decodes `a[b][0][c]=1` as Stripe reads it, from a body or a query string.
 * @throws 400 when a name is malformed, given twice, or nested deeper than the API ever is.
 */
export function decodeForm(text: string): RawObject {
  const root = blank()
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > maxFields) throw errors.malformed(`The request has more than ${maxFields} parameters.`)
  for (const [name, value] of pairs) put(root, pathOf(name), value, name)
  return root
}

/** `a[b][]` → `['a', 'b', '']` */
function pathOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (!match?.[1]) throw errors.malformed(`Invalid parameter name: ${name}`)
  const rest = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')
  if (rest.length > maxDepth) throw errors.malformed(`Invalid parameter name: ${name}`)
  return [match[1], ...rest]
}

function put(root: RawObject, path: string[], value: string, name: string): void {
  let parent = root
  for (const [depth, part] of path.entries()) {
    const key = part === '' ? String(Object.keys(parent).length) : part
    const present = parent[key]
    if (depth === path.length - 1) {
      if (present !== undefined) throw errors.malformed(`The parameter ${name} was given more than once.`)
      parent[key] = value
      return
    }
    if (typeof present === 'string') throw errors.malformed(`The parameter ${name} is both a value and an object.`)
    const next = present ?? blank()
    parent[key] = next
    parent = next
  }
}

/** No prototype, so that a parameter named `__proto__` is just an unknown parameter. */
const blank = (): RawObject => Object.create(null) as RawObject
