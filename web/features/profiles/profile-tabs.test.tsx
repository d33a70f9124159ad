import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost } from '../../testing/rows.ts'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

it('shows what is pinned first, and once, and leaves it in its place among the media [POST-08, PROF-14, D28]', async () => {
  serveProfile()
  const [pinned, newest] = ['The pinned one', 'The newest one'].map((title) =>
    buildPost({ title, is_pinned: title === 'The pinned one', media_types: ['image'], is_locked: true }),
  )
  network.use(
    http.get('*/rest/v1/posts', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.has('is_pinned') ? [pinned] : [newest, pinned]),
    ),
  )
  renderRoute('/profile/noor')
  expect(await screen.findByRole('heading', { name: 'The newest one' })).toBeVisible()
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'The pinned one',
    'The newest one',
  ])
  await userEvent.click(screen.getByRole('tab', { name: 'Media' }))
  await screen.findByRole('link', { name: /^The newest one/ })
  expect(screen.getAllByRole('link', { name: /one, / }).map(({ textContent }) => textContent?.split(',')[0])).toEqual([
    'The newest one',
    'The pinned one',
  ])
})

it('shows the posts although what is pinned could not be read [POST-08]', async () => {
  serveProfile()
  network.use(
    http.get('*/rest/v1/posts', ({ request }) =>
      new URL(request.url).searchParams.has('is_pinned')
        ? HttpResponse.json({ message: 'down' }, { status: 500 })
        : HttpResponse.json([buildPost({ title: 'Still here', is_pinned: true })]),
    ),
  )
  renderRoute('/profile/noor')
  expect(await screen.findByRole('heading', { name: 'Still here' })).toBeVisible()
})

it('shows locked media as a lock over its colors, linked to its post [POST-10]', async () => {
  serveProfile()
  const media_previews = [{ preview: '1QcSHQRnh493V4dIh4eXh1h4kJUI' }]
  const post = buildPost({ title: 'Behind the scenes', media_types: ['image'], media_previews, is_locked: true })
  network.use(answer('posts', [post]))
  renderRoute('/profile/noor?tab=media')
  expect(await screen.findByRole('link', { name: 'Behind the scenes, Locked' })).toHaveAttribute(
    'href',
    `/post/${post.id}`,
  )
  expect(document.querySelector('[data-blurred-preview]')).toHaveAttribute('src', expect.stringMatching(/^data:image/))
})

it('says that a profile is private to others than its owner [PROF-22]', async () => {
  serveProfile({ is_private: true, bio: null, website_url: null })
  renderRoute('/profile/noor')
  expect(await screen.findByText('This profile is private')).toBeVisible()
})

it.each(['', '?tab=media'])(
  'says that a private profile shows its posts to its owner and to who pays, and not that there are none: %s [POST-48, PROF-22]',
  async (tab) => {
    serveProfile({ is_private: true, bio: null, website_url: null, total_posts: 3 })
    renderRoute(`/profile/noor${tab}`)
    expect(await screen.findByRole('heading', { name: 'Nothing to see here' })).toBeVisible()
    expect(screen.getByText(/Only the owner and paying fans/)).toBeVisible()
    expect(screen.queryByText(/No posts yet|No photos or videos yet/)).not.toBeInTheDocument()
  },
)

it('shows a private profile’s posts to who pays for them [POST-48]', async () => {
  serveProfile({ is_private: true })
  network.use(answer('posts', [buildPost({ content: 'For those inside' })]))
  renderRoute('/profile/noor')
  expect(await screen.findByText('For those inside')).toBeVisible()
  expect(screen.queryByText('Nothing to see here')).not.toBeInTheDocument()
})

it.each([
  { who: 'a creator', is_verified: true, role: 'button', name: 'Create Post' } as const,
  { who: 'a fan', is_verified: false, role: 'link', name: 'Become a creator' } as const,
])(
  'leads $who on from a profile of their own without posts [PROF-14, HOME-03]',
  async ({ is_verified, role, name }) => {
    signIn({ is_verified })
    serveProfile(
      { id: viewerProfile.id, user_id: viewerProfile.user_id, is_verified },
      { ...viewerProfile, is_verified },
    )
    renderRoute('/profile')
    expect(await screen.findByText('No posts yet')).toBeVisible()
    expect(await screen.findByRole(role, { name })).toBeVisible()
  },
)
