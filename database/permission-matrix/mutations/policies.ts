import type pg from 'pg'
import { atom, type Mutation, replaceEach } from './mutation.ts'

type Policy = {
  table: string
  name: string
  command: string
  using: string | null
  check: string | null
  roles: string[]
  anon: boolean
}

/** Drops each policy, opens it completely and by condition, and grants it to visitors; turns off row-level security for each table. */
export async function policyMutations(client: pg.Client): Promise<Mutation[]> {
  const { rows: policies } = await client.query<Policy>(
    `select format('%I.%I', schemaname, tablename) as table, policyname as name, cmd as command, qual as using, with_check as check, roles::text[],
       has_table_privilege('anon', format('%I.%I', schemaname, tablename), case cmd when 'ALL' then 'select' else cmd end)
         or (cmd in ('INSERT', 'UPDATE') and has_any_column_privilege('anon', format('%I.%I', schemaname, tablename), cmd)) as anon
     from pg_policies where schemaname in ('public', 'storage', 'realtime') order by 1, 2`,
  )
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'storage', 'realtime') and c.relkind in ('r', 'p')
       and (has_any_column_privilege('anon', c.oid, 'select, insert, update') or has_any_column_privilege('authenticated', c.oid, 'select, insert, update'))`,
  )
  return [
    ...policies.flatMap(mutationsOf),
    ...tables.map(({ name }) => ({
      name: `${name} without row-level security`,
      subjects: [name],
      sql: `alter table ${name} disable row level security`,
    })),
  ]
}

function mutationsOf({ table, name, using, check, roles, anon }: Policy): Mutation[] {
  const policy = `policy ${name} on ${table}`
  const made: Mutation[] = [{ name: `${policy} dropped`, subjects: [table], sql: `drop ${policy}` }]
  const open = (clause: 'using' | 'with check', expression: string | null) => {
    if (expression === null || expression === 'true') return
    made.push({ name: `${policy}: ${clause} (true)`, subjects: [table], sql: `alter ${policy} ${clause} (true)` })
    for (const { text, found } of replaceEach(expression, atom, () => 'true')) {
      if (text === 'true') continue
      made.push({
        name: `${policy}: ${clause} without ${found}`,
        subjects: [table],
        sql: `alter ${policy} ${clause} (${text})`,
      })
    }
  }
  open('using', using)
  open('with check', check)
  if (anon && !roles.includes('anon') && !roles.includes('public')) {
    made.push({ name: `${policy} for visitors too`, subjects: [table], sql: `alter ${policy} to anon, authenticated` })
  }
  return made
}
