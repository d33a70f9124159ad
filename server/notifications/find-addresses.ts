import { sql } from '../postgres/sql.ts'
import type { Services } from './services.ts'

/** Email addresses by profiles.id. Only confirmed ones: a mistyped one may belong to someone else. */
export async function findAddresses(
  { database }: Services,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.service.rows<{ id: string; email: string }>(sql`
    select p.id, u.email from private.profiles p join auth.users u on u.id = p.user_id
    where p.id = any(${[...profileIds]}::uuid[]) and u.email is not null and u.email_confirmed_at is not null
      and u.deleted_at is null`)
  return new Map(rows.map(({ id, email }) => [id, email]))
}
