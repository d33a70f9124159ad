import type pg from 'pg'

/** Runs work in a transaction, again after a deadlock: users and webhooks may write the same rows meanwhile. */
export async function inTransaction(client: pg.Client, work: () => Promise<unknown>, attempts = 5): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    if ((error as { code?: unknown }).code !== '40P01' || attempts === 1) throw error
    await inTransaction(client, work, attempts - 1)
  }
}
