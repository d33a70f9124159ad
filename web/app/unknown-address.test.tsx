import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderRoute } from '../testing/render-route.tsx'
import { serveProfile } from '../testing/serve-profile.ts'
import { signIn } from '../testing/sign-in.ts'

it.each(['/@noor?tab=subscribe#plans', '/@Noor/?tab=subscribe#plans'])(
  'opens the profile at %s, at its canonical address',
  async (address) => {
    signIn()
    serveProfile()
    const { router } = renderRoute(address)
    expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
    expect(router.state.location).toMatchObject({ pathname: '/profile/noor', search: '?tab=subscribe', hash: '#plans' })
  },
)

it('leads back to where the viewer pressed the link', async () => {
  serveProfile()
  const { router } = renderRoute('/privacy-policy')
  await screen.findByRole('heading', { level: 1 })
  await act(() => router.navigate('/@noor'))
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/profile/noor')
  act(() => router.navigator.go(-1))
  await waitFor(() => expect(router.state.location.pathname).toBe('/privacy-policy'))
})

it.each(['/@', '/@noor/posts', '/@noor%2Fposts', '/@//elsewhere.example'])(
  'shows the not-found screen at %s [404-01]',
  async (address) => {
    const { router } = renderRoute(address)
    expect(await screen.findByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
    expect(router.state.location.pathname).not.toMatch(/^\/profile/)
  },
)
