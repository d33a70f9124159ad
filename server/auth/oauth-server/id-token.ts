import { idTokenUse } from '../../http/tokens.ts'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import type { Account } from '../users/account.ts'
import { issuerOf } from './redirect-address.ts'

type ForWhom = { readonly clientId: string; readonly scopes: readonly string[]; readonly nonce: string | null }

/** Undefined without `openid`, and with a shared secret: an application could verify such a token only with our own key. */
export async function signIdToken(
  ctx: AuthContext,
  account: Account,
  { clientId, scopes, nonce }: ForWhom,
): Promise<string | undefined> {
  if (!scopes.includes('openid') || !ctx.tokens.isVerifiableByOthers) return undefined
  const claims = {
    iss: issuerOf(ctx),
    aud: clientId,
    ...(await readUserInfo(ctx, account, scopes)),
    ...(nonce !== null && { nonce }),
    token_use: idTokenUse,
  }
  return ctx.tokens.sign(claims, ctx.config.auth.jwtExp)
}

/** The user data that the scopes cover, as claims of OpenID Connect Core section 5.4. */
export async function readUserInfo({ db }: AuthContext, account: Account, scopes: readonly string[]) {
  const has = (scope: string) => scopes.includes(scope)
  const [profile] = has('profile')
    ? await db.rows<{ username: string; display_name: string | null; avatar_url: string | null }>(sql`
        select username, display_name, avatar_url from public.profiles where user_id = ${account.id}`)
    : []
  return {
    sub: account.id,
    ...(has('email') && account.email && { email: account.email, email_verified: account.email_confirmed_at !== null }),
    ...(has('phone') &&
      account.phone && {
        phone_number: `+${account.phone}`,
        phone_number_verified: account.phone_confirmed_at !== null,
      }),
    ...(profile && {
      name: profile.display_name ?? profile.username,
      preferred_username: profile.username,
      ...(profile.avatar_url && { picture: profile.avatar_url }),
    }),
  }
}
