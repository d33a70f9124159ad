import fc from 'fast-check'
import type { RestRequest } from '../parse/request.ts'

export function request(overrides: Partial<RestRequest> = {}): RestRequest {
  return { method: 'GET', target: 'relation', name: 'books', search: '', headers: {}, body: undefined, ...overrides }
}

const names = ['id', 'title', 'author_id', 'data', 'tags', 'authors', 'covers', 'subjects', 'nothing']
const operators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
  'cs',
  'cd',
  'ov',
  'sl',
  'sr',
  'nxr',
  'nxl',
  'adj',
]
const words = [
  'in',
  'is',
  'isdistinct',
  'fts',
  'plfts',
  'phfts',
  'wfts',
  'not',
  'and',
  'or',
  'any',
  'all',
  'null',
  'true',
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
  'asc',
  'desc',
  'nullsfirst',
  'inner',
  'left',
  'count',
  'sum',
  'text',
  '*',
  '...',
  '->',
  '->>',
  '::',
]
const signs = [
  '.',
  ',',
  '(',
  ')',
  '!',
  ':',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ' ',
  '-',
  '$',
  '%',
  '+',
  '&',
  '=',
  '%00',
  '%ff',
  '%c3%28',
  "'",
  ';',
  '--',
  '/*',
  '0',
  '-1',
  '9999999999999999999999',
]

/** Random text that resembles the language. */
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...names, ...operators, ...words),
      fc.constantFrom(...signs),
      fc.string({ maxLength: 4, unit: 'binary' }),
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''))

const parameter = fc
  .tuple(fc.oneof(fc.constantFrom(...names, ...words), soup), soup)
  .map(([name, value]) => `${name}=${value}`)

const json = fc.oneof(
  fc.json(),
  fc
    .array(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), { maxLength: 3 })
    .map((rows) => JSON.stringify(rows)),
  soup,
)

/** Any request of a client, made of the language's parts so that it gets deep before it is rejected. */
export const hostileRequest: fc.Arbitrary<RestRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'),
    target: fc.constantFrom('relation' as const, 'function' as const),
    name: fc.oneof(fc.constantFrom('books', 'authors', 'titles', 'add', 'find'), soup),
    search: fc.array(parameter, { maxLength: 4 }).map((parameters) => parameters.join('&')),
    accept: fc.option(
      fc.oneof(
        fc.constantFrom(
          'application/json',
          'text/csv',
          'application/vnd.pgrst.object+json',
          '*/*',
          'application/vnd.pgrst.plan; options=analyze',
        ),
        soup,
      ),
      { nil: undefined },
    ),
    prefer: fc.option(
      fc.oneof(
        fc.constantFrom(
          'return=representation',
          'resolution=merge-duplicates',
          'count=exact',
          'count=estimated',
          'missing=default',
          'handling=strict',
        ),
        soup,
      ),
      { nil: undefined },
    ),
    range: fc.option(fc.oneof(fc.constantFrom('0-1', '5-2', '3-'), soup), { nil: undefined }),
    contentType: fc.option(
      fc.constantFrom('application/json', 'text/csv', 'application/x-www-form-urlencoded', 'text/plain', 'image/png'),
      { nil: undefined },
    ),
    body: fc.option(json, { nil: undefined }),
  })
  .map(({ accept, prefer, range, contentType, body, ...rest }) => ({
    ...rest,
    headers: { accept, prefer, range, 'content-type': contentType },
    body: body === undefined ? undefined : Buffer.from(body),
  }))

/** One condition, as a function of the value it compares with. */
type Template = (value: string) => string

const column = fc.constantFrom('id', 'title', 'data->>key', 'data->a->0')
const simple: fc.Arbitrary<Template> = fc.tuple(fc.constantFrom(...operators), fc.boolean()).map(
  ([operator, negated]) =>
    (value) =>
      `${negated ? 'not.' : ''}${operator}.${value}`,
)
const special: fc.Arbitrary<Template> = fc.constantFrom<Template>(
  (value) => `in.(${value},"${value} and, more")`,
  () => 'is.null',
  (value) => `isdistinct.${value}`,
  (value) => `fts(${value}).${value}`,
  (value) => `eq(any).{${value}}`,
  (value) => `ilike(all).{${value}*}`,
)
const condition = fc.oneof(simple, special)
const logic: fc.Arbitrary<Template> = fc.letrec<{ tree: Template }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(column, condition).map(
      ([name, make]): Template =>
        (value) =>
          `${name}.${make(value)}`,
    ),
    fc
      .tuple(fc.constantFrom('and', 'or', 'not.and', 'not.or'), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
      .map(
        ([operator, members]): Template =>
          (value) =>
            `${operator}(${members.map((member) => member(value)).join(',')})`,
      ),
  ),
})).tree

const select = fc.constantFrom(
  '*',
  'id,title',
  'id::text,name:title',
  'data->a->>b,authors(name)',
  '*,authors!inner(*),covers(url),subjects(name)',
  'id,...authors(author:name)',
  'title,count()',
  'id,author:authors!author_id(books(id))',
)

const encode = (name: string, value: string) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** A valid request, with one value throughout. */
export const wellFormedRequest = fc
  .record({
    select,
    filters: fc.array(fc.tuple(column, condition), { maxLength: 3 }),
    trees: fc.array(logic, { maxLength: 2 }),
    order: fc.constantFrom('', 'id.desc', 'title.asc.nullslast,id', 'data->>rank.desc'),
    count: fc.constantFrom(undefined, 'count=exact', 'count=estimated'),
    write: fc.boolean(),
  })
  .map(({ select: columns, filters, trees, order, count, write }) => ({
    build: (value: string): RestRequest =>
      request({
        method: write ? 'PATCH' : 'GET',
        headers: { prefer: [count, write ? 'return=representation' : undefined].filter(Boolean).join(', ') },
        body: write ? Buffer.from(JSON.stringify({ title: value })) : undefined,
        search: [
          encode('select', columns),
          ...filters.map(([name, make]) => encode(name, make(value))),
          ...trees.map((tree) => encode('and', `(${tree(value)})`)),
          ...(order ? [encode('order', order)] : []),
        ].join('&'),
      }),
  }))
