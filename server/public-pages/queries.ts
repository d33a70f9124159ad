import type { CallerDb } from '../postgres/caller-db.ts'
import { fragment, sql } from '../postgres/sql.ts'
import { isUserId } from './find-address.ts'

export type PostRow = {
  readonly id: string
  readonly title: string | null
  readonly content: string | null
  readonly is_locked: boolean
  readonly ppv_price: number | null
  /** Empty if the post is locked, unlike the types and previews. */
  readonly media_urls: readonly string[]
  readonly media_types: readonly string[]
  readonly media_previews: readonly { width?: number; height?: number; duration?: number }[]
  readonly cover_path: string | null
  readonly likes_count: number
  readonly comments_count: number
  readonly created_at: Date
  readonly name: string
  readonly username: string
  readonly avatar_url: string | null
  readonly updated_at: Date
  readonly is_indexed: boolean
  readonly plan_name: string | null
  readonly plan_cents: number | null
  readonly plan_interval: string | null
}

export type ProductRow = {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly cover_path: string | null
  /** What visitors pay, or the least that they pay. */
  readonly price_cents: number
  readonly takes_more: boolean
  /** Null for any number. */
  readonly stock_left: number | null
  readonly files: readonly { readonly format?: string; readonly size_bytes: number }[]
  readonly name: string
  readonly username: string
  readonly avatar_url: string | null
  readonly updated_at: Date
  readonly is_indexed: boolean
}

export type ProfileRow = {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly bio: string | null
  readonly website_url: string | null
  /** Of the creator's other sites, in their order. */
  readonly links: readonly { readonly url: string; readonly verified: boolean }[]
  readonly avatar_url: string | null
  readonly cover_url: string | null
  readonly is_private: boolean
  readonly is_creator: boolean
  readonly is_indexed: boolean
  readonly followers_count: number
  readonly total_posts: number
  readonly created_at: Date
  readonly updated_at: Date
}

export type PlanRow = {
  readonly name: string
  readonly description: string | null
  readonly price_cents: number
  readonly interval: string
}

export type FrontPageRow = {
  readonly headline: string | null
  readonly message: string | null
  readonly picture_path: string | null
  readonly picture_alt: string | null
}

/** What the operator has set (FIND-06). */
export async function findFrontPage(db: CallerDb): Promise<FrontPageRow | undefined> {
  const [page] = await db.rows<FrontPageRow>(sql`
    select f.headline, f.message, f.picture_path, f.picture_alt from public.front_page f`)
  return page
}

export async function findPost(db: CallerDb, id: string): Promise<PostRow | undefined> {
  const [post] = await db.rows<PostRow>(sql`
    select p.id, p.title, p.content, p.is_locked, p.ppv_price, p.media_urls, p.media_types, p.media_previews, p.cover_path,
      p.likes_count, p.comments_count, p.created_at, coalesce(c.display_name, c.username) as name, c.username, c.avatar_url, c.updated_at,
      c.is_indexed, u.plan_name, u.price_cents as plan_cents, u.interval as plan_interval
    from public.posts p
    join public.profiles c on c.id = p.creator_id
    left join public.get_unlocks(array[${id}::uuid]) u on u.post_id = p.id
    where p.id = ${id}::uuid`)
  return post
}

export async function findProduct(db: CallerDb, id: string): Promise<ProductRow | undefined> {
  const [product] = await db.rows<ProductRow>(sql`
    select p.id, p.title, p.description, p.cover_path, p.your_price_cents as price_cents, p.takes_more, p.stock_left, p.files,
      coalesce(c.display_name, c.username) as name, c.username, c.avatar_url, c.updated_at, c.is_indexed
    from public.get_product(${id}::uuid) p
    join public.profiles c on c.id = p.creator_id`)
  return product
}

/** Whether a visitor finds posts by this tag, and the creators of the first page all allow search engines. */
export async function isIndexedTag(db: CallerDb, tag: string): Promise<boolean> {
  const [row] = await db.rows<{ is_indexed: boolean }>(sql`
    select coalesce(bool_and(c.is_indexed), false) as is_indexed
    from public.get_tagged_posts(${tag}) p join public.profiles c on c.id = p.creator_id`)
  return row?.is_indexed ?? false
}

/** @param name the username, or the user id. */
export async function findProfile(db: CallerDb, name: string): Promise<ProfileRow | undefined> {
  const [profile] = await db.rows<ProfileRow>(sql`
    select p.id, coalesce(p.display_name, p.username) as name, p.username, p.bio, p.website_url, p.avatar_url, p.cover_url, p.is_private,
      p.is_creator, p.is_indexed, p.followers_count, p.total_posts, p.created_at, p.updated_at,
      (
        select coalesce(jsonb_agg(jsonb_build_object('url', l.url, 'verified', l.verified_at is not null) order by l.position), '[]')
        from public.profile_links l where l.creator_id = p.id
      ) as links
    from public.profiles p
    where ${isUserId(name) ? fragment`p.user_id = ${name}::uuid` : fragment`p.username = ${name}`}`)
  return profile
}

/** The creator's plans, in the order of the profile. */
export function listPlans(db: CallerDb, creatorId: string): Promise<PlanRow[]> {
  return db.rows<PlanRow>(sql`
    select s.name, s.description, s.price_cents, s.interval from public.subscription_products s
    where s.creator_id = ${creatorId}::uuid and s.is_active order by s.position nulls last, s.price_cents, s.id limit 10`)
}
