import { setImmediate as breathe } from 'node:timers/promises'
import { splitPayment } from '@ovation/contract/fees'
import type { History, Sandbox } from '@ovation/sandbox'
import Stripe from 'stripe'
import type { DemoEvent, PayoutDay } from './plan.ts'

/** What the provider has to know of the product's own rows. */
export type ProviderWorld = {
  /** profiles.id and name by username. */
  readonly profiles: ReadonlyMap<string, { readonly id: string; readonly name: string; readonly email: string }>
  /** Connected accounts by the creator's username. */
  readonly accounts: ReadonlyMap<string, string>
  /** `creator plan` to the plan and its price at the provider. */
  readonly plans: ReadonlyMap<string, { readonly id: string; readonly price: string }>
  /** posts.id by content. */
  readonly posts: ReadonlyMap<string, string>
  /** Customers that exist already, by profiles.id. */
  readonly customers: ReadonlyMap<string, string>
  readonly feePercent: number
}

const hour = 3600
const progressSteps = 10

/**
 * Makes a year of payments at the sandbox, each at its time: fans subscribe, are charged month by month, tip, buy posts, and leave; creators
 * are paid out. That sends no webhooks, so the product's books are written separately (books.ts).
 * @param onProgress called from time to time with how much of the year is over, so that a stopped start goes on from there.
 */
export async function replayYear(
  sandbox: Sandbox,
  world: ProviderWorld,
  year: readonly (DemoEvent | PayoutDay)[],
  signal: AbortSignal,
  onProgress: (count: number) => Promise<unknown>,
): Promise<void> {
  const [first] = year
  if (!first) return
  const history = sandbox.openHistory(first.at - hour)
  const payer = new Payer(history, sandbox, world)
  try {
    for (const [index, event] of year.entries()) {
      if (index % progressSteps === 0) await onProgress(index)
      signal.throwIfAborted()
      await passUntil(history, event.at)
      if (event.kind === 'payouts') await payer.payOut()
      else await payer.replay(event)
    }
    await passUntil(history, sandbox.now())
  } finally {
    history.close()
  }
}

/** In steps of a day, so that requests of the product's users don't wait for months of renewals. */
async function passUntil(history: History, moment: number): Promise<void> {
  while (history.now() < moment) {
    history.passUntil(Math.min(history.now() + 24 * hour, moment))
    await breathe()
  }
}

class Payer {
  readonly #stripe: Stripe
  readonly #world: ProviderWorld
  readonly #customers = new Map<string, { customer: string; card: string }>()
  readonly #subscriptions = new Map<string, string>()

  constructor(history: History, sandbox: Sandbox, world: ProviderWorld) {
    this.#world = world
    this.#stripe = new Stripe('sk_test_demo', {
      host: sandbox.host,
      port: sandbox.port,
      protocol: 'http',
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient((url, init) =>
        fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...history.headers } }),
      ),
    })
  }

  async replay(event: DemoEvent): Promise<void> {
    const { fan, creator } = event
    const between = `${fan} ${creator}`
    if (event.kind === 'subscribe') {
      if (!this.#subscriptions.has(between)) this.#subscriptions.set(between, await this.#subscribe(event))
    } else if (event.kind === 'cancel') {
      const subscription = this.#subscriptions.get(between)
      if (subscription) await this.#stripe.subscriptions.update(subscription, { cancel_at_period_end: true })
    } else await this.#pay(event)
  }

  async #subscribe({ fan, creator, plan: name, trialDays }: DemoEvent & { kind: 'subscribe' }): Promise<string> {
    const { customer, card } = await this.#customerOf(fan)
    const plan = this.#world.plans.get(`${creator} ${name}`)
    if (!plan) throw new Error(`${creator} has no plan ${name}.`)
    const { id } = await this.#stripe.subscriptions.create({
      customer,
      items: [{ price: plan.price }],
      default_payment_method: card,
      payment_behavior: 'error_if_incomplete',
      application_fee_percent: this.#world.feePercent,
      transfer_data: { destination: this.#accountOf(creator) },
      metadata: { profile_id: this.#profileOf(fan).id, creator_id: this.#profileOf(creator).id, product_id: plan.id },
      ...(trialDays > 0 && { trial_period_days: trialDays }),
    })
    return id
  }

  async #pay(event: DemoEvent & { kind: 'tip' | 'buy' }): Promise<void> {
    const { fan, creator, cents } = event
    const { customer, card } = await this.#customerOf(fan)
    const { feeCents } = splitPayment(cents, this.#world.feePercent)
    const post = event.kind === 'buy' ? this.#world.posts.get(event.content) : undefined
    const about: Record<string, string> = post === undefined ? { kind: 'tip' } : { kind: 'ppv', post_id: post }
    await this.#stripe.paymentIntents.create({
      amount: cents,
      currency: 'usd',
      confirm: true,
      customer,
      payment_method: card,
      description: post === undefined ? `Tip for ${this.#profileOf(creator).name}` : 'Post',
      transfer_data: { destination: this.#accountOf(creator) },
      application_fee_amount: feeCents,
      metadata: {
        ...about,
        profile_id: this.#profileOf(fan).id,
        creator_id: this.#profileOf(creator).id,
        amount_cents: String(cents),
        fee_cents: String(feeCents),
      },
    })
  }

  /** All that is available, to each creator's bank. */
  async payOut(): Promise<void> {
    for (const stripeAccount of this.#world.accounts.values()) {
      const { available } = await this.#stripe.balance.retrieve({}, { stripeAccount })
      const amount = available.find(({ currency }) => currency === 'usd')?.amount ?? 0
      if (amount > 0) await this.#stripe.payouts.create({ amount, currency: 'usd' }, { stripeAccount })
    }
  }

  async #customerOf(fan: string): Promise<{ customer: string; card: string }> {
    const known = this.#customers.get(fan)
    if (known) return known
    const { id: profileId, name, email } = this.#profileOf(fan)
    const customer =
      this.#world.customers.get(profileId) ??
      (await this.#stripe.customers.create({ name, email, metadata: { profile_id: profileId } })).id
    const { id: card } = await this.#stripe.paymentMethods.attach('pm_card_visa', { customer })
    this.#customers.set(fan, { customer, card })
    return { customer, card }
  }

  #profileOf(username: string) {
    const profile = this.#world.profiles.get(username)
    if (!profile) throw new Error(`The demo has no user ${username}.`)
    return profile
  }

  #accountOf(creator: string): string {
    const account = this.#world.accounts.get(creator)
    if (!account) throw new Error(`${creator} can't be paid.`)
    return account
  }
}
