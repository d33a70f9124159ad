import type { Sandbox } from '@ovation/sandbox'
import type pg from 'pg'
import type { Gateway } from '../../gateway.ts'
import { withClient } from '../../postgres/migrate.ts'
import { sql } from '../../postgres/sql.ts'
import { demoCreators } from '../content/creators/index.ts'
import { demoCrowd, demoFans, demoVoices } from '../content/fans.ts'
import { demoEmail, openClient } from '../demo-client.ts'
import { fillDesk, inviteApplicant } from './admin-inbox.ts'
import { bookYear } from './books.ts'
import { inviteCrowd } from './crowd.ts'
import { fillFunnel } from './funnel.ts'
import { fillInboxes } from './inboxes.ts'
import { planYear } from './plan.ts'
import { bookSessions } from './private-sessions.ts'
import { type ProviderWorld, replayYear } from './provider.ts'
import { reactForMonths } from './reactions.ts'
import { openSteps, settingOf } from './steps.ts'

type FillOptions = {
  readonly gateway: Gateway
  readonly ownerUrl: string
  readonly sandbox: Sandbox
  readonly signal: AbortSignal
}

/** Whether the demo's past isn't complete. Data that was seeded before there was one has other users, and stays as it is. */
export async function lacksPast({ services }: Gateway): Promise<boolean> {
  const rows = await services.database.service.rows(sql`
    select from private.settings where key = ${settingOf('users')}
      and not exists (select from private.settings where key = ${settingOf('funnel')})`)
  return rows.length > 0
}

/**
 * Gives the demo its past: a crowd of fans, three months of reactions, full inboxes, and a year of payments. It takes a while, so the
 * product is in use meanwhile.
 */
export async function fillDemo({ gateway, ownerUrl, sandbox, signal }: FillOptions): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const now = Date.now()
    const crowd = [...demoVoices, ...demoCrowd].map(({ username }) => username)
    const steps = openSteps(client, signal)
    const { services } = gateway
    const service = openClient(gateway, services.secrets.serviceRoleKey)
    await steps.resume('crowd', () => inviteCrowd(service, signal))
    await steps.doAtOnce('reactions', () => reactForMonths(client, now, demoCreators, crowd))
    await steps.doAtOnce('inboxes', () => fillInboxes(client, now))
    await steps.resume('applicant', () => inviteApplicant(gateway, service))
    await steps.doAtOnce('desk', () => fillDesk(client, now))
    await steps.resume('sessions', () => bookSessions(gateway, service, demoCreators, signal))
    const world = await readWorld(client, services.config.platformFeePercent)
    await steps.resume('payments', async () => {
      const begun = await readProgress(client, Math.floor(now / 1000))
      const year = planYear(begun.now, demoCreators, crowd)
      const onProgress = (done: number) => keepProgress(client, { now: begun.now, done })
      await replayYear({ sandbox, world, year, done: begun.done, signal, onProgress })
    })
    const accounts = new Map(
      [...world.accounts].flatMap(([username, account]) => {
        const creator = world.profiles.get(username)
        return creator ? [[creator.id, account] as const] : []
      }),
    )
    await steps.resume('books', () => bookYear(client, services.stripe.api, accounts, signal))
    await steps.doAtOnce('funnel', () => fillFunnel(client))
  })
}

/** From when the year is counted back, and how many of its events are over. */
type Progress = { readonly now: number; readonly done: number }

/** How far earlier starts have come. The first one begins the year. */
async function readProgress(client: pg.Client, now: number): Promise<Progress> {
  const { rows } = await client.query<{ value: string }>(
    'insert into private.settings as s (key, value) values ($1, $2) on conflict (key) do update set value = s.value returning s.value',
    [settingOf('year'), JSON.stringify({ now, done: 0 })],
  )
  return JSON.parse(rows[0]?.value ?? '')
}

const keepProgress = (client: pg.Client, progress: Progress) =>
  client.query('update private.settings set value = $2 where key = $1', [settingOf('year'), JSON.stringify(progress)])

async function readWorld(client: pg.Client, feePercent: number): Promise<ProviderWorld> {
  const usernames = [...demoCreators, ...demoVoices, ...demoCrowd, ...demoFans].map(({ username }) => username)
  const { rows: people } = await client.query<{
    id: string
    username: string
    name: string
    account: string | null
    customer: string | null
  }>(
    `select p.id, p.username, coalesce(p.display_name, p.username) as name, p.stripe_account_id as account, c.customer_id as customer
     from private.profiles p left join private.stripe_customers c on c.profile_id = p.id where p.username = any($1)`,
    [usernames],
  )
  const { rows: plans } = await client.query<{ id: string; price: string; key: string }>(
    `select s.id, k.stripe_price_id as price, c.username || ' ' || s.name as key
     from public.subscription_products s join private.stripe_prices k on k.product_id = s.id and k.interval_count = 1 and k.price_cents = s.price_cents
     join private.profiles c on c.id = s.creator_id`,
  )
  const { rows: posts } = await client.query<{ id: string; content: string }>(
    `select id, content from private.posts where post_type = 'ppv'`,
  )
  return {
    profiles: new Map(people.map(({ id, username, name }) => [username, { id, name, email: demoEmail(username) }])),
    accounts: new Map(people.flatMap(({ username, account }) => (account ? [[username, account]] : []))),
    plans: new Map(plans.map(({ id, price, key }) => [key, { id, price }])),
    posts: new Map(posts.map(({ id, content }) => [content, id])),
    customers: new Map(people.flatMap(({ id, customer }) => (customer ? [[id, customer]] : []))),
    feePercent,
  }
}
