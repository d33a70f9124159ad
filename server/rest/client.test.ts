import { PostgrestClient, type PostgrestError } from '@supabase/postgrest-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Library, openLibrary } from './testing/library.ts'

let library: Library
// The schema has no generated types here: these tests are about the requests and responses.
// biome-ignore lint/suspicious/noExplicitAny: the client's own default for a database without types
let client: PostgrestClient<any, { PostgrestVersion: '14' }, any, any>

beforeAll(async () => {
  library = await openLibrary()
  const headers = { apikey: library.gateway.secrets.anonKey, Authorization: `Bearer ${library.readerToken}` }
  client = new PostgrestClient(library.url, { headers, schema: 'library' })
})
afterAll(() => library.close())

const books = () => client.from('books').select('id').order('id')
type Ids = PromiseLike<{ data: { id: number }[] | null; error: PostgrestError | null }>
const ids = (expected: number[], find: () => Ids) => async () => {
  const { data, error } = await find()
  expect(error).toBeNull()
  expect(data?.map(({ id }) => id)).toEqual(expected)
}
const titleOf = async (id: number) =>
  (await library.gateway.query<{ title: string }>('select title from library.books where id = $1', [id]))[0]?.title

/** Each public method of the official client, called against the gateway. */
const methods: Record<string, () => Promise<void>> = {
  // PostgrestClient
  from: ids([1, 2, 3, 4], () => client.from('books').select('id').order('id')),
  schema: async () => {
    const { error, status } = await client.schema('library_private').from('authors').select()
    expect(status).toBe(406)
    expect(error).toMatchObject({ code: 'PGRST106' })
    expect((await client.schema('library').from('subjects').select('id').eq('id', 1)).data).toEqual([{ id: 1 }])
  },
  rpc: async () => {
    expect((await client.rpc('add', { a: 1, b: 2 })).data).toBe(3)
    expect((await client.rpc('add', { a: 1, b: 2 }, { get: true })).data).toBe(3)
    const head = await client.rpc('cheap', { max_price: 100 }, { head: true, count: 'exact' })
    expect(head).toMatchObject({ data: null, error: null, count: 3 })
    for (const count of ['planned', 'estimated'] as const) {
      const guessed = await client.rpc('cheap', { max_price: 100 }, { get: true, count })
      expect(guessed.error).toBeNull()
      expect(guessed.count).toBeGreaterThan(0)
    }
  },

  getOpenApiSpec: async () => {
    const { data, error } = await client.getOpenApiSpec()
    expect(error).toBeNull()
    expect(data).toMatchObject({ swagger: '2.0', paths: { '/books': {}, '/rpc/cheap': {} } })
  },

  // PostgrestQueryBuilder
  select: async () => {
    const { data, count } = await client.from('books').select('id, title', { count: 'exact' }).limit(1).order('id')
    expect({ data, count }).toEqual({ data: [{ id: 1, title: 'Notes' }], count: 4 })
    expect(await client.from('books').select('id', { count: 'exact', head: true })).toMatchObject({
      data: null,
      count: 4,
    })
  },
  insert: async () => {
    const one = await client.from('shelves').insert({ room: 'I', number: 1 }, { count: 'exact' })
    expect(one).toMatchObject({ status: 201, count: 1, data: null })
    const many = await client
      .from('shelves')
      .insert(
        [
          { room: 'I', number: 2 },
          { room: 'I', number: 3, label: 'x' },
        ],
        { defaultToNull: false },
      )
      .select()
    expect(many.data).toEqual([
      { room: 'I', number: 2, label: null },
      { room: 'I', number: 3, label: 'x' },
    ])
  },
  upsert: async () => {
    const row = { room: 'U', number: 1 }
    await client.from('shelves').upsert({ ...row, label: 'a' })
    const merged = await client
      .from('shelves')
      .upsert({ ...row, label: 'b' }, { onConflict: 'room,number' })
      .select()
    expect(merged.data).toEqual([{ ...row, label: 'b' }])
    const ignored = await client
      .from('shelves')
      .upsert({ ...row, label: 'c' }, { ignoreDuplicates: true })
      .select()
    expect(ignored.data).toEqual([])
  },
  update: async () => {
    const { data, count } = await client
      .from('shelves')
      .update({ label: 'changed' }, { count: 'exact' })
      .eq('room', 'A')
      .eq('number', 1)
      .select('label')
    expect({ data, count }).toEqual({ data: [{ label: 'changed' }], count: 1 })
  },
  delete: async () => {
    await client.from('shelves').insert({ room: 'D', number: 1 })
    const { count, status } = await client.from('shelves').delete({ count: 'exact' }).eq('room', 'D')
    expect({ count, status }).toEqual({ count: 1, status: 204 })
  },

  // PostgrestFilterBuilder
  eq: ids([2], () => books().eq('title', 'Ficciones')),
  neq: ids([1, 3, 4], () => books().neq('id', 2)),
  gt: ids([4], () => books().gt('id', 3)),
  gte: ids([3, 4], () => books().gte('id', 3)),
  lt: ids([1], () => books().lt('id', 2)),
  lte: ids([1, 2], () => books().lte('id', 2)),
  like: ids([2, 4], () => books().like('title', 'F%')),
  likeAllOf: ids([2], () => books().likeAllOf('title', ['F%', '%iones'])),
  likeAnyOf: ids([1, 3], () => books().likeAnyOf('title', ['N%', 'El%'])),
  ilike: ids([3], () => books().ilike('title', '%ALEPH')),
  ilikeAllOf: ids([3], () => books().ilikeAllOf('title', ['el%', '%ALEPH'])),
  ilikeAnyOf: ids([1, 3], () => books().ilikeAnyOf('title', ['n%', 'EL%'])),
  regexMatch: ids([1], () => books().regexMatch('title', '^N.t')),
  regexIMatch: ids([1], () => books().regexIMatch('title', '^n')),
  is: ids([4], () => books().is('price', null)),
  isDistinct: ids([1, 3, 4], () => books().isDistinct('translator_id', 1)),
  in: ids([1, 3], () => books().in('title', ['Notes', 'El Aleph', 'a,b', 'with "quotes"', '(x)'])),
  notIn: ids([2, 4], () => books().notIn('title', ['Notes', 'El Aleph'])),
  contains: async () => {
    await ids([1, 3], () => books().contains('tags', ['math']))()
    await ids([1], () => books().contains('data', { a: { b: 'deep' } }))()
    await ids([1], () => books().contains('run', '[2,3)'))()
  },
  containedBy: async () => {
    await ids([1, 4], () => books().containedBy('tags', ['math', 'notes']))()
    await ids([4], () => books().containedBy('data', {}))()
    await ids([3], () => books().containedBy('run', '[5,9)'))()
  },
  rangeGt: ids([2], () => books().rangeGt('run', '[0,10)')),
  rangeGte: ids([2, 3], () => books().rangeGte('run', '[5,20)')),
  rangeLt: ids([3], () => books().rangeLt('run', '[9,12)')),
  rangeLte: ids([1, 3], () => books().rangeLte('run', '[0,10)')),
  rangeAdjacent: ids([2], () => books().rangeAdjacent('run', '[20,30)')),
  overlaps: async () => {
    await ids([1, 2, 3], () => books().overlaps('tags', ['notes', 'fiction']))()
    await ids([1, 3], () => books().overlaps('run', '[5,6)'))()
  },
  textSearch: async () => {
    await ids([1], () => books().textSearch('title', 'notes'))()
    await ids([1], () => books().textSearch('title', 'the notes', { type: 'plain', config: 'english' }))()
    await ids([3], () => books().textSearch('title', 'el aleph', { type: 'phrase' }))()
    await ids([1, 3], () => books().textSearch('title', 'aleph or notes', { type: 'websearch' }))()
  },
  match: ids([3], () => books().match({ author_id: 2, genre: 'novel', title: 'El Aleph' })),
  not: async () => {
    await ids([1, 2, 3], () => books().not('price', 'is', null))()
    await ids([3, 4], () => books().not('id', 'in', '(1,2)'))()
  },
  or: async () => {
    await ids([1, 4], () => books().or('id.eq.1,and(genre.eq.poetry,id.gt.2)'))()
    const embedded = await client
      .from('books')
      .select('id,reviews(stars)')
      .eq('id', 1)
      .or('stars.eq.5,stars.eq.1', { referencedTable: 'reviews' })
    expect(embedded.data).toEqual([{ id: 1, reviews: [{ stars: 5 }] }])
  },
  filter: ids([1, 2], () => books().filter('id', 'in', '(1,2)')),

  // PostgrestTransformBuilder
  order: async () => {
    const sorted = () => client.from('books').select('id')
    await ids([4, 2, 3, 1], () => sorted().order('price', { ascending: false, nullsFirst: true }))()
    await ids([1, 3, 2, 4], () => sorted().order('price'))()
    await ids([4, 3, 2, 1], () => sorted().order('author_id', { ascending: false }).order('id', { ascending: false }))()
  },
  limit: ids([1, 2], () => books().limit(2)),
  range: ids([2, 3], () => books().range(1, 2)),
  abortSignal: async () => {
    const controller = new AbortController()
    const slow = client.rpc('slow').abortSignal(controller.signal)
    setTimeout(() => controller.abort(), 50)
    expect((await slow).error?.message).toMatch(/abort/i)
    expect((await books()).status).toBe(200)
  },
  single: async () => {
    expect((await books().eq('id', 1).single()).data).toEqual({ id: 1 })
    expect((await books().single()).error).toMatchObject({ code: 'PGRST116', details: 'The result contains 4 rows' })
  },
  maybeSingle: async () => {
    expect(await books().eq('id', 99).maybeSingle()).toMatchObject({ data: null, error: null })
    expect((await books().maybeSingle()).error).toMatchObject({ code: 'PGRST116' })
  },
  csv: async () => {
    expect((await client.from('covers').select('book_id,url').order('book_id').csv()).data).toBe(
      'book_id,url\n1,notes.png\n2,ficciones.png',
    )
  },
  geojson: async () => {
    const { error, status } = await books().geojson()
    expect(status).toBe(406)
    expect(error).toMatchObject({ code: 'PGRST107' })
  },
  explain: async () => {
    const { data } = await client.from('books').select('id').explain({ analyze: true, verbose: true, format: 'json' })
    expect(data).toMatchObject([{ Plan: { 'Actual Rows': 1 } }])
    const text = await client
      .from('books')
      .select('id')
      .explain({ settings: true, buffers: true, wal: true, analyze: true })
    expect(text.data).toContain('Aggregate')
  },
  rollback: async () => {
    const { data } = await client.from('books').update({ title: 'Tried' }).eq('id', 1).select('title').rollback()
    expect(data).toEqual([{ title: 'Tried' }])
    expect(await titleOf(1)).toBe('Notes')
  },
  maxAffected: async () => {
    const tooMany = client.from('books').update({ title: 'Most' }).gt('id', 0).maxAffected(2)
    expect((await tooMany).error).toMatchObject({ code: 'PGRST124', details: 'The query affects 4 rows' })
    expect(await titleOf(1)).toBe('Notes')
    const called = await client.rpc('cheap', { max_price: 100 }).maxAffected(5)
    expect(called.error).toBeNull()
  },
  returns: ids([1], () => books().eq('id', 1).returns<{ id: number }[]>()),

  // PostgrestBuilder
  stripNulls: async () => {
    expect((await client.from('books').select('id,price').eq('id', 4).stripNulls()).data).toEqual([{ id: 4 }])
    expect((await client.from('books').select('id,price').eq('id', 4).stripNulls().single()).data).toEqual({ id: 4 })
  },
  throwOnError: async () => {
    await expect(client.from('nothing').select().throwOnError()).rejects.toMatchObject({ code: 'PGRST205' })
    expect((await books().throwOnError()).data).toHaveLength(4)
  },
  setHeader: async () => {
    const { data } = await client.rpc('whoami').setHeader('X-Agent', 'header')
    expect(data).toMatchObject({ agent: 'header' })
  },
  retry: ids([1], () => books().eq('id', 1).retry(false)),
  overrideTypes: ids([1], () => books().eq('id', 1).overrideTypes<{ id: number }[], { merge: false }>()),
  // biome-ignore lint/suspicious/noThenProperty: it is a method of the client, named here by its name
  then: async () => expect((await books().then(({ data }) => data))?.length).toBe(4),
}

describe('the official client', () => {
  it.each(Object.entries(methods))('%s', (_, drive) => drive())

  it('has no public method that is missing here', () => {
    const builders = [client, client.from('books'), client.from('books').select()]
    const found = new Set(builders.flatMap(publicMethods))
    expect([...found].filter((name) => !Object.hasOwn(methods, name))).toEqual([])
  })
})

/** TypeScript's private and protected members exist at run time. */
const internal = new Set(['constructor', 'decorateFetch', 'cloneRequestState', 'processResponse'])

function publicMethods(object: object): string[] {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype === Object.prototype || typeof prototype !== 'object' || prototype === null) return []
  const own = Object.getOwnPropertyNames(prototype).filter((name) => !internal.has(name))
  return [...own, ...publicMethods(prototype)]
}
