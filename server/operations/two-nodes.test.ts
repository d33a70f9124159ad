import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '@ovation/sandbox'
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { prepareJobs } from '../jobs/prepare.ts'
import { call, onboard, type Plan, pay } from '../payments/testing/shop.ts'
import { migrate } from '../postgres/migrate.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../testing/gateway-process.ts'
import { onePixel } from '../testing/one-pixel.ts'
import { type OutsidePostgres, startOutsidePostgres } from '../testing/outside-postgres.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { findDifferences } from './find-differences.ts'

// As an operator runs it on two machines: the parts beside the product are separate, and the nodes share nothing else.
// The S3 server is another installation's S3 API (docs/decisions/0020).
let postgres: OutsidePostgres
let redis: TestRedis
let files: TestGateway
let sandbox: Sandbox
let first: GatewayProcess
let second: GatewayProcess
const folders: string[] = []
const clients: SupabaseClient[] = []
const webhookSecret = 'whsec_two_nodes'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'ovation-nodes-'))
  folders.push(made)
  return made
}

beforeAll(async () => {
  ;[postgres, redis, files] = await Promise.all([startOutsidePostgres(), startRedis(), startGateway()])
  sandbox = await startSandbox({ file: join(folder(), 'sandbox.sqlite'), merchant: 'Ovation' })
  sandbox.setPublicUrl(sandbox.url)
  await migrate(postgres.url)
  await prepareJobs(postgres.url)
  await files.service.storage.createBucket('ovation', { public: false })
  const made = await fetch(`${files.url}/storage/v1/s3-keys`, {
    method: 'POST',
    headers: { apikey: files.secrets.serviceRoleKey, 'content-type': 'application/json' },
    body: '{}',
  })
  const key = (await made.json()) as { accessKeyId: string; secretAccessKey: string }
  const env = {
    REDIS_URL: redis.url,
    S3_ENDPOINT: `${files.url}/storage/v1/s3`,
    S3_BUCKET: 'ovation',
    S3_ACCESS_KEY_ID: key.accessKeyId,
    S3_SECRET_ACCESS_KEY: key.secretAccessKey,
    STRIPE_API_BASE: sandbox.url,
    STRIPE_SECRET_KEY: 'sk_test_two_nodes',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    ADMIN_EMAIL: 'robin@example.com',
  }
  const database = { requestUrl: postgres.url, ownerUrl: postgres.url }
  const [one, other] = [folder(), folder()]
  first = await startGatewayProcess({ database, dataDir: one, env })
  copyFileSync(join(one, 'secrets.json'), join(other, 'secrets.json')) // as docs/operations.md says
  second = await startGatewayProcess({ database, dataDir: other, env })
  sandbox.setWebhook({ url: `${first.url}/functions/v1/stripe-webhook`, secret: webhookSecret })
}, 120_000)

afterAll(async () => {
  for (const client of clients) {
    await client.removeAllChannels()
    client.realtime.disconnect()
  }
  await Promise.all([first?.kill(), second?.kill()])
  await files?.close()
  await sandbox?.close()
  await redis?.stop()
  await postgres?.stop()
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

function clientOf(node: GatewayProcess): SupabaseClient {
  const client = createClient(node.url, node.secrets.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  clients.push(client)
  return client
}

/** Signs up through this node. */
async function signUp(node: GatewayProcess, username: string) {
  const client = clientOf(node)
  const { data } = await client.auth.signUp({
    email: `${username}@example.com`,
    password: 'correct horse battery',
    options: { data: { username, display_name: username, terms_accepted: true, is_creator: true } },
  })
  const userId = data.user?.id ?? ''
  const { data: profile } = await client.from('profiles').select('id').eq('user_id', userId).single().throwOnError()
  return { client, userId, profileId: profile.id as string }
}

/** The same user with another session at the other node. */
async function signIn(node: GatewayProcess, username: string) {
  const client = clientOf(node)
  const { error } = await client.auth.signInWithPassword({
    email: `${username}@example.com`,
    password: 'correct horse battery',
  })
  if (error) throw error
  return client
}

const subscribed = (channel: RealtimeChannel) =>
  new Promise<void>((resolve) => channel.subscribe((status) => status === 'SUBSCRIBED' && resolve()))

it('takes a creator and a fan from sign-up to a paid post on two nodes, and continues when one node dies [GEN-11, API-RT-02]', async () => {
  // A creator at the first node is approved by an admin at the second.
  const robin = await signUp(second, 'robin')
  const mara = await signUp(first, 'mara')
  for (const side of ['front', 'back'])
    await mara.client.storage
      .from('verification')
      .upload(`${mara.userId}/${side}.png`, onePixel, { contentType: 'image/png' })
  await mara.client
    .from('creator_applications')
    .insert({
      user_id: mara.userId,
      full_name: 'Mara',
      address: '1 Street',
      full_ssn: '123-45-6789',
      id_front_url: `${mara.userId}/front.png`,
      id_back_url: `${mara.userId}/back.png`,
    })
    .throwOnError()
  await robin.client
    .from('creator_applications')
    .update({ status: 'approved' })
    .eq('user_id', mara.userId)
    .throwOnError()
  // Both nodes decrypt each other's data: they have the same secrets.json.
  const { data: application } = await robin.client.from('creator_applications').select('id').single().throwOnError()
  const { data: ssn } = await robin.client.rpc('reveal_ssn', { application_id: application?.id })
  expect(String(ssn)).toMatch(/6789$/)

  await call(mara, 'create-stripe-account')
  const { url } = await call<{ url: string }>(mara, 'create-onboarding-link', { origin: first.url })
  await onboard(url)
  await call(mara, 'check-stripe-status')
  const plan = { name: 'Backstage', price_cents: 999, interval: 'month' }
  const { product } = await call<{ product: Plan }>(mara, 'create-subscription-product', plan)
  const path = `${mara.userId}/photo.png`
  await mara.client.storage.from('posts').upload(path, onePixel, { contentType: 'image/png' })
  await mara.client
    .from('posts')
    .insert({
      creator_id: mara.profileId,
      content: 'For those who pay',
      post_type: 'subscription',
      required_tier_id: product.id,
      media_urls: [path],
      media_types: ['image'],
    })
    .throwOnError()

  // A fan at the second node sees that there is a post, and none of its content.
  const lena = await signUp(second, 'lena')
  const seen = async () =>
    (await lena.client.from('posts').select('is_locked, media_urls').single().throwOnError()).data
  expect(await seen()).toEqual({ is_locked: true, media_urls: [] })

  // Each receives at their own node what happens at the other.
  const bell: unknown[] = []
  const notifications = mara.client
    .channel('bell')
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, ({ new: row }) =>
      bell.push(row.type),
    )
  await subscribed(notifications)
  const topic = `conversation:${[mara.profileId, lena.profileId].toSorted().join(':')}`
  const heard: unknown[] = []
  const here = mara.client.channel(topic, { config: { private: true, broadcast: { ack: true } } })
  const there = lena.client
    .channel(topic, { config: { private: true } })
    .on('broadcast', { event: 'typing' }, ({ payload }) => heard.push(payload))
  await Promise.all([subscribed(here), subscribed(there)])
  await here.send({ type: 'broadcast', event: 'typing', payload: { typing: true } })
  await eventually(() => expect(heard).toEqual([{ typing: true }]))

  // And each sees who is present, at either node.
  const hallOf = (client: SupabaseClient, key: string) =>
    client.channel('hall', { config: { presence: { key } } }).on('presence', { event: 'sync' }, () => undefined)
  const [maraInHall, lenaInHall] = [hallOf(mara.client, 'mara'), hallOf(lena.client, 'lena')]
  await Promise.all([subscribed(maraInHall), subscribed(lenaInHall)])
  await Promise.all([maraInHall.track({}), lenaInHall.track({})])
  const inHall = () => Object.keys(lenaInHall.presenceState()).toSorted()
  await eventually(() => expect(inHall()).toEqual(['lena', 'mara']))

  // The fan pays. The first node gets the webhook; any free node does the job.
  const checkout = await call<{ url: string }>(lena, 'create-subscription-checkout', { productId: product.id })
  expect((await pay(checkout.url)).status).toBe(303)
  await sandbox.webhooksSettled()
  await eventually(async () => expect(await seen()).toEqual({ is_locked: false, media_urls: [path] }))
  await eventually(() => expect(bell).toContain('subscription'))
  const { data: file } = await lena.client.storage.from('posts').download(path)
  const { data: own } = await mara.client.storage.from('posts').download(path)
  expect(Buffer.from(await (file as Blob).arrayBuffer())).toEqual(Buffer.from(await (own as Blob).arrayBuffer()))

  // A node dies. The other has everything.
  await first.kill()
  sandbox.setWebhook({ url: `${second.url}/functions/v1/stripe-webhook`, secret: webhookSecret })
  const again = await signIn(second, 'mara')
  const { data: earned } = await again.from('profiles').select('total_earnings').eq('id', mara.profileId).single()
  expect(Number(earned?.total_earnings)).toBe(899)
  expect(await seen()).toEqual({ is_locked: false, media_urls: [path] })
  expect((await fetch(`${second.url}/health/ready`)).status).toBe(200)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  expect(await findDifferences(client)).toEqual([])
  await client.end()
  // Presences of the dead node end once its heartbeats have stopped for a while.
  await vi.waitFor(() => expect(inHall()).toEqual(['lena']), 60_000)
}, 240_000)

it.each(['in order', 'after a crash'] as const)(
  'follows the log again when the database restarts %s, and its clients hear each change once, without joining again [API-RT-02, NOTI-14, SCALE-04]',
  async (how) => {
    const fan = await signUp(second, `fan_${how.replaceAll(' ', '_')}`)
    const statuses: string[] = []
    const titles: unknown[] = []
    const channel = fan.client
      .channel('restart')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, ({ new: row }) =>
        titles.push(row.title),
      )
      .subscribe((status) => statuses.push(status))
    await eventually(() => expect(statuses).toEqual(['SUBSCRIBED']))
    const ask = async (text: string, values?: unknown[]) => {
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      const { rows } = await client.query(text, values)
      await client.end()
      return rows
    }
    const notify = (title: string) => ask(`select private.notify($1, 'tip', $2, '')`, [fan.profileId, title])
    await notify('before')
    await eventually(() => expect(titles).toEqual(['before']))
    await postgres.restart(how)
    for (const title of ['one', 'two']) await notify(title)
    await eventually(() => expect(titles.at(-1)).toBe('two'))
    expect(titles).toEqual(['before', 'one', 'two'])
    expect(statuses).toEqual(['SUBSCRIBED'])
    // One slot for the installation, which outlives the connections that read through it.
    expect(await ask('select temporary, active from pg_replication_slots')).toEqual([
      { temporary: false, active: true },
    ])
    await channel.unsubscribe()
  },
  90_000,
)
