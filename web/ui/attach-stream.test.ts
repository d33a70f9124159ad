import { expect, it, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { attachStream } from './attach-stream.ts'

type Heard = (event: string, data: { fatal: boolean }) => void
const streams = vi.hoisted(() => [] as { fail: () => void }[])

/** hls.js needs Media Source Extensions, which jsdom lacks. Like the real one, it empties the video when it is destroyed. */
vi.mock('hls.js/light', () => ({
  default: class {
    static Events = { ERROR: 'error', MANIFEST_PARSED: 'parsed' }
    static isSupported = () => true
    #onError: Heard = () => {}
    #video: HTMLVideoElement | undefined
    constructor() {
      streams.push({ fail: () => this.#onError('error', { fatal: true }) })
    }
    on(event: string, heard: Heard) {
      if (event === 'error') this.#onError = heard
    }
    loadSource() {}
    attachMedia(video: HTMLVideoElement) {
      this.#video = video
    }
    destroy() {
      if (this.#video) this.#video.currentTime = 0
    }
  },
}))

it('continues with the file from where the stream failed [POST-16]', async () => {
  const video = document.createElement('video')
  const play = vi.spyOn(video, 'play').mockResolvedValue()
  attachStream(video, '/film.m3u8', '/film.mp4')
  await eventually(() => expect(streams).toHaveLength(1))
  video.currentTime = 754
  streams[0]?.fail()
  expect(video.getAttribute('src')).toBe('/film.mp4')
  video.dispatchEvent(new Event('loadedmetadata'))
  expect(video.currentTime).toBe(754)
  expect(play).toHaveBeenCalled()
})
