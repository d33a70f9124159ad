import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Post } from '../../domain/posts/queries.ts'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost } from '../../testing/rows.ts'
import { signFiles } from '../../testing/sign-files.ts'
import { signIn } from '../../testing/sign-in.ts'

const preview = '1QcSHQRnh493V4dIh4eXh1h4kJUI'

function open(...posts: Post[]) {
  signIn()
  signFiles()
  network.use(answer('rpc/get_feed', posts))
  return renderRoute('/')
}
const video = (over: Partial<Post> = {}) =>
  buildPost({
    media_urls: ['u/1.mp4'],
    media_types: ['video'],
    media_previews: [{ preview, width: 640, height: 360, duration: 192, stream: true }],
    ...over,
  })

it('shows a locked post’s blurred preview, its shape and how long there is to watch [POST-10, POST-02]', async () => {
  const locked = { media_urls: [], is_locked: true }
  open(
    video({ ...locked, post_type: 'ppv', ppv_price: 500, media_types: ['image', 'video'] }),
    video({ ...locked, post_type: 'subscription', required_tier_id: 'plan-1' }),
  )
  expect(await screen.findByText('1 photo, 1 video · 3 min')).toBeVisible()
  const [forSale, forFans] = screen.getAllByRole('article') as [HTMLElement, HTMLElement]
  const blurred = forSale.querySelector('[data-blurred-preview]')
  expect(blurred).toHaveAttribute('src', expect.stringMatching(/^data:image\/png;base64,/))
  // Two files beside each other: one of 16:9, and one of unknown size.
  expect(Number.parseFloat(blurred?.parentElement?.style.aspectRatio ?? '')).toBeCloseTo(16 / 9 + 5 / 4)
  expect(within(forSale).getByText('Unlock this post for $5.00')).toBeVisible()
  expect(forFans.querySelector('[data-blurred-preview]')).toBeInTheDocument()
  expect(within(forFans).getByRole('button', { name: 'Subscribe' })).toBeVisible()
})

it('gives a post the same shape locked and open, so that nothing moves when it is unlocked [POST-10]', async () => {
  const portrait = { media_previews: [{ preview, width: 900, height: 1200 }], media_types: ['image' as const] }
  open(
    buildPost({ ...portrait, media_urls: [], is_locked: true, post_type: 'ppv', ppv_price: 500 }),
    buildPost({ ...portrait, media_urls: ['u/1.jpg'] }),
  )
  const photo = await screen.findByRole('button', { name: /^Open photo/ })
  const locked = document.querySelector('[data-blurred-preview]')?.parentElement
  expect(locked).toHaveStyle({ aspectRatio: String(4 / 5) })
  // It fills its row: items whose shares don't add up to 1 leave the rest empty.
  expect(photo.parentElement).toHaveStyle({ aspectRatio: String(4 / 5), flexGrow: '1' })
})

it('keeps a photo’s focus point in view where it is cropped [LOOP-11]', async () => {
  const portrait = { width: 1000, height: 4000, focus: { x: 0.25, y: 0.75 } }
  open(buildPost({ media_urls: ['u/1.jpg'], media_types: ['image'], media_previews: [portrait] }))
  const photo = await screen.findByRole('img', { name: 'Photo by Noor Haddad' })
  expect(photo).toHaveStyle({ objectPosition: '25% 75%' })
})

it('opens a large photo in what the window needs of it, not whole [POST-15]', async () => {
  open(
    buildPost({
      media_urls: ['u/1.jpg'],
      media_types: ['image'],
      media_previews: [{ preview, width: 6000, height: 4000 }],
    }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Open photo 1 of 1' }))
  const shown = await within(await screen.findByRole('dialog', { name: 'Gallery' })).findByRole('img')
  expect(shown).toHaveAttribute('src', expect.stringMatching(/render\/image\/sign\/posts\/u\/1\.jpg\?token=t&width=/))
})

it('offers a photo in the widths that screens need [POST-03]', async () => {
  open(buildPost({ media_urls: ['u/1.jpg'], media_types: ['image'] }))
  const photo = await screen.findByRole('img', { name: 'Photo by Noor Haddad' })
  expect(photo.getAttribute('srcset')?.split(', ')[0]).toMatch(
    /\/storage\/v1\/render\/image\/sign\/posts\/u\/1\.jpg\?token=t&width=480 480w$/,
  )
})

it('shows a video’s poster and fetches nothing of it before it is played [POST-16]', async () => {
  open(video())
  const player = await screen.findByLabelText('Video by Noor Haddad')
  expect(player).toHaveAttribute(
    'poster',
    expect.stringMatching(/render\/image\/sign\/posts\/u\/1\.mp4\?token=t&width=960$/),
  )
  expect(player).toHaveAttribute('preload', 'none')
})

it('offers a video’s captions by the name of their language, beside the file and the stream [POST-16]', async () => {
  open(video({ media_previews: [{ stream: true, captions: ['en', 'pt-BR', 'en-a1'] }] }))
  const player = await screen.findByLabelText('Video by Noor Haddad')
  const tracks = [...player.querySelectorAll('track')]
  expect(tracks.map((track) => [track.kind, track.label, track.srclang])).toEqual([
    ['captions', 'English', 'en'],
    ['captions', 'Brazilian Portuguese', 'pt-BR'],
    ['captions', 'en-a1', 'en-a1'], // no tag of the standard's form: it is no reason to show nothing
  ])
  expect(tracks[1]?.src).toMatch(/\/render\/captions\/sign\/posts\/u\/1\.mp4\?token=t&language=pt-BR$/)
})

it('continues where the viewer stopped, and starts over near the end [POST-16]', async () => {
  open(video())
  const player = (await screen.findByLabelText('Video by Noor Haddad')) as HTMLVideoElement
  Object.defineProperty(player, 'duration', { value: 192 })
  player.currentTime = 60
  fireEvent.timeUpdate(player)
  player.currentTime = 0
  fireEvent.loadedMetadata(player)
  expect(player.currentTime).toBe(60)
  player.currentTime = 188
  fireEvent.pause(player)
  player.currentTime = 0
  fireEvent.loadedMetadata(player)
  expect(player.currentTime).toBe(0)
})

it('sends how far the viewer got, once the page hides [STATX-02]', async () => {
  const sent: unknown[] = []
  open(video())
  network.use(
    http.post('*/rest/v1/rpc/record_media_progress', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(true)
    }),
  )
  const player = (await screen.findByLabelText('Video by Noor Haddad')) as HTMLVideoElement
  Object.defineProperty(player, 'duration', { value: 192 })
  player.currentTime = 187
  fireEvent.timeUpdate(player)
  player.currentTime = 96
  fireEvent.timeUpdate(player)
  fireEvent(window, new Event('pagehide'))
  await waitFor(() => expect(sent).toContainEqual({ file: 'posts/u/1.mp4', percent: 95 }))
})

it('keeps the link of a video that plays when links are renewed, and goes on by the new one when it fails [POST-16, POST-47]', async () => {
  const plain = { media_previews: [] }
  const { queryClient } = open(video(plain), video({ ...plain, media_urls: ['u/2.mp4'] }))
  let renewal = 0
  signFiles({ token: () => String(++renewal) })
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined)
  const [playing, waiting] = (await screen.findAllByLabelText('Video by Noor Haddad')) as HTMLVideoElement[]
  if (!playing || !waiting) throw new Error('two videos')
  fireEvent.play(playing)
  await act(() => queryClient.invalidateQueries({ queryKey: ['media-links'] }))
  await waitFor(() => expect(waiting).toHaveAttribute('src', expect.stringContaining('token=2')))
  expect(playing).toHaveAttribute('src', expect.stringContaining('token=1'))

  Object.defineProperty(playing, 'paused', { value: false })
  playing.currentTime = 42
  fireEvent.error(playing)
  await waitFor(() => expect(playing).toHaveAttribute('src', expect.stringContaining('token=2')))
  expect(play.mock.contexts).toEqual([playing])
  playing.currentTime = 0
  fireEvent.loadedMetadata(playing)
  expect(playing.currentTime).toBe(42)

  fireEvent.error(playing)
  expect(await screen.findByRole('img', { name: "This video can't be played" })).toBeVisible()
  vi.restoreAllMocks()
})

it('plays where the browser keeps nothing for the app [POST-16]', async () => {
  open(video())
  const player = (await screen.findByLabelText('Video by Noor Haddad')) as HTMLVideoElement
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  const thrown = vi.fn()
  window.addEventListener('error', thrown)
  Object.defineProperty(player, 'duration', { value: 192 })
  player.currentTime = 60
  fireEvent.timeUpdate(player)
  player.currentTime = 0
  fireEvent.loadedMetadata(player)
  window.removeEventListener('error', thrown)
  expect(thrown).not.toHaveBeenCalled()
  expect(player.currentTime).toBe(0)
})

it('plays one video at a time [POST-16]', async () => {
  const paused = vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined)
  open(video({ media_previews: [] }), video({ media_previews: [], media_urls: ['u/2.mp4'] }))
  const [first, second] = await screen.findAllByLabelText('Video by Noor Haddad')
  if (!first || !second) throw new Error('two videos')
  fireEvent.play(second)
  expect(paused.mock.contexts).toEqual([first])
  paused.mockRestore()
})

/** Presses "Download file" as an admin; keeps what the browser was given to save. */
async function download(file: () => Response) {
  const saved: { href: string; name: string }[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.download) saved.push({ href: this.href, name: this.download })
  })
  open(buildPost({ media_urls: ['u/1.jpg'], media_types: ['image'] }))
  signIn({ role: 'admin' })
  network.use(
    answer('rpc/get_feed', [buildPost({ media_urls: ['u/1.jpg'], media_types: ['image'] })]),
    http.post('*/storage/v1/object/sign/posts/u/1.jpg', () =>
      HttpResponse.json({ signedURL: '/object/sign/posts/u/1.jpg?token=d' }),
    ),
    http.get('*/storage/v1/object/sign/posts/u/1.jpg', file),
  )
  await userEvent.click(await screen.findByRole('button', { name: "More options for Noor Haddad's post" }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Download file' }))
  return saved
}
afterEach(() => vi.restoreAllMocks())

it('gives an admin the file, fetched as a blob [POST-50]', async () => {
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:http://localhost/1', revokeObjectURL: () => undefined }),
  )
  const saved = await download(() => new HttpResponse('x'))
  await waitFor(() => expect(saved).toEqual([{ href: 'blob:http://localhost/1', name: '1.jpg' }]))
})

it('gives the direct link where the file cannot be fetched [POST-50]', async () => {
  const saved = await download(() => HttpResponse.error())
  await waitFor(() =>
    expect(saved).toEqual([{ href: expect.stringContaining('/object/sign/posts/u/1.jpg?token=d'), name: '1.jpg' }]),
  )
})

it('falls back from a blob to the direct link, and from that to a new tab [POST-50]', async () => {
  const link = expect.stringContaining('/object/sign/posts/u/1.jpg?token=d')
  const again = async () => {
    await userEvent.click(await screen.findByRole('button', { name: "More options for Noor Haddad's post" }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Download file' }))
  }
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:http://localhost/1')
  const opened = vi.spyOn(window, 'open').mockReturnValue(window)
  const saved = await download(() => new HttpResponse('x'))
  await waitFor(() => expect(saved).toEqual([{ href: 'blob:http://localhost/1', name: '1.jpg' }]))
  network.use(http.get('*/storage/v1/object/sign/posts/u/1.jpg', () => HttpResponse.error()))
  await again()
  await waitFor(() => expect(saved[1]).toEqual({ href: link, name: '1.jpg' }))
  expect(opened).not.toHaveBeenCalled()
  const { download: property } = Object.getOwnPropertyDescriptors(HTMLAnchorElement.prototype)
  delete (HTMLAnchorElement.prototype as { download?: string }).download
  onTestFinished(() => void Object.defineProperty(HTMLAnchorElement.prototype, 'download', property))
  await again()
  await waitFor(() => expect(opened).toHaveBeenCalledWith(link, '_blank', 'noopener'))
  expect(saved).toHaveLength(2)
})

it('says that the download failed, and what to try, when every way has failed; for as long as it takes to read [POST-51, POST-34, CONST-02]', async () => {
  const timers = vi.spyOn(window, 'setTimeout')
  await download(() => HttpResponse.error())
  network.use(
    http.post('*/storage/v1/object/sign/posts/u/1.jpg', () => HttpResponse.json({ message: 'gone' }, { status: 400 })),
  )
  await userEvent.click(await screen.findByRole('button', { name: "More options for Noor Haddad's post" }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Download file' }))
  expect(await screen.findByText('Download failed')).toBeVisible()
  expect(screen.getByText('Open the file, then choose "Save as" from its menu.')).toBeVisible()
  await waitFor(() =>
    expect(timers.mock.calls.map(([, ms]) => ms)).toContainEqual(expect.toSatisfy((ms) => ms >= 4_000 && ms <= 6_000)),
  )
})
