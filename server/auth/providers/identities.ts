import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'

/** Updates `app_metadata.provider` (the first) and `app_metadata.providers` after an identity is added or removed. */
export async function noteProviders(db: CallerDb, userId: string): Promise<void> {
  await db.rows(sql`
    update auth.users u set
      raw_app_meta_data = (u.raw_app_meta_data - '{provider,providers}'::text[]) || coalesce((
        select jsonb_build_object('provider', p.providers -> 0, 'providers', p.providers)
        from (
          select jsonb_agg(i.provider order by i.since, i.provider) as providers
          from (
            select provider, min(created_at) as since from auth.identities where user_id = ${userId} group by provider
          ) i
        ) p
        where p.providers is not null
      ), '{}'), updated_at = now()
    where u.id = ${userId}`)
}
