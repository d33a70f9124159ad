import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it, vi } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signFiles } from '../../testing/sign-files.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const creator = {
  id: '33333333-3333-4333-8333-333333333333',
  username: 'noor',
  display_name: 'Noor Haddad',
  avatar_url: null,
  updated_at: '2024-05-04T10:00:00Z',
}
const idOf = (digit: number) => `44444444-4444-4444-8444-44444444444${digit}`
let made = 0
function story(over: Record<string, unknown> = {}) {
  made = (made + 1) % 10
  return {
    id: idOf(made),
    creator_id: creator.id,
    path: `u/${made}.jpg`,
    media_type: 'image',
    caption: `Caption ${made}`,
    alt_text: null,
    audience: 'everyone',
    list_name: null,
    width: 900,
    height: 1600,
    duration: null,
    preview: null,
    stream: false,
    captions: [],
    created_at: '2024-05-04T09:00:00Z',
    ends_at: '2024-05-05T09:00:00Z',
    is_seen: false,
    viewers: null,
    ...over,
  }
}
function serve(stories: ReturnType<typeof story>[], owner: Record<string, unknown> = creator) {
  signFiles({ bucket: 'stories' })
  const seen: unknown[] = []
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const { searchParams } = new URL(request.url)
      return searchParams.get('username') === 'eq.noor' ? HttpResponse.json([owner]) : undefined
    }),
    answer('rpc/get_stories', stories),
    http.post('*/rest/v1/rpc/record_story_view', async ({ request }) => {
      seen.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return seen
}
/** Once there are stories: before, another one says that they load. */
const dialog = async () => {
  await screen.findByRole('button', { name: 'Next story' })
  return screen.getByRole('dialog', { name: "Noor Haddad's stories" })
}
const load = () => act(async () => fireEvent.load(screen.getByRole('img', { name: /Photo by/ })))

it('begins with the first unseen story, notes it as seen, and turns pages by keys and taps [STORY-01] [STORY-02]', async () => {
  signIn()
  const [first, second, third] = [story({ is_seen: true }), story(), story()]
  const seen = serve([first, second, third])
  renderRoute('/stories/noor')
  const view = within(await dialog())
  expect(await view.findByText(String(second.caption))).toBeVisible()
  expect(view.getByRole('status')).toHaveTextContent('Story 2 of 3')
  await view.findByRole('img', { name: 'Photo by Noor Haddad' })
  await load()
  await waitFor(() => expect(seen).toEqual([{ story_id: second.id }]))
  await userEvent.keyboard('{ArrowLeft}')
  expect(view.getByText(String(first.caption))).toBeVisible()
  await userEvent.click(view.getByRole('button', { name: 'Next story' }))
  await userEvent.keyboard('{ArrowRight}')
  expect(view.getByText(String(third.caption))).toBeVisible()
})

it('moves on by itself, and not while it is paused [STORY-01]', async () => {
  signIn()
  const [first, second] = [story(), story()]
  serve([first, second])
  renderRoute('/stories/noor')
  const view = within(await dialog())
  await view.findByRole('img', { name: 'Photo by Noor Haddad' })
  vi.useFakeTimers({ toFake: ['performance', 'requestAnimationFrame', 'cancelAnimationFrame'] })
  try {
    await load()
    fireEvent.keyDown(view.getByRole('button', { name: 'Next story' }), { key: ' ' })
    expect(view.getByRole('button', { name: 'Play' })).toBeVisible()
    act(() => vi.advanceTimersByTime(10_000))
    expect(view.getByText(String(first.caption))).toBeVisible()
    fireEvent.click(view.getByRole('button', { name: 'Play' }))
    act(() => vi.advanceTimersByTime(7_000))
    expect(view.getByText(String(second.caption))).toBeVisible()
  } finally {
    vi.useRealTimers()
  }
})

it('waits for the viewer with reduced motion [STORY-01]', async () => {
  const { matchMedia } = window
  window.matchMedia = (query) => ({ ...matchMedia(query), matches: query.includes('reduced-motion') })
  try {
    serve([story(), story()])
    renderRoute('/stories/noor')
    const view = within(await dialog())
    expect(await view.findByRole('status')).toHaveTextContent('Story 1 of 2')
    expect(view.queryByRole('button', { name: 'Pause' })).not.toBeInTheDocument()
  } finally {
    window.matchMedia = matchMedia
  }
})

it('sends a reply as a message that names the story [STORY-02]', async () => {
  signIn()
  const one = story()
  serve([one])
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/messages', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: 201 })
    }),
  )
  renderRoute('/stories/noor')
  const view = within(await dialog())
  await userEvent.type(await view.findByRole('textbox', { name: 'Reply to Noor Haddad' }), 'Lovely light')
  await userEvent.click(view.getByRole('button', { name: 'Send reply' }))
  expect(await screen.findByText('Reply sent')).toBeVisible()
  expect(sent).toEqual([
    {
      id: expect.any(String),
      sender_id: viewerProfile.id,
      recipient_id: creator.id,
      content: 'Lovely light',
      story_id: one.id,
    },
  ])
})

it('shows creators who has seen their story, and deletes it [STORY-02]', async () => {
  signIn()
  const one = story({ creator_id: viewerProfile.id, is_seen: true, viewers: 2 })
  const seen = serve([one], { ...creator, id: viewerProfile.id })
  network.use(
    answer('rpc/get_story_viewers', [
      {
        ...creator,
        profile_id: creator.id,
        username: 'zed',
        display_name: 'Zed',
        is_verified: false,
        viewed_at: '2024-05-04T09:30:00Z',
      },
    ]),
  )
  renderRoute('/stories/noor')
  const view = within(await dialog())
  await userEvent.click(await view.findByRole('button', { name: '2 viewers' }))
  expect(await screen.findByRole('link', { name: 'Zed' })).toBeVisible()
  expect(seen).toEqual([])
  expect(view.queryByRole('textbox')).not.toBeInTheDocument()
})

it('says that a story is no longer available [STORY-01] [STORY-03]', async () => {
  serve([])
  renderRoute('/stories/noor')
  expect(await screen.findByRole('heading', { name: 'This story is no longer available' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'View profile' })).toHaveAttribute('href', '/profile/noor')
})

it('has rings at the top of the home feed, with those that are new [STORY-01]', async () => {
  signIn()
  const ring = { ...creator, creator_id: creator.id, stories: 2, unseen: 2, newest_at: '2024-05-04T09:00:00Z' }
  network.use(
    answer('rpc/get_feed', []),
    answer('rpc/get_story_rings', [
      ring,
      { ...ring, creator_id: idOf(9), username: 'zed', display_name: 'Zed', unseen: 0 },
    ]),
  )
  renderRoute('/')
  const row = within(await screen.findByRole('region', { name: 'Stories' }))
  expect(row.getAllByRole('link').map((link) => link.getAttribute('aria-label'))).toEqual([
    'Noor Haddad, 2 new stories',
    'Zed, no new stories',
  ])
  expect(row.queryByRole('button', { name: 'Add to your story' })).not.toBeInTheDocument()
})
