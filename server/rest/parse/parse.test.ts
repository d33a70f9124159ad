import { describe, expect, it } from 'vitest'
import { Cursor } from './cursor.ts'
import { parseFilterValue, parseLogic } from './filter.ts'
import { parseOrder } from './order.ts'
import { parseCsv, parsePayload } from './payload.ts'
import { parsePreferences } from './preferences.ts'
import { parseQuery } from './query.ts'
import { intersect, parseRangeHeader } from './range-header.ts'
import { parseSelect } from './select.ts'
import { parseQueryString } from './url.ts'
import { Values } from './values.ts'

const plain = { alias: undefined, cast: undefined, aggregate: undefined, aggregateCast: undefined }
const select = (text: string) => parseSelect(new Cursor('select parameter', text), new Values())
const column = (name: string) => ({ kind: 'column', field: { name, path: [] }, ...plain })

describe('select', () => {
  it('reads columns, aliases, casts and stars', () => {
    expect(select('*,id, full name ,a:b::text,"x,y"')).toEqual([
      column('*'),
      column('id'),
      column('full name'),
      { ...column('b'), alias: 'a', cast: 'text' },
      column('x,y'),
    ])
  })

  it('reads dashes within names and arrows after them', () => {
    expect(select('a-b->c->>0')).toEqual([
      {
        ...column('a-b'),
        field: {
          name: 'a-b',
          path: [
            { arrow: '->', name: 'c', key: 0 },
            { arrow: '->>', name: undefined, key: 1 },
          ],
        },
      },
    ])
  })

  it('reads embeds with hints, joins, aliases and spreads', () => {
    const embed = { kind: 'embed', alias: undefined, hint: undefined, join: undefined, spread: false, items: [] }
    expect(select('a:b!fk!inner(c),d!left(),...e(f)')).toEqual([
      { ...embed, name: 'b', alias: 'a', hint: 'fk', join: 'inner', items: [column('c')] },
      { ...embed, name: 'd', join: 'left' },
      { ...embed, name: 'e', spread: true, items: [column('f')] },
    ])
  })

  it('reads aggregates and their casts', () => {
    expect(select('count(),total:price.sum()::int,price::int.avg()')).toEqual([
      { ...column('*'), aggregate: 'count' },
      { ...column('price'), alias: 'total', aggregate: 'sum', aggregateCast: 'int' },
      { ...column('price'), cast: 'int', aggregate: 'avg' },
    ])
  })

  it.each(['a,', 'a(', 'a!', ':a', 'a::', 'a b)', 'a->', '"a', 'a.b', '""', 'a!b!c!d(e)', `${'a('.repeat(60)}`])(
    'refuses %s',
    (text) => {
      expect(() => select(text)).toThrow(expect.objectContaining({ code: 'PGRST100', status: 400 }))
    },
  )

  it('reports the position of the mistake', () => {
    expect(() => select('id,na;me')).toThrow(
      expect.objectContaining({
        message: '"failed to parse select parameter (id,na;me)" (line 1, column 6)',
        details: expect.stringContaining('unexpected ";"'),
      }),
    )
  })
})

describe('filters', () => {
  const filter = (text: string) => {
    const values = new Values()
    return { ...parseFilterValue(new Cursor('filter', text), values), values: values.list }
  }

  it('separates the value from the operator, dots and all', () => {
    expect(filter('not.eq.1.2.3')).toEqual({
      negated: true,
      expression: { kind: 'compare', operator: '=', value: 0 },
      values: ['1.2.3'],
    })
  })

  it('turns lists into array literals with every character escaped correctly', () => {
    expect(filter('in.(a,"b,c","d\\"e", f )').values).toEqual(['{"a","b,c","d\\"e"," f "}'])
    expect(filter('in.()').values).toEqual(['{}'])
    expect(filter('in.("a"b,c)').values).toEqual(['{"\\"a\\"b","c"}'])
  })

  it('turns stars into wildcards for like only', () => {
    expect(filter('like.a*').values).toEqual(['a%'])
    expect(filter('eq.a*').values).toEqual(['a*'])
  })

  it('is not a filter without an operator', () => {
    expect(filter('5')).toEqual({ values: [] })
    expect(filter('hasOwnProperty.5')).toEqual({ values: [] })
    expect(filter('constructor.5')).toEqual({ values: [] })
  })

  it('reads trees, ending values at commas and parentheses unless they are quoted or arrays', () => {
    const values = new Values()
    const cursor = new Cursor('logic tree', 'not.or(a.eq."x,y",b.cs.{1,2},and(c.is.null,d.not.in.(3,4)))')
    const tree = parseLogic(cursor, values)
    expect(values.list).toEqual(['x,y', '{1,2}', '{"3","4"}'])
    expect(tree).toMatchObject({ kind: 'group', negated: true, operator: 'or', members: [{}, {}, { operator: 'and' }] })
    expect(cursor.shape()).toBe('not.or(a.eq.\u0001,b.cs.\u0001,and(c.is.null,d.not.in.\u0001))')
  })
})

describe('order', () => {
  const order = (text: string) => parseOrder(new Cursor('order', text), new Values())

  it('reads directions, nulls and related columns', () => {
    expect(order('a.desc.nullslast,b,c(d).nullsfirst')).toEqual([
      { relation: undefined, field: { name: 'a', path: [] }, direction: 'desc', nulls: 'last' },
      { relation: undefined, field: { name: 'b', path: [] }, direction: undefined, nulls: undefined },
      { relation: 'c', field: { name: 'd', path: [] }, direction: undefined, nulls: 'first' },
    ])
  })

  it.each(['a.up', 'a.desc.nulls', 'a,', 'a(b', 'a.asc.asc'])('rejects %s', (text) => {
    expect(() => order(text)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
  })
})

describe('queries', () => {
  it('distinguishes a function’s arguments from the filters on its result', () => {
    const values = new Values()
    const { syntax } = parseQuery(
      [
        ['a', '1'],
        ['id', 'eq.2'],
        ['b', 'x.y'],
      ],
      values,
      'arguments',
    )
    expect(syntax.args.map(({ name, value }) => [name, values.list[value]])).toEqual([
      ['a', '1'],
      ['b', 'x.y'],
    ])
    expect(syntax.filters).toHaveLength(1)
  })

  it('assigns limits and offsets to their level, and ignores invalid numbers', () => {
    const { syntax } = parseQuery(
      [
        ['limit', '3'],
        ['a.offset', '2'],
        ['b.limit', 'many'],
      ],
      new Values(),
      'filters',
    )
    expect(syntax.ranges).toEqual([
      { path: [], part: { offset: 0, limit: 3 } },
      { path: ['a'], part: { offset: 2, limit: undefined } },
    ])
  })

  it('decodes any bytes, and leaves the key out', () => {
    expect(parseQueryString('a+b=c%20d&%zz=%ff&apikey=secret&e')).toEqual([
      ['a b', 'c d'],
      ['%zz', '\ufffd'],
      ['e', ''],
    ])
  })
})

describe('headers', () => {
  it('reads preferences, the first of a kind, and keeps unknown ones', () => {
    const parsed = parsePreferences('return=minimal, return=representation,count=exact, max-affected=3, x=y', {
      allowTransaction: false,
      timezones: new Set(['Europe/Zurich']),
    })
    expect(parsed).toMatchObject({ representation: 'minimal', count: 'exact', maxAffected: 3, invalid: ['x=y'] })
    expect(
      parsePreferences('tx=rollback', { allowTransaction: false, timezones: new Set(['Europe/Zurich']) }).transaction,
    ).toBeUndefined()
    const zone = { allowTransaction: false, timezones: new Set(['Europe/Zurich']) }
    expect(parsePreferences('timezone=Europe/Zurich', zone)).toMatchObject({ timezone: 'Europe/Zurich', invalid: [] })
    expect(parsePreferences('timezone=Zurich', zone).invalid).toEqual(['timezone=Zurich'])
  })

  it('reads and joins ranges', () => {
    expect(parseRangeHeader('0-9')).toEqual({ offset: 0, limit: 10 })
    expect(parseRangeHeader('bytes=0-9')).toBeUndefined()
    expect(() => parseRangeHeader('9-0')).toThrow(expect.objectContaining({ status: 416 }))
    expect(intersect({ offset: 2, limit: undefined }, { offset: 0, limit: 5 })).toEqual({ offset: 2, limit: 3 })
    expect(intersect({ offset: 9, limit: 1 }, { offset: 0, limit: 5 })).toEqual({ offset: 9, limit: 0 })
  })
})

describe('bodies', () => {
  it('reads CSV with quotes, both kinds of line ends, and no final one', () => {
    expect(parseCsv('a,b\r\n"1,""x""\n",\n2,3')).toEqual([
      ['a', 'b'],
      ['1,"x"\n', ''],
      ['2', '3'],
    ])
    expect(() => parseCsv('"a')).toThrow(expect.objectContaining({ code: 'PGRST102' }))
  })

  it('does not inspect a body whose columns are named', () => {
    expect(parsePayload(Buffer.from(' {"a":1'), 'application/json', ['b', 'a', 'a'], 'relation')).toEqual({
      kind: 'json',
      text: ' {"a":1',
      isObject: true,
      keys: ['a', 'b'],
    })
  })

  it('rejects keys that would cut the statement short', () => {
    expect(() => parsePayload(Buffer.from('{"a\\u0000b":1}'), undefined, undefined, 'relation')).toThrow(
      expect.objectContaining({ code: 'PGRST102' }),
    )
  })
})
