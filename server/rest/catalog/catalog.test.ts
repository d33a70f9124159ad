import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { loadCatalog } from './load.ts'
import { findNearest } from './nearest.ts'
import { type Catalog, keyOf } from './types.ts'
import { readViewColumns } from './view-columns.ts'

describe('the columns of a view', () => {
  it('are read from the outermost target list only', () => {
    const rule =
      '({QUERY :commandType 1 :rtable ({RANGETBLENTRY :subquery {QUERY :targetList ({TARGETENTRY :resno 1 :resorigtbl 9 :resorigcol 9})}})' +
      ' :targetList ({TARGETENTRY :expr {VAR :varno 1} :resno 1 :resname a\\ b :resorigtbl 16384 :resorigcol 2 :resjunk false}' +
      ' {TARGETENTRY :expr {CASEEXPR :args ({CASEWHEN :resno 7})} :resno 2 :resname c\\) :resorigtbl 0 :resorigcol 0 :resjunk false}) :jointree <>})'
    expect([...readViewColumns(rule)]).toEqual([[1, { oid: '16384', number: 2 }]])
  })

  it('are none for a rule in an unknown format', () => {
    expect(readViewColumns('').size).toBe(0)
    expect(readViewColumns('({QUERY :targetList <> :x 1})').size).toBe(0)
  })
})

describe('the nearest name', () => {
  it.each([
    ['book', ['books', 'authors'], 'books'],
    ['titel', ['title', 'table'], 'title'],
    ['BOOKS', ['books'], undefined],
    ['zzz', ['books'], undefined],
    ['x'.repeat(1_000), ['books'], undefined],
  ])('of %s', (name, candidates, expected) => {
    expect(findNearest(name, candidates)).toBe(expected)
  })
})

describe('the catalog of a database', () => {
  let database: TestDatabase
  let catalog: Catalog

  beforeAll(async () => {
    database = await createTestDatabase()
    await database.query(`
      create schema open; create schema closed;
      create table closed.people (id int primary key, "full name" text not null default 'nobody', boss int references closed.people);
      create table open.clubs (id int primary key, founder int not null constraint clubs_founder_fkey references closed.people);
      create table open.passes (person int references closed.people, club int references open.clubs, since date default now(), primary key (person, club));
      create table open.badges (club int primary key references open.clubs);
      create view open.people as select p.id as person_id, p."full name", p.boss, upper(p."full name") as loud from closed.people p cross join lateral (select 1 as x offset 0) l;
      create view open.chiefs as select * from open.people where boss is null;
      create view open.both as select c.id, p.person_id from open.clubs c join open.people p on p.person_id = c.founder;
      create materialized view open.sizes as select club, count(*) as members from open.passes group by club;
      create table open.parts (id int primary key) partition by range (id);
      create table open.parts_1 partition of open.parts for values from (0) to (10);
      create function open.f(a int, b text default 'x', variadic c int[] default '{}') returns setof open.clubs language sql as $$ select * from open.clubs $$;
      create function open.g(out x int, out y int) language sql as $$ select 1, 2 $$;
      create function open.h() returns void language sql volatile as $$ select 1 $$;
      create function open.t() returns trigger language plpgsql as $$ begin return new; end $$;
    `)
    catalog = await loadCatalog(database.ownerUrl, ['open'])
  })
  afterAll(() => database.drop())

  const relation = (name: string) => catalog.relations.get(keyOf('open', name))
  const between = (from: string, to: string) =>
    (catalog.relationships.get(keyOf('open', from)) ?? []).filter(({ target }) => target.name === to)

  it('contains only the exposed schema, without partitions and trigger functions', () => {
    const names = [...catalog.relations.values()].map(({ name }) => name).sort()
    expect(names).toEqual(['badges', 'both', 'chiefs', 'clubs', 'parts', 'passes', 'people', 'sizes'])
    expect([...catalog.routines.keys()].map((key) => key.split('\u0000')[1])).toEqual(['f', 'g', 'h'])
  })

  it('has columns with their types and defaults, also through views', () => {
    expect(relation('people')?.columns.get('full name')).toMatchObject({ type: 'text', default: "'nobody'::text" })
    expect(relation('people')?.columns.get('loud')).toMatchObject({ type: 'text', default: null })
    expect(relation('clubs')?.columns.get('founder')).toMatchObject({ type: 'integer', nullable: false })
  })

  it('gives a view the key of the table it shows, also through nested views', () => {
    expect(relation('people')?.primaryKey).toEqual(['person_id'])
    expect(relation('chiefs')?.primaryKey).toEqual(['person_id'])
    expect(relation('both')?.primaryKey).toEqual([])
    expect(relation('sizes')?.primaryKey).toEqual([])
  })

  it('relates views by the columns they pass on', () => {
    expect(between('clubs', 'people')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          cardinality: 'many-to-one',
          constraint: 'clubs_founder_fkey',
          columns: [['founder', 'person_id']],
        }),
      ]),
    )
    expect(
      between('people', 'clubs')
        .map(({ cardinality }) => cardinality)
        .sort(),
    ).toEqual(['many-to-many', 'one-to-many'])
    expect(between('chiefs', 'clubs').some(({ cardinality }) => cardinality === 'one-to-many')).toBe(true)
    expect(between('people', 'people').map(({ cardinality, isSelf }) => [cardinality, isSelf])).toEqual([
      ['many-to-one', true],
      ['one-to-many', true],
    ])
    expect(between('sizes', 'clubs')).toMatchObject([{ cardinality: 'many-to-one', columns: [['club', 'id']] }])
  })

  it('recognizes one-to-one by a unique key, and many-to-many by a junction whose key holds both', () => {
    expect(between('badges', 'clubs')).toMatchObject([{ cardinality: 'one-to-one' }])
    expect(between('clubs', 'badges')).toMatchObject([{ cardinality: 'one-to-one', columns: [['id', 'club']] }])
    expect(between('clubs', 'people').find(({ cardinality }) => cardinality === 'many-to-many')).toMatchObject({
      junction: { name: 'passes', sourceColumns: [['id', 'club']], targetColumns: [['person_id', 'person']] },
    })
  })

  it('has functions with their parameters and results', () => {
    expect(catalog.routines.get(keyOf('open', 'f'))).toMatchObject([
      {
        volatility: 'volatile',
        parameters: [
          { name: 'a', required: true },
          { name: 'b', required: false },
          { name: 'c', type: 'integer[]', variadic: true },
        ],
        returns: { kind: 'composite', setOf: true, relation: { schema: 'open', name: 'clubs' } },
      },
    ])
    expect(catalog.routines.get(keyOf('open', 'g'))).toMatchObject([
      { parameters: [], returns: { kind: 'composite', setOf: false } },
    ])
    expect(catalog.routines.get(keyOf('open', 'h'))).toMatchObject([{ returns: { kind: 'void' } }])
  })
})
