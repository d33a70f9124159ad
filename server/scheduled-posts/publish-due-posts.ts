import type { Database } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

/** A few stubborn ones do not hold up the rest. */
const most = 100

/**
 * Publishes the posts whose time has come. Each in a transaction of its own; published twice, it is published once.
 * @throws when any of them met what is no rule's refusal, so that the job tries again.
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
