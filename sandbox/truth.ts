/**
 * How closely the sandbox behaves like the real Stripe where the truth is inconvenient. Each part is a switch of its own, so that a
 * test of something else can turn it off.
 */
export type Truth = {
  /** A refusal is kept under its idempotency key like any other answer once the endpoint has begun. */
  keptRefusals: boolean
  /** 409 `idempotency_key_in_use` and 429 `lock_timeout` while a request with the same key, or on the same object, is unanswered. */
  busyKeys: boolean
  /** More than 100 requests within a second of real time are refused with 429 `rate_limit`. */
  rateLimit: boolean
  /** Stripe takes 2.9 % + 30 ¢ of each charge, 1.5 % more for a foreign card, and $15 for a dispute. */
  processingFees: boolean
  /** What was charged is available after two days. Until then it is pending, and not paid out. */
  waitingDays: boolean
  /** A transfer without `source_transaction` takes no more than the platform's available balance. */
  transferLimit: boolean
  /** A transfer is reversed up to what the connected account holds. A refund with `reverse_transfer` goes below that. */
  reversalLimit: boolean
  /** A connected account below zero is debited at its bank at the next midnight: a payout with a negative amount. */
  bankDebits: boolean
  /** Checkout offers debits of bank accounts, which take days, unless the request names the methods it wants. */
  delayedMethods: boolean
  /** A renewal's invoice is a draft for an hour before it is finalized and charged. */
  draftHour: boolean
  /** A charge for a connected account whose `transfers` capability isn't active is refused, at a renewal too. */
  refusedDestinations: boolean
  /** An event is sent up to two seconds late, and in no order. */
  lateEvents: boolean
}

/** What holds where nobody says otherwise. */
export const defaultTruth: Readonly<Truth> = {
  keptRefusals: true,
  busyKeys: true,
  rateLimit: false,
  processingFees: true,
  waitingDays: true,
  transferLimit: true,
  reversalLimit: true,
  bankDebits: true,
  delayedMethods: true,
  draftHour: true,
  refusedDestinations: true,
  lateEvents: false,
}

const names = Object.keys(defaultTruth) as (keyof Truth)[]
const every = (value: boolean) => Object.fromEntries(names.map((name) => [name, value])) as Truth

/**
 * The switches as a start asks for them. `SANDBOX_TRUTH` changes the defaults, and `wanted` goes before both.
 * @param text `all`, `none`, or names with commas; a minus before a name turns it off: `all,-rateLimit`.
 * @throws one sentence that names the variable, for a name that isn't a switch.
 */
export function readTruth(wanted: Partial<Truth> = {}, text = process.env.SANDBOX_TRUTH ?? ''): Truth {
  let truth: Truth = { ...defaultTruth }
  for (const word of text.split(',').map((part) => part.trim())) {
    const name = names.find((known) => known === word.replace(/^-/, ''))
    if (word === 'all' || word === 'none') truth = every(word === 'all')
    else if (name) truth[name] = !word.startsWith('-')
    else if (word !== '')
      throw new Error(
        `SANDBOX_TRUTH must list switches of the payment sandbox (all, none, ${names.join(', ')}), not "${word}".`,
      )
  }
  return { ...truth, ...wanted }
}
