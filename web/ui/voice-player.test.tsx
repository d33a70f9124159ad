import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import VoicePlayer from './voice-player.tsx'

// jsdom plays nothing.
const play = vi.spyOn(HTMLMediaElement.prototype, 'play')
const pause = vi.spyOn(HTMLMediaElement.prototype, 'pause')
let playing: HTMLMediaElement[] = []
beforeEach(() => {
  playing = []
  vi.spyOn(HTMLMediaElement.prototype, 'paused', 'get').mockImplementation(function (this: HTMLMediaElement) {
    return !playing.includes(this)
  })
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue()
  play.mockImplementation(async function (this: HTMLMediaElement) {
    playing.push(this)
    fireEvent.play(this)
    fireEvent.playing(this)
  })
  pause.mockImplementation(function (this: HTMLMediaElement) {
    playing = playing.filter((one) => one !== this)
    fireEvent.pause(this)
  })
})
afterEach(() => sessionStorage.clear())

const waveform = btoa(String.fromCharCode(...Array.from({ length: 80 }, (_, index) => index * 3)))
const voice = (over: Partial<Parameters<typeof VoicePlayer>[0]> = {}) =>
  render(
    <MantineProvider env="test">
      <VoicePlayer src="/voice.m4a" label="Voice message by Noor" duration={62} waveform={waveform} {...over} />
    </MantineProvider>,
  )
const slider = () => screen.getByRole('slider', { name: 'Position: Voice message by Noor' })
const sound = (container: HTMLElement) => container.querySelector('audio') as HTMLAudioElement

it('shows its length and waveform, and loads nothing until it is played [INBOX-05]', async () => {
  const { container } = voice()
  expect(sound(container)).toHaveAttribute('preload', 'none')
  expect(screen.getByText('1:02')).toBeVisible()
  expect(slider().querySelector('path')?.getAttribute('d')?.match(/M/g)).toHaveLength(40)
  await userEvent.click(screen.getByRole('button', { name: 'Play: Voice message by Noor' }))
  expect(playing).toEqual([sound(container)])
  await userEvent.click(screen.getByRole('button', { name: 'Pause: Voice message by Noor' }))
  expect(playing).toEqual([])
})

it('moves by keyboard and by pointer, and says where it is [INBOX-05]', async () => {
  const { container } = voice()
  slider().focus()
  await userEvent.keyboard('{ArrowRight}{ArrowUp}{ArrowLeft}')
  expect(sound(container).currentTime).toBe(5)
  expect(slider()).toHaveAttribute('aria-valuetext', '0:05 of 1:02')
  await userEvent.keyboard('{PageUp}')
  expect(slider()).toHaveAttribute('aria-valuenow', '35')
  await userEvent.keyboard('{End}')
  expect(slider()).toHaveAttribute('aria-valuetext', '1:02 of 1:02')
  await userEvent.keyboard('{PageDown}{Home}{ArrowDown}')
  expect(slider()).toHaveAttribute('aria-valuetext', '0:00 of 1:02')
  Object.assign(slider(), { setPointerCapture: vi.fn(), hasPointerCapture: () => true })
  vi.spyOn(slider(), 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 200, 40))
  fireEvent.pointerDown(slider(), { clientX: 200 })
  expect(sound(container).currentTime).toBe(31)
  fireEvent.pointerMove(slider(), { clientX: 900 })
  expect(sound(container).currentTime).toBe(62)
})

it('plays at the speed that was chosen for another one, until the tab is closed [INBOX-05]', async () => {
  const first = voice()
  const speed = () => within(first.container).getByRole('button', { name: /^Playback speed/ })
  await userEvent.click(speed())
  expect(speed()).toHaveTextContent('1.5×')
  const second = voice()
  expect(within(second.container).getByRole('button', { name: 'Playback speed: 1.5×' })).toBeVisible()
  await userEvent.click(within(second.container).getByRole('button', { name: /^Play:/ }))
  expect(sound(second.container).playbackRate).toBe(1.5)
  await userEvent.click(speed())
  expect(sound(second.container).playbackRate).toBe(2)
  await userEvent.click(speed())
  expect(speed()).toHaveTextContent('1×')
})

it('pauses the one that was playing', async () => {
  const [first, second] = [voice(), voice()]
  await userEvent.click(within(first.container).getByRole('button', { name: /^Play:/ }))
  await userEvent.click(within(second.container).getByRole('button', { name: /^Play:/ }))
  expect(playing).toEqual([sound(second.container)])
  expect(within(first.container).getByRole('button', { name: /^Play:/ })).toBeVisible()
})

it('returns to its beginning at its end, which it reports, and learns an unknown length', () => {
  const onProgress = vi.fn()
  const { container } = voice({ duration: undefined, waveform: undefined, onProgress })
  Object.defineProperty(sound(container), 'duration', { value: 7 })
  fireEvent.loadedMetadata(sound(container))
  expect(screen.getByText('0:07')).toBeVisible()
  slider().focus()
  fireEvent.keyDown(slider(), { key: 'End' })
  fireEvent.timeUpdate(sound(container))
  fireEvent.ended(sound(container))
  expect(onProgress.mock.calls).toEqual([
    [7, 7],
    [7, 7],
  ])
  expect(slider()).toHaveAttribute('aria-valuenow', '0')
})

it('says that it failed, and tries again', async () => {
  const { container } = voice()
  play.mockRejectedValueOnce(new DOMException('no', 'NotSupportedError'))
  await userEvent.click(screen.getByRole('button', { name: /^Play:/ }))
  expect(await screen.findByRole('alert')).toHaveTextContent("Couldn't play the voice message.")
  await userEvent.click(screen.getByRole('button', { name: /^Play:/ }))
  expect(sound(container).load).toHaveBeenCalled()
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.error(sound(container))
  expect(screen.getByRole('alert')).toBeVisible()
})

it('is not available without a file, and waits for its link', () => {
  voice({ src: undefined })
  expect(screen.getByText('Voice message not available')).toBeVisible()
  voice({ src: undefined, pending: true })
  expect(screen.getByRole('button', { name: /^Play:/ })).toBeDisabled()
})
