import type pg from 'pg'
import type { Mutation } from './mutation.ts'

/** Trigger functions without any client permission: the tests of their tables cover them. */
const harmless = [
  'touch_updated_at',
  'keep_away_period', // maintains a column that clients can't write
  'keep_flow_lists', // spares flows a list that is missing; database/tests/functions/flows.test.ts
  'receive_poll', // the form: trims, and words the errors of its check constraints
  'receive_support_request', // the same
  'resolve_report', // records who settled a report, and when
  'set_access_until', // runs when the server writes Stripe's state
  'reject_change', // restricts the server and the owner; clients have no grant to change such a table
]

/** Drops each INSTEAD OF and BEFORE trigger of relations that clients may name. */
export async function triggerMutations(client: pg.Client): Promise<Mutation[]> {
  const { rows } = await client.query<{ name: string; relation: string }>(
    `select quote_ident(t.tgname) as name, format('%I.%I', n.nspname, c.relname) as relation
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and n.nspname in ('public', 'storage') and not p.proname = any($1)
       and t.tgtype & 1 = 1 -- for each row
       and t.tgtype & (2 | 64) > 0 -- before, instead of
     order by 2, 1`,
    [harmless],
  )
  return rows.map(({ name, relation }) => ({
    name: `trigger ${name} on ${relation} dropped`,
    subjects: [relation],
    sql: `drop trigger ${name} on ${relation}`,
  }))
}
