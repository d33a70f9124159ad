import { type Context, onAccount } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'
import { balanceOf, book } from './balance.ts'

type Payout = Kinds['payout']

/** Sends money of a connected account to its bank. In the sandbox it is there at once. */
export function payOut(context: Context, account: string, amount: number, automatic: boolean): Payout {
  const there = onAccount(context, account)
  const bank = context.store.get('account', account).external_accounts?.data[0]
  const id = newId('po')
  const entry = book(there, { type: 'payout', amount: -amount, source: id, description: 'STRIPE PAYOUT' })
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
    currency: 'usd',
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
    trace_id: null,
    type: 'bank_account',
  })
  return updated(there, 'payout', 'payout.paid', { ...sent, status: 'paid' })
}

/** The bank did not take it: the money is back. */
export function failPayout(context: Context, payout: Payout): Payout {
  const entry = book(context, {
    type: 'payout_failure',
    amount: payout.amount,
    source: payout.id,
    description: 'STRIPE PAYOUT FAILURE',
  })
  return updated(context, 'payout', 'payout.failed', {
    ...payout,
    failure_balance_transaction: entry.id,
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
    status: 'failed',
  })
}

/** What the clock does at midnight with an account that is paid out daily. */
export function payOutDaily(context: Context, account: string): void {
  const balance = balanceOf(context, account)
  if (balance > 0 && context.store.get('account', account).payouts_enabled) payOut(context, account, balance, true)
  context.store.schedule(account, null)
}
