import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '@ovation/server/config'
import { openDatabaseForCommand } from '@ovation/server/operations/database-for-command'
import { withClient } from '@ovation/server/postgres/migrate'
import { freePort } from '@ovation/server/testing/free-port'
import { type Product, startProduct } from '@ovation/server/testing/product'
import type pg from 'pg'
import sharp from 'sharp'
import { runNode } from '../../scripts/run.ts'
import { forEach } from '../realtime/clients.ts'

/** Someone who is signed in, and what they may want. */
export type PoolUser = {
  readonly profileId: string
  readonly userId: string
  readonly email: string
  /** Where they are, as a proxy would tell it: limits count each of them alone. */
  readonly address: string
  readonly isCreator: boolean
  /** Whom they write with: profile ids. */
  readonly partners: readonly string[]
  /** Whom they follow: profile ids, at most as many as the web app listens to. */
  readonly follows: readonly string[]
  /** Of the session that auth/v1 gave; renewed by it. */
  token: string
  refreshToken: string
}

export type UserPool = {
  readonly product: Product
  readonly dataDir: string
  readonly users: readonly PoolUser[]
  /** The best known first, so that picking by rank gives realistic popularity. */
  readonly creators: readonly { readonly id: string; readonly username: string }[]
  /** A photograph of some hundred kilobytes. */
  readonly photo: Buffer
  close(): Promise<void>
}

export const password = 'correct horse battery staple'
const scale = {
  creators: 400,
  fans: 4_000,
  posts: 30_000,
  follows: 120_000,
  subscriptions: 10_000,
  messages: 60_000,
  likes: 200_000,
  comments: 40_000,
} as const

/** The product in production mode, as a process of its own with its own PostgreSQL (which keeps what it commits), filled by `npm run seed`. */
export async function openUserPool(people: number): Promise<UserPool> {
  const dataDir = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'ovation-load-'))
  const counts = Object.entries(scale).flatMap(([what, count]) => [`--${what}`, `${count}`])
  const seeded = await runNode(['database/bulk-data/main.ts', ...counts, '--password', password], {
    quiet: true,
    env: { DATA_DIR: dataDir },
  })
  if (seeded.code !== 0) throw new Error(seeded.output)
  const product = await startProduct(dataDir, await freePort(), {
    NODE_ENV: 'production',
    AUTH_MAILER_AUTOCONFIRM: '1',
    // Longer than a run. Clients renew their tokens in time; scenarios do it at random.
    AUTH_JWT_EXP: '36000',
  })
  const close = async () => {
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const { ownerUrl } = await openDatabaseForCommand(parseConfig({ DATA_DIR: dataDir }), product.secrets)
    const { known, creators } = await withClient(ownerUrl, (client) => findPeople(client, people))
    const users: PoolUser[] = []
    await forEach(known, 4, async (one, index) => {
      const address = addressOf(index)
      users.push({ ...one, address, ...(await signIn(product, one.email, address)) })
    })
    const photo = await takePhoto()
    await forEach(
      users.filter(({ isCreator }) => isCreator),
      2,
      (creator) => publishPhoto(product, creator, photo),
    )
    return { product, dataDir, users, creators, photo, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Of a network that is nobody's (RFC 2544). */
const addressOf = (index: number) => `198.18.${Math.floor(index / 250)}.${(index % 250) + 1}`

type Known = Omit<PoolUser, 'token' | 'refreshToken' | 'address'>

/** A tenth of them the best-known creators, who get the messages and have the posts that people look at; the others fans who write with creators. */
async function findPeople(client: pg.Client, count: number) {
  const { rows: known } = await client.query<Known>(
    `with chosen as (
       (select id, user_id, is_creator from private.profiles where is_creator order by followers_count desc, id limit $1)
       union all
       (select id, user_id, is_creator from private.profiles p where not is_creator
        and exists (select from private.conversations c where c.profile_id = p.id) order by md5(id::text) limit $2)
     )
     select p.id as "profileId", p.user_id as "userId", p.is_creator as "isCreator", u.email,
       array(select c.other_id from private.conversations c where c.profile_id = p.id order by c.last_message_at desc limit 10) as partners,
       array(select f.following_id from public.follows f where f.follower_id = p.id order by f.created_at desc limit 100) as follows
     from chosen p join auth.users u on u.id = p.user_id`,
    [Math.round(count / 10), count - Math.round(count / 10)],
  )
  const { rows: creators } = await client.query<{ id: string; username: string }>(
    'select id, username from private.profiles where is_creator order by followers_count desc, id',
  )
  return { known, creators }
}

type Session = { readonly access_token: string; readonly refresh_token: string }

async function signIn({ url, secrets }: Product, email: string, address: string) {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: secrets.anonKey, 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`${email} can't sign in: ${await response.text()}`)
  const { access_token, refresh_token } = (await response.json()) as Session
  return { token: access_token, refreshToken: refresh_token }
}

/** As a phone takes it: with enough in it that it is neither small nor quick to look at. */
function takePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 120, sigma: 25 } as const
  return sharp({ create: { width: 1200, height: 900, channels: 3, background: '#445566', noise } })
    .jpeg({ quality: 70 })
    .toBuffer()
}

/** The seed's pictures have no bytes: the newest post of each well-known creator has some, so that feeds show photos. */
async function publishPhoto({ url, secrets }: Product, { userId, profileId, token, address }: PoolUser, photo: Buffer) {
  const headers = { apikey: secrets.anonKey, authorization: `Bearer ${token}`, 'x-forwarded-for': address }
  const path = `${userId}/first.jpg`
  const sent = await fetch(`${url}/storage/v1/object/posts/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'image/jpeg' },
    body: new Uint8Array(photo),
  })
  if (!sent.ok) throw new Error(`a photo was refused: ${await sent.text()}`)
  const posted = await fetch(`${url}/rest/v1/posts`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      creator_id: profileId,
      content: 'First light.',
      post_type: 'free',
      media_urls: [path],
      media_types: ['image'],
    }),
  })
  if (!posted.ok) throw new Error(`a post was refused: ${await posted.text()}`)
}
