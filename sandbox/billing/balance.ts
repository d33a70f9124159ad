import type { Context } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'

type Entry = {
  type:
    | 'application_fee'
    | 'application_fee_refund'
    | 'charge'
    | 'payment'
    | 'payment_refund'
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

/** Balance of each account in cents, and what the buyers paid in and did not get back: the one must equal the sum of the others. */
export type Books = { platform: number; accounts: Record<string, number>; paidIn: number }

export function readBooks(context: Context): Books {
  const books: Books = { platform: 0, accounts: {}, paidIn: 0 }
  for (const { account, object: entry } of context.store.all('balance_transaction')) {
    if (account === '') books.platform += entry.net
    else books.accounts[account] = (books.accounts[account] ?? 0) + entry.net
    if (entry.type === 'charge' || entry.type === 'refund') books.paidIn += entry.amount
  }
  return books
}
