import type { ValueRef } from '../parse/syntax.ts'
import type { CallPlan, RequestPlan } from '../resolve/plan.ts'
import { compileCall } from './call.ts'
import { compileTotal } from './count.ts'
import { compileMutation } from './mutation.ts'
import { Parameters, qualified, quote } from './parameters.ts'
import { compileCount, compileRead, sourceName } from './read.ts'

/** A statement without its values, shared by requests of the same shape. */
export type Compiled = {
  readonly text: string
  /** Which of the request's values is `$1`, `$2`, …. */
  readonly parameters: readonly ValueRef[]
  /** The statement whose plan has the row estimate; for planned and estimated counts. */
  readonly estimate: Omit<Compiled, 'estimate'> | undefined
}

/** Begins the text that makes a failed guard's cast to a number fail, e.g. `pgrst guard single 3`; `run.ts` looks for it. */
export const guardMark = 'pgrst guard'
type GuardName = 'put' | 'single' | 'max'

/** The whole answer in one row: the body as text, and the values for status and headers. Pure. */
export function compileRequest(plan: RequestPlan): Compiled {
  const parameters = new Parameters()
  const source = compileSource(plan, parameters)
  const rows = needsRead(plan) ? compileRead(plan.read, parameters) : `select 1 from ${sourceName}`
  const columns = [
    `${needsBody(plan) ? compileForm(plan) : 'null'} as body`,
    'count(*) as rows',
    `${compileTotal(plan, parameters)} as total`,
    `nullif(current_setting('response.headers', true), '') as headers`,
    `nullif(current_setting('response.status', true), '') as status`,
    ...compileExtras(plan),
  ]
  const text = `${source}select ${columns.join(', ')} from (${rows}) as pgrst_result`
  const { plan: explained } = plan.media
  return {
    text: explained ? `explain (${[`format ${explained.format}`, ...explained.options].join(', ')}) ${text}` : text,
    parameters: parameters.references,
    estimate: compileEstimate(plan),
  }
}

function compileSource({ mutation, call }: RequestPlan, parameters: Parameters): string {
  if (mutation) return `with ${sourceName} as (${compileMutation(mutation, parameters)}) `
  if (call) return `with ${sourceName} as (${compileCall(call, parameters)}) `
  return ''
}

/** A mutation without returned rows reads none of their columns: reading needs a permission. */
function needsRead({ mutation, preferences }: RequestPlan): boolean {
  return !mutation || preferences.representation === 'representation'
}

function needsBody({ method, mutation, preferences, call }: RequestPlan): boolean {
  if (method === 'HEAD') return false
  if (mutation) return preferences.representation === 'representation'
  return call?.returns !== 'void'
}

function compileForm({ media, call, geoJson }: RequestPlan): string {
  const isScalar = call?.returns === 'scalar'
  const row = isScalar ? 'pgrst_result.pgrst_scalar' : 'pgrst_result'
  const strip = (json: string) => (media.strip ? `json_strip_nulls(${json})` : json)
  const first = `coalesce((${strip(`json_agg(${row})`)} -> 0)::text, 'null')`
  switch (media.format) {
    case 'object':
      return first
    case 'csv':
      return `${csvHeader} || E'\\n' || ${csvRows}`
    case 'geojson':
      return `json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(${geoJson && qualified(geoJson)}(pgrst_result)::json), '[]'))::text`
    case 'text':
      return `string_agg(pgrst_result.pgrst_scalar::text, '')`
    case 'binary':
      return `encode(string_agg(pgrst_result.pgrst_scalar, ''), 'hex')`
    default:
      return isSingle(call) ? first : `coalesce(${strip(`json_agg(${row})`)}, '[]')::text`
  }
}

/** A function that returns one value or one row has that as its answer, not a list of it. */
function isSingle(call: CallPlan | undefined): boolean {
  return call !== undefined && !call.setOf
}

const csvHeader = `coalesce((select string_agg(key, ',') from json_object_keys(json_agg(pgrst_result) -> 0) as key), '')`
const csvRows = `coalesce(string_agg(substring(pgrst_result::text, 2, length(pgrst_result::text) - 2), E'\\n'), '')`

function compileExtras({ mutation, call, media, preferences, method }: RequestPlan): string[] {
  const extras: string[] = []
  if (mutation?.conflict?.merge) extras.push(`nullif(current_setting('pgrst.inserted', true), '') as inserted`)
  if (mutation?.kind === 'insert' && preferences.representation === 'headers-only' && mutation.primaryKey.length > 0) {
    const key = mutation.primaryKey.map((name) => `s.${quote(name)}::text`).join(', ')
    extras.push(
      `case when count(*) = 1 then (select json_build_array(${key})::text from ${sourceName} as s limit 1) end as location`,
    )
  }
  const writes = mutation !== undefined || (call !== undefined && method === 'POST')
  if (!writes) return extras
  if (mutation?.kind === 'put') extras.push(`${guard('put', 'count(*) = 1')}`)
  else if (media.format === 'object' && (!call || call.setOf)) {
    extras.push(`${guard('single', 'count(*) = 1')}`)
  }
  if (preferences.handling === 'strict' && preferences.maxAffected !== undefined && mutation?.kind !== 'insert') {
    extras.push(`${guard('max', `count(*) <= ${preferences.maxAffected}`)}`)
  }
  return extras
}

/**
 * Fails the statement, and rolls back the change, when the number of rows isn't what the client allows. The whole request is one
 * statement in one round trip, so SQL itself must fail: it casts a text that isn't a number.
 */
function guard(name: GuardName, condition: string): string {
  return `case when ${condition} then 0 else ('${guardMark} ${name} ' || count(*))::int end as ${name}_guard`
}

/** `explain` plans a function without running it, so it also works for one that writes. */
function compileEstimate(plan: RequestPlan): Compiled['estimate'] {
  const { count } = plan.preferences
  if (plan.mutation || (count !== 'planned' && count !== 'estimated')) return undefined
  const parameters = new Parameters()
  const source = compileSource(plan, parameters)
  const text = `explain (format json) ${source}${compileCount(plan.read, parameters)}`
  return { text, parameters: parameters.references }
}
