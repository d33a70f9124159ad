import type pg from 'pg'
import { GatewayError } from '../http/errors.ts'
import { guardMark } from './compile/statement.ts'
import { restErrors } from './errors.ts'

/**
 * Translates PostgreSQL's errors into HTTP (PostgREST/postgrest `docs/references/errors.rst`). The SQLSTATE is the code, and
 * PostgreSQL's message is the message.
 * @param anonymous the caller isn't signed in, so signing in might help: 401 instead of 403.
 */
export function fromDatabaseError(error: pg.DatabaseError, anonymous: boolean): GatewayError {
  const guarded = fromGuard(error)
  if (guarded) return guarded
  if (error.code === 'PGRST') return fromRaise(error)
  const status = statusOf(error, anonymous)
  // These messages contain file names of the server.
  const inner = error.code === '53100' ? diskFull : innerText(error.code)
  if (inner !== undefined)
    return new GatewayError(status, error.code ?? 'XX000', inner, { headers: { 'Retry-After': '5' }, cause: error })
  return new GatewayError(status, error.code ?? 'XX000', error.message, {
    ...(error.detail !== undefined && { details: error.detail }),
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(status === 429 && { headers: { 'Retry-After': '60' } }),
    ...(status === 503 && { headers: { 'Retry-After': '1' } }),
    cause: error,
  })
}

const diskFull = "The server's disk is full. Nothing was saved. Try again later."
/** Codes about the server itself, whose messages contain its file names and sizes. */
function innerText(code = ''): string | undefined {
  if (code.startsWith('53')) return noResources
  return code.startsWith('58') ? systemError : undefined
}

const noResources = 'The database is out of resources. Try again later.'
const systemError = 'The database had a system error. Try again later.'

const guardPattern = new RegExp(`"${guardMark} (put|single|max) ([0-9]+)"`)

/** A guard of the statement failed on its number of rows; see `compile/statement.ts`. */
function fromGuard({ code, message }: pg.DatabaseError): GatewayError | undefined {
  const found = code === '22P02' ? guardPattern.exec(message) : null
  const [, name, rows = ''] = found ?? []
  switch (name) {
    case 'put':
      return restErrors.putKeys()
    case 'single':
      return restErrors.notSingular(rows)
    case 'max':
      return restErrors.maxAffected(rows)
    default:
      return undefined
  }
}

const exact: Readonly<Record<string, number>> = {
  '23503': 409, // foreign_key_violation
  '23505': 409, // unique_violation
  '25006': 405, // read_only_sql_transaction
  '42883': 404, // undefined_function
  '42P01': 404, // undefined_table
  '42P17': 500, // infinite recursion, of a policy
  '57014': 504, // query_canceled: the statement timeout
  '57P01': 503, // admin_shutdown
  P0001: 400, // raise_exception
}

const byClass: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  // Program limits: the client must make the request smaller. PostgREST says 500.
  '54': 400,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
}

function statusOf({ code = '', message }: pg.DatabaseError, anonymous: boolean): number {
  if (code === '42501') return anonymous ? 401 : 403
  if (code === '22023') return /^role .* does not exist$/.test(message) ? 401 : 400
  // The body has the same row twice in one upsert. PostgREST says 500.
  if (code === '21000') return /requires a WHERE clause$|^ON CONFLICT DO UPDATE/.test(message) ? 400 : 500
  // The view isn't writable, so the method is wrong. PostgREST says 500.
  if (code === '55000' && /^cannot (insert into|update|delete from) (materialized )?view/.test(message)) return 405
  if (code.startsWith('PT')) return customStatus(code.slice(2)) ?? 500
  return exact[code] ?? byClass[code.slice(0, 2)] ?? 400
}

function customStatus(text: string): number | undefined {
  const status = Number(text)
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : undefined
}

/** `raise sqlstate 'PGRST' using message = '{"code":…}', detail = '{"status":…,"headers":{…}}'`: SQL sets the whole answer. */
function fromRaise({ message, detail }: pg.DatabaseError): GatewayError {
  const body = readObject(message)
  if (typeof body?.code !== 'string' || typeof body.message !== 'string') {
    return restErrors.raise(
      `Invalid JSON value for MESSAGE: '${message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    )
  }
  const hint = "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."
  if (detail === undefined) return restErrors.raise('DETAIL is missing in the RAISE statement', hint)
  const answer = readObject(detail)
  const status = customStatus(String(answer?.status))
  if (status === undefined || typeof answer?.headers !== 'object' || answer.headers === null) {
    return restErrors.raise(`Invalid JSON value for DETAIL: '${detail}'`, hint)
  }
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && isHeader(entry[0], entry[1]),
    ),
  )
  return new GatewayError(status, body.code, body.message, {
    ...(typeof body.details === 'string' && { details: body.details }),
    ...(typeof body.hint === 'string' && { hint: body.hint }),
    headers,
  })
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Node rejects invalid headers, which would turn the answer into a 500. */
export function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}
