import type { LRUCache } from 'lru-cache'
import { restErrors } from '../errors.ts'
import { type MediaRange, parseAccept } from './accept.ts'
import { type PayloadTarget, parsePayload } from './payload.ts'
import { mentionsTimezone, type PreferenceOptions, type Preferences, parsePreferences } from './preferences.ts'
import { parseQuery } from './query.ts'
import { intersect, parseRangeHeader } from './range-header.ts'
import type { QuerySyntax, Range, SelectItem, ValueRef } from './syntax.ts'
import { parseQueryString, renderQueryString } from './url.ts'
import { Values } from './values.ts'

/** The parts of an HTTP request that rest/v1 uses. */
export type RestRequest = {
  readonly method: string
  readonly target: PayloadTarget
  /** Of the table, view, or function. */
  readonly name: string
  /** After the question mark, as received. */
  readonly search: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer | undefined
}

export type ParseOptions = PreferenceOptions & { readonly schemas: readonly string[] }

export type Action = 'read' | 'insert' | 'put' | 'update' | 'delete' | 'call'

export type ParsedRequest = {
  readonly action: Action
  readonly method: string
  readonly target: PayloadTarget
  readonly schema: string
  /** The client chose the schema, so it is echoed in Content-Profile. */
  readonly schemaNamed: boolean
  readonly name: string
  readonly query: QuerySyntax
  /** How deep `select` embeds, and how many resources in total. */
  readonly embeds: EmbedSize
  /** For the outermost rows: the intersection of `limit`, `offset`, and the `Range` header. */
  readonly range: Range
  readonly preferences: Preferences
  readonly payload: ParsedPayload | undefined
  /** The media types that the client takes, the preferred one first. */
  readonly accept: readonly MediaRange[]
  /** Equal for requests that differ only in values: the key of the compiled statement. */
  readonly shape: string
  readonly values: readonly (string | null)[]
  /** The query sorted by name, for `Content-Location`; only for reads. */
  readonly canonicalQuery: string
}

export type ParsedPayload = { readonly value: ValueRef } & (
  | { readonly kind: 'json'; readonly isObject: boolean; readonly keys: readonly string[] }
  | { readonly kind: 'raw'; readonly type: 'text' | 'xml' | 'bytea' }
)

const actions: Readonly<Record<PayloadTarget, Readonly<Record<string, Action>>>> = {
  relation: { GET: 'read', HEAD: 'read', POST: 'insert', PUT: 'put', PATCH: 'update', DELETE: 'delete' },
  function: { GET: 'call', HEAD: 'call', POST: 'call' },
}

/** A request without its body. */
export type ParsedHead = ParsedRequest & { readonly payload: undefined }

/** What requests without their bodies were parsed to. */
export type RequestHeadCache = LRUCache<string, ParsedHead>

/**
 * Pure: the same request always gives the same result.
 * @param heads the cache of parsed requests, without their bodies.
 * @throws GatewayError PGRST1xx.
 */
export function parseRequest(request: RestRequest, options: ParseOptions, heads?: RequestHeadCache): ParsedRequest {
  const head = heads ? parseCachedHead(request, options, heads) : parseHead(request, options)
  if (!hasPayload(head)) return head
  const payload = parsePayload(request.body, header(request.headers, 'content-type'), head.query.columns, head.target)
  const value = head.values.length
  return payload.kind === 'json'
    ? withPayload(head, { kind: 'json', isObject: payload.isObject, keys: payload.keys, value }, payload.text)
    : withPayload(head, { kind: 'raw', type: payload.type, value }, payload.value)
}

function parseCachedHead(request: RestRequest, options: ParseOptions, heads: RequestHeadCache): ParsedHead {
  const key = requestHeadKey(request)
  const cached = heads.get(key)
  if (cached) return cached
  const head = parseHead(request, options)
  // The key doesn't include the list of time zones.
  if (!mentionsTimezone(header(request.headers, 'prefer'))) heads.set(key, head)
  return head
}

function withPayload(head: ParsedHead, payload: ParsedPayload, value: string): ParsedRequest {
  return { ...head, payload, values: [...head.values, value], shape: `${head.shape}\u0003${describe(payload)}` }
}

function parseHead(request: RestRequest, options: ParseOptions): ParsedHead {
  const { method, target, name, headers } = request
  const action = actions[target][method]
  if (!action) throw target === 'function' ? restErrors.rpcMethod(method) : restErrors.method(method)
  const reads = method === 'GET' || method === 'HEAD'
  const { schema, schemaNamed } = readSchema(
    header(headers, reads ? 'accept-profile' : 'content-profile'),
    options.schemas,
  )
  const values = new Values()
  const mode = action === 'call' && reads ? 'arguments' : 'filters'
  const parameters = parseQueryString(request.search)
  const { syntax: query, shape } = parseQuery(parameters, values, mode)
  const preferences = parsePreferences(header(headers, 'prefer'), options)
  if (preferences.handling === 'strict' && preferences.invalid.length > 0) {
    throw restErrors.preferences(preferences.invalid)
  }
  const requested = query.ranges.find(({ path }) => path.length === 0)?.part ?? { offset: 0, limit: undefined }
  const range = intersect(requested, reads ? parseRangeHeader(header(headers, 'range')) : undefined)
  const accept = header(headers, 'accept')
  return {
    action,
    method,
    target,
    schema,
    schemaNamed,
    name,
    query,
    embeds: measureEmbeds(query.select),
    range,
    preferences,
    payload: undefined,
    accept: parseAccept(accept),
    values: values.list,
    canonicalQuery: action === 'read' ? renderQueryString(parameters) : '',
    shape: [
      method,
      target,
      schema,
      String(schemaNamed),
      name,
      accept,
      header(headers, 'prefer'),
      range.offset,
      range.limit,
      shape,
    ].join('\u0003'),
  }
}

export type EmbedSize = { readonly depth: number; readonly count: number }

function measureEmbeds(items: readonly SelectItem[]): EmbedSize {
  let depth = 0
  let count = 0
  for (const item of items) {
    if (item.kind !== 'embed') continue
    const inner = measureEmbeds(item.items)
    depth = Math.max(depth, inner.depth + 1)
    count += inner.count + 1
  }
  return { depth, count }
}

export function header(headers: RestRequest['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function readSchema(profile: string | undefined, schemas: readonly string[]) {
  if (profile === undefined) return { schema: schemas[0] ?? 'public', schemaNamed: false }
  if (!schemas.includes(profile)) throw restErrors.schema(profile, schemas)
  return { schema: profile, schemaNamed: true }
}

function hasPayload({ action, method }: ParsedHead): boolean {
  return method === 'POST' || action === 'put' || action === 'update'
}

function describe(payload: ParsedPayload | undefined): string {
  if (!payload) return ''
  if (payload.kind === 'raw') return payload.type
  // Each key has a mark: no key and one empty key are different plans.
  return [payload.isObject ? 'object' : 'list', ...payload.keys].join('\u0002')
}

/** Every part of a request's head that is parsed. Only the name can contain a line break, so no two heads have the same key. */
function requestHeadKey({ method, target, name, search, headers }: RestRequest): string {
  const profile = headers[method === 'GET' || method === 'HEAD' ? 'accept-profile' : 'content-profile'] ?? absent
  const { accept = absent, prefer = absent, range = absent } = headers
  return `${method}\n${target}\n${name}\n${search}\n${accept}\n${profile}\n${prefer}\n${range}`
}
const absent = '\r' // what no header can contain
