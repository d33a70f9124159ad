import type { PlainResponse } from '../../http/response-writer.ts'
import { restErrors } from '../errors.ts'
import type { RequestPlan } from '../resolve/plan.ts'
import type { ResultRow } from '../run.ts'
import { renderApplied } from './applied-preferences.ts'
import { rangeStatus, renderContentRange } from './content-range.ts'
import { overrideFromSql } from './override.ts'

/** Adds status and headers to the body from PostgreSQL. Pure. @throws GatewayError PGRST103, PGRST111, PGRST112, PGRST116. */
export function respond(
  plan: RequestPlan,
  row: ResultRow,
  total: number | undefined,
  canonicalQuery = '',
): PlainResponse {
  const response = plan.mutation ? respondToMutation(plan, row) : respondWithRows(plan, row, total, canonicalQuery)
  return overrideFromSql(response, row)
}

/** The output of `explain` instead of a result. */
export function respondWithPlan({ media }: RequestPlan, rows: readonly Record<string, unknown>[]): PlainResponse {
  const lines = rows.map((row) => {
    const [line] = Object.values(row)
    return typeof line === 'string' ? line : JSON.stringify(line)
  })
  return { status: 200, headers: { 'content-type': media.contentType }, body: lines.join('\n') }
}

function respondWithRows(
  plan: RequestPlan,
  row: ResultRow,
  total: number | undefined,
  canonicalQuery: string,
): PlainResponse {
  const { range, preferences, call, media, method } = plan
  const rows = Number(row.rows)
  const last = range.offset + rows - 1
  const status = rangeStatus(range.offset, last, total)
  if (status === 416) {
    throw restErrors.range(`An offset of ${range.offset} was requested, but there are only ${total} rows.`, {
      'content-range': `*/${total}`,
    })
  }
  const isList = !call || call.setOf
  if (media.format === 'object' && isList && rows !== 1) throw restErrors.notSingular(rows)
  const { count, transaction, handling, timezone, maxAffected } = preferences
  const headers = {
    'content-range': renderContentRange(range.offset, last, total),
    ...(!call && { 'content-location': renderLocation(plan, canonicalQuery) }),
    ...appliedHeader({ count, transaction, handling, timezone, ...(call && { maxAffected }) }),
  }
  if (call?.returns === 'void') return { status: 204, headers, body: undefined }
  const body = media.format === 'binary' ? Buffer.from(row.body ?? '', 'hex') : (row.body ?? '')
  return { status, headers: { ...headers, ...contentHeaders(plan) }, body: method === 'HEAD' ? '' : body }
}

function respondToMutation(plan: RequestPlan, row: ResultRow): PlainResponse {
  const { mutation, preferences } = plan
  const rows = Number(row.rows)
  const counted = preferences.count === undefined || preferences.count === 'planned' ? undefined : rows
  const { count, transaction, missing, handling, timezone, maxAffected, representation } = preferences
  const common = { representation, count, transaction, handling, timezone }
  const represents = representation === 'representation'
  const content = represents
    ? { headers: contentHeaders(plan), body: row.body ?? '' }
    : { headers: {}, body: undefined }
  const inserted = Number(row.inserted ?? 0)
  switch (mutation?.kind) {
    case 'insert': {
      const { resolution } = preferences
      const applied = { ...common, missing, resolution: mutation.conflict ? resolution : undefined }
      return {
        status: resolution === 'merge-duplicates' && mutation.conflict && inserted <= 0 && rows > 0 ? 200 : 201,
        headers: {
          'content-range': renderContentRange(1, 0, counted),
          ...locationHeader(plan, row),
          ...appliedHeader(applied),
          ...content.headers,
        },
        body: content.body ?? '',
      }
    }
    case 'put':
      return {
        status: represents ? (inserted > 0 ? 201 : 200) : 204,
        headers: { ...appliedHeader(common), ...content.headers },
        body: content.body,
      }
    case 'update':
      return {
        status: represents ? 200 : 204,
        headers: {
          'content-range': renderContentRange(0, rows - 1, counted),
          ...appliedHeader({ ...common, missing, maxAffected }),
          ...content.headers,
        },
        body: content.body,
      }
    default:
      return {
        status: represents ? 200 : 204,
        headers: {
          'content-range': renderContentRange(1, 0, counted),
          ...appliedHeader({ ...common, maxAffected }),
          ...content.headers,
        },
        body: content.body,
      }
  }
}

function appliedHeader(applied: Parameters<typeof renderApplied>[0]): Record<string, string> {
  const text = renderApplied(applied)
  return text === undefined ? {} : { 'preference-applied': text }
}

function contentHeaders({ media, schemaNamed, relation }: RequestPlan): Record<string, string> {
  return { 'content-type': media.contentType, ...(schemaNamed && { 'content-profile': relation.schema }) }
}

/** The address of these rows: the path below `/rest/v1`, as in PostgREST. */
function renderLocation({ relation }: RequestPlan, canonicalQuery: string): string {
  return `/${encodeURIComponent(relation.name)}${canonicalQuery && `?${canonicalQuery}`}`
}

/** The address of the new row, as a filter by its key. */
function locationHeader({ mutation, relation }: RequestPlan, { location }: ResultRow): Record<string, string> {
  if (!location || !mutation) return {}
  const values = JSON.parse(location) as (string | null)[]
  const filters = mutation.primaryKey.map((name, index) => {
    const value = values[index]
    return `${encodeURIComponent(name)}=${value == null ? 'is.null' : `eq.${encodeURIComponent(value)}`}`
  })
  return { location: `/${encodeURIComponent(relation.name)}?${filters.join('&')}` }
}
