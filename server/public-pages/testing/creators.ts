import { randomUUID } from 'node:crypto'
import type { Person, TestGateway } from '../../testing/gateway.ts'
import { onePixel } from '../../testing/one-pixel.ts'

/** An approved creator who can be paid. */
export async function buildSeller(gateway: TestGateway, username?: string): Promise<Person> {
  const creator = await gateway.signUp(username === undefined ? {} : { username })
  await gateway.query(
    `update private.profiles set is_creator = true, is_verified = true, stripe_account_id = 'acct_' || username, stripe_charges_enabled = true
     where id = $1`,
    [creator.profileId],
  )
  return creator
}

export async function buildPlan(
  gateway: TestGateway,
  creator: Person,
  name = 'Print Club',
  cents = 900,
): Promise<string> {
  const [plan] = await gateway.query<{ id: string }>(
    `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, $2, $3, 'month') returning id`,
    [creator.profileId, name, cents],
  )
  return plan?.id ?? ''
}

type PostOverrides = {
  title?: string | null
  content?: string
  price?: number
  planId?: string
  /** A small one, or this JPEG. */
  picture?: boolean | Buffer
}

/** A post by its creator: free, for a price, or for a plan's subscribers. @returns its id. */
export async function buildPost(
  { query }: TestGateway,
  creator: Person,
  { title = null, content = 'Fog over the harbor', price, planId, picture = false }: PostOverrides = {},
): Promise<string> {
  const path = `${creator.userId}/${randomUUID()}`
  if (picture) {
    const file = picture === true ? onePixel : picture
    const contentType = picture === true ? 'image/png' : 'image/jpeg'
    const { error } = await creator.client.storage.from('posts').upload(path, file, { contentType })
    if (error) throw error
  }
  const [post] = await query<{ id: string }>(
    `insert into public.posts (creator_id, title, content, post_type, ppv_price, required_tier_id, media_urls, media_types)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      creator.profileId,
      title,
      content,
      price ? 'ppv' : planId ? 'subscription' : 'free',
      price ?? null,
      planId ?? null,
      picture ? [path] : [],
      picture ? ['image'] : [],
    ],
  )
  return post?.id ?? ''
}

type ProductOverrides = {
  title?: string
  description?: string
  cents?: number
  takesMore?: boolean
  stock?: number
  status?: string
  /** The path of a picture in bucket `covers`. */
  cover?: string
}

/** A product by its creator, with one file. @returns its id. */
export async function buildProduct(
  { query }: TestGateway,
  creator: Person,
  overrides: ProductOverrides = {},
): Promise<string> {
  const { title = 'Harbor presets', description = 'Twelve looks for fog', cents = 1200, takesMore = false } = overrides
  const [product] = await query<{ id: string }>(
    `with product as (
       insert into public.products (creator_id, title, description, price_cents, takes_more, stock, status, cover_path)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id
     )
     insert into public.product_files (product_id, path, name, type, size_bytes, position)
     select p.id, $9::text || '/' || p.id, 'SECRET looks.zip', 'application/zip', 2000, 1 from product p returning product_id as id`,
    [
      creator.profileId,
      title,
      description,
      cents,
      takesMore,
      overrides.stock ?? null,
      overrides.status ?? 'published',
      overrides.cover ?? null,
      creator.userId,
    ],
  )
  return product?.id ?? ''
}
