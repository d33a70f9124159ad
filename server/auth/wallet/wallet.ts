import { createHash } from 'node:crypto'
import { serviceRole } from '../../postgres/caller.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { accountOf } from '../providers/link-identity.ts'
import { allowedRedirect } from '../redirects.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { openSession, type SessionResponse } from '../sessions/sessions.ts'
import { parseWalletMessage, type WalletMessage } from './wallet-message.ts'
import { isSignedByEthereum, isSignedBySolana } from './wallet-signature.ts'

export type WalletGrant = { readonly chain: string | undefined; readonly message: string; readonly signature: string }

/** How long after its creation a message signs in; clocks may differ by a minute. */
const maxAgeMs = 10 * 60_000
const clockToleranceMs = 60_000

/**
 * Signs in with a message that a wallet signed (API-AUTH-06): for this site, now, and once.
 * @throws GatewayError 400 `web3_unsupported_chain`, `validation_failed`, `invalid_credentials`, `user_banned`; 422 `web3_provider_disabled`, `signup_disabled`; 429.
 */
export async function grantByWallet(
  ctx: AuthContext,
  grant: WalletGrant,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  const chain = requireChain(ctx, grant.chain)
  const wait = await ctx.limits.signIn.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const message = parseWalletMessage(grant.message, chain)
  if (!message) throw authErrors.badWalletMessage('it is not in the form of EIP-4361')
  requireForThisSite(ctx, message)
  requireForNow(message)
  const isSigned = chain === 'ethereum' ? isSignedByEthereum : isSignedBySolana
  if (!isSigned(grant.message, grant.signature, message.address)) throw authErrors.badWalletSignature()
  const address = chain === 'ethereum' ? message.address.toLowerCase() : message.address
  const id = `web3:${chain}:${address}`
  const data = { sub: id, custom_claims: { address, chain, network: message.chainId ?? '', domain: message.domain } }
  return ctx.database.transaction(serviceRole, async (db) => {
    const hash = createHash('sha256').update(grant.message).digest('hex')
    const until = new Date(message.issuedAt.getTime() + maxAgeMs + clockToleranceMs)
    const spent = await db.rows(sql`
      insert into auth.spent_wallet_messages (message_hash, expires_at) values (${hash}, ${until})
      on conflict (message_hash) do nothing returning message_hash`)
    if (spent.length === 0) throw authErrors.badWalletMessage('it was used already')
    const person = { provider: 'web3', id, email: undefined, emailVerified: false, data }
    const account = await accountOf(ctx, db, person, visitor)
    await recordAudit(db, 'login', account, visitor, { provider: 'web3', chain })
    return openSession(ctx, db, account, { method: 'web3', provider: 'web3' }, visitor)
  })
}

/** Checked before the body is read. @throws GatewayError 422 `web3_provider_disabled`. */
export function requireWallets({ config: { auth } }: AuthContext) {
  if (!auth.wallets.ethereum && !auth.wallets.solana) throw authErrors.web3Disabled()
}

function requireChain({ config }: AuthContext, chain: string | undefined): 'ethereum' | 'solana' {
  const { wallets } = config.auth
  if (chain === 'ethereum' && wallets.ethereum) return chain
  if (chain === 'solana' && wallets.solana) return chain
  throw chain === 'ethereum' || chain === 'solana' ? authErrors.web3Disabled() : authErrors.web3UnknownChain()
}

/** A signature for another site is useless here, even if a user was tricked into signing it there. */
function requireForThisSite(ctx: AuthContext, { uri, domain }: WalletMessage) {
  const isOurs = URL.canParse(uri) && allowedRedirect(ctx, uri) === new URL(uri).href
  if (!isOurs) throw authErrors.badWalletMessage('its URI is not this site')
  if (new URL(uri).host !== domain) throw authErrors.badWalletMessage('its domain is not that of its URI')
}

function requireForNow({ version, issuedAt, expirationTime, notBefore }: WalletMessage) {
  const now = Date.now()
  if (version !== '1') throw authErrors.badWalletMessage('its version is not 1')
  if (issuedAt.getTime() > now + clockToleranceMs) throw authErrors.badWalletMessage('it was issued in the future')
  if (issuedAt.getTime() < now - maxAgeMs) throw authErrors.badWalletMessage('it was issued too long ago')
  if (expirationTime && expirationTime.getTime() <= now) throw authErrors.badWalletMessage('it has expired')
  if (notBefore && notBefore.getTime() > now + clockToleranceMs)
    throw authErrors.badWalletMessage('it is not valid yet')
}
