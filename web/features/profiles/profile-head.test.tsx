import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { noor } from '../../testing/rows.ts'
import { serveProfile, statistic } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

it('shows the head: banner, avatar, names, mark, badge, handle, bio and website, and the counts [PROF-01, PROF-04, PROF-05, PAGE-01]', async () => {
  const pictures = 'https://ovation.example/storage/v1/object/public'
  serveProfile({ cover_url: `${pictures}/banners/noor/c.webp`, avatar_url: `${pictures}/avatars/noor/a.webp` })
  renderRoute('/profile/noor')
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  const shown = [...screen.getByRole('main').querySelectorAll('img')].map((image) => image.src)
  for (const picture of ['/banners/noor/c.webp', '/avatars/noor/a.webp'])
    expect(shown).toContainEqual(expect.stringContaining(picture))
  expect(screen.getByRole('img', { name: 'Verified' })).toBeVisible()
  expect(screen.getByText('Creator')).toBeVisible()
  expect(screen.getByText('@noor')).toBeVisible()
  expect(screen.getByText('Photographer in Lisbon.')).toBeVisible()
  expect(await screen.findByRole('link', { name: 'noor.example' })).toHaveAttribute('href', 'https://noor.example')
  expect(['Followers', 'Following', 'Photos', 'Videos'].map((label) => statistic(label).textContent)).toEqual([
    '1.2K',
    '3',
    '87',
    '4',
  ])
  expect(screen.getByText('Posts', { selector: 'dt' }).closest('div')).toHaveTextContent('Posts92')
  expect(screen.queryByText('Earned')).not.toBeInTheDocument()
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Posts', 'Media', 'Subscribe', 'About'])
})

it('shows the owner what was earned and Edit Profile, and no Follow [PROF-06, PROF-08, GEN-41]', async () => {
  signIn({ is_verified: true })
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id, total_earnings: 899 })
  renderRoute('/profile')
  expect(await screen.findByRole('button', { name: 'Edit Profile' })).toBeVisible()
  expect(statistic('Earned')).toHaveTextContent('$8.99')
  expect(screen.queryByRole('button', { name: /^Follow / })).not.toBeInTheDocument()
})

it.each([
  ['an approved creator to its owner', true, true],
  ['a fan to its owner', false, true],
  ['an approved creator to others', true, false],
])(
  'shows what was earned on the profile of %s: creator %s, owner %s [PROF-06]',
  async (_profile, is_verified, isOwner) => {
    signIn({ is_verified: isOwner && is_verified })
    const own = isOwner ? { id: viewerProfile.id, user_id: viewerProfile.user_id } : {}
    const profile = { ...own, is_verified, is_creator: is_verified, total_earnings: isOwner ? 899 : null }
    serveProfile(profile, { ...viewerProfile, is_verified: isOwner && is_verified })
    renderRoute(isOwner ? '/profile' : '/profile/noor')
    expect(await screen.findByText('Photographer in Lisbon.')).toBeVisible()
    expect(screen.queryAllByText('Earned')).toHaveLength(is_verified && isOwner ? 1 : 0)
  },
)

it('tells an admin, and nobody else, that a profile is closed because its owner is suspended [GEN-44, PROF-22]', async () => {
  serveProfile({ is_private: true }, signIn({ role: 'admin' }))
  network.use(answer('rpc/get_suspension', [{ since: '2026-03-04T10:00:00Z', reason: 'Sells what is not theirs' }]))
  renderRoute('/profile/noor')
  const note = await screen.findByText(/^Suspended since Mar 4, 2026/)
  expect(note.closest('[role="status"]')).toHaveTextContent('The reason they see: Sells what is not theirs')
  // Nobody can follow, pay or write to them.
  expect(screen.queryByRole('button', { name: /^Follow / })).not.toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Message' })).not.toBeInTheDocument()
})

it('does not load suspensions for non-admins [GEN-44]', async () => {
  signIn()
  serveProfile({ is_private: true })
  const asked: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/get_suspension', () => {
      asked.push(1)
      return HttpResponse.json(null)
    }),
  )
  renderRoute('/profile/noor')
  expect(await screen.findByText('This profile is private')).toBeVisible()
  expect(asked).toEqual([])
})

const found = (over: object = {}) => ({
  ...noor,
  bio: null,
  is_creator: false,
  is_verified: false,
  followers_count: 2,
  ...over,
})

it('opens the lists behind the counts, searches them, and leads to a person [PROF-18]', async () => {
  signIn()
  serveProfile({ followers_count: 31, following_count: 1 })
  const asked: URLSearchParams[] = []
  network.use(
    http.get('*/rest/v1/follows', ({ request }) => {
      const { searchParams } = new URL(request.url)
      if (!searchParams.get('select')?.includes('person')) return HttpResponse.json([])
      asked.push(searchParams)
      const [start] = [Number(searchParams.get('offset') ?? 0)]
      if (searchParams.has('person.or'))
        return HttpResponse.json([{ person: found({ id: 'x', username: 'zoe', display_name: 'Zoë' }) }])
      const people = searchParams.has('follower_id')
        ? [found({ id: 'f', username: 'otto', display_name: 'Otto' })]
        : Array.from({ length: 31 }, (_, n) => found({ id: `p${n}`, username: `fan${n}`, display_name: `Fan ${n}` }))
      return HttpResponse.json(people.slice(start, start + 30).map((person) => ({ person })))
    }),
  )
  const { router } = renderRoute('/profile/noor')
  await userEvent.click(await screen.findByRole('button', { name: 'Followers, 31: show list' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Noor Haddad' }))
  expect(dialog.getByRole('tab', { name: 'Followers (31)' })).toHaveAttribute('aria-selected', 'true')
  expect(await dialog.findByRole('link', { name: 'Fan 0' })).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Load more' }))
  expect(await dialog.findByRole('link', { name: 'Fan 30' })).toBeVisible()

  await userEvent.type(dialog.getByRole('searchbox', { name: 'Search by name' }), 'zo(*')
  expect(await dialog.findByRole('link', { name: 'Zoë' })).toBeVisible()
  expect(asked.at(-1)?.get('person.or')).toBe('(username.ilike."*zo*",display_name.ilike."*zo*")')
  await userEvent.clear(dialog.getByRole('searchbox', { name: 'Search by name' }))

  await userEvent.click(dialog.getByRole('tab', { name: 'Following (1)' }))
  await userEvent.click(await dialog.findByRole('link', { name: 'Otto' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/otto'))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

it('has no list where there is nobody, and none of a private profile [PROF-18, PROF-22]', async () => {
  signIn()
  serveProfile({ is_private: true, followers_count: 5, following_count: 0 })
  renderRoute('/profile/noor')
  expect(await screen.findByText('This profile is private')).toBeVisible()
  expect(screen.queryByRole('button', { name: /show list/ })).not.toBeInTheDocument()
})
