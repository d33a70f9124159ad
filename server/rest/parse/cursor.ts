import { restErrors } from '../errors.ts'

/** Deeper nesting is rejected: nobody writes it by hand, and PostgreSQL's own stack is limited as well. */
const maxDepth = 40

/** Reads one query parameter from left to right. Errors contain the position, as in PostgREST. */
export class Cursor {
  readonly text: string
  position = 0
  #depth = 0
  readonly #what: string
  readonly #shown: string
  /** Spans that hold values: they aren't part of the request's shape. */
  readonly #values: [start: number, end: number][] = []

  /** @param shown the quoted text in errors, if `text` is more than the client sent. */
  constructor(what: string, text: string, shown = text) {
    this.#what = what
    this.#shown = shown
    this.text = text
  }

  get atEnd(): boolean {
    return this.position >= this.text.length
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position)
  }

  /** Takes `text` if it is next. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false
    this.position += text.length
    return true
  }

  /** Takes what a sticky expression matches here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.position += found.length
    return found
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.fail(`"${text}"`)
  }

  expectEnd(): void {
    if (!this.atEnd) throw this.fail('end of input')
  }

  skipSpace(): void {
    while (this.text[this.position] === ' ' || this.text[this.position] === '\t') this.position += 1
  }

  /** Runs an attempt; undefined puts the cursor back where it was. */
  attempt<Result>(read: () => Result | undefined): Result | undefined {
    const start = this.position
    const result = read()
    if (result === undefined) this.position = start
    return result
  }

  nested<Result>(read: () => Result): Result {
    this.#depth += 1
    if (this.#depth > maxDepth) throw this.fail(`at most ${maxDepth} levels of nesting`)
    const result = read()
    this.#depth -= 1
    return result
  }

  /** Marks the text from `start` to `end` as a value. Marks are set from left to right. */
  markValue(start: number, end = this.position): void {
    this.#values.push([start, end])
  }

  /** The text with a mark in place of each value: equal for requests that differ only in values. */
  shape(): string {
    let shape = ''
    let from = 0
    for (const [start, end] of this.#values) {
      shape += `${this.text.slice(from, start)}\u0001`
      from = end
    }
    return shape + this.text.slice(from)
  }

  fail(expecting: string) {
    const next = this.text[this.position]
    const unexpected = next === undefined ? 'end of input' : JSON.stringify(next)
    return restErrors.parse(
      `"failed to parse ${this.#what} (${this.#shown})" (line 1, column ${this.position + 1})`,
      `unexpected ${unexpected} expecting ${expecting}`,
    )
  }
}
