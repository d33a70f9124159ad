import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Library, openLibrary } from './testing/library.ts'

let library: Library

beforeAll(async () => {
  library = await openLibrary()
})
afterAll(() => library.close())

const titles = (data: { title: string }[] | null) => data?.map(({ title }) => title)

describe('columns', () => {
  it('selects, renames and casts columns', async () => {
    const { data, error } = await library.anon.from('books').select('id::text,name:title,price').eq('id', 1)
    expect(error).toBeNull()
    expect(data).toEqual([{ id: '1', name: 'Notes', price: 9.99 }])
  })

  it('distinguishes a column called undefined from all columns', async () => {
    for (const [query, status] of [
      ['?select=undefined&order=id', 400],
      ['?order=id', 200],
      ['?select=undefined&order=id', 400],
    ]) {
      expect((await library.fetch(`/books${query}`)).status).toBe(status)
    }
  })

  it('follows JSON paths, named after their last key', async () => {
    const { data } = await library.anon.from('books').select('data->a->>b,data->pages,p:data->>pages').eq('id', 1)
    expect(data).toEqual([{ b: 'deep', pages: 66, p: '66' }])
  })

  it('selects computed columns of a row', async () => {
    const { data } = await library.anon.from('books').select('id,shout').eq('id', 2).single()
    expect(data).toEqual({ id: 2, shout: 'FICCIONES' })
  })

  it('masks columns that the view masks, in every kind of query', async () => {
    const masked = await library.anon.from('authors').select('name,secret').order('id').limit(1)
    expect(masked.data).toEqual([{ name: 'Ada', secret: null }])
    const shown = await library.service.from('authors').select('name,secret').order('id').limit(1)
    expect(shown.data).toEqual([{ name: 'Ada', secret: 'numbers' }])
  })
})

describe('embedding', () => {
  it('embeds to-one through a view by the column, with an alias', async () => {
    const { data, error } = await library.anon
      .from('books')
      .select('title,author:authors!author_id(name)')
      .order('id')
      .limit(2)
    expect(error).toBeNull()
    expect(data).toEqual([
      { title: 'Notes', author: { name: 'Ada' } },
      { title: 'Ficciones', author: { name: 'Borges' } },
    ])
  })

  it('requires a choice between two foreign keys to the same relation', async () => {
    const { error, status } = await library.anon.from('books').select('title,authors(name)')
    expect(status).toBe(300)
    expect(error).toMatchObject({ code: 'PGRST201' })
    expect(error?.details).toHaveLength(2)
    expect(error?.hint).toContain("'authors!books_author_id_fkey'")
  })

  it('embeds to-many with its own filter, order and limit, nested', async () => {
    const { data, error } = await library.anon
      .from('authors')
      .select('name,books!author_id(title,reviews(stars))')
      .eq('name', 'Borges')
      .order('title', { referencedTable: 'books', ascending: false })
      .limit(1, { referencedTable: 'books' })
      .single()
    expect(error).toBeNull()
    expect(data).toEqual({ name: 'Borges', books: [{ title: 'Ficciones', reviews: [{ stars: 4 }] }] })
  })

  it('embeds many-to-many through the junction', async () => {
    const { data } = await library.anon.from('books').select('title,subjects(name)').eq('id', 3).single()
    expect(data?.subjects).toHaveLength(2)
    expect(data?.subjects).toEqual(expect.arrayContaining([{ name: 'Mathematics' }, { name: 'Labyrinths' }]))
  })

  it('embeds one-to-one as an object, null when there is none', async () => {
    const { data } = await library.anon.from('books').select('id,covers(url)').in('id', [1, 3]).order('id')
    expect(data).toEqual([
      { id: 1, covers: { url: 'notes.png' } },
      { id: 3, covers: null },
    ])
  })

  it('embeds by a foreign key of two columns', async () => {
    const { data } = await library.anon.from('books').select('id,shelves(label)').eq('id', 2).single()
    expect(data).toEqual({ id: 2, shelves: { label: 'second' } })
  })

  it('embeds itself: parent by column, children by name', async () => {
    const { data } = await library.anon.from('places').select('name,parent_id(name),children:places(name)').eq('id', 2)
    expect(data).toEqual([{ name: 'Europe', parent_id: { name: 'World' }, children: [{ name: 'Greece' }] }])
  })

  it('embeds a computed relationship', async () => {
    const { data } = await library.anon.from('books').select('id,featured_cover(url)').eq('id', 1).single()
    expect(data).toEqual({ id: 1, featured_cover: { url: 'notes.png' } })
  })

  it('drops rows without a match with !inner, and counts without them', async () => {
    const { data, count } = await library.anon
      .from('books')
      .select('id,reviews!inner(stars)', { count: 'exact' })
      .gte('reviews.stars', 4)
      .order('id')
    expect(data).toEqual([
      { id: 1, reviews: [{ stars: 5 }] },
      { id: 2, reviews: [{ stars: 4 }] },
    ])
    expect(count).toBe(2)
  })

  it('spreads to-one columns beside the row and to-many columns as lists', async () => {
    const { data, error } = await library.anon
      .from('books')
      .select('id,...authors!author_id(author:name),...reviews(stars)')
      .in('id', [1, 3])
      .order('id')
      .order('stars', { referencedTable: 'reviews' })
    expect(error).toBeNull()
    expect(data).toEqual([
      { id: 1, author: 'Ada', stars: [3, 5] },
      { id: 3, author: 'Borges', stars: [] },
    ])
  })

  it('filters on whether something is embedded', async () => {
    const without = await library.anon.from('books').select('id,reviews()').is('reviews', null).order('id')
    expect(without.data).toEqual([{ id: 3 }, { id: 4 }])
    const covered = await library.anon
      .from('books')
      .select('id,covers()', { count: 'exact' })
      .not('covers', 'is', null)
      .order('id')
    expect(covered.data).toEqual([{ id: 1 }, { id: 2 }])
    expect(covered.count).toBe(2)
  })

  it('orders by a column of an embedded to-one row', async () => {
    const { data } = await library.anon
      .from('books')
      .select('title,authors!author_id(name)')
      .order('authors(name)', { ascending: false })
      .order('id')
    expect(titles(data)).toEqual(['Fragments', 'Ficciones', 'El Aleph', 'Notes'])
  })

  it('rejects an order by a column that the embed does not select, by its name', async () => {
    const { error } = await library.anon.from('books').select('id,author:authors!author_id(name)').order('author(born)')
    expect(error).toMatchObject({ code: '42703', message: 'column author.born does not exist' })
    expect(error?.hint).toContain("add born to 'author(...)'")
  })

  it('rejects two embeds under one name, because JSON readers would keep only the last', async () => {
    const { error, status } = await library.anon
      .from('books')
      .select('id,authors!author_id(name),authors!translator_id(name)')
    expect(status).toBe(400)
    expect(error).toMatchObject({ code: '42712', message: "'authors' is embedded more than once under the same name" })
    const named = await library.anon
      .from('books')
      .select('author:authors!author_id(name),translator:authors!translator_id(name)')
      .eq('id', 1)
    expect(named.error).toBeNull()
  })

  it('combines conditions within an embed', async () => {
    const { data } = await library.anon
      .from('books')
      .select('id,reviews(stars)')
      .or('stars.eq.5,and(stars.lt.4,body.eq.dense)', { referencedTable: 'reviews' })
      .order('stars', { referencedTable: 'reviews' })
      .lte('id', 2)
      .order('id')
    expect(data).toEqual([
      { id: 1, reviews: [{ stars: 3 }, { stars: 5 }] },
      { id: 2, reviews: [] },
    ])
  })

  it('drops rows by a condition two levels down', async () => {
    const { data, count } = await library.anon
      .from('authors')
      .select('name,books!author_id!inner(title,covers!inner(url))', { count: 'exact' })
      .eq('books.covers.url', 'notes.png')
    expect(data).toEqual([{ name: 'Ada', books: [{ title: 'Notes', covers: { url: 'notes.png' } }] }])
    expect(count).toBe(1)
  })

  it('rejects filters on a resource that is not embedded, and orders by a to-many one', async () => {
    const filter = await library.fetch('/books?select=id&reviews.stars=eq.1')
    expect(filter.status).toBe(400)
    expect(await filter.json()).toMatchObject({ code: 'PGRST108' })
    const order = await library.fetch('/books?select=id,reviews(stars)&order=reviews(stars)')
    expect(await order.json()).toMatchObject({ code: 'PGRST118' })
  })
})

describe('filters', () => {
  const find = async (query: string) => {
    const response = await library.fetch(`/books?select=id&order=id&${query}`)
    const body = (await response.json()) as { id: number }[]
    return response.ok ? body.map(({ id }) => id) : body
  }

  it.each([
    ['id=eq.1', [1]],
    ['id=neq.1', [2, 3, 4]],
    ['id=gt.3', [4]],
    ['id=gte.3', [3, 4]],
    ['id=lt.2', [1]],
    ['id=lte.2', [1, 2]],
    ['id=not.eq.1', [2, 3, 4]],
    ['title=like.F*', [2, 4]],
    ['title=ilike.*aleph', [3]],
    ['title=like(any).{N*,El*}', [1, 3]],
    ['title=like(all).{F*,*s}', [2, 4]],
    ['id=eq(any).{1,3}', [1, 3]],
    ['title=match.^N', [1]],
    ['title=imatch.^n', [1]],
    ['id=in.(1,4)', [1, 4]],
    ['id=in.()', []],
    ['title=in.("El Aleph",Notes)', [1, 3]],
    ['price=is.null', [4]],
    ['price=is.not_null', [1, 2, 3]],
    ['price=not.is.null', [1, 2, 3]],
    ['price=isdistinct.9.99', [2, 3, 4]],
    ['genre=eq.poetry', [4]],
    ['tags=cs.{math}', [1, 3]],
    ['tags=cd.{math,notes}', [1, 4]],
    ['tags=ov.{notes,fiction}', [1, 2, 3]],
    ['run=sl.[9,12)', [3]],
    ['run=sr.[0,8)', [2]],
    ['run=nxr.[0,10)', [1, 3]],
    ['run=nxl.[5,20)', [2, 3]],
    ['run=adj.[20,30)', [2]],
    ['data->>pages=eq.66', [1]],
    ['data->a->>b=eq.deep', [1]],
    ['data=cs.{"pages":66}', [1]],
    ['title=fts.notes', [1]],
    ['title=plfts(english).the notes', [1]],
    ['title=phfts.el aleph', [3]],
    ['title=wfts.aleph or notes', [1, 3]],
    ['title=not.wfts.aleph', [1, 2, 4]],
    ['or=(id.eq.1,and(genre.eq.novel,price.lt.12))', [1, 3]],
    ['not.or=(id.eq.1,id.eq.2)', [3, 4]],
    ['and=(id.gt.1,not.and(id.gt.2,id.lt.4))', [2, 4]],
    ['or=(title.eq."El Aleph",tags.cs.{notes})', [1, 3]],
    ['or=(id.in.(1,2),id.eq.4)', [1, 2, 4]],
    ['shout=eq.NOTES', [1]],
    ['id=gt.1&id=lt.4', [2, 3]],
    ['limit=1&offset=2', [3]],
  ])('%s', async (query, expected) => {
    expect(await find(query)).toEqual(expected)
  })

  it.each([
    ['id=eq.abc', '22P02'],
    ['id=foo.1', 'PGRST100'],
    ['id=1', 'PGRST100'],
    ['nothing=eq.1', '42703'],
    ['or=(id.eq.1', 'PGRST100'],
    ['order=id.descending', 'PGRST100'],
    ['id=is.maybe', 'PGRST100'],
    ['title=eq.%00', '22021'],
  ])('refuses %s with %s', async (query, code) => {
    expect(await find(query)).toMatchObject({ code })
  })

  it('orders nulls as requested', async () => {
    const first = await library.anon.from('books').select('id').order('price', { nullsFirst: true }).limit(1)
    expect(first.data).toEqual([{ id: 4 }])
    const last = await library.anon.from('books').select('id').order('price', { nullsFirst: false, ascending: false })
    expect(last.data?.at(-1)).toEqual({ id: 4 })
  })
})

describe('ranges and counts', () => {
  it('gives a later page the same rows as without a range, with any embeds', async () => {
    for (const select of [
      '*,author:authors!author_id(name),subjects(name),reviews(stars)',
      'id::text,pages:data->pages,shout,authors!author_id(name,books!author_id(title)),featured_cover(url)',
      'title,...authors!author_id(written_by:name),subjects(name,books(id))',
      'id,id,reviews(stars)',
      'authors!author_id!inner(name),covers()',
      'reviews(stars)',
    ]) {
      const books = () => library.anon.from('books').select(select).order('id')
      const all = await books()
      expect(all.error).toBeNull()
      expect((await books().range(1, 2)).data).toEqual(all.data?.slice(1, 3))
    }
    const nested = await library.anon
      .from('authors')
      .select('name,books!author_id(title,reviews(stars))')
      .order('id')
      .order('id', { referencedTable: 'books' })
      .range(1, 1, { referencedTable: 'books' })
      .range(1, 1)
    expect(nested.data).toEqual([{ name: 'Borges', books: [{ title: 'El Aleph', reviews: [] }] }])
  })

  it('embeds nothing into the rows that a later page skips', async () => {
    await library.gateway.query(`create sequence library.asked; grant usage on sequence library.asked to anon;
      alter policy visible on library.reviews using (not hidden and nextval('library.asked') > 0)`)
    await library.anon.from('books').select('id,reviews(stars)').order('id').range(1, 3)
    await library.gateway.query('alter policy visible on library.reviews using (not hidden)')
    // The first book has two visible reviews, and the second has one.
    expect(await library.gateway.query(`select last_value::int as asked from library.asked`)).toEqual([{ asked: 1 }])
  })

  it('counts exactly, and returns the range of the rows', async () => {
    const response = await library.fetch('/books?limit=2&offset=1', { headers: { Prefer: 'count=exact' } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe('1-2/4')
    expect(response.headers.get('preference-applied')).toBe('count=exact')
  })

  it('takes the Range header and answers 416 beyond the end', async () => {
    const range = await library.fetch('/books?order=id', { headers: { Range: '1-2' } })
    expect(range.headers.get('content-range')).toBe('1-2/*')
    const behind = await library.fetch('/books', { headers: { Range: '10-20', Prefer: 'count=exact' } })
    expect(behind.status).toBe(416)
    expect(behind.headers.get('content-range')).toBe('*/4')
    expect(await behind.json()).toMatchObject({
      code: 'PGRST103',
      details: 'An offset of 10 was requested, but there are only 4 rows.',
    })
    expect((await library.fetch('/books?limit=-1')).status).toBe(416)
  })

  it('counts without rows for HEAD', async () => {
    const { count, data } = await library.anon.from('books').select('*', { count: 'exact', head: true }).gt('id', 1)
    expect(data).toBeNull()
    expect(count).toBe(3)
  })

  it('estimates the count on request', async () => {
    const planned = await library.anon.from('books').select('id', { count: 'planned' }).gt('id', 1)
    expect(planned.count).toBeGreaterThan(0)
    const estimated = await library.anon.from('books').select('id', { count: 'estimated' })
    expect(estimated.count).toBe(4)
    // A function's rows are estimated as well, without running it.
    for (const count of ['planned', 'estimated'] as const) {
      const called = await library.anon.rpc('cheap', { max_price: 100 }, { count })
      expect(called.data).toHaveLength(3)
      expect(called.count).toBeGreaterThan(0)
    }
  })
})

describe('forms', () => {
  it('gives one object, or reports how many rows there were', async () => {
    const one = await library.anon.from('books').select('title').eq('id', 1).single()
    expect(one.data).toEqual({ title: 'Notes' })
    const none = await library.anon.from('books').select('title').eq('id', 99).single()
    expect(none.status).toBe(406)
    expect(none.error).toMatchObject({ code: 'PGRST116', details: 'The result contains 0 rows' })
    const maybe = await library.anon.from('books').select('title').eq('id', 99).maybeSingle()
    expect(maybe).toMatchObject({ data: null, error: null })
  })

  it('gives CSV', async () => {
    const { data } = await library.anon.from('books').select('id,title').lte('id', 2).order('id').csv()
    expect(data).toBe('id,title\n1,Notes\n2,Ficciones')
  })

  it('leaves out nulls on request', async () => {
    const { data } = await library.anon.from('books').select('id,price').eq('id', 4).stripNulls()
    expect(data).toEqual([{ id: 4 }])
  })

  it('rejects unsupported media types', async () => {
    const response = await library.fetch('/books', { headers: { Accept: 'image/png' } })
    expect(response.status).toBe(406)
    expect(await response.json()).toMatchObject({ code: 'PGRST107' })
  })

  it('counts and sums in groups', async () => {
    const { data, error } = await library.anon.from('books').select('genre,count(),price.max()').order('genre')
    expect(error).toBeNull()
    expect(data).toEqual([
      { genre: 'novel', count: 2, max: 12.5 },
      { genre: 'poetry', count: 1, max: null },
      { genre: 'essay', count: 1, max: 9.99 },
    ])
    const embedded = await library.anon.from('books').select('id,reviews(count)').eq('id', 1).single()
    expect(embedded.data).toEqual({ id: 1, reviews: [{ count: 2 }] })
  })

  it('treats the columns of a spread to-one row as the parent’s, for groups and aggregates', async () => {
    const read = async (query: string) => (await library.fetch(`/books?${query}`)).json()
    expect(await read('select=...authors!author_id(name),price.sum()&id=lt.4&order=authors(name)')).toEqual([
      { name: 'Ada', sum: 9.99 },
      { name: 'Borges', sum: 23.5 },
    ])
    expect(await read('select=genre,...authors!author_id(newest:born.max(),born.min(),count())&order=genre')).toEqual([
      { genre: 'novel', newest: 1899, min: 1899, count: 2 },
      { genre: 'poetry', newest: null, min: null, count: 1 },
      { genre: 'essay', newest: 1815, min: 1815, count: 1 },
    ])
    // Two levels up: the author of a cover's book.
    const covers = await library.fetch('/covers?select=...books(...authors!author_id(born.sum()))')
    expect(await covers.json()).toEqual([{ sum: 3714 }])
    const many = await library.fetch('/books?select=id,...reviews(stars.sum())')
    expect(many.status).toBe(400)
    expect(await many.json()).toMatchObject({
      code: 'PGRST127',
      message: 'Feature not implemented',
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    })
  })

  it('writes dates in the preferred time zone', async () => {
    const read = (prefer: string) =>
      library.fetch('/books?select=published_at&id=eq.4', { headers: { Prefer: prefer } })
    const there = await read('timezone=America/Los_Angeles')
    expect(there.headers.get('preference-applied')).toBe('timezone=America/Los_Angeles')
    expect(await there.json()).toEqual([{ published_at: '1899-12-31T16:00:00-08:00' }])
    const nowhere = await read('timezone=Jupiter/Red_Spot')
    expect(nowhere.headers.get('preference-applied')).toBeNull()
    expect(await nowhere.json()).toEqual([{ published_at: '1900-01-01T00:00:00+00:00' }])
    const strict = await read('handling=strict, timezone=Jupiter/Red_Spot')
    expect(strict.status).toBe(400)
    expect(await strict.json()).toMatchObject({
      code: 'PGRST122',
      details: 'Invalid preferences: timezone=Jupiter/Red_Spot',
    })
    const after = await library.fetch('/books?select=published_at&id=eq.4')
    expect(await after.json()).toEqual([{ published_at: '1900-01-01T00:00:00+00:00' }])
  })

  it('says where the rows are found again', async () => {
    const response = await library.fetch('/books?select=id,title&order=id&id=in.(1,2)')
    expect(response.headers.get('content-location')).toBe('/books?id=in.(1%2C2)&order=id&select=id%2Ctitle')
    expect((await library.fetch('/books')).headers.get('content-location')).toBe('/books')
    expect((await library.fetch('/rpc/years')).headers.get('content-location')).toBeNull()
  })

  it('gives GeoJSON with PostGIS, and only then', async () => {
    const read = () => library.fetch('/places?select=id,name&id=eq.1', { headers: { Accept: 'application/geo+json' } })
    expect((await read()).status).toBe(406)
    // The binaries don't include PostGIS. This function has the same name and parameter.
    await library.gateway.query(`create function extensions.st_asgeojson(r record) returns text language plpgsql stable
      as $$ begin return json_build_object('type', 'Feature', 'geometry', null, 'properties', to_json(r)); end $$`)
    await library.gateway.query(`grant usage on schema extensions to anon;
      grant execute on function extensions.st_asgeojson to anon; notify pgrst, 'reload schema'`)
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe(200)
    const response = await read()
    expect(response.headers.get('content-type')).toBe('application/geo+json; charset=utf-8')
    expect(await response.json()).toEqual({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry: null, properties: { id: 1, name: 'World' } }],
    })
  })
})

describe('names', () => {
  it('suggests the nearest table and relation, and names a missing column', async () => {
    const table = await library.anon.from('book').select()
    expect(table.status).toBe(404)
    expect(table.error).toMatchObject({ code: 'PGRST205', hint: "Perhaps you meant the table 'library.books'" })
    const column = await library.anon.from('books').select('titel')
    expect(column.error).toMatchObject({ code: '42703', message: 'column books.titel does not exist' })
    const related = await library.anon.from('books').select('id,review(stars)')
    expect(related.error).toMatchObject({ code: 'PGRST200', hint: "Perhaps you meant 'reviews' instead of 'review'." })
  })

  it('chooses the schema by profile, and rejects one that is not exposed', async () => {
    const response = await library.fetch('/authors', { headers: { 'Accept-Profile': 'library_private' } })
    expect(response.status).toBe(406)
    expect(await response.json()).toMatchObject({
      code: 'PGRST106',
      hint: 'Only the following schemas are exposed: library, public',
    })
    const profiled = await library.fetch('/books?limit=1', { headers: { 'Accept-Profile': 'library' } })
    expect(profiled.headers.get('content-profile')).toBe('library')
  })

  it("finds a new table after notify pgrst, 'reload schema'", async () => {
    await library.gateway.query('create table library.arrivals (id int primary key)')
    await library.gateway.query('grant select on library.arrivals to anon')
    expect((await library.anon.from('arrivals').select()).error).toMatchObject({ code: 'PGRST205' })
    await library.gateway.query(`notify pgrst, 'reload schema'`)
    await expect.poll(async () => (await library.anon.from('arrivals').select()).data, { timeout: 10_000 }).toEqual([])
  })
})

describe('permissions [API-REST-42, GEN-35]', () => {
  it('shows only rows that row-level security grants', async () => {
    expect((await library.anon.from('reviews').select('id')).data).toHaveLength(3)
    expect((await library.service.from('reviews').select('id')).data).toHaveLength(4)
  })

  it('rejects a table without a grant: 401 for visitors, 403 for users', async () => {
    const visitor = await library.fetch('/secrets')
    expect(visitor.status).toBe(401)
    expect(visitor.headers.get('www-authenticate')).toBe('Bearer')
    expect(await visitor.json()).toMatchObject({ code: '42501' })
    expect((await library.reader.from('secrets').select()).status).toBe(403)
  })

  it('rejects an invalid key and an invalid token in its own shape', async () => {
    const key = await library.fetch('/books', { headers: { apikey: 'nonsense' } })
    expect(key.status).toBe(401)
    expect(Object.keys((await key.json()) as object).sort()).toEqual(['code', 'details', 'hint', 'message'])
    const token = await library.fetch('/books', { headers: { Authorization: 'Bearer a.b.c' } })
    expect(token.status).toBe(401)
    expect(await token.json()).toMatchObject({ code: 'PGRST301' })
    expect(token.headers.get('www-authenticate')).toContain('invalid_token')
    const expired = await library.gateway.services.tokens.sign({ role: 'authenticated', exp: 1_000 }, 1)
    const late = await library.fetch('/books', { headers: { Authorization: `Bearer ${expired}` } })
    expect(await late.json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' })
    const strict = await openLibrary({ JWT_AUD: 'ovation' })
    const foreign = await strict.gateway.services.tokens.sign({ role: 'authenticated', aud: 'elsewhere' }, 60)
    const refused = await strict.fetch('/books', { headers: { Authorization: `Bearer ${foreign}` } })
    await strict.close()
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('JWT not in audience')
    expect(await refused.json()).toMatchObject({ code: 'PGRST303', message: 'JWT not in audience' })
  })

  it('rejects unknown roles, and roles that the gateway may not use', async () => {
    const asRole = async (role: string) => {
      const token = await library.gateway.services.tokens.sign({ role }, 60)
      return (await library.fetch('/books', { headers: { Authorization: `Bearer ${token}` } })).status
    }
    expect(await asRole('nobody')).toBe(401)
    expect(await asRole('postgres')).toBe(403)
  })

  it('answers an invalid path with PGRST125', async () => {
    const response = await library.fetch('/books/1')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'PGRST125' })
  })

  it('describes the exposed schema at the root', async () => {
    const response = await library.fetch('/')
    expect(response.status).toBe(200)
    const description = (await response.json()) as {
      paths: Record<string, unknown>
      definitions: Record<string, unknown>
    }
    expect(Object.keys(description.paths)).toEqual(expect.arrayContaining(['/books', '/authors', '/rpc/cheap']))
    expect(description.definitions).not.toHaveProperty('profiles')
  })
})
