import type { ServiceDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { MediaFacts } from '../object-queries.ts'
import type { Stream } from './transcode-video.ts'

/*
 * Everything runs as the service: the callers have checked who may read a video, and its renderings need no further permission.
 */

export type WaitingVideo = { readonly objectId: string; readonly version: string }
export type VideoFile = {
  readonly version: string
  readonly kind: 'poster' | 'stream'
  readonly size_bytes: number
  readonly mimetype: string
  readonly stream: Stream | null
}

const maxAttempts = 3

/**
 * The next video to transcode, for all objects that have its content. One that is already in progress was left by a crashed node: only one worker runs at a time.
 * Waits for a post that is just being published with the video: skipping its row would leave it for the next minute.
 */
export async function takeVideo(db: ServiceDb): Promise<WaitingVideo | undefined> {
  const [video] = await db.rows<WaitingVideo>(sql`
    update private.videos set state = 'working', started_at = now(), attempts = attempts + 1
    where version = (
      select version from private.videos where state in ('waiting', 'working') and attempts < ${maxAttempts}
      order by attempts, created_at limit 1 for update
    )
    returning object_id as "objectId", version`)
  return video
}

/** Videos whose every attempt ended with a crashed node, perhaps because of the video itself. */
export async function giveUpOnVideos(db: ServiceDb): Promise<void> {
  await db.rows(sql`
    update private.videos set state = 'failed', failure = 'The server stopped each time while it worked on this video'
    where state = 'working' and attempts >= ${maxAttempts}`)
}

/**
 * Requeues a video, or fails it after its last attempt.
 * @param failure undefined: not caused by the video.
 * @param isFinal another attempt would fail too.
 */
export async function giveVideoBack(
  db: ServiceDb,
  { version }: Pick<WaitingVideo, 'version'>,
  failure: string | undefined,
  isFinal = false,
): Promise<void> {
  await db.rows(sql`
    update private.videos
    set attempts = attempts - ${failure === undefined ? 1 : 0}, state = case when (${isFinal}::boolean or attempts >= ${maxAttempts}) and ${failure !== undefined} then 'failed' else 'waiting' end, failure = ${failure ?? null}
    where version = ${version}`)
}

/**
 * Saves a poster, or streams, which make the video ready (`stream`).
 * @returns false when the video was overwritten or deleted in the meantime: nothing was saved.
 */
export async function finishVideo(
  db: ServiceDb,
  { objectId, version }: WaitingVideo,
  facts: Partial<MediaFacts>,
  files: readonly VideoFile[],
): Promise<boolean> {
  const [row] = await db.rows<{ done: boolean }>(sql`
    select private.finish_video(${objectId}, ${version}, ${JSON.stringify(facts)}::jsonb, ${JSON.stringify(files)}::jsonb) as done`)
  return row?.done === true
}

export async function findPoster(db: ServiceDb, version: string) {
  const [poster] = await db.rows<{ version: string; type: string }>(sql`
    select f.version, f.mimetype as type
    from private.video_files f where f.source = ${version} and f.kind = 'poster'`)
  return poster
}

/** The qualities of a video, best first; none before they are ready. */
export function findStreams(db: ServiceDb, version: string) {
  return db.rows<{ version: string; size_bytes: number; mimetype: string; stream: Stream }>(sql`
    select f.version, f.size_bytes::float8 as size_bytes, f.mimetype, f.stream
    from private.video_files f where f.source = ${version} and f.kind = 'stream'
    order by (f.stream ->> 'bandwidth')::bigint desc`)
}

/** The captions of a video in one language, as WebVTT. */
export async function findCaptions(db: ServiceDb, objectId: string, language: string): Promise<string | undefined> {
  const [captions] = await db.rows<{ content: string }>(sql`
    select content from private.video_captions where object_id = ${objectId} and language = ${language}`)
  return captions?.content
}
