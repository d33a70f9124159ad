import { randomUUID } from 'node:crypto'
import { now } from '../realtime/clients.ts'
import { type Ask, type Connections, GaveUp } from './connections.ts'
import type { PoolUser, UserPool } from './user-pool.ts'

/** Someone about to do something. */
export type Visit = {
  readonly pool: UserPool
  readonly me: PoolUser
  /** As this person, or as another one. @throws GaveUp. */
  ask(kind: string, request: Ask, as?: PoolUser): Promise<unknown>
}
type Scenario = { readonly share: number; run(visit: Visit): Promise<void> }

/**
 * What people do on a platform like this, with how often of a hundred times: mostly look, sometimes say something, seldom publish.
 * The requests are those that the web app sends for it (web/features), side by side where it sends them side by side.
 */
const scenarios: readonly Scenario[] = [
  { share: 26, run: openHome },
  { share: 12, run: scrollOn },
  { share: 16, run: openProfile },
  { share: 8, run: readComments },
  { share: 7, run: openMessages },
  { share: 7, run: writeMessage },
  { share: 9, run: like },
  { share: 3, run: comment },
  { share: 4, run: explore },
  { share: 3, run: search },
  { share: 2, run: openNotifications },
  { share: 1, run: renewSession },
  { share: 0.7, run: askWhatIsSubscribed },
  { share: 0.3, run: publish },
  { share: 1, run: openSharedLink },
]
const allShares = scenarios.reduce((sum, { share }) => sum + share, 0)

/** Any user does something, by the shares above. */
export async function runScenario(pool: UserPool, connections: Connections): Promise<void> {
  const me = pick(pool.users)
  const visit: Visit = { pool, me, ask: (kind, request, as = me) => connections.ask(kind, withKeys(request, pool, as)) }
  let left = Math.random() * allShares
  const scenario = scenarios.find(({ share }) => {
    left -= share
    return left < 0
  })
  try {
    await scenario?.run(visit)
  } catch (error) {
    if (!(error instanceof GaveUp)) throw error
  }
}

function withKeys(request: Ask, { product }: UserPool, { token, address }: PoolUser): Ask {
  const own = { apikey: product.secrets.anonKey, authorization: `Bearer ${token}`, 'x-forwarded-for': address }
  return { ...request, headers: { ...own, ...request.headers } }
}

const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(Math.random() * list.length)] as Item

/** Zipf's law, nearly: the second is picked half as often as the first, the tenth a tenth as often. */
const pickKnown = <Item>(list: readonly Item[]): Item =>
  list[Math.min(list.length, Math.floor((list.length + 1) ** Math.random())) - 1] as Item

type Post = {
  readonly id: string
  readonly creator_id: string
  readonly created_at: string
  readonly media_urls: readonly string[]
}

const squeeze = (columns: string) => columns.replace(/\s+/g, '')
const author = 'id,user_id,username,display_name,avatar_url,is_verified,updated_at'
const postColumns =
  squeeze(`id, creator_id, title, content, post_type, media_urls, media_types, media_previews, required_tier_id,
  ppv_price, likes_count, comments_count, is_pinned, is_locked, admin_note, admin_note_is_public, created_at,
  creator:profiles!creator_id(${author}), poll:polls(id, title, options, expires_at, is_active)`)
const profileColumns =
  squeeze(`id, user_id, username, display_name, avatar_url, cover_url, bio, website_url, is_creator,
  is_verified, is_private, categories, followers_count, following_count, total_photos, total_videos, total_posts, total_earnings,
  created_at, updated_at`)
const messageColumns = squeeze(
  'id, sender_id, recipient_id, content, is_paid, price, is_read, is_locked, is_unlocked, media_urls, media_types, media_previews, created_at',
)

const list = (ids: readonly string[]) => `in.(${ids.join(',')})`
const rest = (path: string): Ask => ({ method: 'GET', path: `/rest/v1/${path}` })
const insert = (table: string, body: unknown, accepts?: readonly number[]): Ask => ({
  method: 'POST',
  path: `/rest/v1/${table}`,
  body,
  ...(accepts && { accepts }),
})

async function openHome(visit: Visit) {
  const { ask, me } = visit
  const count = (what: string): Ask => ({
    method: 'HEAD',
    path: `/rest/v1/${what}&is_read=eq.false&select=id`,
    headers: { prefer: 'count=exact' },
  })
  const [posts] = await Promise.all([
    readFeed(visit, ''),
    ask('unread counts', count(`notifications?user_id=eq.${me.profileId}`)),
    ask('unread counts', rest('rpc/count_unread_messages')),
  ])
  await readAround(visit, posts)
}

async function scrollOn(visit: Visit) {
  const posts = await readFeed(visit, '')
  const last = posts.at(-1)
  if (last)
    await readAround(
      visit,
      await readFeed(visit, `&before=${encodeURIComponent(last.created_at)}&before_id=${last.id}`),
    )
}

const readFeed = async ({ ask }: Visit, before: string) =>
  (await ask('feed', rest(`rpc/get_feed?page_size=20${before}&select=${postColumns}`))) as readonly Post[]

/** The follow-up requests of a list of posts: the user's likes and bookmarks, links to its files, and the first file. */
async function readAround({ ask, me }: Visit, posts: readonly Post[]) {
  if (posts.length === 0) return
  const ids = list(posts.map(({ id }) => id))
  const paths = posts.flatMap(({ media_urls }) => media_urls)
  const mine = (table: string) => rest(`${table}?select=post_id&user_id=eq.${me.profileId}&post_id=${ids}`)
  const [links] = await Promise.all([
    paths.length > 0
      ? ask('media links', {
          method: 'POST',
          path: '/storage/v1/object/sign/posts',
          headers: { prefer: 'stable-links' },
          body: { paths, expiresIn: 3600 },
        })
      : [],
    ask('own likes', mine('post_likes')),
    ask('own bookmarks', mine('bookmarks')),
  ])
  // The seed's other files have no bytes.
  const photos = (links as { path: string; signedURL: string | null }[]).filter(
    ({ path, signedURL }) => signedURL && /\/(first|load-[^/]+)\.jpg$/.test(path),
  )
  await Promise.all(
    photos.slice(0, 3).map(({ signedURL }) =>
      ask('photo', {
        method: 'GET',
        path: `/storage/v1${signedURL?.replace('/object/', '/render/image/')}?width=480`,
        headers: { accept: 'image/webp,*/*' },
      }),
    ),
  )
}

async function openProfile(visit: Visit) {
  const { ask, me, pool } = visit
  const { id, username } = pickKnown(pool.creators)
  const [, posts] = await Promise.all([
    ask('profile', rest(`profiles?select=${profileColumns}&username=eq.${username}&limit=1`)),
    ask(
      'posts of a profile',
      rest(`posts?select=${postColumns}&creator_id=eq.${id}&order=created_at.desc,id.desc&limit=20`),
    ),
    ask(
      'plans',
      rest(
        `subscription_products?select=id,name,description,price_cents,interval,trial_days&creator_id=eq.${id}&is_active=eq.true&order=price_cents`,
      ),
    ),
    ask('own follows', rest(`follows?select=following_id&follower_id=eq.${me.profileId}&following_id=${list([id])}`)),
  ])
  await readAround(visit, posts as readonly Post[])
}

/** A post of a well-known creator, as somebody looks at it who came by its address. */
async function openPost({ ask, pool }: Visit): Promise<Post | undefined> {
  const { id } = pickKnown(pool.creators)
  const posts = await ask(
    'one post',
    rest(`posts?select=${postColumns}&creator_id=eq.${id}&is_locked=eq.false&order=created_at.desc&limit=3`),
  )
  return pick(posts as readonly Post[])
}

async function readComments(visit: Visit) {
  const post = await openPost(visit)
  if (!post) return
  const columns = `id,content,created_at,author:profiles!user_id(${author})`
  await visit.ask(
    'comments',
    rest(`comments?select=${columns}&post_id=eq.${post.id}&order=created_at.desc,id.desc&limit=20`),
  )
}

async function like(visit: Visit) {
  const post = await openPost(visit)
  if (!post) return
  // 409: liked before, which the app takes for what was wanted.
  const row = { post_id: post.id, user_id: visit.me.profileId }
  if (Math.random() < 0.8) return void (await visit.ask('like', insert('post_likes', row, [409])))
  await visit.ask('like', {
    method: 'DELETE',
    path: `/rest/v1/post_likes?post_id=eq.${post.id}&user_id=eq.${row.user_id}`,
  })
}

async function comment(visit: Visit) {
  const post = await openPost(visit)
  if (!post) return
  await visit.ask(
    'comment',
    insert('comments', { post_id: post.id, user_id: visit.me.profileId, content: 'The light in this one.' }),
  )
}

async function openMessages({ ask, me }: Visit) {
  const columns =
    'other_id,username,display_name,avatar_url,is_verified,last_seen_at,last_sender_id,last_content,last_is_paid,last_is_locked,last_media_types,last_message_at,unread_count,updated_at,is_pinned,is_archived,is_restricted,is_marked_unread,is_subscriber,waiting_since,spent'
  await ask('conversations', rest(`rpc/get_conversations?page_size=30&select=${columns}`))
  if (me.partners.length > 0) await readThread(ask, pick(me.partners))
}

const readThread = (ask: Visit['ask'], partner: string) =>
  ask('thread', rest(`rpc/get_thread?other_id=${partner}&page_size=30&select=${messageColumns}`))

/** The text says when it was sent, so that its receiver can measure how long that took. */
async function writeMessage({ ask, me }: Visit) {
  if (me.partners.length === 0) return
  const partner = pick(me.partners)
  await readThread(ask, partner)
  const message = {
    id: randomUUID(),
    sender_id: me.profileId,
    recipient_id: partner,
    content: `sent ${now()}`,
    is_paid: false,
    price: 0,
    media_urls: [],
    media_types: [],
  }
  await ask('message', {
    ...insert(`messages?select=${messageColumns}`, message),
    headers: { prefer: 'return=representation', accept: 'application/vnd.pgrst.object+json' },
  })
  await ask('read marks', {
    method: 'PATCH',
    path: `/rest/v1/messages?recipient_id=eq.${me.profileId}&sender_id=eq.${partner}&is_read=eq.false`,
    body: { is_read: true },
  })
}

async function explore({ ask }: Visit) {
  await Promise.all([
    ask('explore', rest('rpc/discover_creators?sort=popular&page_size=24&page_offset=0')),
    ask('explore', rest('rpc/count_creators')),
  ])
}

async function search({ ask, pool }: Visit) {
  const word = pickKnown(pool.creators).username.slice(0, 4)
  await ask(
    'search',
    rest(
      `rpc/search_profiles?search=${word}&page_size=20&select=id,user_id,username,display_name,bio,avatar_url,is_creator,is_verified,followers_count,updated_at`,
    ),
  )
}

async function openNotifications({ ask }: Visit) {
  await ask(
    'notifications',
    rest('notifications?select=id,type,title,message,is_read,created_at,poll_id&order=created_at.desc&limit=100'),
  )
}

async function renewSession({ ask, me }: Visit) {
  const session = (await ask('session renewed', {
    method: 'POST',
    path: '/auth/v1/token?grant_type=refresh_token',
    headers: { 'x-supabase-api-version': '2024-01-01' },
    body: { refresh_token: me.refreshToken },
  })) as { access_token: string; refresh_token: string }
  me.token = session.access_token
  me.refreshToken = session.refresh_token
}

async function askWhatIsSubscribed({ ask, pool }: Visit) {
  await ask('server function', {
    method: 'POST',
    path: '/functions/v1/verify-subscription',
    body: { creatorId: pickKnown(pool.creators).id },
  })
}

/** A creator sends a photo, and posts it. */
async function publish({ pool, ask }: Visit) {
  const creator = pick(pool.users.filter(({ isCreator }) => isCreator))
  const path = `${creator.userId}/load-${randomUUID()}.jpg`
  await ask(
    'upload',
    {
      method: 'POST',
      path: `/storage/v1/object/posts/${path}`,
      headers: { 'content-type': 'image/jpeg', 'cache-control': 'max-age=3600' },
      body: pool.photo,
    },
    creator,
  )
  const post = { creator_id: creator.profileId, content: 'Seen today.', post_type: 'free' }
  await ask('post', insert('posts', { ...post, media_urls: [path], media_types: ['image'] }), creator)
}

async function openSharedLink({ ask, pool }: Visit) {
  await ask('page', {
    method: 'GET',
    path: `/profile/${pickKnown(pool.creators).username}`,
    headers: { accept: 'text/html' },
  })
}
