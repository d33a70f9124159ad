import { closeCheckout } from './close-checkout.ts'
import type { Payments } from './payments.ts'

export type Page = { readonly id: string; readonly url: string }

/** What is to be paid once, and on one page. */
export type Wish = {
  /** The pages on which it can be paid, as the provider has said. */
  readonly payable: readonly Page[]
  /** Those that are not over as far as is known by now: another tab may have opened one meanwhile. */
  readonly readOpen: () => Promise<readonly Page[]>
  /** Refuses when what was paid on one of them has fulfilled the wish. */
  readonly requireStillWanted: () => Promise<unknown>
}

/**
 * Leaves the fan one page, so that one wish is never paid twice: the others are closed before one is opened, and again after. Two tabs
 * that open two at once close each other's, which is safe.
 * @param present the page of `payable` that is kept, if there is one; else `open` makes one.
 * @returns the address of the page to pay on. Where the provider is at work on another one, that one: its fan finishes there.
 */
export async function leaveOnePage(
  payments: Payments,
  wish: Wish,
  present: Page | undefined,
  open: () => Promise<Page>,
): Promise<string> {
  // Not those of `readOpen`: a second click would close the page of the first.
  const busy = await closePages(payments, wish, wish.payable, present)
  if (busy) return busy.url
  const page = present ?? (await open())
  return ((await closePages(payments, wish, await wish.readOpen(), page)) ?? page).url
}

/**
 * Closes pages, but for the one that is kept. Where another can not be closed, or was paid and has fulfilled the wish, the kept one is
 * closed as well.
 * @returns one that stays open, because the provider is at work on a payment.
 * @throws what `requireStillWanted` does, where one of them was paid in this very moment.
 */
export async function closePages(
  payments: Payments,
  { requireStillWanted }: Pick<Wish, 'requireStillWanted'>,
  pages: readonly Page[],
  kept?: Page,
): Promise<Page | undefined> {
  let busy: Page | undefined
  let wasPaid = false
  for (const page of pages) {
    if (page.id === kept?.id) continue
    const status = await closeCheckout(payments, page.id)
    if (status === 'open' || status === 'pending') busy = page
    if (status === 'complete') wasPaid = true
  }
  try {
    if (wasPaid) await requireStillWanted()
  } catch (refusal) {
    if (kept) await closeCheckout(payments, kept.id)
    throw refusal
  }
  if (busy && kept) await closeCheckout(payments, kept.id)
  return busy
}
