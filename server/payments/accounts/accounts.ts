import type { PayoutCountry } from '@ovation/contract/countries'
import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import { askOnce } from '../idempotency.ts'
import type { Payments } from '../payments.ts'

/** What a payout account can do (ONB-06). All false, without an id, if there is none. */
export type AccountStatus = {
  readonly accountId: string | null
  readonly onboardingCompleted: boolean
  /** Whether the creator can be paid. Fans pay the platform, which transfers the creator's part, so this is the transfers capability. */
  readonly chargesEnabled: boolean
  readonly payoutsEnabled: boolean
  /** Stripe has withdrawn capabilities or requires more information first; only the account's holder can fix it. */
  readonly restricted: boolean
}

const noAccount: AccountStatus = {
  accountId: null,
  onboardingCompleted: false,
  chargesEnabled: false,
  payoutsEnabled: false,
  restricted: false,
}

export type AccountHolder = {
  readonly userId: string
  readonly profileId: string
  readonly email: string | null
  readonly stripeAccountId: string | null
}

/**
 * Opens the creator's payout account at Stripe if there is none (Express; API-FN-06). A double click opens only one, because Stripe
 * returns the same account for the same key.
 * @param country where the creator lives. Stripe never changes it. Null for the platform's own country.
 */
export async function openAccount(
  payments: Payments,
  holder: AccountHolder,
  country: PayoutCountry | null = null,
): Promise<AccountStatus & { isNew: boolean }> {
  const present = await refreshAccount(payments, holder)
  if (present.accountId !== null) return { ...present, isNew: false }
  const { siteUrl, operator } = payments.config
  const params: Stripe.AccountCreateParams = {
    // Formerly called Express: the platform pays Stripe's fees and bears losses, and Stripe collects the information it needs.
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
    },
    ...(country !== null && { country }),
    ...(holder.email !== null && { email: holder.email }),
    // Fans pay the platform, so the creator's account only receives transfers and has to provide no more than that requires.
    capabilities: { transfers: { requested: true } },
    // Creators need no website of their own this way. Stripe accepts only public URLs.
    business_profile: {
      product_description: `Posts, subscriptions and messages for fans on ${operator.productName}`,
      ...(siteUrl?.startsWith('https:') && { url: siteUrl }),
    },
    metadata: { user_id: holder.userId, profile_id: holder.profileId },
  }
  // Replaces an account that was closed at Stripe: its id makes the next key another one. So does a country that was chosen by mistake and
  // corrected before the first response arrived: Stripe rejects a key with other parameters.
  const key = ['account', holder.profileId, holder.stripeAccountId ?? 'first', ...(country === null ? [] : [country])]
  const account = await askOnce(key.join(':'), (idempotencyKey) =>
    payments.stripe.api.accounts.create(params, { idempotencyKey }),
  )
  await attachAccount(payments, holder, account.id)
  return { ...(await storeStatus(payments, account)), isNew: true }
}

/** Stores Stripe's current status of the account. An account that is gone counts as none, so that another can be opened. */
export async function refreshAccount(payments: Payments, { stripeAccountId }: AccountHolder): Promise<AccountStatus> {
  return stripeAccountId === null ? noAccount : syncAccount(payments, stripeAccountId)
}

/** Stores Stripe's current status of any account, so that closed and restricted accounts stop selling. */
export async function syncAccount(payments: Payments, accountId: string): Promise<AccountStatus> {
  try {
    return await storeStatus(payments, await payments.stripe.api.accounts.retrieve(accountId))
  } catch (error) {
    if (!isAccountGone(error)) throw error
    payments.log.warn({ accountId }, 'a payout account no longer exists at the provider')
    await disableAccount(payments, accountId)
    return noAccount
  }
}

/**
 * Makes an account the user's own. It replaces the account that is gone since their request.
 * @throws 409 if it belongs to another user, or the user has another account by now.
 */
export async function attachAccount({ database }: Payments, holder: AccountHolder, accountId: string): Promise<void> {
  const { profileId, stripeAccountId: gone } = holder
  const [found] = await database.service.rows<{ attached: boolean; taken: boolean }>(sql`
    with taken as (
      select from private.profiles o where o.stripe_account_id = ${accountId} and o.id <> ${profileId}
    ), attached as (
      update private.profiles set stripe_account_id = ${accountId}
      where id = ${profileId} and (stripe_account_id is null or stripe_account_id in (${accountId}, ${gone}))
        and not exists (select from taken)
      returning id
    )
    select exists (select from attached) as attached, exists (select from taken) as taken`)
  if (found?.attached) return
  throw found?.taken ? paymentErrors.accountTaken() : paymentErrors.accountOther()
}

/**
 * Stops sales of an account that can no longer be used. Its id stays until its holder opens another: with a wrong key in the
 * configuration every account looks gone, and must work again once the key is fixed.
 */
export async function disableAccount({ database }: Payments, accountId: string): Promise<void> {
  await database.service.rows(sql`
    update private.profiles set stripe_onboarding_completed = false, stripe_charges_enabled = false, stripe_payouts_enabled = false
    where stripe_account_id = ${accountId}`)
  await settleRenewals({ database }, accountId)
}

/** Pauses renewals while the creator can't be paid, and resumes them afterwards. */
async function settleRenewals({ database }: Pick<Payments, 'database'>, accountId: string): Promise<void> {
  await database.service.rows(sql`
    select private.settle_renewals(p.id) from private.profiles p where p.stripe_account_id = ${accountId}`)
}

async function storeStatus(payments: Payments, account: Stripe.Account): Promise<AccountStatus> {
  const status: AccountStatus = {
    accountId: account.id,
    onboardingCompleted: account.details_submitted ?? false,
    chargesEnabled: canBePaid(account),
    payoutsEnabled: account.payouts_enabled ?? false,
    restricted: isRestricted(account),
  }
  await payments.database.service.rows(sql`
    update private.profiles set stripe_onboarding_completed = ${status.onboardingCompleted},
      stripe_charges_enabled = ${status.chargesEnabled}, stripe_payouts_enabled = ${status.payoutsEnabled}
    where stripe_account_id = ${account.id}`)
  await settleRenewals(payments, account.id)
  return status
}

/** A destination charge requires only this of the account; `charges_enabled` is about charges that the account makes itself. */
const canBePaid = ({ capabilities }: Stripe.Account): boolean => capabilities?.transfers === 'active'

/** Onboarding is complete, but something is missing. An ongoing check by Stripe is no restriction. */
function isRestricted({ details_submitted, requirements, capabilities }: Stripe.Account): boolean {
  if (details_submitted !== true) return false
  const reason = requirements?.disabled_reason ?? null
  if (reason !== null) return reason !== 'requirements.pending_verification'
  return capabilities?.transfers === 'inactive'
}

/** Stripe returns 403 `account_invalid` for an account that was closed or has left the platform, 404 for an unknown one. */
export function isAccountGone(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    (error.code === 'account_invalid' || error.code === 'resource_missing') &&
    (error.statusCode === 403 || error.statusCode === 404)
  )
}

/** Whether an account was closed, or has left the platform: nothing can be sent to it or taken from it. */
export async function isLost({ stripe }: Payments, accountId: string): Promise<boolean> {
  return stripe.api.accounts.retrieve(accountId).then(
    () => false,
    (error: unknown) => {
      if (!isAccountGone(error)) throw error
      return true
    },
  )
}
