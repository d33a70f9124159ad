import type { Services } from '../../services.ts'
import { scratchFolder } from '../build-store.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { makeVideos } from './make-videos.ts'

const videosJob = { name: 'make-videos' } as const

/** Longer than any video takes: it is ended before only by a heart that stopped beating. */
const longestSeconds = 12 * 3600

export type Videos = {
  /** Whether this node makes streams of videos. */
  readonly areMade: boolean
  /** A video has been uploaded: it is worked on now rather than at the next minute. */
  notice(): Promise<void>
  /** Ends what is being worked on; the next start begins it anew. */
  stop(): void
}

/**
 * Posters and streams of videos, where FFmpeg is on the machine; on a node without it videos wait for one that has it, and play as
 * they came.
 */
export function addVideosJob(services: Pick<Services, 'config' | 'database' | 'store' | 'jobs' | 'log'>): Videos {
  const { config, database, store, jobs, log } = services
  const program = findFfmpeg(config)
  const stopping = new AbortController()
  if (program === undefined) return { areMade: false, notice: async () => undefined, stop: () => undefined }
  const parts = { service: database.service, store, scratch: scratchFolder(config), program, log }
  jobs.add({
    ...videosJob,
    // One video at a time, on whichever node: encoding takes all that a machine can spare.
    queue: { policy: 'exclusive', retryLimit: 0, expireInSeconds: longestSeconds, heartbeatSeconds: 60 },
    schedule: { cron: '* * * * *', data: {} },
    run: () => makeVideos(parts, stopping.signal),
  })
  return {
    areMade: true,
    notice: () => jobs.send(videosJob, {}),
    stop: () => stopping.abort(new Error('the server stops')),
  }
}
