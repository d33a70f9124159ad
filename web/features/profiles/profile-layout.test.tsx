import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import type { Layout } from '../../domain/creators/layout.ts'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost } from '../../testing/rows.ts'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
// Loaded when they are shown; here before the first test, so that no test waits while they are compiled.
import './profile-links.tsx'
import './profile-welcome.tsx'
import './subscription-facts.tsx'

const layout = (over: Partial<Layout> = {}): Layout => ({
  accent_color: null,
  featured_post_id: null,
  welcome_text: null,
  welcome_post_id: null,
  tab_order: null,
  shows_subscriber_count: false,
  shows_post_count: false,
  ...over,
})
const heading = () => screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })

it('has the creator’s accent color on the head and the tabs, and nowhere else [PAGE-01]', async () => {
  serveProfile({ layout: layout({ accent_color: '#1f5f99' }) })
  renderRoute('/profile/noor')
  const head = (await heading()).closest('header')
  const tabs = screen.getByRole('tablist').parentElement
  for (const element of [head, tabs]) expect(element?.style.getPropertyValue('--light-fill')).toBe('#1f5f99')
  expect([...document.querySelectorAll<HTMLElement>('[style*="--light-fill"]')]).toEqual([head, tabs])
})

it('shows the creator’s links, with a mark on those that link back [PAGE-01]', async () => {
  serveProfile({
    links: [
      { id: 'l1', label: 'My blog', url: 'https://blog.example/', verified_at: '2024-05-04T10:00:00Z' },
      { id: 'l2', label: 'Shop', url: 'https://shop.example/', verified_at: null },
    ],
  })
  renderRoute('/profile/noor')
  const list = within(await screen.findByRole('list', { name: 'Links' }))
  const blog = list.getByRole('link', { name: 'My blog' })
  expect(blog).toHaveAttribute('href', 'https://blog.example/')
  expect(blog.getAttribute('rel')?.split(' ')).toEqual(expect.arrayContaining(['me', 'noopener']))
  expect(list.getByRole('link', { name: 'Shop' })).toHaveAttribute('href', 'https://shop.example/')
  expect(list.getAllByRole('img').map((mark) => mark.getAttribute('aria-label'))).toEqual([
    'Verified: blog.example links back to this profile',
  ])
  await userEvent.click(blog)
  expect(await screen.findByRole('dialog')).toHaveTextContent('https://blog.example/')
})

it('welcomes visitors with the creator’s words and video [PAGE-01]', async () => {
  const video = buildPost({
    media_types: ['image', 'video'],
    media_urls: ['noor/cover', 'noor/clip'],
    media_previews: [{}, {}],
  })
  serveProfile({ layout: layout({ welcome_text: 'New here? Start with the harbor.', welcome_post_id: video.id }) })
  const signed: unknown[] = []
  network.use(
    http.get('*/rest/v1/posts', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('id') === `eq.${video.id}` ? [video] : []),
    ),
    http.post('*/storage/v1/object/sign/posts', async ({ request }) => {
      const { paths } = (await request.json()) as { paths: string[] }
      signed.push(paths)
      return HttpResponse.json(
        paths.map((path) => ({ path, signedURL: `/object/sign/posts/${path}?token=t`, error: null })),
      )
    }),
  )
  renderRoute('/profile/noor')
  const welcome = within(await screen.findByRole('region', { name: 'Welcome from Noor Haddad' }))
  expect(welcome.getByText('New here? Start with the harbor.')).toBeVisible()
  expect(await welcome.findByRole('button', { name: 'Play: Video by Noor Haddad' })).toBeVisible()
  expect(signed).toEqual([['noor/clip']])
})

it('welcomes a user who does not follow, until they follow [PAGE-01]', async () => {
  signIn()
  serveProfile({ layout: layout({ welcome_text: 'New here?' }) })
  network.use(http.post('*/rest/v1/follows', () => new HttpResponse(null, { status: 201 })))
  renderRoute('/profile/noor')
  expect(await screen.findByText('New here?')).toBeVisible()
  await userEvent.click(await screen.findByRole('button', { name: 'Follow Noor Haddad' }))
  await waitFor(() => expect(screen.queryByText('New here?')).not.toBeInTheDocument())
})

it('does not welcome followers, or the creator [PAGE-01]', async () => {
  signIn()
  const { id } = serveProfile({ layout: layout({ welcome_text: 'New here?' }) })
  network.use(answer('follows', [{ following_id: id }]))
  renderRoute('/profile/noor')
  expect(await screen.findByRole('button', { name: 'Following Noor Haddad' })).toBeVisible()
  expect(screen.queryByText('New here?')).not.toBeInTheDocument()
})

it('shows the creator no welcome on their own profile [PAGE-01]', async () => {
  signIn({ is_verified: true })
  serveProfile({
    id: viewerProfile.id,
    user_id: viewerProfile.user_id,
    layout: layout({ welcome_text: 'New here?' }),
  })
  renderRoute('/profile')
  expect(await screen.findByRole('button', { name: 'Edit Profile' })).toBeVisible()
  expect(screen.queryByText('New here?')).not.toBeInTheDocument()
})

it('shows the featured post first, marked and once, above pinned ones [PAGE-01, POST-08]', async () => {
  const [pinned, newest, featured] = ['The pinned one', 'The newest one', 'The featured one'].map((title) =>
    buildPost({ title, is_pinned: title === 'The pinned one' }),
  )
  serveProfile({ layout: layout({ featured_post_id: featured?.id ?? '' }) })
  const asked: (string | null)[] = []
  network.use(
    http.get('*/rest/v1/posts', ({ request }) => {
      const first = new URL(request.url).searchParams.get('or')
      asked.push(first)
      return HttpResponse.json(first ? [pinned, featured] : [newest, featured, pinned])
    }),
  )
  renderRoute('/profile/noor')
  const first = await screen.findByRole('heading', { name: 'The featured one' })
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'The featured one',
    'The pinned one', // the next one is virtualized
  ])
  expect(within(first.closest('article') as HTMLElement).getByText('Featured')).toBeVisible()
  expect(screen.getAllByText('Featured')).toHaveLength(1)
  expect(asked).toContain(`(is_pinned.eq.true,id.eq.${featured?.id})`)
})

it('has the tabs in the creator’s order, and opens the first one [PAGE-01, PROF-14]', async () => {
  serveProfile({ layout: layout({ tab_order: ['about', 'subscribe', 'posts', 'media'] }) })
  const { router } = renderRoute('/profile/noor')
  expect(await screen.findByRole('tab', { name: 'About', selected: true })).toBeVisible()
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['About', 'Subscribe', 'Posts', 'Media'])
  await userEvent.click(screen.getByRole('tab', { name: 'Posts' }))
  expect(router.state.location.search).toBe('?tab=posts')
  expect(await screen.findByText('No posts yet')).toBeVisible()
  await userEvent.click(screen.getByRole('tab', { name: 'About' }))
  expect(router.state.location.search).toBe('')
})

it('has no Subscribe tab for those who don’t sell, wherever it is in the order [PAGE-01, PROF-14]', async () => {
  serveProfile({ is_verified: false, layout: layout({ tab_order: ['subscribe', 'media', 'posts', 'about'] }) })
  renderRoute('/profile/noor')
  expect(await screen.findByRole('tab', { name: 'Media', selected: true })).toBeVisible()
  expect(screen.queryByRole('tab', { name: 'Subscribe' })).not.toBeInTheDocument()
})

it.each([
  [{ subscribers: 1, posts: 2140 }, ['1 subscriber', '2.1K subscriber-only posts']],
  [{ subscribers: null, posts: 1 }, ['1 subscriber-only post']],
])('shows beside the plans what the creator lets visitors see: %j [PAGE-01]', async (facts, shown) => {
  serveProfile({ layout: layout({ shows_subscriber_count: facts.subscribers !== null, shows_post_count: true }) })
  network.use(answer('rpc/get_subscription_facts', [facts]), answer('session_offers', []))
  renderRoute('/profile/noor?tab=subscribe')
  const list = within(await screen.findByRole('list', { name: 'Subscription facts' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(shown)
})
