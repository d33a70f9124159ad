import type pg from 'pg'
import type { Mutation } from './mutations/mutation.ts'
import { firstDifference } from './run.ts'

export type Verdict =
  /** The matrix turned red: `probe` is the first that met something else. */
  | { readonly mutation: Mutation; readonly outcome: 'noticed'; readonly probe: number }
  /** The matrix stayed green: a hole, in the matrix or in the rules. */
  | { readonly mutation: Mutation; readonly outcome: 'survived' }
  /** PostgreSQL refused the changed text: nothing to learn from it. */
  | { readonly mutation: Mutation; readonly outcome: 'impossible'; readonly reason: string }

/** Applies one mutation, asks the matrix, and takes it back. The probes are loaded (run.ts). */
export async function prove(client: pg.Client, mutation: Mutation): Promise<Verdict> {
  await client.query('begin')
  try {
    try {
      await client.query(mutation.sql)
    } catch (error) {
      return { mutation, outcome: 'impossible', reason: (error as Error).message }
    }
    const probe = await firstDifference(client, mutation.subjects)
    return probe === null ? { mutation, outcome: 'survived' } : { mutation, outcome: 'noticed', probe }
  } finally {
    await client.query('rollback')
  }
}
