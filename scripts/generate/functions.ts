import type pg from 'pg'
import type { Grant } from './relations.ts'
import { schemas } from './schemas.ts'

export type Routine = {
  readonly schema: string
  readonly name: string
  /** Name and argument types, as COMMENT and GRANT want them. */
  readonly signature: string
  readonly definition: string
  readonly comment: string | null
  readonly securityDefiner: boolean
  readonly isTrigger: boolean
  readonly arguments: readonly { readonly name: string; readonly type: string; readonly optional: boolean }[]
  readonly returns: string
  /** The relation or composite type that the result is a row of. */
  readonly returnsRow: { readonly schema: string; readonly name: string; readonly kind: 'r' | 'v' | 'c' } | null
  readonly returnsSet: boolean
  readonly grants: readonly Grant[]
}

const query = `
  select n.nspname as schema, p.proname as name, p.oid::regprocedure::text as signature, pg_get_functiondef(p.oid) as definition,
    obj_description(p.oid, 'pg_proc') as comment, p.prosecdef as "securityDefiner", p.prorettype = 'trigger'::regtype as "isTrigger",
    (select coalesce(json_agg(json_build_object(
        'name', p.proargnames[a.i], 'type', format_type(a.type, null), 'optional', a.i > p.pronargs - p.pronargdefaults
      ) order by a.i), '[]')
     from unnest(p.proargtypes::oid[]) with ordinality a (type, i)) as arguments,
    format_type(p.prorettype, null) as returns, p.proretset as "returnsSet",
    (select json_build_object('schema', rn.nspname, 'name', r.relname, 'kind', r.relkind)
     from pg_type t join pg_class r on r.oid = t.typrelid join pg_namespace rn on rn.oid = r.relnamespace
     where t.oid = p.prorettype) as "returnsRow",
    (select coalesce(json_agg(json_build_object('role', g.role, 'privileges', array['execute']) order by g.role), '[]')
     from (select case a.grantee when 0 then 'public' else a.grantee::regrole::text end as role
           from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee <> p.proowner) g) as grants
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any($1) and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by n.nspname, p.proname, p.oid::regprocedure::text`

/** The functions of our schemas, in an order that never changes. */
export async function readFunctions(client: pg.Client): Promise<Routine[]> {
  return (await client.query<Routine>(query, [schemas])).rows
}
