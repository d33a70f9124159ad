import type { Database } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

/** Limits a run, so that a few failing posts don't hold up the rest. */
const most = 100

/**
 * Publishes the posts that are due, each in its own transaction. Publishing twice has no further effect.
 * @throws if any of them failed for a reason other than a rejected post, so that the job retries.
 */
export async function publishDuePosts({ database }: { readonly database: Database }): Promise<void> {
  const due = await database.service.rows<{ id: string }>(sql`
    select id from public.scheduled_posts where publish_at <= now() and failure is null order by publish_at limit ${most}`)
  const failures: unknown[] = []
  for (const { id } of due) {
    await database.service.rows(sql`select private.publish_due_post(${id})`).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} scheduled posts were not published`)
}
