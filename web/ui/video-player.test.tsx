import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { VideoPlayer } from './video-player.tsx'

// jsdom plays nothing.
const play = vi.spyOn(HTMLMediaElement.prototype, 'play')
beforeEach(() => {
  play.mockImplementation(async function (this: HTMLMediaElement) {
    fireEvent.play(this)
  })
})
afterEach(() => play.mockReset())

const preview = '1QcSHQRnh493V4dIh4eXh1h4kJUI'
const video = (over: Partial<Parameters<typeof VideoPlayer>[0]> = {}) =>
  render(<VideoPlayer src="/v.mp4" poster="/v.jpg" preview={preview} duration={192} label="Video by Noor" {...over} />)

it('shows the poster, the length, and a play button, on the video’s own blurred colors [LOOP-12]', () => {
  const { container } = video()
  const start = screen.getByRole('button', { name: 'Play: Video by Noor' })
  expect(within(start).getByText('3:12')).toBeVisible()
  expect(screen.getByLabelText('Video by Noor')).toHaveAttribute('poster', '/v.jpg')
  expect(screen.getByLabelText('Video by Noor')).not.toHaveAttribute('controls')
  expect(container.querySelector('[data-blurred-preview]')).toBeInTheDocument()
  expect(container.querySelector('media-control-bar')).toBeNull()
})

it('plays when it is pressed, with controls and the keyboard on the video [LOOP-12]', async () => {
  const { container } = video({ captions: [{ src: '/en.vtt', label: 'English', language: 'en' }] })
  await userEvent.click(screen.getByRole('button', { name: 'Play: Video by Noor' }))
  expect(play.mock.contexts).toEqual([screen.getByLabelText('Video by Noor')])
  expect(screen.queryByRole('button', { name: 'Play: Video by Noor' })).not.toBeInTheDocument()
  expect(screen.getByLabelText('Video by Noor')).toHaveFocus()
  await waitFor(() => expect(container.querySelector('media-control-bar')).toBeInTheDocument())
  for (const control of ['playback-rate-menu-button', 'captions-menu-button', 'fullscreen-button', 'time-range'])
    expect(container.querySelector(`media-${control}`)).toBeInTheDocument()
})

it('offers captions only for a video that has some [LOOP-12]', async () => {
  const { container } = video()
  await userEvent.click(screen.getByRole('button', { name: 'Play: Video by Noor' }))
  await waitFor(() => expect(container.querySelector('media-control-bar')).toBeInTheDocument())
  expect(container.querySelector('media-captions-menu-button')).toBeNull()
})

it('plays at once where the viewer has just asked for it, and keeps its button where the browser refuses [LOOP-12]', async () => {
  play.mockRejectedValue(new DOMException('no press', 'NotAllowedError'))
  video({ autoPlay: true })
  expect(play).toHaveBeenCalledTimes(1)
  expect(await screen.findByRole('button', { name: 'Play: Video by Noor' })).toBeVisible()
})

it('learns the length from the video when the server has not measured it [LOOP-12]', async () => {
  video({ duration: undefined, poster: undefined })
  const element = screen.getByLabelText('Video by Noor')
  expect(element).toHaveAttribute('preload', 'metadata')
  Object.defineProperty(element, 'duration', { value: 3725 })
  fireEvent.loadedMetadata(element)
  expect(await screen.findByText('1:02:05')).toBeVisible()
})

it('is the only player of the app [LOOP-12]', () => {
  const web = join(import.meta.dirname, '..')
  const sources = ['app', 'domain', 'features', 'ui'].flatMap((folder) =>
    readdirSync(join(web, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const showing = sources.filter(
    (name) => /(?<!\.test)\.tsx$/.test(name) && readFileSync(join(web, name), 'utf8').includes('<video'),
  )
  expect(showing.sort()).toEqual([
    // A call's cameras, and a still in a grid of thumbnails: neither is played. Stories have taps and keys of their own.
    'domain/stories/story-composer.tsx',
    'features/private-sessions/call/stream-video.tsx',
    'features/profiles/media-grid.tsx',
    'features/stories/story-media.tsx',
    'ui/video-player.tsx',
  ])
})
