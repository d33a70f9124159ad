/** One entry of an `Accept` header. */
export type MediaRange = {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly quality: number
  /** The media type whose plan is requested; only for `application/vnd.pgrst.plan`. */
  readonly planned: MediaRange | undefined
}

const planType = 'application/vnd.pgrst.plan'
const anything: MediaRange = { type: '*/*', parameters: new Map(), quality: 1, planned: undefined }

/** The accepted media types, the preferred one first. */
export function parseAccept(header: string | undefined): MediaRange[] {
  if (header === undefined || header.trim() === '') return [anything]
  return splitOutsideQuotes(header, ',')
    .map(parseMediaRange)
    .sort((a, b) => b.quality - a.quality)
}

function parseMediaRange(text: string): MediaRange {
  const [name = '', ...rest] = splitOutsideQuotes(text, ';').map((part) => part.trim())
  const type = name.toLowerCase()
  const parameters = new Map<string, string>()
  for (const part of rest) {
    const [key = '', value = ''] = part.split(/=(.*)/s, 2)
    parameters.set(key.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1'))
  }
  const quality = Number(parameters.get('q') ?? 1)
  return {
    type,
    parameters,
    quality: Number.isFinite(quality) ? quality : 1,
    planned: type.startsWith(planType) ? parseMediaRange(parameters.get('for') ?? 'application/json') : undefined,
  }
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const pieces: string[] = []
  let piece = ''
  let quoted = false
  for (const char of text) {
    if (char === '"') quoted = !quoted
    if (char === separator && !quoted) {
      pieces.push(piece)
      piece = ''
    } else piece += char
  }
  return [...pieces, piece]
}
