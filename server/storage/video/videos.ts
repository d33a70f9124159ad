import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import type { Jobs } from '../../jobs/index.ts'
import type { Database } from '../../postgres/database.ts'
import { scratchFolder } from '../build-store.ts'
import type { ObjectStore } from '../object-store.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { processVideoQueue } from './process-video-queue.ts'

export const videosJob = { name: 'make-videos' } as const

export type Videos = {
  /** Whether this node transcodes videos. */
  readonly areMade: boolean
  /** Transcodes the videos in the queue. */
  make(): Promise<void>
  /** Transcodes a new video right away instead of at the next minute. */
  notice(): Promise<void>
  /** Stops the current video; the next start begins it again. */
  stop(): void
}

type VideoParts = {
  readonly config: Config
  readonly database: Database
  readonly store: ObjectStore
  readonly jobs: Jobs
  readonly log: FastifyBaseLogger
}

/**
 * Posters and streams of videos, on nodes with FFmpeg. Without it, videos wait for a node that has it, and play as
 * uploaded.
 */
export function buildVideos({ config, database, store, jobs, log }: VideoParts): Videos {
  const program = findFfmpeg(config)
  const stopping = new AbortController()
  if (program === undefined)
    return { areMade: false, make: async () => undefined, notice: async () => undefined, stop: () => undefined }
  const parts = { service: database.service, store, scratch: scratchFolder(config), program, log }
  return {
    areMade: true,
    make: () => processVideoQueue(parts, stopping.signal),
    notice: () => jobs.send(videosJob, {}),
    stop: () => stopping.abort(new Error('the server stops')),
  }
}
