import { randomBytes } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type pg from 'pg'
import { Client } from '../../postgres/client.ts'
import { type ApiClient, ask } from './api-client.ts'
import { mark, uploadPicture } from './upload-picture.ts'

/** Content with restricted access. Anyone without access must never see its canary or its file. */
export type Secret = {
  readonly name: string
  readonly table: string
  readonly id: string
  /** The column with the canary. */
  readonly column: string
  /** A word that appears nowhere else in the installation. */
  readonly canary: string
  /** The whole value of the column, the canary included. */
  readonly words: string
  readonly file?: { readonly bucket: string; readonly path: string }
  /** An authorized user: the same requests by them must find it, or the run proves nothing. */
  readonly openTo: ApiClient
}

export type Scene = {
  readonly strangers: readonly ApiClient[]
  readonly secrets: readonly Secret[]
  readonly creator: ApiClient
  readonly creatorUsername: string
  /** The creators of the locked posts. */
  readonly creators: readonly { readonly profileId: string; readonly username: string }[]
  /** The creator's own domain. */
  readonly domain: string
  /** The token of a private feed whose subscription has ended. */
  readonly endedFeed: string
  /** Changes the locked rows, so that live channels receive changes. */
  stir(): Promise<void>
  remove(): Promise<void>
}

export type Installation = {
  readonly url: string
  readonly anonKey: string
  readonly serviceRoleKey: string
  readonly ownerUrl: string
  readonly encryptionKey: string
}

/** Users without access, named for why they might seem to have it. */
const strangers = ['stranger', 'lapsed', 'lower', 'refunded', 'blocked'] as const
/** Users with access: they prove that the requests can find the secrets. */
const entitled = ['creator', 'recluse', 'subscriber', 'buyer'] as const

/** The public part of a locked post (POST-11); the canary comes after it. */
const openPart = 'open '.repeat(20)

/**
 * Its own users, with their products and purchases. No money moves: subscriptions and purchases are written in their state after
 * the payment, so that the ledger of a live installation has no trace of it.
 */
export async function buildScene(installation: Installation): Promise<Scene> {
  const owner = new Client({ connectionString: installation.ownerUrl })
  await owner.connect()
  const service = openClient(installation, installation.serviceRoleKey)
  const people = new Map<string, ApiClient>()
  const remove = async () => {
    for (const { userId } of people.values()) await owner.query('select private.delete_account($1, null)', [userId])
    await owner.end()
  }
  try {
    // Like the server's own connections, which encrypt the numbers of an application.
    await owner.query(`select set_config('app.encryption_key', $1, false)`, [installation.encryptionKey])
    const tag = randomBytes(4).toString('hex')
    for (const name of [...entitled, ...strangers]) people.set(name, await enter(installation, service, tag, name))
    const who = (name: string) => people.get(name) ?? missing(name)
    const { secrets, endedFeed } = await fill(owner, who)
    const domain = `leak-${tag}.example`
    // As if its DNS record had been found.
    await owner.query('insert into public.custom_domains (creator_id, domain, verified_at) values ($1, $2, now())', [
      who('creator').profileId,
      domain,
    ])
    return {
      strangers: [
        { name: 'visitor', url: installation.url, anonKey: installation.anonKey },
        ...strangers.map((name) => who(name)),
      ],
      secrets,
      creator: who('creator'),
      creatorUsername: usernameOf(tag, 'creator'),
      creators: ['creator', 'recluse'].map((name) => ({
        profileId: who(name).profileId ?? missing(name),
        username: usernameOf(tag, name),
      })),
      domain,
      endedFeed,
      stir: () => stir(owner, secrets),
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

function missing(name: string): never {
  throw new Error(`nobody is called ${name}`)
}

const usernameOf = (tag: string, name: string) => `leak_${tag}_${name}`

function openClient({ url }: Installation, key: string): SupabaseClient {
  return createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false } })
}

async function enter(
  installation: Installation,
  service: SupabaseClient,
  tag: string,
  name: string,
): Promise<ApiClient> {
  const email = `${usernameOf(tag, name)}@leak-test.invalid`
  const password = randomBytes(18).toString('base64url')
  const created = await service.auth.admin.createUser({
    email,
    password,
    email_confirm: true,
    user_metadata: { username: usernameOf(tag, name), display_name: `Leak test: ${name}`, terms_accepted: true },
  })
  if (created.error) throw created.error
  const client = openClient(installation, installation.anonKey)
  const { data, error } = await client.auth.signInWithPassword({ email, password })
  if (error) throw error
  const { data: profile } = await client
    .from('profiles')
    .select('id')
    .eq('user_id', data.user.id)
    .single()
    .throwOnError()
  const { url, anonKey } = installation
  return { name, url, anonKey, token: data.session.access_token, userId: data.user.id, profileId: profile.id }
}

type Who = (name: string) => ApiClient

async function fill(owner: pg.Client, who: Who): Promise<{ secrets: Secret[]; endedFeed: string }> {
  const one = async (text: string, values: unknown[]) => {
    const { rows } = await owner.query<{ id: string }>(text, values)
    return rows[0]?.id ?? missing('a row')
  }
  const creator = who('creator')
  await owner.query(
    `update private.profiles set is_creator = true, is_verified = true, tiered_access = true, stripe_charges_enabled = true,
       stripe_account_id = 'acct_leak_' || id where id = any ($1)`,
    [[creator.profileId, who('recluse').profileId]],
  )
  const plan = (name: string, cents: number) =>
    one(
      `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, $2, $3, 'month') returning id`,
      [creator.profileId, name, cents],
    )
  const basic = await plan('Basic', 500)
  const premium = await plan('Premium', 1500)
  const subscribe = (fan: string, tier: string, status: string, days: number) =>
    owner.query(
      `select private.apply_subscription_state('sub_leak_' || $1::text, $1::uuid, $2::uuid, $3::uuid, $4::text, now() - interval '20 days',
         now() + make_interval(days => $5::int), null::timestamptz, $4::text = 'canceled', null::timestamptz, now())`,
      [who(fan).profileId, creator.profileId, tier, status, days],
    )
  await subscribe('subscriber', premium, 'active', 10)
  await subscribe('lower', basic, 'active', 10)
  await subscribe('lapsed', premium, 'active', 10)
  const feed = await ask(who('lapsed'), '/rest/v1/rpc/get_feed_address', {
    body: { creator_profile_id: creator.profileId },
  })
  const { token: endedFeed } = JSON.parse(feed.text) as { token: string }
  await subscribe('lapsed', premium, 'canceled', -1)
  await owner.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
    creator.profileId,
    who('blocked').profileId,
  ])
  // A follow is allowed to everyone, and must not open anything either.
  await owner.query(
    'insert into public.follows (follower_id, following_id) select fan, $1 from unnest($2::uuid[]) fan on conflict do nothing',
    [creator.profileId, ['lapsed', 'lower', 'refunded', 'subscriber'].map((name) => who(name).profileId)],
  )

  const post = async (
    name: string,
    author: ApiClient,
    columns: { type: string; tier?: string; price?: number },
    openTo: ApiClient,
  ) => {
    const canary = mark()
    const words = `${openPart}${canary}`
    const path = await uploadPicture(author, 'posts')
    const id = await one(
      `insert into public.posts (creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price)
       values ($1, 'A post', $2, $3, array[$4], array['image'], $5, $6) returning id`,
      [author.profileId, words, columns.type, path, columns.tier ?? null, columns.price ?? null],
    )
    return { name, table: 'posts', id, column: 'content', canary, words, file: { bucket: 'posts', path }, openTo }
  }
  const forPlan = await post(
    'a post of the higher plan',
    creator,
    { type: 'subscription', tier: premium },
    who('subscriber'),
  )
  const forSale = await post('a pay-per-view post', creator, { type: 'ppv', price: 500 }, who('buyer'))
  const closed = await post('a post of a private profile', who('recluse'), { type: 'free' }, who('recluse'))
  await owner.query('update private.profiles set is_private = true where id = $1', [who('recluse').profileId])
  const purchase = 'insert into public.purchases (buyer_id, post_id) values ($1, $2)'
  await owner.query(purchase, [who('buyer').profileId, forSale.id])
  await owner.query(purchase, [who('refunded').profileId, forSale.id])
  // Like the effect of a full refund on access (D39).
  await owner.query('delete from public.purchases where buyer_id = $1', [who('refunded').profileId])

  const message = async (name: string, to: ApiClient, openTo: ApiClient) => {
    const canary = mark()
    const words = `words ${canary}`
    // One file is shown before the purchase; the other one isn't.
    const [path, preview] = [await uploadPicture(creator, 'messages'), await uploadPicture(creator, 'messages')]
    const id = await one(
      `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types, preview_index)
       values ($1, $2, $3, true, 500, array[$4, $5], array['image', 'image'], 1) returning id`,
      [creator.profileId, to.profileId, words, path, preview],
    )
    return { name, table: 'messages', id, column: 'content', canary, words, file: { bucket: 'messages', path }, openTo }
  }
  const massMessage = async (to: ApiClient) => {
    const canary = mark()
    const words = `words ${canary}`
    const [path, preview] = [await uploadPicture(creator, 'messages'), await uploadPicture(creator, 'messages')]
    const mass = await one(
      `insert into public.mass_messages
         (creator_id, content, price_cents, audience, status, sent_at, media_paths, media_types, media_preview)
       values ($1, $2, 500, '{"include": []}', 'sent', now(), array[$3, $4], array['image', 'image'], 1) returning id`,
      [creator.profileId, words, path, preview],
    )
    await owner.query('insert into private.message_media (path, mass_message_id) select unnest($1::text[]), $2', [
      [path, preview],
      mass,
    ])
    const id = await one(
      `insert into private.messages (sender_id, recipient_id, body, is_paid, price, mass_message_id)
       values ($1, $2, '', true, 500, $3) returning id`,
      [creator.profileId, to.profileId, mass],
    )
    const name = 'a mass message to a user who has not paid'
    return {
      name,
      table: 'messages',
      id,
      column: 'content',
      canary,
      words,
      file: { bucket: 'messages', path },
      openTo: creator,
    }
  }
  const unpaid = await message('a paid message to a user who has not paid', who('refunded'), creator)
  // A quote shows no more than the message itself.
  await owner.query(
    `insert into public.messages (sender_id, recipient_id, content, quoted_id) values ($1, $2, 'Have you seen this?', $3)`,
    [creator.profileId, who('refunded').profileId, unpaid.id],
  )
  const paid = await message('a paid message to another user, who has paid', who('buyer'), who('buyer'))
  await owner.query('insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
    paid.id,
    who('buyer').profileId,
  ])

  const voiced = mark()
  const recording = await uploadPicture(creator, 'messages')
  // No recording: whether its file can be read doesn't depend on its bytes, and FFmpeg may be missing. The waveform has the canary, too.
  await owner.query(
    `update storage.objects set metadata = metadata || jsonb_build_object('mimetype', 'audio/mp4', 'duration', 42, 'waveform', $2::text)
     where bucket_id = 'messages' and name = $1`,
    [recording, voiced],
  )
  const voice = {
    name: 'a paid voice message to a user who has not paid',
    table: 'messages',
    id: await one(
      `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types)
       values ($1, $2, $3, true, 500, array[$4], array['audio']) returning id`,
      [creator.profileId, who('refunded').profileId, voiced, recording],
    ),
    column: 'content',
    canary: voiced,
    words: voiced,
    file: { bucket: 'messages', path: recording },
    openTo: creator,
  }
  const offer = await massMessage(who('refunded'))

  const goods = async () => {
    const canary = mark()
    const path = await uploadPicture(creator, 'products')
    const id = await one(
      `insert into public.products (creator_id, title, price_cents, status) values ($1, 'A product', 500, 'published') returning id`,
      [creator.profileId],
    )
    // The file has the id of its product, so that whatever takes an id is tried with both.
    await owner.query(
      `insert into public.product_files (id, product_id, path, name, type, size_bytes, position) values ($1, $1, $2, $3, 'image/jpeg', 1, 1)`,
      [id, path, canary],
    )
    const bought = 'insert into public.product_purchases (buyer_id, product_id, known_version) values ($1, $2, 1)'
    for (const name of ['buyer', 'refunded']) await owner.query(bought, [who(name).profileId, id])
    await owner.query('delete from public.product_purchases where buyer_id = $1', [who('refunded').profileId])
    return {
      name: "a product's file",
      table: 'product_files',
      id,
      column: 'name',
      canary,
      words: canary,
      file: { bucket: 'products', path },
      openTo: who('buyer'),
    }
  }
  const product = await goods()

  const list = await one(`insert into public.fan_lists (creator_id, name) values ($1, 'Leak test') returning id`, [
    creator.profileId,
  ])
  await ask(creator, '/rest/v1/rpc/add_to_fan_list', { body: { list_id: list, fan_ids: [who('buyer').profileId] } })
  const story = async (name: string, audience: object, openTo: ApiClient) => {
    const canary = mark()
    const words = `words ${canary}`
    const kept = await uploadPicture(creator, 'vault')
    const fileId = await one(`select id from storage.objects where bucket_id = 'vault' and name = $1`, [kept])
    const answer = await ask(creator, '/rest/v1/rpc/create_story', {
      body: { file_id: fileId, caption: words, ...audience },
    })
    const [{ id, path } = missing(name)] = JSON.parse(answer.text) as { id: string; path: string }[]
    return { name, table: 'stories', id, column: 'caption', canary, words, file: { bucket: 'stories', path }, openTo }
  }
  const forList = await story('a story for a list', { audience: 'list', list_id: list }, who('buyer'))
  const ended = await story('a story after its end', { audience: 'everyone' }, creator)
  await owner.query('update public.stories set ends_at = now() where id = $1', [ended.id])

  const waiting = mark()
  const waitingFile = await uploadPicture(creator, 'posts')
  const scheduled = await one(
    `insert into public.scheduled_posts (creator_id, content, media_urls, media_types, publish_at)
     values ($1, $2, array[$3], array['image'], now() + interval '1 day') returning id`,
    [creator.profileId, waiting, waitingFile],
  )

  const name = mark()
  const front = await uploadPicture(creator, 'verification')
  const back = await uploadPicture(creator, 'verification')
  const application = await one(
    `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
     values ($1, $2, 'A street', '123-45-6789', $3, $4) returning id`,
    [creator.userId, name, front, back],
  )
  const secrets = [
    forPlan,
    forSale,
    closed,
    unpaid,
    offer,
    paid,
    voice,
    product,
    forList,
    ended,
    {
      name: 'a free post before its time',
      table: 'scheduled_posts',
      id: scheduled,
      column: 'content',
      canary: waiting,
      words: waiting,
      file: { bucket: 'posts', path: waitingFile },
      openTo: creator,
    },
    {
      name: 'an application with its documents',
      table: 'creator_applications',
      id: application,
      column: 'full_name',
      canary: name,
      words: name,
      file: { bucket: 'verification', path: front },
      openTo: creator,
    },
  ]
  return { secrets, endedFeed }
}

async function stir(owner: pg.Client, secrets: readonly Secret[]): Promise<void> {
  for (const { table, id } of secrets) {
    if (table === 'posts') await owner.query(`update private.posts set title = 'A changed post' where id = $1`, [id])
    if (table === 'messages') await owner.query('update private.messages set is_read = not is_read where id = $1', [id])
  }
}
