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
    if (values.size === before && text.length <= maxLength) {
      // Emptied rather than sorted by use: it fills again in a moment, and needs no work on the way there.
      if (known.size >= maxEntries) known.clear()
      known.set(text, syntax)
    }
    return syntax
  }
}
