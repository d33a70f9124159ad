import type pg from 'pg'
import type { Person } from './people.ts'

export type FeedShapes = { readonly byCreator: number; readonly byTime: number }

/** Buffers of the two ways to find a feed's first page, for a user who follows thousands. This is why get_feed has both. */
export async function compareFeedShapes(client: pg.Client, { profileId }: Person): Promise<FeedShapes> {
  const count = async (name: 'feed_by_creator' | 'feed_by_time') => {
    const sql = `select private.${name}($1, 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 20)`
    await client.query(sql, [profileId])
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) ${sql}`,
      [profileId],
    )
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }
  return { byCreator: await count('feed_by_creator'), byTime: await count('feed_by_time') }
}
