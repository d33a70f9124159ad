import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../config.ts'
import { buildWorkQueue, type WorkQueue } from '../../work-lanes.ts'
import { storageErrors } from '../errors.ts'
import { findFfmpeg } from '../video/find-ffmpeg.ts'
import { encodeVoice, type VoiceFacts } from './encode-voice.ts'

export type VoiceEncoder = {
  /** Path of FFmpeg; undefined: none. */
  readonly program: string | undefined
  readonly queue: WorkQueue
}

/** Five minutes take a few seconds. An account that keeps sending pauses for as long as it worked. */
const kind = {
  lanes: 2,
  lanesPerKey: 1,
  burstMsPerKey: 20_000,
  maxWaiting: 200,
  maxWaitingPerKey: 10,
  deadlineMs: 60_000,
}

export const buildVoiceEncoder = (config: Pick<Config, 'ffmpegPath' | 'environment'>): VoiceEncoder => ({
  program: findFfmpeg(config),
  queue: buildWorkQueue(kind, {
    tooMany: storageErrors.tooManyVoices,
    busy: storageErrors.busyWithVoices,
    tooSlow: storageErrors.slowVoice,
  }),
})

/**
 * Encodes a voice message while it is uploaded. Browsers record in formats that others don't play, and the recording could be any file
 * with sound in it, with a place or a picture; so its own bytes are never stored.
 * @param folder path for the files during the work; deleted once `keep` has returned.
 * @param account owner of the recording, so that no account takes all the time.
 * @throws as `encodeVoice`; FeatureNotEnabled (409) without FFmpeg; SlowDown (429, 503).
 */
export async function cleanVoice<Kept>(
  content: AsyncIterable<Uint8Array>,
  folder: string,
  { program, queue }: VoiceEncoder,
  account: string | undefined,
  keep: (clean: AsyncIterable<Uint8Array>) => Promise<Kept>,
): Promise<{ readonly kept: Kept; readonly facts: VoiceFacts }> {
  if (program === undefined) throw storageErrors.noVoices()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const input = join(folder, 'input')
    await pipeline(content, createWriteStream(input, { mode: 0o600 }))
    const { file, facts } = await queue((signal) => encodeVoice({ program, input, folder, signal }), { key: account })
    return { kept: await keep(createReadStream(file)), facts }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
