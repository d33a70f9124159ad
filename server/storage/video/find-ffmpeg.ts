import { delimiter, join } from 'node:path'
import type { Config } from '../../config.ts'
import { isProgram } from '../../is-program.ts'

/**
 * Where FFmpeg is: the one that `FFMPEG_PATH` names, or the one on the search path; undefined: none, and videos play as they came.
 * Tests name theirs, so that no other test's video is worked on behind its back.
 */
export function findFfmpeg({
  ffmpegPath,
  environment,
}: Pick<Config, 'ffmpegPath' | 'environment'>): string | undefined {
  if (ffmpegPath !== undefined || environment === 'test') return ffmpegPath
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'))
    .find(isProgram)
}
