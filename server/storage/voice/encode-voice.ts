import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { voiceMaxSeconds } from '@ovation/contract/limits'
import { storageErrors } from '../errors.ts'
import { runFfmpeg } from '../video/run-ffmpeg.ts'
import type { Work } from '../video/transcode-video.ts'
import { UnplayableVideo } from '../video/unplayable-video.ts'
import { waveformOf } from './waveform.ts'

export type VoiceFacts = {
  /** In seconds. */
  readonly duration: number
  /** @see waveformOf */
  readonly waveform: string
}

/** Recorders stop a little late, and encoders pad the end. */
const slackSeconds = 5
const samplesPerSecond = 8000

/**
 * Encodes the sound of a recording as AAC in MP4, which every browser plays, without metadata and without any other track.
 * @returns the new file and what is shown of it.
 * @throws InvalidMimeType (415) without a sound that can be read; EntityTooLarge (413) for more than five minutes.
 */
export async function encodeVoice(work: Work): Promise<{ file: string; facts: VoiceFacts }> {
  const [file, samples] = [join(work.folder, 'voice.m4a'), join(work.folder, 'samples')]
  // A second more than is allowed is enough to see that a recording is too long.
  const sound = ['-map', '0:a:0', '-t', String(voiceMaxSeconds + slackSeconds + 1), '-ac', '1']
  const bare = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact']
  const args = [
    ...[...sound, ...bare, '-ar', '44100', '-c:a', 'aac', '-b:a', '64k', '-movflags', '+faststart', '-f', 'mp4', file],
    ...[...sound, '-ar', String(samplesPerSecond), '-c:a', 'pcm_s16le', '-f', 's16le', samples],
  ]
  await runFfmpeg(work.program, { ...work, args }).catch((error: unknown) => {
    throw error instanceof UnplayableVideo ? storageErrors.brokenVoice(error) : error
  })
  const bytes = await readFile(samples)
  const heard = new Int16Array(Uint8Array.from(bytes).buffer, 0, Math.floor(bytes.length / 2))
  const seconds = heard.length / samplesPerSecond
  if (heard.length === 0) throw storageErrors.brokenVoice()
  if (seconds > voiceMaxSeconds + slackSeconds) throw storageErrors.longVoice()
  return { file, facts: { duration: Math.round(seconds * 10) / 10, waveform: waveformOf(heard) } }
}
