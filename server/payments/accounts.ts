import Stripe from 'stripe'
import { sql } from '../postgres/sql.ts'
import { paymentErrors } from './errors.ts'
import type { Payments } from './payments.ts'

/** What a person's payout account can do (ONB-06). All false, and no id, where there is none. */
export type AccountStatus = {
  readonly accountId: string | null
  readonly onboardingCompleted: boolean
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
  const account = await payments.stripe.api.accounts.create(
    {
      type: 'express',
      ...(holder.email !== null && { email: holder.email }),
      capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
      metadata: { user_id: holder.userId, profile_id: holder.profileId },
    },
    // An account that was closed at Stripe is replaced: its id makes the next key another one.
    { idempotencyKey: `account:${holder.profileId}:${holder.stripeAccountId ?? 'first'}` },
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
}

async function storeStatus({ database }: Payments, account: Stripe.Account): Promise<AccountStatus> {
  const status: AccountStatus = {
    accountId: account.id,
    onboardingCompleted: account.details_submitted ?? false,
    chargesEnabled: account.charges_enabled ?? false,
    payoutsEnabled: account.payouts_enabled ?? false,
    restricted: isRestricted(account),
  }
  await database.service.rows(sql`
    update private.profiles set stripe_onboarding_completed = ${status.onboardingCompleted},
      stripe_charges_enabled = ${status.chargesEnabled}, stripe_payouts_enabled = ${status.payoutsEnabled}
    where stripe_account_id = ${account.id}`)
  return status
}

/** Onboarding is done, and still something is missing; that Stripe is checking what it was told is no restriction. */
function isRestricted({ details_submitted, requirements }: Stripe.Account): boolean {
  const reason = requirements?.disabled_reason ?? null
  return details_submitted === true && reason !== null && reason !== 'requirements.pending_verification'
}

/** Stripe answers 403 `account_invalid` for an account that was closed or has withdrawn from the platform, 404 for none at all. */
export function isAccountGone(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    (error.code === 'account_invalid' || error.code === 'resource_missing') &&
    (error.statusCode === 403 || error.statusCode === 404)
  )
}
