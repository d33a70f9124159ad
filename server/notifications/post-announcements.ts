import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import type { Channel } from './deliveries.ts'

/** A creator's new posts as a fan hears of them (`private.post_news`). */
export type PostNews = {
  readonly creatorId: string
  readonly name: string
  /** Of the creator's profile: the username or the user id. */
  readonly address: string
  readonly posts: number
  /** Up to three, newest first. */
  readonly latest: readonly PostStart[]
}

type PostStart = {
  readonly id: string
  readonly title: string | null
  /** The first 100 characters, which everyone sees of a locked post, too. */
  readonly preview: string
  /** Whether the text goes on. */
  readonly isCut: boolean
}

/** What to announce to one fan. The times are as PostgreSQL writes them, to the microsecond. */
export type Announcement = {
  /** profiles.id */
  readonly userId: string
  readonly after: string
  readonly until: string
  readonly news: readonly PostNews[]
}
export type Retried = Announcement & { readonly attempts: number }

export type Turn<Taken extends Announcement> = {
  readonly recipients: readonly Taken[]
  /** Whether there may be others. A turn may take nobody and still not be the last. */
  readonly more: boolean
}
type Options = { readonly delaySeconds: number; readonly limit: number }

/** Takes the fans who are next to be notified of new posts at once. Nobody is taken twice, so that a crash can't notify anyone twice. */
export async function takeAnnouncements(
  db: ServiceDb,
  channel: Channel,
  { delaySeconds, limit }: Options,
): Promise<Turn<Retried>> {
  const [turn] = await db.rows<Turn<Retried>>(sql`
    select more, recipients from private.take_post_announcements(${channel}, ${delaySeconds}, ${limit})`)
  return turn ?? nothing
}

/** Gives back an announcement that wasn't sent, to be sent again later. */
export async function retryAnnouncement(db: ServiceDb, channel: Channel, announcement: Retried): Promise<void> {
  const { userId, news, after, until, attempts } = announcement
  const creatorId = news[0]?.creatorId
  await insist(() =>
    db.rows(sql`
      select private.retry_post_announcement(${channel}, ${creatorId}, ${userId}, ${after}, ${until}, ${attempts + 1})`),
  )
}

/** Takes the users who are next to get their daily email about new posts. */
export async function takeDigests(db: ServiceDb, { delaySeconds, limit }: Options): Promise<Turn<Announcement>> {
  const [turn] = await db.rows<Turn<Announcement>>(sql`
    select more, recipients from private.take_post_digests(${delaySeconds}, ${limit})`)
  return turn ?? nothing
}

/** Takes the new posts for a user's daily email, if it has everything in one. */
export async function takeDigestPosts(db: ServiceDb, userId: string): Promise<Announcement | undefined> {
  const [row] = await db.rows<{ recipients: readonly Announcement[] }>(sql`
    select private.take_digest_posts(${[userId]}::uuid[], true) as recipients`)
  return row?.recipients[0]
}

/** Gives back the posts of a daily email that wasn't sent, for the next one. */
export async function returnDigest(db: ServiceDb, { userId, after, until }: Announcement): Promise<void> {
  await insist(() => db.rows(sql`select private.return_digest_posts(${userId}, ${after}, ${until})`))
}

/** Tries again while the database is busy: what isn't given back is lost. */
async function insist(run: () => Promise<unknown>): Promise<void> {
  for (const waitMs of [250, 500, 1_000, 2_000, 4_000]) {
    try {
      await run()
      return
    } catch {
      await sleep(waitMs)
    }
  }
  await run()
}

const nothing = { recipients: [], more: false } as const
