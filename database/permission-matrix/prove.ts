import type pg from 'pg'
import type { Mutation } from './mutations/mutation.ts'
import { firstDifference } from './run.ts'

export type Verdict =
  /** The matrix failed: `probe` is the first with another outcome. */
  | { readonly mutation: Mutation; readonly outcome: 'noticed'; readonly probe: number }
  /** The matrix passed: a hole, in the matrix or in the rules. */
  | { readonly mutation: Mutation; readonly outcome: 'survived' }
  /** PostgreSQL rejected the changed text: it proves nothing. */
  | { readonly mutation: Mutation; readonly outcome: 'impossible'; readonly reason: string }

/** Applies one mutation, runs the matrix, and reverts it. The probes are loaded (run.ts). */
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
