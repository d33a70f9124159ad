import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import { askOnce } from '../idempotency.ts'
import type { Payments } from '../payments.ts'

/** What a person's payout account can do (ONB-06). All false, and no id, where there is none. */
export type AccountStatus = {
  readonly accountId: string | null
  readonly onboardingCompleted: boolean
  /** Whether the creator can be paid: fans pay the platform, which transfers the creator's part, so this is the transfers capability. */
  readonly chargesEnabled: boolean
  readonly payoutsEnabled: boolean
  /** Stripe has taken rights back, or wants more before it gives them: only the holder can do something about it. */
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
 * The person's payout account, opened at Stripe when there is none (Express; API-FN-06). A double click opens one, for Stripe
 * answers the same key with the same account.
 */
export async function openAccount(
  payments: Payments,
  holder: AccountHolder,
): Promise<AccountStatus & { isNew: boolean }> {
  const present = await refreshAccount(payments, holder)
  if (present.accountId !== null) return { ...present, isNew: false }
  const { siteUrl, operator } = payments.config
  const params: Stripe.AccountCreateParams = {
    // What used to be called Express: the platform pays Stripe's fees and bears losses, and Stripe asks for what it needs to know.
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
    },
    ...(holder.email !== null && { email: holder.email }),
    // Fans pay the platform: the creator's account only receives transfers, and is asked for no more than that needs.
    capabilities: { transfers: { requested: true } },
    // So that creators need no website of their own. Stripe takes public addresses alone.
    business_profile: {
      product_description: `Posts, subscriptions and messages for fans on ${operator.productName}`,
      ...(siteUrl?.startsWith('https:') && { url: siteUrl }),
    },
    metadata: { user_id: holder.userId, profile_id: holder.profileId },
  }
  // An account that was closed at Stripe is replaced: its id makes the next key another one.
  const account = await askOnce(`account:${holder.profileId}:${holder.stripeAccountId ?? 'first'}`, (idempotencyKey) =>
    payments.stripe.api.accounts.create(params, { idempotencyKey }),
  )
  await attachAccount(payments, holder, account.id)
  return { ...(await storeStatus(payments, account)), isNew: true }
}

/** Asks Stripe for the person's account and keeps its answer. An account that is gone counts as none, so that another can be opened. */
export async function refreshAccount(payments: Payments, { stripeAccountId }: AccountHolder): Promise<AccountStatus> {
  return stripeAccountId === null ? noAccount : syncAccount(payments, stripeAccountId)
}

/** Takes over what Stripe says of an account now, whoever holds it: closed and restricted accounts stop selling. */
export async function syncAccount(payments: Payments, accountId: string): Promise<AccountStatus> {
  try {
    return await storeStatus(payments, await payments.stripe.api.accounts.retrieve(accountId))
  } catch (error) {
    if (!isAccountGone(error)) throw error
    payments.log.warn({ accountId }, 'a payout account is gone at the provider')
    await disableAccount(payments, accountId)
    return noAccount
  }
}

/**
 * Makes an account the person's, in place of the one that they had when they asked and that is gone.
 * @throws 409 when it is another person's, or the person has another one by now.
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
 * An account that can not be used any more sells nothing. Its id stays until its holder opens another: with a wrong key in the
 * configuration every account looks gone, and must be there again when the key is put right.
 */
export async function disableAccount({ database }: Payments, accountId: string): Promise<void> {
  await database.service.rows(sql`
    update private.profiles set stripe_onboarding_completed = false, stripe_charges_enabled = false, stripe_payouts_enabled = false
    where stripe_account_id = ${accountId}`)
  await settleRenewals({ database }, accountId)
}

/** Renewals stop while the creator can't be paid, and go on when they can. */
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

/** A destination charge needs this of the account alone; `charges_enabled` speaks of charges that the account makes itself. */
const canBePaid = ({ capabilities }: Stripe.Account): boolean => capabilities?.transfers === 'active'

/** Onboarding is done, and still something is missing; that Stripe is checking what it was told is no restriction. */
function isRestricted({ details_submitted, requirements, capabilities }: Stripe.Account): boolean {
  if (details_submitted !== true) return false
  const reason = requirements?.disabled_reason ?? null
  if (reason !== null) return reason !== 'requirements.pending_verification'
  return capabilities?.transfers === 'inactive'
}

/** Stripe answers 403 `account_invalid` for an account that was closed or has withdrawn from the platform, 404 for none at all. */
export function isAccountGone(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    (error.code === 'account_invalid' || error.code === 'resource_missing') &&
    (error.statusCode === 403 || error.statusCode === 404)
  )
}
