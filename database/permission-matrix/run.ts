import type pg from 'pg'
import type { MatrixFixture } from './matrix-fixture.ts'
import { roleOf } from './personas.ts'
import type { Probe } from './probes.ts'

/**
 * The driver runs in the database: a probe is a subtransaction in which the session sets role and claims, runs the statement,
 * and rolls everything back. Thousands of them take one round trip.
 */
const driver = `
  create temp table if not exists probe (n int primary key, subject text, role text, claims text, sql text, kind text, expected text, proof text);
  create or replace function pg_temp.meet(p probe) returns text language plpgsql as $$
  declare
    v_outcome text;
    v_rows int;
    v_state text;
    v_constraint text;
    v_message text;
    v_done boolean;
  begin
    begin
      perform set_config('request.jwt.claims', p.claims, true), set_config('role', p.role, true);
      if p.kind = 'answer' then
        execute p.sql into v_outcome;
        v_outcome := coalesce(v_outcome, '');
      else
        execute p.sql;
        get diagnostics v_rows = row_count;
        v_outcome := case v_rows when 0 then 'nothing' when 1 then 'yes' else v_rows::text end;
        if v_outcome = 'yes' and p.proof is not null then
          perform set_config('role', 'none', true);
          execute p.proof into v_done;
          v_outcome := case when v_done then 'yes' else 'unchanged' end;
        end if;
      end if;
      set constraints all immediate; -- what would be refused at commit is refused now
      raise exception 'taken back' using errcode = 'ZZ000';
    exception
      when sqlstate 'ZZ000' then null; -- the outcome stays: variables are not undone
      when others then
        get stacked diagnostics v_state = returned_sqlstate, v_constraint = constraint_name, v_message = message_text;
        v_outcome := case
          when v_state <> '42501' then trim(v_state || ' ' || v_constraint)
          when v_message ~ '^permission denied for (schema|function)' then 'closed'
          else 'refused'
        end;
    end;
    return v_outcome;
  end $$;
  -- Those of the subjects given come first: that is where a change is likely to show.
  create or replace function pg_temp.first_difference(p_subjects text[]) returns int language plpgsql as $$
  declare
    v_probe probe;
  begin
    for v_probe in select * from probe order by subject = any(p_subjects) desc, n loop
      if pg_temp.meet(v_probe) is distinct from v_probe.expected then
        return v_probe.n;
      end if;
    end loop;
    return null;
  end $$;`

/** Loads the probes into the session. */
export async function loadProbes(world: MatrixFixture, probes: readonly Probe[]): Promise<void> {
  await world.client.query(driver)
  await world.client.query('truncate pg_temp.probe')
  const rows = probes.map(({ subject, persona, sql, kind, expected, proof }, n) => {
    return { n, subject, role: roleOf(persona), claims: world.claims(persona), sql, kind, expected, proof }
  })
  await world.client.query(
    'insert into pg_temp.probe select * from jsonb_populate_recordset(null::pg_temp.probe, $1::jsonb)',
    [JSON.stringify(rows)],
  )
}

/** They take a second: a connection that starts to follow the write-ahead log waits for every transaction of the server. */
const probesPerTransaction = 500

/** The outcome of each probe, in their order. */
export async function meetAll(client: pg.Client): Promise<string[]> {
  const outcomes: string[] = []
  for (;;) {
    const { rows } = await client.query<{ outcome: string }>(
      'select pg_temp.meet(p) as outcome from pg_temp.probe p where n >= $1 and n < $1 + $2 order by n',
      [outcomes.length, probesPerTransaction],
    )
    if (rows.length === 0) return outcomes
    outcomes.push(...rows.map(({ outcome }) => outcome))
  }
}

/** The number of the first probe with an unexpected outcome; null if there is none. */
export async function firstDifference(client: pg.Client, subjects: readonly string[]): Promise<number | null> {
  const { rows } = await client.query<{ n: number | null }>('select pg_temp.first_difference($1) as n', [subjects])
  return rows[0]?.n ?? null
}

/** The differences of a read, row by row; for other probes both outcomes. */
export function describeDifference({ cell, expected, sql }: Probe, outcome: string): string {
  const wanted = new Set(expected.split('\n'))
  const met = new Set(outcome.split('\n'))
  const missing = [...wanted].filter((line) => !met.has(line)).join(', ')
  const surplus = [...met].filter((line) => !wanted.has(line)).join(', ')
  return `${cell}: expected ${missing || '-'}, met ${surplus || '-'}\n    ${sql}`
}
