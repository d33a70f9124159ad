import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

type VideoOptions = { readonly width: number; readonly height: number; readonly perSecond: number }

/** Packs frames of three bytes for each pixel as H.264, which every browser plays. Needs FFmpeg. */
export async function encodeVideo(
  file: string,
  frames: readonly Uint8Array[],
  { width, height, perSecond }: VideoOptions,
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', `${perSecond}`, '-i', '-']
  const output = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '25', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']
  const encoder = spawn(process.env.FFMPEG_PATH ?? 'ffmpeg', ['-v', 'error', '-y', ...input, ...output, file], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = once(encoder, 'exit')
  for (const frame of frames) if (!encoder.stdin.write(frame)) await once(encoder.stdin, 'drain')
  encoder.stdin.end()
  const [code] = await ended
  if (code !== 0) throw new Error(`FFmpeg ended with ${code}.`)
}
