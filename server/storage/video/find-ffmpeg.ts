import { delimiter, join } from 'node:path'
import type { Config } from '../../config.ts'
import { isProgram } from '../../is-program.ts'

/**
 * The path of FFmpeg: from `FFMPEG_PATH`, or from the search path; undefined: none, and videos play as uploaded.
 * Tests set the path themselves, so that no other test transcodes their videos in the background.
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
