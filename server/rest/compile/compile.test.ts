import { describe, expect, it } from 'vitest'
import { parseRequest, type RestRequest } from '../parse/request.ts'
import { resolveRequest } from '../resolve/resolve.ts'
import { libraryCatalog } from '../testing/catalog.ts'
import { request } from '../testing/requests.ts'
import { compileRequest } from './statement.ts'

const catalog = libraryCatalog()

function compile(overrides: Partial<RestRequest>) {
  const parsed = parseRequest(request(overrides), {
    schemas: ['library'],
    allowTransaction: false,
    timezones: new Set<string>(),
  })
  const { text, parameters } = compileRequest(
    resolveRequest(parsed, catalog, { maxRows: 1000, aggregates: true, plan: true }),
  )
  return { text, values: parameters.map((reference) => parsed.values[reference]) }
}

describe('a read', () => {
  it('is one select with parameters for values and integers for the range', () => {
    expect(compile({ search: 'select=id,title&id=eq.7&order=title.desc&limit=5&offset=10' })).toEqual({
      text:
        `select coalesce(json_agg(pgrst_result), '[]')::text as body, count(*) as rows, null as total,` +
        ` nullif(current_setting('response.headers', true), '') as headers, nullif(current_setting('response.status', true), '') as status` +
        ` from (select "books"."id", "books"."title" from "library"."books" as "books" where "books"."id" = $1` +
        ` order by "books"."title" desc limit 5 offset 10) as pgrst_result`,
      values: ['7'],
    })
  })

  it('never reads more rows than the installation allows', () => {
    expect(compile({}).text).toContain('limit 1000')
    expect(compile({ search: 'limit=99999' }).text).toContain('limit 1000')
    expect(compile({ headers: { range: '0-1' } }).text).toContain('limit 2')
  })

  it('embeds after ORDER BY and LIMIT, unless the level needs its embeds', () => {
    expect(compile({ search: 'select=id,authors(name),subjects(name)' }).text).not.toContain('join')
    expect(compile({ search: 'select=id,authors!inner(name)' }).text).toContain('inner join lateral')
    expect(compile({ search: 'select=id,authors(name)&order=authors(name)' }).text).toContain('left join lateral')
    expect(compile({ search: 'select=id,authors(name)&authors=not.is.null' }).text).toContain('left join lateral')
    expect(compile({ search: 'select=id,...authors(name)' }).text).toContain('left join lateral')
    expect(compile({ search: 'select=id,covers()' }).text).not.toContain('covers')
  })

  it('embeds only into the rows of a later page', () => {
    const { text } = compile({ search: 'select=*,author:authors(name),subjects(name)&order=title&limit=2&offset=50' })
    expect(text).toContain('order by "books"."title" limit 2 offset 50) as __page')
    expect(text.indexOf('from "library"."authors"')).toBeLessThan(text.indexOf('offset 50'))
    expect(text).toContain('where "__page"."__key_0" = "authors_1"."id"')
    expect(compile({ search: 'select=*,authors(name)&limit=2' }).text).not.toContain('__page')
    // Two columns with one name could not be distinguished.
    expect(compile({ search: 'select=id,id,authors(name)&offset=1' }).text).not.toContain('__page')
    expect(compile({ search: 'select=id,id:authors!inner(name),subjects(name)&offset=1' }).text).not.toContain('__page')
  })

  it('quotes every name it is given', () => {
    const alias = encodeURIComponent('"a\\" from secrets; --":id')
    expect(compile({ search: `select=${alias}` }).text).toContain('"books"."id" as "a"" from secrets; --" from')
    expect(compile({ search: `select=${encodeURIComponent('"x\\"y":id')}` }).text).toContain('as "x""y"')
  })
})

describe('a write', () => {
  const body = Buffer.from('{"title":"T"}')

  it('returns no column unless requested, so no column needs the read permission', () => {
    expect(compile({ method: 'POST', body }).text).toContain('returning 1)')
    expect(compile({ method: 'DELETE', search: 'id=eq.1' }).text).toContain('returning 1)')
  })

  it('returns the columns that the answer and its embeds need', () => {
    const headers = { prefer: 'return=representation' }
    const { text } = compile({ method: 'PATCH', body, headers, search: 'id=eq.1&select=title,authors(name)' })
    expect(text).toContain('returning "books"."author_id", "books"."id", "books"."title")')
  })

  it('fails inside the statement when a guard fails, so that the change is rolled back', () => {
    const headers = { accept: 'application/vnd.pgrst.object+json', prefer: 'return=representation' }
    expect(compile({ method: 'PATCH', body, headers }).text).toContain('case when count(*) = 1 then 0 else')
  })
})

describe('a call', () => {
  it('takes arguments by name, from the query or from the body', () => {
    const get = compile({ target: 'function', name: 'add', search: 'a=1' })
    expect(get.text).toContain('"library"."add"("a" => $1::integer) as pgrst_call(pgrst_scalar)')
    expect(get.values).toEqual(['1'])
    const post = compile({ target: 'function', name: 'add', method: 'POST', body: Buffer.from('{"b":2,"a":1}') })
    expect(post.text).toContain('json_to_record($1::json) as _("a" integer, "b" integer)')
    expect(post.values).toEqual(['{"b":2,"a":1}'])
  })
})
