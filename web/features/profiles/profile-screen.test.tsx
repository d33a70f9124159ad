import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildProfile } from '../../testing/rows.ts'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

it('sends a visitor without a profile of their own to sign in [PROF-01, GEN-37]', async () => {
  const { router } = renderRoute('/profile')
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

it.each(['/profile', '/profile/noor'])('shows the same screen at %s [PROF-01]', async (path) => {
  signIn()
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id })
  renderRoute(path)
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Edit Profile' })).toBeVisible()
})

it('finds a profile by user id where the address holds one [PROF-02]', async () => {
  const asked: string[] = []
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('or') ?? '')
      return HttpResponse.json(buildProfile())
    }),
    answer('posts', []),
  )
  renderRoute('/profile/c0000000-0000-4000-8000-0000000000ff')
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  expect(asked[0]).toContain('user_id.eq.c0000000-0000-4000-8000-0000000000ff')
})

it('sends to /404 when there is no such profile, and says so [PROF-03]', async () => {
  network.use(answer('profiles', []))
  const { router } = renderRoute('/profile/nobody')
  expect(await screen.findByText('Profile not found')).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/404'))
  expect(await screen.findByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})

it('shows the profile of a former username at its present address', async () => {
  const asked: string[] = []
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const isPresent = new URL(request.url).searchParams.get('username') === 'eq.noor'
      return HttpResponse.json(isPresent ? buildProfile() : null)
    }),
    http.get('*/rest/v1/rpc/get_present_username', ({ request }) => {
      asked.push(new URL(request.url).search)
      return HttpResponse.json('noor')
    }),
    answer('posts', []),
  )
  const { router } = renderRoute('/profile/noor-before?tab=subscribe')
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  expect(router.state.location).toMatchObject({ pathname: '/profile/noor', search: '?tab=subscribe' })
  expect(asked).toEqual(['?former_username=noor-before'])
})

it('sends to /404 when the former username can’t be read, and asks for none of an id [PROF-03]', async () => {
  let asked = 0
  network.use(
    answer('profiles', []),
    http.get('*/rest/v1/rpc/get_present_username', () => {
      asked += 1
      return HttpResponse.json({ message: 'down' }, { status: 500 })
    }),
  )
  const { router } = renderRoute('/profile/c0000000-0000-4000-8000-0000000000ff')
  await waitFor(() => expect(router.state.location.pathname).toBe('/404'))
  expect(asked).toBe(0)
  await act(() => router.navigate('/profile/noor-before'))
  await waitFor(() => expect(asked).toBe(1))
  await waitFor(() => expect(router.state.location.pathname).toBe('/404'))
})

it('recovers when loading fails and the viewer retries', async () => {
  network.use(fail('profiles'))
  renderRoute('/profile/noor')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  serveProfile()
  await userEvent.click(retry)
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
})
