import { closedSchemas, functions, relations } from './expectations.ts'
import type { MatrixFixture } from './matrix-fixture.ts'
import { everyPersona, type Persona, roleOf } from './personas.ts'
import {
  isGranted,
  type Outcome,
  outcomeFor,
  permissionsOf,
  type Relation,
  type Update,
  type Verb,
  type Who,
} from './relation.ts'

/** One statement as one persona, in a transaction that is rolled back. */
export type Probe = {
  /** The cell of the matrix: relation or function, verb, row, persona. */
  readonly cell: string
  /** The relation or function that the cell is about. */
  readonly subject: string
  readonly persona: Persona
  readonly sql: string
  /** `count`: the outcome is the number of rows. `answer`: it is the first value. */
  readonly kind: 'count' | 'answer'
  readonly expected: Outcome
  /** Runs as the owner after the statement, and checks its effect. */
  readonly proof?: string
  /** How many cells it covers: a read covers one for each row. */
  readonly cells: number
}
type Named = ReadonlyMap<string, string>

/** Every cell as a probe, for the fixture and the catalog of this database. */
export async function buildProbes(world: MatrixFixture): Promise<Probe[]> {
  const probes: Probe[] = []
  for (const [subject, relation] of Object.entries(relations)) {
    const named = await nameRows(world, relation)
    for (const persona of everyPersona) probes.push(...relationProbes(world, { subject, relation, named, persona }))
    probes.push(...(await columnProbes(world, subject, relation)))
  }
  for (const subject of Object.keys(functions)) probes.push(...functionProbes(world, subject))
  return [...probes, ...(await closedProbes(world))]
}

/** Key to name, for each row of the relation. */
export async function nameRows(world: MatrixFixture, { named }: Relation): Promise<Named> {
  const { rows } = await world.client.query<{ key: string; name: string }>(named)
  return new Map(rows.map(({ key, name }) => [key, name]))
}

type Subject = {
  readonly subject: string
  readonly relation: Relation
  readonly named: Named
  readonly persona: Persona
}

function relationProbes(world: MatrixFixture, about: Subject): Probe[] {
  return [reading(about), ...inserting(world, about), ...updating(world, about), ...deleting(about)]
}

/** One read of the whole relation: each row has the expected value, and there is no other row. */
function reading({ subject, relation, named, persona }: Subject): Probe {
  const { key = 'id', shape = `'yes'` } = relation
  const seen = [...named]
    .map(([id, name]) => `${id}=${outcomeFor(whoAt(relation.select, name), persona, 'nothing')}`)
    .filter((line) => !line.endsWith('=nothing'))
    .toSorted()
    .join('\n')
  return {
    cell: `${subject} · select · ${persona}`,
    subject,
    persona,
    sql: `select string_agg(k || '=' || v, E'\\n' order by k collate "C") from (select (${key})::text as k, (${shape})::text as v from ${subject}) q`,
    kind: 'answer',
    expected: isGranted(relation, persona, 'select') ? seen : 'refused',
    cells: named.size,
  }
}

function inserting(world: MatrixFixture, about: Subject): Probe[] {
  const { subject, relation, persona } = about
  if (!isGranted(relation, persona, 'insert'))
    return [ungranted(about, 'insert', `insert into ${subject} default values`)]
  return Object.entries(relation.insert ?? {}).map(([attempt, { sql, who }]) => ({
    cell: `${subject} · insert · ${attempt} · ${persona}`,
    subject,
    persona,
    sql: world.fill(sql, persona),
    kind: 'count',
    expected: outcomeFor(who, persona, 'refused'),
    cells: 1,
  }))
}

function updating(world: MatrixFixture, about: Subject): Probe[] {
  const { subject, relation, persona } = about
  const { key = 'id' } = relation
  if (!isGranted(relation, persona, 'update'))
    return [ungranted(about, 'update', `update ${subject} set ${key} = null`)]
  return Object.entries(relation.update ?? {}).flatMap(([group, { set, rows, blind, proof }]) =>
    changing(about, `update · ${group}`, `update ${subject} set ${world.fill(set, persona)}`, rows, { blind, proof }),
  )
}

function deleting(about: Subject): Probe[] {
  const { subject, relation, persona } = about
  if (!isGranted(relation, persona, 'delete')) return [ungranted(about, 'delete', `delete from ${subject}`)]
  return changing(about, 'delete', `delete from ${subject}`, relation.delete ?? {}, { all: relation.deleteAll })
}

/**
 * Each row by its key, and then all at once without a condition: for a statement that names no column, PostgreSQL applies only the policies
 * of update and delete, so a hole in them shows only there.
 */
function changing(
  about: Subject,
  verb: string,
  sql: string,
  rows: Readonly<Record<string, Who>>,
  { blind, proof, all }: Pick<Update, 'blind' | 'proof'> & { all?: Relation['deleteAll'] },
): Probe[] {
  const { subject, relation, named, persona } = about
  if (persona === 'service' && Object.keys(rows).length === 0) return []
  const outcome = (name: string) => outcomeFor(whoAt(rows, name), persona, 'nothing')
  const probes: Probe[] = [...named].map(([id, name]) => ({
    cell: `${subject} · ${verb} · ${name} · ${persona}`,
    subject,
    persona,
    sql: `${sql} where ${relation.key ?? 'id'} = '${id}'`,
    kind: 'count',
    expected: outcome(name),
    proof: proof && `select exists (select from ${proof} and ${relation.key ?? 'id'} = '${id}')`,
    cells: 1,
  }))
  if (blind === false || persona === 'service') return probes
  const outcomes = [...named.values()].map(outcome)
  const reached = outcomes.filter((met) => met === 'yes' || met === 'unchanged').length
  return [
    ...probes,
    {
      cell: `${subject} · ${verb} · every row · ${persona}`,
      subject,
      persona,
      sql,
      kind: 'count',
      // One rejected row fails the whole statement.
      expected: all?.[persona] ?? (outcomes.includes('refused') ? 'refused' : countOutcome(reached)),
      cells: 1,
    },
  ]
}

function ungranted({ subject, persona }: Subject, verb: Verb, sql: string): Probe {
  return {
    cell: `${subject} · ${verb} · ${persona}`,
    subject,
    persona,
    sql,
    kind: 'count',
    expected: 'refused',
    cells: 1,
  }
}

/** A row that is missing in the matrix belongs to nobody; the test of names reports it. */
function whoAt(rows: Readonly<Record<string, Who>>, name: string): Who {
  return rows[name] ?? []
}

/** What the runner calls this number of rows. */
function countOutcome(count: number): Outcome {
  if (count === 0) return 'nothing'
  return count === 1 ? 'yes' : String(count)
}

/** Each column separately, for each verb that names columns, without touching a row. */
async function columnProbes(world: MatrixFixture, subject: string, relation: Relation): Promise<Probe[]> {
  const { rows } = await world.client.query<{ name: string; type: string }>(
    `select quote_ident(attname) as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`,
    [subject],
  )
  const verbs: { verb: Verb; sql: (name: string, type: string) => string }[] = [
    { verb: 'select', sql: (name) => `select ${name} from ${subject} limit 0` },
    { verb: 'insert', sql: (name, type) => `insert into ${subject} (${name}) select null::${type} where false` },
    { verb: 'update', sql: (name, type) => `update ${subject} set ${name} = null::${type} where false` },
  ]
  return (['visitor', 'stranger'] as const).flatMap((persona) => {
    const role = roleOf(persona)
    const rights = permissionsOf(role === 'anon' ? relation.anon : relation.authenticated)
    const whole = (['select', 'insert', 'update', 'delete'] as const).map((verb): Probe => {
      const sql = `select has_table_privilege('${subject}', '${verb}')`
      return {
        cell: `${subject} · ${verb} all of it · ${role}`,
        subject,
        persona,
        sql,
        kind: 'answer',
        expected: String(rights.get(verb) === null),
        cells: 1,
      }
    })
    const single = verbs.flatMap(({ verb, sql }) =>
      rows.map(({ name, type }): Probe => {
        const columns = rights.get(verb)
        const granted = columns === null || (columns?.includes(name) ?? false)
        const cell = `${subject} · ${verb} column ${name} · ${role}`
        return {
          cell,
          subject,
          persona,
          sql: sql(name, type),
          kind: 'count',
          expected: granted ? 'nothing' : 'refused',
          cells: 1,
        }
      }),
    )
    return [...whole, ...single]
  })
}

function functionProbes(world: MatrixFixture, subject: string): Probe[] {
  const { anon, authenticated, calls } = functions[subject] ?? { anon: false, authenticated: false, calls: {} }
  return Object.entries(calls).flatMap(([call, { sql, who }]) =>
    everyPersona.map((persona): Probe => {
      const granted = { anon, authenticated, service_role: true }[roleOf(persona)]
      return {
        cell: `${subject} · ${call} · ${persona}`,
        subject,
        persona,
        sql: world.fill(sql, persona),
        kind: 'answer',
        expected: granted ? outcomeFor(who, persona, 'refused') : 'closed',
        cells: 1,
      }
    }),
  )
}

/** Tables that no client may name in any form. */
async function closedProbes(world: MatrixFixture): Promise<Probe[]> {
  const { rows } = await world.client.query<{ name: string; column: string; schema: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, n.nspname as schema,
       (select quote_ident(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and a.attgenerated = '' and a.attidentity = '' order by a.attnum limit 1) as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm')`,
    [closedSchemas],
  )
  return rows.flatMap(({ name, column, schema }) =>
    (['visitor', 'stranger', 'admin'] as const).flatMap((persona) =>
      Object.entries({
        select: `select from ${name}`,
        insert: `insert into ${name} default values`,
        update: `update ${name} set ${column} = null`,
        delete: `delete from ${name}`,
      }).map(
        ([verb, sql]): Probe => ({
          cell: `${name} · ${verb} · ${persona}`,
          subject: name,
          persona,
          sql,
          kind: 'count',
          expected: schema === 'private' ? 'closed' : 'refused',
          cells: 1,
        }),
      ),
    ),
  )
}
