import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import { tidyUsername } from '../users/create-account.ts'

/**
 * Rejects an invalid, taken, or reserved username before the account lookup, so that the response is the same whether there is one (AUTH-10).
 * @throws pg's DatabaseError for `profiles_username_key`, `profiles_username_format`.
 */
export async function requireAvailableUsername(ctx: AuthContext, requested: unknown): Promise<void> {
  if (typeof requested !== 'string') return
  const username = tidyUsername(requested)
  if (username === '') return
  await ctx.db.rows(sql`select private.require_username(${username})`)
  await ctx.db.rows(sql`
    select private.username_taken() where exists (select from private.profiles p where p.username = ${username})
      or private.is_username_reserved(${username}, null)`)
}
