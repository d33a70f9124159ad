import type { PlainResponse } from '../../http/response-writer.ts'
import { isHeader } from '../database-errors.ts'
import { restErrors } from '../errors.ts'
import type { ResultRow } from '../run.ts'

/**
 * SQL may set the response's status and headers through the settings `response.status` and `response.headers`
 * (PostgREST/postgrest `docs/references/transactions.rst`).
 */
export function overrideFromSql(
  response: PlainResponse,
  { status, headers }: Pick<ResultRow, 'status' | 'headers'>,
): PlainResponse {
  if (status === null && headers === null) return response
  return {
    ...response,
    status: status === null ? response.status : readStatus(status),
    headers: headers === null ? response.headers : { ...response.headers, ...readHeaders(headers) },
  }
}

function readStatus(text: string): number {
  const status = Number(text)
  if (!Number.isInteger(status) || status < 200 || status > 599) throw restErrors.responseStatus()
  return status
}

/** `[{"Set-Cookie": "a=1"}, {"X-Total": "3"}]`. */
function readHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const item of parseList(text)) {
    const entries = typeof item === 'object' && item !== null ? Object.entries(item) : []
    const [name, value] = entries[0] ?? []
    if (entries.length !== 1 || name === undefined || typeof value !== 'string' || !isHeader(name, value)) {
      throw restErrors.responseHeaders()
    }
    headers[name.toLowerCase()] = value
  }
  return headers
}

function parseList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {
    // Handled below, like JSON of another shape.
  }
  throw restErrors.responseHeaders()
}
