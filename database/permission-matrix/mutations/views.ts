import type pg from 'pg'
import { atom, type Mutation, replaceEach } from './mutation.ts'

/** Opens each mask and each condition of views that clients may name, and gives each security-invoker view its owner's permissions. */
export async function viewMutations(client: pg.Client): Promise<Mutation[]> {
  const { rows } = await client.query<{ name: string; definition: string; options: string | null; invoker: boolean }>(
    `select format('%I.%I', n.nspname, c.relname) as name, pg_get_viewdef(c.oid) as definition,
       array_to_string(c.reloptions, ', ') as options, coalesce(c.reloptions::text like '%security_invoker=true%', false) as invoker
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'storage') and c.relkind = 'v' order by 1`,
  )
  return rows.flatMap(({ name, definition, options, invoker }) => {
    const made: Mutation[] = [
      ...replaceEach(definition, /(?<=\bWHEN )[^\n]+?(?= THEN )/g, () => 'true'),
      ...replaceEach(definition, atom, () => 'true'),
      ...replaceEach(definition, /\bEXISTS \( SELECT\b/g, () => 'true OR EXISTS ( SELECT'),
    ].map(({ text, found }, n) => ({
      name: `view ${name}: without condition ${n + 1}, ${found}`,
      subjects: [name],
      sql: `create or replace view ${name} ${options ? `with (${options})` : ''} as ${text}`,
    }))
    if (invoker) {
      made.push({
        name: `view ${name} with its owner's rights`,
        subjects: [name],
        sql: `alter view ${name} set (security_invoker = false)`,
      })
    }
    return made
  })
}
