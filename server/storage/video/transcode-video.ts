import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { measurePicture, type PictureFacts } from '../pictures/measure-picture.ts'
import { type Quality, qualitiesFor } from './qualities.ts'
import { runFfmpeg } from './run-ffmpeg.ts'
import { UnplayableVideo } from './unplayable-video.ts'

/** One quality as HLS: a file of fragmented MP4, and the playlist of its parts by byte range. */
export type Stream = {
  readonly name: string
  /** Bits a second at most. */
  readonly bandwidth: number
  readonly width: number
  readonly height: number
  readonly codecs: string
  /** The media playlist, with `{content}` in place of the file's address. */
  readonly playlist: string
}
export type Poster = {
  /** JPEG. */
  readonly file: string
  readonly facts: PictureFacts & { readonly duration: number }
  readonly hasSound: boolean
}
export type MadeStream = { readonly file: string; readonly stream: Stream }

/** `folder` is empty at first, and receives the files. */
export type Work = {
  readonly program: string
  readonly input: string
  readonly folder: string
  readonly signal: AbortSignal
}

/** A part of this length starts fast and still compresses well. */
const partSeconds = 4

/** Transcodes a video into every quality, without the camera's metadata. */
export async function transcodeVideo(work: Work, { facts, hasSound }: Poster): Promise<readonly MadeStream[]> {
  const qualities = qualitiesFor(facts.width, facts.height)
  await runFfmpeg(work.program, { ...work, args: streamArgs(qualities, hasSound) })
  const master = await readFile(join(work.folder, 'master.m3u8'), 'utf8')
  return Promise.all(qualities.map((quality, index) => readStream(work.folder, master, quality, index)))
}

/** A representative early frame: hardly ever the black one that a video begins with. */
export async function makePoster(work: Work): Promise<Poster> {
  const frame = join(work.folder, 'frame.png')
  const args = ['-map', '0:v:0', '-vf', 'thumbnail=48', '-frames:v', '1', '-map_metadata', '-1', frame]
  const said = await runFfmpeg(work.program, { ...work, args })
  if (!existsSync(frame)) throw new UnplayableVideo('The video has no frames')
  const file = join(work.folder, 'poster.jpg')
  await sharp(frame).resize(1920, 1920, { fit: 'inside', withoutEnlargement: true }).jpeg({ quality: 82 }).toFile(file)
  // The size as shown: FFmpeg has applied the rotation.
  const facts = { ...(await measurePicture(file)), ...(await sizeOf(frame)), duration: durationIn(said) }
  return { file, facts, hasSound: /Stream #0:\d+.*: Audio:/.test(said) }
}

async function sizeOf(picture: string) {
  const { width, height } = await sharp(picture).metadata()
  return { width, height }
}

function durationIn(said: string): number {
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d\d):(\d\d\.\d+)/.exec(said) ?? []
  return Math.round((Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 10) / 10
}

function streamArgs(qualities: readonly Quality[], hasSound: boolean): string[] {
  const split = `[0:v:0]split=${qualities.length}${qualities.map((_, index) => `[in${index}]`).join('')}`
  const scales = qualities.map(
    ({ width, height }, index) => `[in${index}]scale=${width}:${height},setsar=1[out${index}]`,
  )
  const limits = ({ kbps }: Quality, index: number) => [
    `-maxrate:v:${index}`,
    `${kbps}k`,
    `-bufsize:v:${index}`,
    `${kbps * 2}k`,
  ]
  return [
    ...['-filter_complex', [split, ...scales].join(';')],
    ...qualities.flatMap((_, index) => ['-map', `[out${index}]`, ...(hasSound ? ['-map', '0:a:0'] : [])]),
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-pix_fmt', 'yuv420p'],
    ...qualities.flatMap(limits),
    ...['-force_key_frames', `expr:gte(t,n_forced*${partSeconds})`, '-sc_threshold', '0'],
    ...(hasSound ? ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'] : []),
    ...['-f', 'hls', '-hls_time', String(partSeconds), '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
    // One file for each quality: a part is a byte range of it, as with the original.
    ...['-hls_flags', 'single_file+independent_segments', '-hls_segment_filename', 'stream%v.mp4'],
    ...['-master_pl_name', 'master.m3u8'],
    ...['-var_stream_map', qualities.map((_, index) => `v:${index}${hasSound ? `,a:${index}` : ''}`).join(' ')],
    'stream%v.m3u8',
  ]
}

async function readStream(folder: string, master: string, { name, width, height }: Quality, index: number) {
  const playlist = await readFile(join(folder, `stream${index}.m3u8`), 'utf8')
  const [, attributes = ''] = new RegExp(`#EXT-X-STREAM-INF:(.*)\\r?\\nstream${index}\\.m3u8`).exec(master) ?? []
  return {
    file: join(folder, `stream${index}.mp4`),
    stream: {
      name,
      width,
      height,
      bandwidth: Number(/(?:^|,)BANDWIDTH=(\d+)/.exec(attributes)?.[1] ?? 0),
      codecs: /CODECS="([^"]*)"/.exec(attributes)?.[1] ?? '',
      playlist: playlist.replaceAll(`stream${index}.mp4`, '{content}'),
    },
  }
}
