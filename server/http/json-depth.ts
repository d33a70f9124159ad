import type { FastifyInstance } from 'fastify'
import { errors } from './errors.ts'

/** Deeper than any client's data. A recursive parser takes more time the deeper its input is. */
export const maxJsonDepth = 100

const quote = 0x22
const backslash = 0x5c
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** Whether lists and objects in a JSON text are nested too deep, found without parsing it. Brackets in strings don't count. */
export function isTooDeep(text: string, most = maxJsonDepth): boolean {
  // A shorter text can't close that many.
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

/** Rejects an API's JSON bodies that are too deep; an API with its own parser calls `isTooDeep`. */
export function boundJsonDepth(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    if (isTooDeep(text)) done(errors.malformedBody(`The JSON is nested deeper than ${maxJsonDepth} levels`))
    else parse(request, text, done)
  })
}
