import type { Stream } from './transcode-video.ts'

type Parameters = Readonly<Record<string, string>>

/** Relative to the playlist's own address, so that it works behind any proxy. */
const address = (parameters: Parameters) => `?${new URLSearchParams(parameters)}`

/** The qualities of a video, best first (RFC 8216 §4.3.4). @param common of every address. */
export function masterPlaylist(streams: readonly Stream[], common: Parameters): string {
  const entries = streams.map(
    ({ name, bandwidth, width, height, codecs }) =>
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${width}x${height},CODECS="${codecs}"\n${address({ ...common, quality: name })}`,
  )
  return ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...entries, ''].join('\n')
}

/** The parts of one quality, each a range of one file. */
export function mediaPlaylist({ name, playlist }: Stream, common: Parameters): string {
  return playlist.replaceAll('{content}', address({ ...common, quality: name, content: '1' }))
}
