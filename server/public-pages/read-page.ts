import { paths } from '@ovation/contract/paths'
import { plainText } from '../plain-text.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import type { Address } from './find-address.ts'
import { coverPicture, ownPicture, type Picture, postFile, postPicture } from './pictures.ts'
import {
  findPost,
  findProduct,
  findProfile,
  listPlans,
  type PlanRow,
  type PostRow,
  type ProductRow,
  type ProfileRow,
} from './queries.ts'

/** A post, product, or profile, as every visitor may see it. Names and titles are plain text in one line. */
export type PublicPage = PostPage | ProductPage | ProfilePage

export type Creator = {
  readonly name: string
  readonly username: string
  /** The path of the profile. */
  readonly path: string
  readonly avatar: Picture | null
  /** When the profile changed: an avatar or cover may change behind its address. */
  readonly updatedAt: Date
}

/** What a visitor would pay, in cents. */
export type Offer = {
  readonly cents: number
  /** A one-time purchase has none. */
  readonly plan?: { readonly name: string; readonly interval: string }
}

export type Video = { readonly file: string; readonly poster: Picture; readonly seconds: number | undefined }

export type PostPage = {
  readonly kind: 'post'
  readonly id: string
  readonly path: string
  readonly title: string | null
  /** In full, or its first 100 characters if the post is locked (POST-11). */
  readonly text: string
  readonly isLocked: boolean
  /** What unlocks it; undefined if nothing does, or if nothing has to. */
  readonly offer: Offer | undefined
  readonly picture: Picture | null
  readonly videos: readonly Video[]
  readonly createdAt: Date
  readonly likes: number
  readonly comments: number
  readonly creator: Creator
  /** Whether search engines may list it. */
  readonly isIndexed: boolean
}

export type ProductPage = {
  readonly kind: 'product'
  readonly id: string
  readonly path: string
  readonly title: string
  readonly text: string
  readonly cents: number
  /** Whether fans may pay more. */
  readonly takesMore: boolean
  readonly isSoldOut: boolean
  /** Of its files, such as "zip", each once. */
  readonly formats: readonly string[]
  readonly picture: Picture | null
  readonly creator: Creator
  readonly isIndexed: boolean
}

export type ProfilePage = {
  readonly kind: 'profile'
  readonly path: string
  readonly bio: string
  readonly website: string | null
  /** Of the creator's other sites. */
  readonly links: ProfileRow['links']
  readonly picture: Picture | null
  readonly createdAt: Date
  readonly followers: number
  readonly posts: number
  readonly plans: readonly PlanRow[]
  readonly creator: Creator
  readonly isIndexed: boolean
}

/**
 * What visitors see at an address: of a locked post the first 100 characters and no file but its cover (POST-11, POST-46, LOOP-14), of a
 * private profile nothing (PROF-22), of a product what its page shows before it is bought. `null` if there is nothing to see.
 * @param db as a visitor.
 */
export async function readPage(db: CallerDb, address: Address): Promise<PublicPage | null> {
  if (address.kind === 'post') {
    const post = await findPost(db, address.id)
    return post ? describePost(post) : null
  }
  if (address.kind === 'product') {
    const product = await findProduct(db, address.id)
    return product ? describeProduct(product) : null
  }
  const profile = await findProfile(db, address.name)
  if (!profile || profile.is_private) return null
  return describeProfile(profile, profile.is_creator ? await listPlans(db, profile.id) : [])
}

function describePost(post: PostRow): PostPage {
  const creator = describeCreator(post)
  return {
    kind: 'post',
    id: post.id,
    path: paths.post(post.id),
    title: post.title && plainText(post.title),
    text: post.content ?? '',
    isLocked: post.is_locked,
    offer: post.is_locked ? offerOf(post) : undefined,
    picture: pictureOf(post),
    videos: videosOf(post),
    createdAt: post.created_at,
    likes: post.likes_count,
    comments: post.comments_count,
    creator,
    isIndexed: post.is_indexed,
  }
}

function describeProduct(product: ProductRow): ProductPage {
  const creator = describeCreator(product)
  return {
    kind: 'product',
    id: product.id,
    path: paths.product(product.id),
    // A title of marks alone leaves nothing.
    title: plainText(product.title) || creator.name,
    text: product.description ?? '',
    cents: product.price_cents,
    takesMore: product.takes_more,
    isSoldOut: product.stock_left === 0,
    formats: [...new Set(product.files.flatMap(({ format }) => format ?? []))],
    picture: product.cover_path ? coverPicture(product.cover_path) : creator.avatar,
    creator,
    isIndexed: product.is_indexed,
  }
}

function describeProfile(profile: ProfileRow, plans: readonly PlanRow[]): ProfilePage {
  const creator = describeCreator(profile)
  return {
    kind: 'profile',
    path: creator.path,
    bio: profile.bio ?? '',
    website: profile.website_url,
    links: profile.links,
    picture: ownPicture(profile.cover_url, true) ?? creator.avatar,
    createdAt: profile.created_at,
    followers: profile.followers_count,
    posts: profile.total_posts,
    plans: plans.map((plan) => ({ ...plan, name: plainText(plan.name) })),
    creator,
    isIndexed: profile.is_indexed,
  }
}

function describeCreator({ name, username, avatar_url, updated_at }: PostRow | ProductRow | ProfileRow): Creator {
  return {
    // A name of marks alone leaves nothing.
    name: plainText(name) || username,
    username,
    path: paths.profile(username),
    avatar: ownPicture(avatar_url, false),
    updatedAt: updated_at,
  }
}

function offerOf({ ppv_price, plan_name, plan_cents, plan_interval }: PostRow): Offer | undefined {
  if (ppv_price !== null) return { cents: ppv_price }
  if (plan_name === null || plan_cents === null || plan_interval === null) return undefined
  return { cents: plan_cents, plan: { name: plainText(plan_name), interval: plan_interval } }
}

/** The first picture or poster of the post, or the free cover of a locked one, or its author. */
function pictureOf(post: PostRow): Picture | null {
  const [file] = filesOf(post).filter(({ type, size }) => type === 'image' || size !== undefined)
  if (file) return postPicture(file.name, file.size)
  return post.is_locked && post.cover_path ? coverPicture(post.cover_path) : ownPicture(post.avatar_url, false)
}

/** Videos without a poster are still being processed. */
const videosOf = (post: PostRow): Video[] =>
  filesOf(post).flatMap(({ name, type, size, seconds }) =>
    type === 'video' && size ? [{ file: postFile(name), poster: postPicture(name, size), seconds }] : [],
  )

/** The files of a free post. A locked one has none for visitors. */
const filesOf = ({ media_urls, media_types, media_previews }: PostRow) =>
  media_urls.map((name, index) => {
    const { width, height, duration } = media_previews[index] ?? {}
    const size = width !== undefined && height !== undefined ? { width, height } : undefined
    return { name, type: media_types[index], size, seconds: duration }
  })
