import type { Product } from '@ovation/server/testing/product'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import sharp from 'sharp'

/** A creator of the demo data, and a fan who follows and has subscribed. */
export const creatorName = 'mara'
const fanName = 'lena'
const password = 'ovation-demo'
const pictures = 20

/** A post with a picture, as everybody sees it. */
export async function findPost({ url, secrets }: Product): Promise<string> {
  const client = createClient(url, secrets.anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
  const creatorId = await profileOf(client, creatorName)
  const { data } = await client
    .from('posts')
    .select('id')
    .eq('creator_id', creatorId)
    .contains('media_types', ['image'])
    .eq('post_type', 'free')
    .limit(1)
    .single()
    .throwOnError()
  return data.id
}

const enter = async ({ url, secrets }: Product, name: string): Promise<SupabaseClient> => {
  const client = createClient(url, secrets.anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
  await client.auth.signInWithPassword({ email: `${name}@ovation.example`, password })
  return client
}

const profileOf = async (client: SupabaseClient, username: string): Promise<string> =>
  (await client.from('profiles').select('id').eq('username', username).single().throwOnError()).data.id

/** Fills the fan's feed with posts, two of three with a photo, and the conversation with messages. */
export async function fill(product: Product, { posts, messages }: { posts: number; messages: number }): Promise<void> {
  const creator = await enter(product, creatorName)
  const [creatorId, fanId] = await Promise.all([profileOf(creator, creatorName), profileOf(creator, fanName)])
  const { data: account } = await creator.auth.getUser()
  const folder = account.user?.id // a person's files lie below the account's id, not the profile's
  const photos = await Promise.all(Array.from({ length: pictures }, (_, index) => picture(index)))
  /** A file of its own for each post: one is never shown in two. */
  const upload = async (index: number): Promise<string> => {
    const photo = photos[index % pictures] ?? Buffer.alloc(0)
    const { data, error } = await creator.storage
      .from('posts')
      .upload(`${folder}/bench-${index}.jpg`, photo, { contentType: 'image/jpeg' })
    if (error) throw error
    return data.path
  }
  const post = async (index: number) => ({
    creator_id: creatorId,
    content: `Post ${index}. ${'The harbour at six, before the boats leave. '.repeat(1 + (index % 5))}`,
    ...(index % 3 > 0 && { media_urls: [await upload(index)], media_types: ['image'] }),
  })
  // A few uploads at a time: what is measured comes later.
  for (let from = 0; from < posts; from += 5) {
    const rows = await Promise.all(
      Array.from({ length: Math.min(5, posts - from) }, (_, offset) => post(from + offset)),
    )
    await creator.from('posts').insert(rows, { defaultToNull: false }).throwOnError()
  }
  const message = (index: number) => ({
    sender_id: creatorId,
    recipient_id: fanId,
    content: `Message ${index}. ${'And then the boats came back. '.repeat(index % 4)}`,
  })
  const service = createClient(product.url, product.secrets.serviceRoleKey, { auth: { persistSession: false } })
  for (let from = 0; from < messages; from += 50)
    await service
      .from('messages')
      .insert(Array.from({ length: Math.min(50, messages - from) }, (_, offset) => message(from + offset)))
      .throwOnError()
}

/** What the app stores in the browser for a signed-in user (AUTH-27), and the mark by which the server knows that it renders nothing for them. */
export async function sessionOf({ url, secrets }: Product) {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: secrets.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${fanName}@ovation.example`, password }),
  })
  const { origin, hostname } = new URL(url)
  const session = { name: `sb-${hostname.split('.')[0]}-auth-token`, value: await answer.text() }
  const mark = {
    name: 'signed-in',
    value: '1',
    domain: hostname,
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
  }
  return { cookies: [{ ...mark, sameSite: 'Lax' as const }], origins: [{ origin, localStorage: [session] }] }
}

/** Noise, so that the file has the size of a photograph: some 200 kB. */
const picture = (hue: number): Promise<Buffer> =>
  sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: `hsl(${hue * 18}, 45%, 55%)`,
      noise: { type: 'gaussian', mean: 128, sigma: 12 },
    },
  })
    .jpeg({ quality: 70 })
    .toBuffer()
