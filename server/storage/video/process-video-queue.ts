import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { ServiceDb } from '../../postgres/caller-db.ts'
import type { MediaFacts } from '../object-queries.ts'
import type { ObjectStore } from '../object-store.ts'
import { type MadeStream, makePoster, transcodeVideo } from './transcode-video.ts'
import { UnplayableVideo } from './unplayable-video.ts'
import {
  finishVideo,
  giveUpOnVideos,
  giveVideoBack,
  takeVideo,
  type VideoFile,
  type WaitingVideo,
} from './video-queries.ts'

export type VideoParts = {
  readonly service: ServiceDb
  readonly store: ObjectStore
  readonly scratch: string
  /** Path of FFmpeg. */
  readonly program: string
  readonly log: FastifyBaseLogger
}

/** Transcodes the videos in the queue, one after the other. A failed video is recorded, and the next one continues. */
export async function processVideoQueue(parts: VideoParts, signal: AbortSignal): Promise<void> {
  await giveUpOnVideos(parts.service)
  while (!signal.aborted) {
    const video = await takeVideo(parts.service) // taking a video counts as an attempt
    if (!video) return
    try {
      await makeVideo(parts, video, signal)
    } catch (err) {
      const failure = signal.aborted ? undefined : String(err instanceof Error ? err.message : err).slice(0, 500)
      const isFinal = err instanceof UnplayableVideo
      await giveVideoBack(parts.service, video, failure, isFinal)
      const told = isFinal ? { failure } : { err }
      if (failure) parts.log.warn({ ...told, objectId: video.objectId }, 'a video could not be prepared')
    }
  }
}

async function makeVideo(parts: VideoParts, video: WaitingVideo, signal: AbortSignal) {
  const { store, scratch, program } = parts
  const folder = join(scratch, `video-${video.version}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const input = join(folder, 'input')
    await store.saveAs(video.version, input)
    const work = { program, input, folder, signal }
    const poster = await makePoster(work)
    // Right away: the streams take as long as the video, and a card without a poster waits for it.
    if (!(await keep(parts, video, poster.facts, [poster]))) return
    await keep(parts, video, { stream: true }, await transcodeVideo(work, poster))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Writes content first, rows second, as uploads do: the sweep removes what a crash leaves between them.
 * @returns false when the video was overwritten or deleted in the meantime.
 */
async function keep(
  { service, store }: VideoParts,
  video: WaitingVideo,
  facts: Partial<MediaFacts>,
  made: readonly (MadeStream | { readonly file: string; readonly stream?: never })[],
): Promise<boolean> {
  const files: VideoFile[] = []
  for (const { file, stream } of made) {
    const version = randomUUID()
    const { sizeBytes } = await store.write(version, createReadStream(file))
    const kind = stream ? ({ kind: 'stream', mimetype: 'video/mp4', stream } as const) : poster
    files.push({ version, size_bytes: sizeBytes, ...kind })
  }
  const isKept = await finishVideo(service, video, facts, files)
  if (!isKept) for (const { version } of files) await store.remove(version)
  return isKept
}

const poster = { kind: 'poster', mimetype: 'image/jpeg', stream: null } as const
