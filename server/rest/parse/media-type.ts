import { restErrors } from '../errors.ts'

/** In which form the answer goes out. */
export type MediaType = {
  readonly format: 'json' | 'object' | 'csv' | 'geojson' | 'text' | 'binary' | 'openapi'
  /** `nulls=stripped`: keys whose value is null are left out. */
  readonly strip: boolean
  /** `application/vnd.pgrst.plan`: how PostgreSQL would run it, instead of the result. */
  readonly plan: Plan | undefined
  readonly contentType: string
}

export type Plan = { readonly format: 'text' | 'json'; readonly options: readonly string[] }

type Accepted = { readonly type: string; readonly parameters: ReadonlyMap<string, string>; readonly quality: number }

const planOptions = ['analyze', 'verbose', 'settings', 'buffers', 'wal']

/** Forms that only some resources have: text and binary are for functions that return one value. */
export type Produces = {
  readonly scalar?: 'text' | 'binary' | undefined
  readonly openapi?: boolean
  readonly plan?: boolean
  /** PostGIS is there. */
  readonly geoJson?: boolean
}

/** The first accepted media type that this resource has. @throws GatewayError PGRST107 (406). */
export function negotiate(accept: string | undefined, produces: Produces): MediaType {
  const accepted = parseAccept(accept)
  for (const candidate of accepted) {
    const found = match(candidate, produces)
    if (found) return found
  }
  throw restErrors.mediaType(accepted.map(({ type }) => type))
}

function parseAccept(header: string | undefined): Accepted[] {
  if (header === undefined || header.trim() === '') return [{ type: '*/*', parameters: new Map(), quality: 1 }]
  return splitOutsideQuotes(header, ',')
    .map(parseMediaRange)
    .sort((a, b) => b.quality - a.quality)
}

function parseMediaRange(text: string): Accepted {
  const [type = '', ...rest] = splitOutsideQuotes(text, ';').map((part) => part.trim())
  const parameters = new Map<string, string>()
  for (const part of rest) {
    const [name = '', value = ''] = part.split(/=(.*)/s, 2)
    parameters.set(name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1'))
  }
  const quality = Number(parameters.get('q') ?? 1)
  return { type: type.toLowerCase(), parameters, quality: Number.isFinite(quality) ? quality : 1 }
}

function splitOutsideQuotes(text: string, separator: string): string[] {
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

function match({ type, parameters }: Accepted, produces: Produces): MediaType | undefined {
  const strip = parameters.get('nulls') === 'stripped'
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      if (produces.openapi) return form('openapi', 'application/openapi+json; charset=utf-8')
      return form('json', 'application/json; charset=utf-8')
    case 'application/openapi+json':
      return produces.openapi ? form('openapi', 'application/openapi+json; charset=utf-8') : undefined
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      if (produces.openapi) return undefined
      return form('object', `application/vnd.pgrst.object+json${strip ? '; nulls=stripped' : ''}; charset=utf-8`, strip)
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      if (produces.openapi) return undefined
      return strip
        ? form('json', 'application/vnd.pgrst.array+json; nulls=stripped; charset=utf-8', true)
        : form('json', 'application/json; charset=utf-8')
    case 'text/csv':
      return produces.openapi ? undefined : form('csv', 'text/csv; charset=utf-8')
    case 'application/geo+json':
      return produces.geoJson && !produces.openapi ? form('geojson', 'application/geo+json; charset=utf-8') : undefined
    case 'text/plain':
      return produces.scalar === 'text' ? form('text', 'text/plain; charset=utf-8') : undefined
    case 'application/octet-stream':
      return produces.scalar === 'binary' ? form('binary', 'application/octet-stream') : undefined
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
    case 'application/vnd.pgrst.plan+json':
      return produces.plan ? planForm(type.endsWith('+json') ? 'json' : 'text', parameters, produces) : undefined
    default:
      return undefined
  }
}

function form(format: MediaType['format'], contentType: string, strip = false): MediaType {
  return { format, strip, plan: undefined, contentType }
}

/** `application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|buffers`. */
function planForm(
  format: Plan['format'],
  parameters: ReadonlyMap<string, string>,
  produces: Produces,
): MediaType | undefined {
  const inner = parseMediaRange(parameters.get('for') ?? 'application/json')
  const target = inner.type.startsWith('application/vnd.pgrst.plan') ? undefined : match(inner, produces)
  if (!target) return undefined
  const options = (parameters.get('options') ?? '').split('|').filter((option) => planOptions.includes(option))
  return { ...target, plan: { format, options }, contentType: `application/vnd.pgrst.plan+${format}; charset=utf-8` }
}
