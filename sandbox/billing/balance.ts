import type { Context } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { convert, currencyOf } from './currency.ts'

const day = 86_400
const waitingDays = 2

/** Accounts are paid out, or debited, then. */
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
    | 'refund_failure'
    | 'topup'
    | 'transfer'
    | 'transfer_refund'
  amount: number
  fee?: Fee
  source: string
  description: string | null
  /** When the money can be used; at once where it is absent. */
  availableOn?: number
  /** The amount is in the account's own currency; else it is in dollars, and converted. */
  isOwnCurrency?: boolean
}

export type Fee = { amount: number; description: string; type: 'application_fee' | 'stripe_fee' }

/** When money that is charged now can be used. */
export const settlesOn = ({ now, truth }: Context): number =>
  truth.waitingDays ? (Math.floor(now / day) + waitingDays) * day : now

/** When the money of an earlier entry can be used: what follows from it waits for it. */
export const availableWith = (context: Context, entry: string | null): number =>
  Math.max(context.now, entry ? context.store.get('balance_transaction', entry).available_on : 0)

/** Writes one line into the books of the context's account. */
export function book(context: Context, entry: Entry): Kinds['balance_transaction'] {
  const { type, source, description, availableOn = context.now } = entry
  const currency = currencyOf(context)
  const { amount, rate } = entry.isOwnCurrency ? { amount: entry.amount, rate: null } : convert(entry.amount, currency)
  const fee = entry.fee && { ...entry.fee, amount: convert(entry.fee.amount, currency).amount }
  const isPending = availableOn > context.now
  const written = context.store.insert('balance_transaction', context.account, {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: availableOn,
    balance_type: 'payments',
    created: context.now,
    currency,
    description,
    exchange_rate: rate,
    fee: fee?.amount ?? 0,
    fee_details: fee ? [{ ...fee, application: null, currency }] : [],
    net: amount - (fee?.amount ?? 0),
    reporting_category: categories[type] ?? type,
    source,
    status: isPending ? 'pending' : 'available',
    type,
  })
  if (isPending) context.store.schedule(written.id, availableOn)
  if (context.account) lookAtMidnight(context, amount, availableOn)
  return written
}

/** Asks the clock to look at a connected account when there will be something to pay out, or to debit. */
function lookAtMidnight(context: Context, amount: number, availableOn: number): void {
  const wanted = amount > 0 ? context.dailyPayouts : context.truth.bankDebits
  if (wanted) context.store.scheduleBefore(context.account, Math.max(nextMidnight(context.now), availableOn))
}

/** The clock: the money of an entry can be used from now on. */
export function makeAvailable(context: Context, entry: Kinds['balance_transaction']): void {
  context.store.save<'balance_transaction'>({ ...entry, status: 'available' })
  context.store.schedule(entry.id, null)
}

/** Stripe's reporting category, where it is not the type itself. */
const categories: Partial<Record<Entry['type'], string>> = {
  application_fee: 'platform_earning',
  application_fee_refund: 'platform_earning_refund',
  payment: 'charge',
  payment_refund: 'refund',
  transfer_refund: 'transfer_reversal',
}

/** What an account holds, in the smallest unit of the currency. `next` is when more of it becomes available. */
export type Balance = { available: number; pending: number; next: number | null }

/** @param account `''` is the platform. */
export function balanceOf(context: Context, account: string): Balance {
  const row = context.store
    .prepare(
      `select
         coalesce(sum(json_extract(data, '$.net')) filter (where json_extract(data, '$.available_on') <= ?1), 0) as available,
         coalesce(sum(json_extract(data, '$.net')) filter (where json_extract(data, '$.available_on') > ?1), 0) as pending,
         min(json_extract(data, '$.available_on')) filter (where json_extract(data, '$.available_on') > ?1) as next
       from objects where kind = 'balance_transaction' and account = ?2`,
    )
    .get(context.now, account) as Balance
  return { ...row }
}

/**
 * Balances in cents: of the platform before Stripe's fees and without top-ups, and of each connected account; what the buyers paid in and
 * did not get back; what went to banks; what Stripe kept; and what the operator added. `paidIn - paidOut` is the sum of the balances
 * while all accounts keep dollars: those of another country have cents of their own.
 */
export type Books = {
  platform: number
  accounts: Record<string, number>
  paidIn: number
  paidOut: number
  stripeFees: number
  toppedUp: number
}

/** Between the buyers' banks and the platform; an adjustment is a dispute. */
const buyers = new Set<string>(['adjustment', 'charge', 'refund', 'refund_failure'])

export function readBooks(context: Context): Books {
  const books: Books = { platform: 0, accounts: {}, paidIn: 0, paidOut: 0, stripeFees: 0, toppedUp: 0 }
  for (const { account, object: entry } of context.store.all('balance_transaction')) {
    if (entry.type === 'topup') books.toppedUp += entry.amount
    else if (account === '') {
      books.platform += entry.amount
      books.stripeFees += entry.fee
    } else books.accounts[account] = (books.accounts[account] ?? 0) + entry.net
    if (buyers.has(entry.type)) books.paidIn += entry.amount
    if (entry.type === 'payout' || entry.type === 'payout_failure') books.paidOut -= entry.amount
  }
  return books
}
