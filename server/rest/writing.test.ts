import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Library, openLibrary } from './testing/library.ts'

let library: Library

beforeAll(async () => {
  library = await openLibrary({ API_TX_OVERRIDE: '1' })
})
afterAll(() => library.close())

const json = { 'Content-Type': 'application/json' }
const asReader = () => ({ ...json, Authorization: `Bearer ${library.readerToken}` })
const booksNamed = (title: string) =>
  library.gateway.query<{ id: number }>('select id from library.books where title = $1', [title])

describe('insert', () => {
  it('adds one row and returns nothing of it unless requested', async () => {
    const response = await library.fetch('/books', {
      method: 'POST',
      headers: asReader(),
      body: JSON.stringify({ title: 'Quiet', author_id: 1 }),
    })
    expect(response.status).toBe(201)
    expect(await response.text()).toBe('')
    expect(await booksNamed('Quiet')).toHaveLength(1)
  })

  it('returns the row with defaults and embeds', async () => {
    const { data, error, status } = await library.reader
      .from('books')
      .insert({ title: 'Loud', author_id: 2, price: 12.3 })
      .select('title,genre,price,tags,author:authors!author_id(name)')
      .single()
    expect(error).toBeNull()
    expect(status).toBe(201)
    expect(data).toEqual({ title: 'Loud', genre: 'novel', price: 12.3, tags: [], author: { name: 'Borges' } })
  })

  it('adds many rows, with nulls or defaults for missing values', async () => {
    const rows = [{ title: 'M1', genre: 'poetry' }, { title: 'M2' }]
    const nulls = await library.reader.from('books').insert(rows).select('title,genre')
    expect(nulls.error).toMatchObject({ code: '23502' })
    const defaults = await library.reader
      .from('books')
      .insert(rows, { defaultToNull: false })
      .select('title,genre,tags')
    expect(defaults.error).toBeNull()
    expect(defaults.data).toEqual([
      { title: 'M1', genre: 'poetry', tags: [] },
      { title: 'M2', genre: 'novel', tags: [] },
    ])
  })

  it('adds a row of defaults for an empty object, and no row for an empty list', async () => {
    await library.gateway.query(
      `create table library.ticks (id int generated always as identity primary key, at timestamptz default now())`,
    )
    await library.gateway.query(`grant select, insert on library.ticks to authenticated; notify pgrst, 'reload schema'`)
    await expect.poll(async () => (await library.reader.from('ticks').insert({})).status, { timeout: 20_000 }).toBe(201)
    expect((await library.reader.from('ticks').insert([]).select()).data).toEqual([])
    expect((await library.reader.from('ticks').insert([{}, {}]).select('id')).data).toHaveLength(2)
  })

  it('says where the new row is', async () => {
    const response = await library.fetch('/shelves', {
      method: 'POST',
      headers: { ...asReader(), Prefer: 'return=headers-only' },
      body: JSON.stringify({ room: 'B & C', number: 7 }),
    })
    expect(response.headers.get('location')).toBe('/shelves?room=eq.B%20%26%20C&number=eq.7')
  })

  it('keeps every digit of a number', async () => {
    const response = await library.fetch('/books?select=data', {
      method: 'POST',
      headers: { ...asReader(), Prefer: 'return=representation' },
      body: '{"title": "Digits", "data": {"n": 12345678901234567890.123}}',
    })
    expect(await response.text()).toContain('12345678901234567890.123')
  })

  it('takes CSV', async () => {
    const response = await library.fetch('/books?select=title,price', {
      method: 'POST',
      headers: { ...asReader(), 'Content-Type': 'text/csv', Prefer: 'return=representation' },
      body: 'title,price\n"A, ""quoted"" one",1.5\nPlain,NULL\n',
    })
    expect(await response.json()).toEqual([
      { title: 'A, "quoted" one', price: 1.5 },
      { title: 'Plain', price: null },
    ])
  })

  it('rejects unknown columns with the nearest name, malformed bodies, and rows with different keys', async () => {
    const unknown = await library.reader.from('books').insert({ titel: 'x' })
    expect(unknown.error).toMatchObject({ code: 'PGRST204', hint: "Perhaps you meant the column 'title'" })
    const send = async (body: string) =>
      (await library.fetch('/books', { method: 'POST', headers: asReader(), body })).json()
    expect(await send('{"title":')).toMatchObject({ code: 'PGRST102', message: 'Empty or invalid json' })
    expect(await send('[{"title":"a"},{"price":1}]')).toMatchObject({ message: 'All object keys must match' })
    expect(await send('')).toMatchObject({ code: 'PGRST102' })
  })

  it('distinguishes constraint violations', async () => {
    const duplicate = await library.reader.from('shelves').insert({ room: 'A', number: 1 })
    expect(duplicate).toMatchObject({ status: 409, error: { code: '23505' } })
    const orphan = await library.reader.from('books').insert({ title: 'Orphan', author_id: 999 })
    expect(orphan).toMatchObject({ status: 409, error: { code: '23503' } })
    const long = await library.reader.from('books').insert({ title: 'x'.repeat(201) })
    expect(long).toMatchObject({ status: 400, error: { code: '23514' } })
    expect(long.error?.message).toContain('books_title_length')
    const malformed = await library.reader.from('books').insert({ title: 'Bad', author_id: 'one' })
    expect(malformed).toMatchObject({ status: 400, error: { code: '22P02' } })
  })

  it('rejects visitors, and leaves nothing behind [API-REST-42]', async () => {
    const refused = await library.anon.from('books').insert({ title: 'Forbidden' })
    expect(refused).toMatchObject({ status: 401, error: { code: '42501' } })
    expect(await booksNamed('Forbidden')).toEqual([])
  })
})

describe('upsert', () => {
  it('merges on the primary key, and reports whether the row was new', async () => {
    const upsert = (label: string) => library.reader.from('shelves').upsert({ room: 'U', number: 1, label }).select()
    const first = await upsert('new')
    expect(first).toMatchObject({ status: 201, data: [{ label: 'new' }] })
    const second = await upsert('changed')
    expect(second).toMatchObject({ status: 200, data: [{ label: 'changed' }] })
  })

  it('merges or ignores on another key', async () => {
    const subjects = library.service.from('subjects')
    await subjects.upsert({ id: 50, name: 'Logic' })
    const ignored = await subjects
      .upsert({ id: 51, name: 'Logic' }, { onConflict: 'name', ignoreDuplicates: true })
      .select()
    expect(ignored.data).toEqual([])
    const merged = await subjects.upsert({ id: 52, name: 'Logic' }, { onConflict: 'name' }).select().single()
    expect(merged.data).toEqual({ id: 52, name: 'Logic' })
  })

  it('rejects the same row twice as a client error', async () => {
    const row = { room: 'T', number: 1 }
    expect(await library.reader.from('shelves').upsert([row, row])).toMatchObject({
      status: 400,
      error: { code: '21000' },
    })
  })

  it('puts one row by its whole key', async () => {
    const put = (path: string, body: object) =>
      library.fetch(path, {
        method: 'PUT',
        headers: { ...asReader(), Prefer: 'return=representation' },
        body: JSON.stringify(body),
      })
    expect((await put('/shelves?room=eq.P&number=eq.1', { room: 'P', number: 1, label: 'a' })).status).toBe(201)
    const again = await put('/shelves?room=eq.P&number=eq.1', { room: 'P', number: 1, label: 'b' })
    expect(again.status).toBe(200)
    expect(await again.json()).toEqual([{ room: 'P', number: 1, label: 'b' }])
    const partial = await put('/shelves?room=eq.P', { room: 'P', number: 1 })
    expect(await partial.json()).toMatchObject({ code: 'PGRST105' })
    const other = await put('/shelves?room=eq.P&number=eq.1', { room: 'P', number: 2, label: 'c' })
    expect(await other.json()).toMatchObject({ code: 'PGRST115' })
    expect(await library.gateway.query(`select from library.shelves where room = 'P'`)).toHaveLength(1)
  })
})

describe('update', () => {
  it('changes the rows that the filters choose, and returns them', async () => {
    const { data, error } = await library.reader
      .from('books')
      .update({ price: 5 })
      .eq('title', 'Fragments')
      .select('title,price,authors!author_id(name)')
    expect(error).toBeNull()
    expect(data).toEqual([{ title: 'Fragments', price: 5, authors: { name: 'Sappho' } }])
  })

  it('counts the changed rows', async () => {
    const { count, status } = await library.reader.from('books').update({ price: 1 }, { count: 'exact' }).lte('id', 2)
    expect(status).toBe(204)
    expect(count).toBe(2)
  })

  it('changes nothing for an empty object', async () => {
    expect((await library.reader.from('books').update({}).eq('id', 1).select('id')).data).toEqual([])
  })

  it('rolls back the change when one row was expected and there were more', async () => {
    const { error, status } = await library.reader.from('books').update({ title: 'All' }).gt('id', 0).select().single()
    expect(status).toBe(406)
    expect(error).toMatchObject({ code: 'PGRST116' })
    expect(error?.details).toMatch(/^The result contains \d+ rows$/)
    expect(await booksNamed('All')).toEqual([])
  })

  it('rolls back the change when more rows are affected than allowed', async () => {
    const response = await library.fetch('/books?id=gt.0', {
      method: 'PATCH',
      headers: { ...asReader(), Prefer: 'handling=strict, max-affected=2' },
      body: '{"title":"Most"}',
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'PGRST124' })
    expect(await booksNamed('Most')).toEqual([])
  })

  it('keeps nothing with tx=rollback', async () => {
    const response = await library.fetch('/books?id=eq.1&select=title', {
      method: 'PATCH',
      headers: { ...asReader(), Prefer: 'return=representation, tx=rollback' },
      body: '{"title":"Tried"}',
    })
    expect(await response.json()).toEqual([{ title: 'Tried' }])
    expect(response.headers.get('preference-applied')).toContain('tx=rollback')
    expect(await booksNamed('Tried')).toEqual([])
  })

  it('rejects unknown preferences under handling=strict', async () => {
    const response = await library.fetch('/books?id=eq.1', {
      method: 'PATCH',
      headers: { ...asReader(), Prefer: 'handling=strict, anything' },
      body: '{"title":"x"}',
    })
    expect(await response.json()).toMatchObject({ code: 'PGRST122', details: 'Invalid preferences: anything' })
  })
})

describe('delete', () => {
  it('deletes the rows that the filters choose, and returns them', async () => {
    await library.reader.from('shelves').insert([
      { room: 'D', number: 1 },
      { room: 'D', number: 2 },
    ])
    const one = await library.reader.from('shelves').delete().eq('room', 'D').eq('number', 1).select('number')
    expect(one.data).toEqual([{ number: 1 }])
    const rest = await library.reader.from('shelves').delete({ count: 'exact' }).or('room.eq.D,room.eq.nowhere')
    expect(rest).toMatchObject({ status: 204, count: 1 })
  })
})

describe('functions', () => {
  it('calls by POST with names and defaults, and by GET', async () => {
    expect((await library.anon.rpc('add', { a: 1 })).data).toBe(11)
    expect((await library.anon.rpc('add', { a: 1, b: 2 })).data).toBe(3)
    expect((await library.anon.rpc('add', { a: 1, b: 2 }, { get: true })).data).toBe(3)
  })

  it('filters, orders, limits and embeds rows', async () => {
    const { data, error, count } = await library.anon
      .rpc('cheap', { max_price: 100 }, { count: 'exact' })
      .select('title,authors!author_id(name)')
      .in('title', ['Ficciones', 'El Aleph', 'Notes'])
      .order('title')
      .limit(2)
    expect(error).toBeNull()
    expect(count).toBe(3)
    expect(data).toEqual([
      { title: 'El Aleph', authors: { name: 'Borges' } },
      { title: 'Ficciones', authors: { name: 'Borges' } },
    ])
  })

  it('gives one row as an object, many values as a list, a table as rows', async () => {
    expect((await library.anon.rpc('first_book').select('id')).data).toEqual({ id: 1 })
    expect((await library.anon.rpc('years')).data).toEqual([2020, 2021])
    expect((await library.anon.rpc('pairs').eq('k', 'b')).data).toEqual([{ k: 'b', v: 2 }])
    expect((await library.anon.rpc('pairs').eq('k', 'b').single()).data).toEqual({ k: 'b', v: 2 })
  })

  it('answers void with 204', async () => {
    const { status, data } = await library.reader.rpc('touch', { book: 1 })
    expect(status).toBe(204)
    expect(data).toBeNull()
  })

  it('lets a volatile function write by POST only', async () => {
    const got = await library.reader.rpc('rename_book', { book: 3, to_title: 'Renamed' }, { get: true })
    expect(got).toMatchObject({ status: 405, error: { code: '25006' } })
    const posted = await library.reader.rpc('rename_book', { book: 3, to_title: 'Renamed' }).select('title')
    expect(posted.data).toEqual({ title: 'Renamed' })
    expect((await library.reader.rpc('rename_book', { book: 3, to_title: 'El Aleph' })).error).toBeNull()
  })

  it('passes the whole body to a single unnamed parameter, and collects variadic ones', async () => {
    expect((await library.anon.rpc('echo', { any: ['thing', 1] })).data).toEqual({ any: ['thing', 1] })
    expect((await library.anon.rpc('join_all', { words: ['a', 'b'] })).data).toBe('a-b')
    const got = await library.fetch('/rpc/join_all?words=x&words=y&words=z')
    expect(await got.json()).toBe('x-y-z')
  })

  it('treats user input as an argument, although it looks like a filter', async () => {
    for (const text of ['eq.1', 'is.land', 'in.love', 'not.a.word', 'plain', 'a.b']) {
      const response = await library.fetch(`/rpc/repeat?text=${encodeURIComponent(text)}`)
      expect(await response.json()).toEqual([{ said: text }, { said: text }])
    }
    const filtered = await library.fetch('/rpc/repeat?text=x&said=eq.y')
    expect(await filtered.json()).toEqual([])
  })

  it('chooses among overloads by names, and suggests the nearest', async () => {
    expect((await library.anon.rpc('over', { a: 1 })).data).toBe('one')
    expect((await library.anon.rpc('over', { a: 1, b: 1 })).data).toBe('two')
    const wrong = await library.anon.rpc('over', { a: 1, c: 1 })
    expect(wrong).toMatchObject({ status: 404, error: { code: 'PGRST202' } })
    expect(wrong.error?.hint).toBe('Perhaps you meant to call the function library.over(a, b)')
    const name = await library.anon.rpc('chep', { max_price: 1 })
    expect(name.error?.hint).toBe('Perhaps you meant to call the function library.cheap')
  })

  describe('with parameters that have no name', () => {
    it('passes the body to the one whose type a body has, and never runs another without it', async () => {
      expect(await library.anon.rpc('by_type', { '': 'x' })).toMatchObject({ status: 200, data: 'text' })
      expect(await library.anon.rpc('or_none', { '': 'x' })).toMatchObject({ status: 200, data: 'text' })
      expect(await library.anon.rpc('or_none', {})).toMatchObject({ status: 200, data: 'none' })
    })

    it('names only callable functions, sorted by their parameters', async () => {
      const ambiguous = async (name: string, args: object) => (await library.anon.rpc(name, args)).error
      expect(await ambiguous('defaulted', {})).toMatchObject({
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: library.defaulted(), library.defaulted( => text)',
      })
      expect((await ambiguous('twofold', { a: 1 }))?.message).toBe(
        'Could not choose the best candidate function between: library.twofold(a => integer), library.twofold(a => text)',
      )
      expect(await ambiguous('age_of', { id: 1 })).toMatchObject({ code: 'PGRST202', hint: null })
    })
  })

  it('passes the caller and the request to SQL', async () => {
    const response = await library.fetch('/rpc/whoami', { headers: { 'X-Agent': 'tests' } })
    expect(await response.json()).toEqual({ role: 'anon', method: 'GET', path: '/rpc/whoami', agent: 'tests' })
  })

  it('lets SQL set status, headers, and messages', async () => {
    const teapot = await library.fetch('/rpc/teapot', { method: 'POST' })
    expect(teapot.status).toBe(418)
    expect(await teapot.json()).toEqual({
      code: 'PT418',
      message: 'I am a teapot',
      details: 'short',
      hint: 'and stout',
    })
    const custom = await library.fetch('/rpc/custom', { method: 'POST' })
    expect(custom.status).toBe(402)
    expect(custom.headers.get('x-powered-by')).toBe('SQL')
    expect(await custom.json()).toEqual({ code: '123', message: 'Payment Required', details: 'Quota', hint: 'Upgrade' })
    expect(await library.anon.rpc('plain_raise')).toMatchObject({
      status: 400,
      error: { code: 'P0001', hint: 'really' },
    })
    const headers = await library.fetch('/rpc/with_headers', { method: 'POST' })
    expect(headers.status).toBe(202)
    expect(headers.headers.get('x-seen')).toBe('yes')
  })

  it('gives a value as plain text', async () => {
    const response = await library.fetch('/rpc/over?a=1', { headers: { Accept: 'text/plain' } })
    expect(await response.text()).toBe('one')
  })

  it('rejects other methods', async () => {
    const response = await library.fetch('/rpc/add', { method: 'DELETE' })
    expect(response.status).toBe(405)
    expect(await response.json()).toMatchObject({ code: 'PGRST101' })
  })
})

describe('under load', () => {
  let slow: Library
  beforeAll(async () => {
    slow = await openLibrary({
      DATABASE_STATEMENT_TIMEOUT_MS: '300',
      DATABASE_CONNECTIONS: '1',
      DATABASE_MAX_WAITING: '1',
    })
  })
  afterAll(() => slow.close())
  const call = () => slow.fetch('/rpc/slow', { method: 'POST' })

  it('answers 504 when a statement takes too long', async () => {
    const response = await call()
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ code: '57014' })
  })

  it('applies the timeout of each role: alter role … set statement_timeout', async () => {
    const [{ name = '' } = {}] = await slow.gateway.query<{ name: string }>('select current_database() as name')
    // For this database alone: roles belong to the whole server.
    await slow.gateway.query(`alter role authenticated in database ${name} set statement_timeout = '70ms'`)
    await slow.gateway.query(`notify pgrst, 'reload schema'`)
    await expect.poll(async () => (await slow.reader.rpc('patience')).data, { timeout: 10_000 }).toBe('70ms')
    expect((await slow.anon.rpc('patience')).data).toBe('300ms')
    expect(await slow.reader.rpc('slow')).toMatchObject({ status: 504, error: { code: '57014', hint: null } })
    await slow.gateway.query(`alter role authenticated in database ${name} reset all; notify pgrst, 'reload schema'`)
    await expect.poll(async () => (await slow.reader.rpc('patience')).data, { timeout: 10_000 }).toBe('300ms')
  })

  it('answers 503 with Retry-After instead of queueing without a limit', async () => {
    const responses = await Promise.all([call(), call(), call(), call(), call()])
    const refused = responses.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(await refused[0]?.json()).toMatchObject({ code: 'PGRST003' })
    expect((await slow.fetch('/books?limit=1')).status).toBe(200)
  })
})
