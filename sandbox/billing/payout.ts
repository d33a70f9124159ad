import { type Context, onAccount } from '../context.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'
import { balanceOf, book } from './balance.ts'
import { currencyOf } from './currency.ts'

type Payout = Kinds['payout']

/**
 * Sends money of a connected account to its bank, or takes it from there where the amount is negative. In the sandbox it arrives at
 * once.
 */
export function payOut(context: Context, account: string, amount: number, automatic: boolean): Payout {
  const there = onAccount(context, account)
  const bank = context.store.find('account', '', account)?.external_accounts?.data[0]
  const id = newId('po')
  const entry = book(there, {
    type: 'payout',
    amount: -amount,
    source: id,
    description: 'STRIPE PAYOUT',
    isOwnCurrency: true,
  })
  const sent = created(there, 'payout', 'payout.created', {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: context.now,
    automatic,
    balance_transaction: entry.id,
    created: context.now,
    currency: currencyOf(there),
    description: automatic ? 'STRIPE PAYOUT' : null,
    destination: bank?.id ?? null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: automatic ? 'completed' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: { status: 'pending', value: null },
    type: 'bank_account',
  })
  const trace = { status: 'supported', value: randomText(15).toUpperCase() }
  return updated(there, 'payout', 'payout.paid', { ...sent, status: 'paid', trace_id: trace })
}

/** The bank did not take it: the money is back. */
export function failPayout(context: Context, payout: Payout): Payout {
  const entry = book(context, {
    type: 'payout_failure',
    amount: payout.amount,
    source: payout.id,
    description: 'STRIPE PAYOUT FAILURE',
    isOwnCurrency: true,
  })
  return updated(context, 'payout', 'payout.failed', {
    ...payout,
    failure_balance_transaction: entry.id,
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
    status: 'failed',
  })
}

/** Pays out what is available to a connected account, if anything is and it may be paid out. */
export function payOutAll(context: Context, account: string): void {
  const { available } = balanceOf(context, account)
  if (available > 0 && context.store.get('account', account).payouts_enabled) payOut(context, account, available, true)
}

/** What the clock does at midnight with a connected account: pays it out, or takes from its bank what it owes. */
export function settleDaily(context: Context, account: string): void {
  context.store.schedule(account, null)
  if (context.dailyPayouts) payOutAll(context, account)
  if (context.truth.bankDebits) debitBank(context, account)
  const { next } = balanceOf(context, account)
  if (context.dailyPayouts && next !== null) context.store.scheduleBefore(account, next)
}

/** Money that is on its way counts: only what it won't cover is debited. */
function debitBank(context: Context, account: string): void {
  const { available, pending } = balanceOf(context, account)
  const { external_accounts: banks, settings } = context.store.get('account', account)
  if (available + pending < 0 && banks?.data[0] && settings?.payouts?.debit_negative_balances)
    payOut(context, account, available + pending, true)
}
