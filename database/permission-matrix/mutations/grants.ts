import type pg from 'pg'
import type { Mutation } from './mutation.ts'

/** Revokes each permission of a client role, and grants each that it lacks. */
export async function grantMutations(client: pg.Client): Promise<Mutation[]> {
  return [...(await relationGrants(client)), ...(await functionGrants(client))]
}

async function relationGrants(client: pg.Client): Promise<Mutation[]> {
  const { rows } = await client.query<{ relation: string; role: string; verb: string; whole: boolean; part: boolean }>(
    `select format('%I.%I', n.nspname, c.relname) as relation, role, verb, has_table_privilege(role, c.oid, verb) as whole,
       verb <> 'delete' and has_any_column_privilege(role, c.oid, case verb when 'delete' then 'select' else verb end) as part
     from pg_class c join pg_namespace n on n.oid = c.relnamespace,
       unnest(array['anon', 'authenticated']) as role, unnest(array['select', 'insert', 'update', 'delete']) as verb
     where n.nspname in ('public', 'storage', 'realtime') and c.relkind in ('r', 'p', 'v') order by 1, 2, 3`,
  )
  return rows.flatMap(({ relation, role, verb, whole, part }) => {
    const made: Mutation[] = []
    // Revoking the verb from the table revokes it from each of its columns.
    if (whole || part)
      made.push({
        name: `${verb} on ${relation} revoked from ${role}`,
        subjects: [relation],
        sql: `revoke ${verb} on ${relation} from ${role}`,
      })
    if (!whole)
      made.push({
        name: `${verb} on ${relation} granted to ${role}`,
        subjects: [relation],
        sql: `grant ${verb} on ${relation} to ${role}`,
      })
    return made
  })
}

async function functionGrants(client: pg.Client): Promise<Mutation[]> {
  const { rows } = await client.query<{ name: string; signature: string; role: string; granted: boolean }>(
    `select p.oid::regprocedure::text as name, case n.nspname when 'storage' then 'storage.' else '' end || p.proname || '(' || replace(oidvectortypes(p.proargtypes), ', ', ',') || ')' as signature,
       role, has_function_privilege(role, p.oid, 'execute') as granted
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace, unnest(array['anon', 'authenticated']) as role
     where n.nspname in ('public', 'storage') and p.prorettype <> 'trigger'::regtype order by 1, 3`,
  )
  return rows.map(({ name, signature, role, granted }) => ({
    name: `execute on ${name} ${granted ? 'revoked from' : 'granted to'} ${role}`,
    subjects: [signature],
    sql: `${granted ? 'revoke' : 'grant'} execute on function ${name} ${granted ? 'from' : 'to'} ${role}`,
  }))
}
