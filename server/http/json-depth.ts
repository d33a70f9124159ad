import type { FastifyInstance } from 'fastify'
import { errors } from './errors.ts'

/** Deeper than any client's data. A parser that goes down with its input takes the more time the deeper it is. */
export const maxJsonDepth = 100

const quote = 0x22
const backslash = 0x5c
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** Whether lists and objects in a JSON text are nested deeper than that, seen without parsing it. What stands in strings doesn't count. */
export function isTooDeep(text: string, most = maxJsonDepth): boolean {
  // A text that is shorter can't close that many.
  if (text.length <= most) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === quote) index = endOfString(text, index)
    else if (character === openList || character === openObject) {
      depth += 1
      if (depth > most) return true
    } else if (character === closeList || character === closeObject) depth -= 1
  }
  return false
}

/** @returns where the string that begins at `start` ends: at the first quotation mark that isn't escaped. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Has the JSON bodies of an API refused that are too deep; an API with a parser of its own asks `isTooDeep`. */
export function boundJsonDepth(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    if (isTooDeep(text)) done(errors.malformedBody(`The JSON is nested deeper than ${maxJsonDepth} levels`))
    else parse(request, text, done)
  })
}
