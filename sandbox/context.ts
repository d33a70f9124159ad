import type { Store } from './store/store.ts'
import type { Truth } from './truth.ts'

/** As an operator sets it in Stripe's Dashboard. */
export type Dunning = 'cancel' | 'past_due' | 'unpaid'

/** What every piece of work is given: one request, one due moment, or one submitted page. */
export type Context = {
  store: Store
  /** Whose objects are meant: `''` is the platform, else the connected account of `Stripe-Account`. */
  account: string
  /** Unix seconds of the sandbox's clock. */
  now: number
  /** Where a browser finds the hosted pages, without a slash at the end: `http://127.0.0.1:8000/sandbox`. */
  pagesUrl: string
  /** The shop's first page, where the pages stand below its own address. */
  homeUrl: string | undefined
  /** Who sells, as the hosted pages and the invoices name it. */
  merchant: string
  /** Connected accounts are paid out each midnight. */
  dailyPayouts: boolean
  /** Work of a history: it sends no webhooks. */
  isSilent?: boolean
  /** Which of Stripe's inconvenient rules hold. */
  truth: Truth
  /** What becomes of a subscription after the last attempt to collect an invoice. */
  dunning: () => Dunning
  request: { id: string | null; idempotencyKey: string | null }
}

/** The same work on another account's books. */
export const onAccount = (context: Context, account: string): Context => ({ ...context, account })
