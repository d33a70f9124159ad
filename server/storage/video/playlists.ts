import type { Stream } from './transcode-video.ts'

/** Relative to the playlist's own address, so that it works behind any proxy. */
const address = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`

/** The qualities of a video, best first (RFC 8216 §4.3.4). */
export function masterPlaylist(streams: readonly Stream[], token: string): string {
  const entries = streams.map(
    ({ name, bandwidth, width, height, codecs }) =>
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${width}x${height},CODECS="${codecs}"\n${address({ token, quality: name })}`,
  )
  return ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...entries, ''].join('\n')
}

/** The parts of one quality, each a range of one file. */
export function mediaPlaylist({ name, playlist }: Stream, token: string): string {
  return playlist.replaceAll('{content}', address({ token, quality: name, content: '1' }))
}
