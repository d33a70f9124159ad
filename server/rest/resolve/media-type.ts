import { restErrors } from '../errors.ts'
import type { MediaRange } from '../parse/accept.ts'

/** The form of the response. */
export type MediaType = {
  readonly format: 'json' | 'object' | 'csv' | 'geojson' | 'text' | 'binary' | 'openapi'
  /** `nulls=stripped`: leaves out keys whose value is null. */
  readonly strip: boolean
  /** `application/vnd.pgrst.plan`: PostgreSQL's plan instead of the result. */
  readonly plan: Plan | undefined
  readonly contentType: string
}

export type Plan = { readonly format: 'text' | 'json'; readonly options: readonly string[] }

const planOptions = ['analyze', 'verbose', 'settings', 'buffers', 'wal']

/** Formats that only some resources have: text and binary are for functions that return one value. */
export type Produces = {
  readonly scalar?: 'text' | 'binary' | undefined
  readonly openapi?: boolean
  readonly plan?: boolean
  /** Whether PostGIS is installed. */
  readonly geoJson?: boolean
}

/** The first accepted media type that this resource has. @throws GatewayError PGRST107 (406). */
export function negotiate(accepted: readonly MediaRange[], produces: Produces): MediaType {
  for (const candidate of accepted) {
    const found = match(candidate, produces)
    if (found) return found
  }
  throw restErrors.mediaType(accepted.map(({ type }) => type))
}

function match({ type, parameters, planned }: MediaRange, produces: Produces): MediaType | undefined {
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
      return produces.plan
        ? planForm(type.endsWith('+json') ? 'json' : 'text', parameters, planned, produces)
        : undefined
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
  parameters: MediaRange['parameters'],
  planned: MediaRange | undefined,
  produces: Produces,
): MediaType | undefined {
  const target = planned === undefined || planned.planned ? undefined : match(planned, produces)
  if (!target) return undefined
  const options = (parameters.get('options') ?? '').split('|').filter((option) => planOptions.includes(option))
  return { ...target, plan: { format, options }, contentType: `application/vnd.pgrst.plan+${format}; charset=utf-8` }
}
