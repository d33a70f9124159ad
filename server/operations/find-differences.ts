import type pg from 'pg'

/**
 * The results of the database's own checks (`private.verify_…`): counters, conversations, and the chains of the ledger and of the
 * record of authors.
 * @returns one line for each check that found something; none when all is well.
 */
export async function findDifferences(client: pg.Client): Promise<string[]> {
  const { rows: checks } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, p.proname) as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = 'private' and p.proname like 'verify\\_%' and p.proretset and p.pronargs = 0 order by 1`,
  )
  const found: string[] = []
  for (const { name } of checks) {
    const { rowCount } = await client.query(`select from ${name}()`)
    if (rowCount) found.push(`${name}() finds ${rowCount} ${rowCount === 1 ? 'difference' : 'differences'}`)
  }
  return found
}
