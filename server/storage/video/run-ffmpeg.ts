import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { UnplayableVideo } from './unplayable-video.ts'

/**
 * Limits the formats that FFmpeg reads and the places that it reads from. A video that names other files (a playlist, a list of parts)
 * could otherwise make it read the server's own files, or call addresses of its network.
 */
const onlyThisFile = ['-protocol_whitelist', 'file', '-format_whitelist', 'mov,matroska,avi,mpegts,mpeg,flv,asf,ogg']

/** FFmpeg's messages for a file that it will never read. Any other failure, such as a full disk, may be temporary. */
const isFaultOfFile = (said: string): boolean =>
  /matches no streams|Invalid data found when processing input|does not contain any stream|moov atom not found|Cannot determine format of input|: End of file|Not yet implemented in FFmpeg/.test(
    said,
  )

/**
 * Runs FFmpeg on one file at the lowest priority.
 * @returns its output, which has the length and the streams of the file.
 * @throws an Error with its last words, or the signal's reason.
 */
export function runFfmpeg(
  program: string,
  { input, args, folder, signal }: { input: string; args: readonly string[]; folder: string; signal: AbortSignal },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const all = ['-hide_banner', '-nostdin', '-y', ...onlyThisFile, '-i', input, ...args]
    const child = spawn(program, all, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    })
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      // The head describes the file, the tail has the error.
      said = said.length > 200_000 ? `${said.slice(0, 50_000)}${said.slice(-50_000)}${text}` : said + text
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) return resolve(said)
      const failure = `FFmpeg could not read the video: ${said.trim().split('\n').slice(-3).join(' ').slice(-500)}`
      reject(isFaultOfFile(said) ? new UnplayableVideo(failure) : new Error(failure))
    })
  })
}
