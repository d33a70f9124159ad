import type { EmbeddedPostgres } from '@ovation/server/postgres/embedded'
import { migrate, withClient } from '@ovation/server/postgres/migrate'

/**
 * The migrated database of this name, kept from an earlier run or filled now. It is filled under another name first, for a run may be
 * broken off, and the next one must not measure half of the data. A database that newer migrations don't fit is made again.
 * @param fill is given its owner's address. @returns the same.
 */
export async function openWhole(
  postgres: EmbeddedPostgres,
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  const url = postgres.url(name)
  const onServer = (sql: string) => withClient(postgres.url('postgres'), (client) => client.query(sql))
  const { rowCount: isKept } = await onServer(`select from pg_database where datname = '${name}'`)
  if (isKept) {
    try {
      const applied = await migrate(url)
      if (applied.length > 0) await withClient(url, (client) => client.query('vacuum (analyze)'))
      return url
    } catch (error) {
      process.stdout.write(`${name} doesn't fit these migrations and is made again: ${(error as Error).message}\n`)
      await onServer(`drop database ${name} with (force)`)
    }
  }
  const unfinished = `${name}_unfinished`
  await onServer(`drop database if exists ${unfinished} with (force)`)
  await onServer(`create database ${unfinished}`)
  await migrate(postgres.url(unfinished))
  await fill(postgres.url(unfinished))
  await onServer(`alter database ${unfinished} rename to ${name}`)
  return url
}
