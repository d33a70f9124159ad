import type { Context } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'

const day = 86_400
/** Accounts that are paid out daily are paid out then. */
const nextMidnight = (now: number): number => (Math.floor(now / day) + 1) * day

type Entry = {
  type:
    | 'adjustment'
    | 'application_fee'
    | 'application_fee_refund'
    | 'charge'
    | 'payment'
    | 'payment_refund'
    | 'payout'
    | 'payout_failure'
    | 'refund'
    | 'transfer'
    | 'transfer_refund'
  amount: number
  fee?: { amount: number; description: string; type: string }
  source: string
  description: string | null
}

/** Writes one line into the books of the context's account. Money is available at once: the sandbox has no waiting days. */
export function book(
  context: Context,
  { type, amount, fee, source, description }: Entry,
): Kinds['balance_transaction'] {
  if (context.account && context.dailyPayouts && amount > 0)
    context.store.schedule(context.account, nextMidnight(context.now))
  return context.store.insert('balance_transaction', context.account, {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: context.now,
    balance_type: 'payments',
    created: context.now,
    currency: 'usd',
    description,
    exchange_rate: null,
    fee: fee?.amount ?? 0,
    fee_details: fee ? [{ ...fee, application: null, currency: 'usd' }] : [],
    net: amount - (fee?.amount ?? 0),
    reporting_category: categories[type] ?? type,
    source,
    status: 'available',
    type,
  })
}

/** Stripe's reporting category, where it is not the type itself. */
const categories: Partial<Record<Entry['type'], string>> = {
  application_fee: 'platform_earning',
  application_fee_refund: 'platform_earning_refund',
  payment: 'charge',
  payment_refund: 'refund',
  transfer_refund: 'transfer_reversal',
}

/**
 * Balance of each account in cents, what the buyers paid in and did not get back, and what went to banks: `paidIn - paidOut` is the
 * sum of the balances.
 */
export type Books = { platform: number; accounts: Record<string, number>; paidIn: number; paidOut: number }

/** Between the buyers' banks and the platform; an adjustment is a dispute. */
const buyers = new Set<string>(['adjustment', 'charge', 'refund'])

export const balanceOf = (context: Context, account: string): number => readBooks(context).accounts[account] ?? 0

export function readBooks(context: Context): Books {
  const books: Books = { platform: 0, accounts: {}, paidIn: 0, paidOut: 0 }
  for (const { account, object: entry } of context.store.all('balance_transaction')) {
    if (account === '') books.platform += entry.net
    else books.accounts[account] = (books.accounts[account] ?? 0) + entry.net
    if (buyers.has(entry.type)) books.paidIn += entry.amount
    if (entry.type === 'payout' || entry.type === 'payout_failure') books.paidOut -= entry.amount
  }
  return books
}
