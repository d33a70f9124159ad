import type { Values } from './values.ts'

const maxEntries = 1_000
/** A longer text is not met twice often enough to be worth the room. */
const maxLength = 1_024

/**
 * Remembers what a text was parsed to, for the parts of a query that clients write down once and send forever: `select` and `order`.
 * Only what holds no values is remembered, for their places differ from request to request. Failures are not.
 */
export function memoize<Syntax>(parse: (text: string, values: Values) => Syntax) {
  const known = new Map<string, Syntax>()
  return (text: string, values: Values): Syntax => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    const before = values.size
    const syntax = parse(text, values)
    if (values.size === before) remember(known, text, syntax)
    return syntax
  }
}

/** The same for what a text alone is made into. */
export function memoizeText<Result>(make: (text: string) => Result) {
  const known = new Map<string, Result>()
  return (text: string): Result => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    const result = make(text)
    remember(known, text, result)
    return result
  }
}

function remember<Result>(known: Map<string, Result>, text: string, result: Result) {
  if (text.length > maxLength) return
  // Emptied rather than sorted by use: it fills again in a moment, and needs no work on the way there.
  if (known.size >= maxEntries) known.clear()
  known.set(text, result)
}
