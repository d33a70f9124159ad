import type { CallerDb, ServiceDb } from '../postgres/caller-db.ts'
import { fragment, sql } from '../postgres/sql.ts'

/** Posts of a feed. Readers keep what they have read, and the profile has the rest. */
const mostPosts = 50
/** How far a private feed looks for posts that the fan may read. */
const mostSearchedPosts = 500
/** Files whose size and type are read: the audio and video of a feed. */
const mostFiles = 100

export type CreatorRow = {
  readonly id: string
  readonly username: string
  readonly name: string
  readonly bio: string | null
  readonly avatar_url: string | null
  readonly is_private: boolean
  readonly updated_at: Date
}

export type PostRow = {
  readonly id: string
  readonly title: string | null
  /** In full, or its first 100 characters if the post is locked. */
  readonly content: string
  readonly ppv_price: number | null
  readonly is_locked: boolean
  readonly media_urls: readonly string[]
  readonly media_types: readonly string[]
  readonly media_previews: readonly { readonly duration?: number }[]
  readonly cover_path: string | null
  readonly created_at: Date
}

export type FileRow = { readonly name: string; readonly mime_type: string; readonly bytes: number }

const creator = fragment`id, username, coalesce(display_name, username) as name, bio, avatar_url, is_private, updated_at`
const post = fragment`id, title, content, ppv_price, is_locked, media_urls, media_types, media_previews, cover_path, created_at`

export async function findCreatorByName(db: CallerDb, username: string): Promise<CreatorRow | undefined> {
  const [found] = await db.rows<CreatorRow>(sql`select ${creator} from public.profiles where username = ${username}`)
  return found
}

export async function findCreator(db: CallerDb, id: string): Promise<CreatorRow | undefined> {
  const [found] = await db.rows<CreatorRow>(sql`select ${creator} from public.profiles where id = ${id}::uuid`)
  return found
}

/** The newest posts as the caller sees them, locked ones included. The view masks those, so there is no check here. */
export function findPosts(db: CallerDb, creatorId: string): Promise<PostRow[]> {
  return db.rows(sql`
    select ${post} from public.posts where creator_id = ${creatorId}::uuid
    order by created_at desc, id desc limit ${mostPosts}`)
}

/** The newest posts that the caller may read in full. */
export function findReadablePosts(db: CallerDb, creatorId: string): Promise<PostRow[]> {
  return db.rows(sql`
    select ${post} from (
      select ${post} from public.posts where creator_id = ${creatorId}::uuid
      order by created_at desc, id desc limit ${mostSearchedPosts}
    ) newest
    where not is_locked order by created_at desc, id desc limit ${mostPosts}`)
}

/** The size and type of posts' files. Row-level security leaves out those that the caller may not read. */
export function findFiles(db: CallerDb, names: readonly string[]): Promise<FileRow[]> {
  if (names.length === 0) return Promise.resolve([])
  return db.rows(sql`
    select name, metadata ->> 'mimetype' as mime_type, (metadata ->> 'size')::float8 as bytes from storage.objects
    where bucket_id = 'posts' and name = any(${names.slice(0, mostFiles)}) and metadata ->> 'mimetype' ~ '^(audio|video)/'
      and metadata ? 'size'`)
}

export type OpenedFeed = {
  readonly user_id: string
  readonly fan_id: string
  readonly creator_id: string
  readonly paused_at: Date | null
}

/**
 * Whose feed has a token with this hash; undefined if the address is unknown or dead. Runs as the service, because no one has signed in.
 * @param network identifies where the reader is; undefined: it isn't counted.
 */
export async function openFeed(
  db: ServiceDb,
  tokenHash: Buffer,
  network: string | undefined,
): Promise<OpenedFeed | undefined> {
  const [opened] = await db.rows<OpenedFeed>(sql`
    select user_id, fan_id, creator_id, paused_at
    from private.open_feed(decode(${tokenHash.toString('hex')}, 'hex'), ${network ?? null}::text)`)
  return opened
}
