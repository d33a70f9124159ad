import { mentionsTimezone } from './preferences.ts'
import { header, type ParsedHead, type RestRequest } from './request.ts'

/** Of all texts together, for what they were read as grows with them: some megabytes, and tens where somebody means to fill it. */
const maxCharacters = 500_000
/** A longer request is not met twice often enough to be worth the room. */
const maxLength = 1_024

/**
 * Remembers what requests without their bodies were read as: a feed's first page, a profile and its posts are asked for by many, and
 * again by whoever comes back. For one set of options. Failures are not remembered.
 */
export class HeadCache {
  readonly #heads = new Map<string, ParsedHead>()
  #characters = 0

  take(request: RestRequest, parse: () => ParsedHead): ParsedHead {
    const text = describeHead(request)
    const known = this.#heads.get(text)
    if (known) return known
    const head = parse()
    // Which names of time zones there are is not known of a request that speaks of none.
    if (text.length > maxLength || mentionsTimezone(header(request.headers, 'prefer'))) return head
    // Emptied rather than sorted by use: it fills again in a moment, and needs no work on the way there.
    if (this.#characters + text.length > maxCharacters) this.#clear()
    this.#heads.set(text, head)
    this.#characters += text.length
    return head
  }

  #clear() {
    this.#heads.clear()
    this.#characters = 0
  }
}

/** All that a head is read from. A line break can stand in the name alone, so no two heads have the same text. */
function describeHead({ method, target, name, search, headers }: RestRequest): string {
  const of = (field: string) => header(headers, field) ?? absent
  const profile = of(method === 'GET' || method === 'HEAD' ? 'accept-profile' : 'content-profile')
  return `${method}\n${target}\n${name}\n${search}\n${of('accept')}\n${profile}\n${of('prefer')}\n${of('range')}`
}
const absent = '\r' // what no header can hold
