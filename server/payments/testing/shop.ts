import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '@ovation/sandbox'
import { onboardingAnswers, payingCard, submit, visit } from '@ovation/sandbox/visit'
import type { FunctionsHttpError } from '@supabase/supabase-js'
import type Stripe from 'stripe'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { buildCreator as buildApprovedCreator } from '../../testing/people.ts'

export type Plan = {
  readonly id: string
  readonly name: string
  readonly price_cents: number
  readonly trial_days: number
}

/** The product with its payment sandbox: real gateway, real PostgreSQL, real webhooks. */
export type Shop = {
  readonly gateway: TestGateway
  readonly sandbox: Sandbox
  /** The sandbox's database on disk, for tests in which the provider itself is wrong. */
  readonly sandboxFile: string
  readonly stripe: Stripe
  /** Creates an approved creator who has completed onboarding and accepts charges. */
  buildCreator(): Promise<Person>
  /** Takes a user through onboarding. */
  onboard(person: Person): Promise<void>
  /** Creates an approved creator without a payout account. */
  buildApproved(): Promise<Person>
  /** Creates a plan through the function; $9.99 a month by default. */
  buildPlan(creator: Person, about?: Record<string, unknown>): Promise<Plan>
  /** A user's payout account, by its id at the provider. */
  accountOf(person: Pick<Person, 'profileId'>): Promise<string>
  /** Delivers webhooks from now on. Until then they are held back if the shop was built with `webhooks: false`. */
  openWebhooks(): void
  /** Resolves when every sent webhook has been fulfilled, and the requests that they caused are done or wait for money. */
  settled(): Promise<void>
  close(): Promise<void>
}

export async function buildShop({
  webhooks = true,
  env = {},
  truth = {},
  funds = 1_000_000,
}: {
  readonly webhooks?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** Which of Stripe's inconvenient rules the sandbox applies; its defaults otherwise. */
  readonly truth?: NonNullable<Parameters<typeof startSandbox>[0]['truth']>
  /** Cents that the operator has added to the platform's balance. */
  readonly funds?: number
} = {}): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-shop-'))
  const sandboxFile = join(folder, 'sandbox.sqlite')
  const sandbox = await startSandbox({ file: sandboxFile, merchant: 'Ovation', isDurable: false, truth })
  if (funds > 0) sandbox.topUp(funds)
  const gateway = await startGateway({ env, sandboxUrl: sandbox.url })
  sandbox.setPublicUrl(gateway.url)
  const openWebhooks = () =>
    sandbox.setWebhook({
      url: `${gateway.url}/functions/v1/stripe-webhook`,
      secret: gateway.secrets.sandboxWebhookSecret,
    })
  if (webhooks) openWebhooks()

  const buildApproved = () => buildApprovedCreator(gateway)

  async function buildCreator(): Promise<Person> {
    const creator = await buildApproved()
    await call(creator, 'create-stripe-account')
    await onboardPerson(creator)
    return creator
  }

  async function onboardPerson(person: Person): Promise<void> {
    const { url } = await call<{ url: string }>(person, 'create-onboarding-link', { origin: gateway.url })
    await onboard(url)
    await call(person, 'check-stripe-status')
  }

  return {
    gateway,
    sandbox,
    sandboxFile,
    stripe: gateway.services.stripe.api,
    onboard: onboardPerson,
    buildApproved,
    buildCreator,
    async buildPlan(creator, about = {}) {
      const body = { name: 'Backstage', price_cents: 999, interval: 'month', ...about }
      return (await call<{ product: Plan }>(creator, 'create-subscription-product', body)).product
    },
    async accountOf({ profileId }) {
      const [row] = await gateway.query<{ id: string | null }>(
        'select stripe_account_id as id from private.profiles where id = $1',
        [profileId],
      )
      if (!row?.id) throw new Error('there is no payout account')
      return row.id
    },
    openWebhooks,
    async settled() {
      const deadline = Date.now() + 15_000
      for (;;) {
        await sandbox.webhooksSettled()
        const [row] = await gateway.query<{ waiting: number }>(
          `select (select count(*) from private.stripe_events where processed_at is null)::int
             + (select count(*) from private.payment_tasks where done_at is null and coalesce(waits_until <= now(), true))::int as waiting`,
        )
        if (row?.waiting === 0) return
        if (Date.now() > deadline) {
          const reasons = await gateway.query(
            `select type as what, error from private.stripe_events where processed_at is null
             union all select kind, error from private.payment_tasks where done_at is null`,
          )
          throw new Error(`not fulfilled: ${JSON.stringify(reasons)}`)
        }
        await sleep(25)
      }
    },
    async close() {
      await gateway.close()
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Calls a function as the user does, with the official client. @throws the client's error. */
export async function call<Answer = Record<string, unknown>>(
  { client }: Pick<Person, 'client'>,
  name: string,
  body?: Record<string, unknown>,
): Promise<Answer> {
  const { data, error } = await client.functions.invoke<Answer>(name, { body })
  if (error) throw new Error(`${name}: ${await (error as FunctionsHttpError).context?.text?.()}`, { cause: error })
  return data as Answer
}

/** How a function rejects a call: the kind of the client's error, the status, and the body. */
export async function refusalOf(
  { client }: Pick<Person, 'client'>,
  name: string,
  body?: Record<string, unknown>,
): Promise<{ error: string; status: number; body: Record<string, unknown> }> {
  const { data, error } = await client.functions.invoke(name, { body })
  if (!error) throw new Error(`${name} did not reject the call, it returned ${JSON.stringify(data)}`)
  const response: Response = error.context
  return { error: error.name, status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Submits the sandbox's onboarding page. @returns where it sends the creator. */
export async function onboard(url: string): Promise<string | null> {
  const { location } = await submit(await visit(url), onboardingAnswers)
  return location
}

/** Pays a checkout page with a card. @returns where the page sends the fan, and its status. */
export async function pay(url: string, number: string = payingCard.number, values: Record<string, string> = {}) {
  const { status, location } = await submit(await visit(url), { ...payingCard, number, ...values })
  return { status, location }
}

/** Subscribes a fan: checkout and payment. */
export async function subscribe(fan: Person, plan: Plan): Promise<void> {
  const { url } = await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: plan.id })
  const { status } = await pay(url)
  if (status !== 303) throw new Error(`the payment page returned ${status}`)
}
