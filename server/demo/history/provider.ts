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

/** A year, or the rest of it. */
export type Replay = {
  readonly sandbox: Sandbox
  readonly world: ProviderWorld
  /** The whole year, in order. */
  readonly year: readonly (DemoEvent | PayoutDay)[]
  /** How many of its events are known to be replayed. The next one may be, too: the sandbox knows. */
  readonly done: number
  readonly signal: AbortSignal
  /** Called after each event with how many are replayed. */
  readonly onProgress: (done: number) => Promise<unknown>
}

const hour = 3600

/**
 * Makes a year of payments at the sandbox, each at its time: fans subscribe, are charged month by month, tip, buy posts, and leave; creators
 * are paid out. That sends no webhooks, so the product's books are written separately (books.ts). After a stop at any point, the rest makes
 * the same year of it, provided that the sandbox's clock was paused all the time.
 */
export async function replayYear({ sandbox, world, year, done, signal, onProgress }: Replay): Promise<void> {
  const next = year[done] ?? year.at(-1)
  if (!next) return
  const history = sandbox.openHistory(next.at - hour)
  try {
    const payer = new Payer(history, sandbox, world)
    await payer.recall(next.at, year.at(-1)?.at ?? next.at)
    for (const [index, event] of year.entries()) {
      if (index < done) continue
      signal.throwIfAborted()
      await passUntil(history, event.at)
      if (event.kind === 'payouts') await payer.payOut()
      else await payer.replay(event, `${index}`)
      await onProgress(index + 1)
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
  /** At the sandbox, by profiles.id. */
  readonly #customers: Map<string, string>
  readonly #cards = new Map<string, string>()
  /** By the profiles.id of fan and creator. */
  readonly #subscriptions = new Map<string, string>()
  /** Events whose payments the sandbox has already. */
  readonly #paid = new Set<string>()

  constructor(history: History, sandbox: Sandbox, world: ProviderWorld) {
    this.#world = world
    this.#customers = new Map(world.customers)
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

  /**
   * Finds what earlier starts have made.
   * @param from when the next event is: only that one may have been paid already.
   * @param until when the last event is. Later cards are the users' own.
   */
  async recall(from: number, until: number): Promise<void> {
    for await (const { id, metadata } of this.#stripe.customers.list({ limit: 100 }))
      if (metadata.profile_id && !this.#customers.has(metadata.profile_id)) this.#customers.set(metadata.profile_id, id)
    for (const customer of this.#customers.values()) {
      const { data: cards } = await this.#stripe.paymentMethods.list({ customer, type: 'card', limit: 100 })
      const own = cards.find(({ created }) => created <= until)
      if (own) this.#cards.set(customer, own.id)
    }
    for await (const { id, metadata } of this.#stripe.subscriptions.list({ status: 'all', limit: 100 }))
      this.#subscriptions.set(`${metadata.profile_id} ${metadata.creator_id}`, id)
    for await (const { metadata } of this.#stripe.paymentIntents.list({ created: { gte: from }, limit: 100 }))
      if (metadata.demo_event) this.#paid.add(metadata.demo_event)
  }

  /** @param id names the event at the sandbox. What it has of this event already isn't made again. */
  async replay(event: DemoEvent, id: string): Promise<void> {
    const between = `${this.#profileOf(event.fan).id} ${this.#profileOf(event.creator).id}`
    const subscription = this.#subscriptions.get(between)
    if (event.kind === 'subscribe') {
      if (!subscription) this.#subscriptions.set(between, await this.#subscribe(event))
    } else if (event.kind === 'cancel') {
      if (subscription) await this.#stripe.subscriptions.update(subscription, { cancel_at_period_end: true })
    } else if (!this.#paid.has(id)) await this.#pay(event, id)
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

  async #pay(event: DemoEvent & { kind: 'tip' | 'buy' }, id: string): Promise<void> {
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
        demo_event: id,
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
    const { id: profileId, name, email } = this.#profileOf(fan)
    const customer =
      this.#customers.get(profileId) ??
      (await this.#stripe.customers.create({ name, email, metadata: { profile_id: profileId } })).id
    this.#customers.set(profileId, customer)
    const card =
      this.#cards.get(customer) ?? (await this.#stripe.paymentMethods.attach('pm_card_visa', { customer })).id
    this.#cards.set(customer, card)
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
