import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answer, network } from '../../../testing/network.ts'
import { renderRoute } from '../../../testing/render-route.tsx'
import { noor } from '../../../testing/rows.ts'
import { signIn, viewerProfile } from '../../../testing/sign-in.ts'

const minute = 60_000
const booking = (startsInMinutes: number, over: Record<string, unknown> = {}) => ({
  id: 'b1',
  title: 'Portfolio review',
  state: 'accepted',
  price_cents: 4_000,
  starts_at: new Date(Date.now() + startsInMinutes * minute).toISOString(),
  ends_at: new Date(Date.now() + (startsInMinutes + 60) * minute).toISOString(),
  refund_status: 'none',
  creator_id: noor.id,
  fan_id: viewerProfile.id,
  creator: noor,
  fan: viewerProfile,
  ...over,
})

function open(row: Record<string, unknown> | null) {
  signIn()
  network.use(answer('session_bookings', row ? [row] : []))
  renderRoute('/private-sessions/b1')
}

/** The browser's cameras, answering as `answers` says. */
function withCameras(getUserMedia: () => Promise<unknown>) {
  const mediaDevices = Object.assign(new EventTarget(), { getUserMedia, enumerateDevices: async () => [] })
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { mediaDevices }))
  vi.stubGlobal('RTCPeerConnection', class {})
}
afterEach(() => vi.unstubAllGlobals())

describe('the call of a session', () => {
  it.each([
    [booking(60), /^The call opens on .*[AP]M$/],
    [booking(-200), 'This session is over'],
    [booking(5, { state: 'requested' }), 'The call opens once the session is confirmed'],
    [booking(5, { state: 'canceled' }), 'This session was canceled'],
  ])('says why it is not open (%#) [PRIV-08]', async (row, words) => {
    open(row)
    expect(await screen.findByText(words)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Join now' })).not.toBeInTheDocument()
  })

  it('is nobody else’s [PRIV-04]', async () => {
    open(null)
    expect(await screen.findByText('Session not found')).toBeVisible()
  })

  it('says so where a browser cannot make calls', async () => {
    open(booking(5))
    expect(await screen.findByText("This browser can't make calls")).toBeVisible()
  })

  it.each([
    ['NotAllowedError', 'Your camera and microphone are blocked'],
    ['NotReadableError', 'Your camera or microphone is in use'],
    ['NotFoundError', 'No camera or microphone found'],
  ])('explains a camera that is not to be had (%s), asks again, and lets one listen', async (name, title) => {
    const getUserMedia = vi.fn(() => Promise.reject(new DOMException('no', name)))
    withCameras(getUserMedia)
    open(booking(5))
    expect(await screen.findByText(title)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Join without camera and microphone' })).toBeVisible()
    const asked = getUserMedia.mock.calls.length
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(getUserMedia.mock.calls.length).toBeGreaterThan(asked)
    expect(await screen.findByText(title)).toBeVisible()
  })

  it('releases camera and microphone after hanging up, and requests them again', async () => {
    const tracks = ['audio', 'video'].map((kind) =>
      Object.assign(new EventTarget(), { kind, stop: vi.fn(), getSettings: () => ({}) }),
    )
    const getUserMedia = vi.fn(async () => ({ getTracks: () => tracks }))
    withCameras(getUserMedia)
    vi.stubGlobal('MediaStream', class {})
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
    network.use(http.post('*/functions/v1/call-servers', () => HttpResponse.json({ iceServers: [] })))
    open(booking(5))
    await userEvent.click(await screen.findByRole('button', { name: 'Join now' }))
    expect(tracks.map(({ stop }) => stop.mock.calls.length)).toEqual([0, 0])
    await userEvent.click(await screen.findByRole('button', { name: 'Leave call' }))
    expect(await screen.findByRole('button', { name: 'Rejoin' })).toBeVisible()
    for (const { stop } of tracks) expect(stop).toHaveBeenCalled()
    const asked = getUserMedia.mock.calls.length
    await userEvent.click(screen.getByRole('button', { name: 'Rejoin' }))
    expect(await screen.findByRole('button', { name: 'Join now' })).toBeVisible()
    expect(getUserMedia.mock.calls.length).toBeGreaterThan(asked)
  })
})
