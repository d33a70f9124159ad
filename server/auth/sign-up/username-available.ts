import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import { tidyUsername } from '../users/create-account.ts'

/**
 * Refuses a bad or taken username before an account is looked for, so that the answer is the same whether there is one (AUTH-10).
 * @throws pg's DatabaseError for `profiles_username_key`, `profiles_username_format`.
 */
export async function requireAvailableUsername(ctx: AuthContext, wish: unknown): Promise<void> {
  if (typeof wish !== 'string') return
  const username = tidyUsername(wish)
  if (username === '') return
  await ctx.db.rows(sql`select private.require_username(${username})`)
  await ctx.db.rows(sql`
    select private.username_taken() where exists (select from private.profiles p where p.username = ${username})`)
}
