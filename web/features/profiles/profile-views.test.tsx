import { cleanup, screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const plan = {
  id: 'plan-1',
  name: 'Monthly',
  description: null,
  price_cents: 999,
  interval: 'month',
  trial_days: 0,
  benefits: [],
  terms: [],
  is_popular: false,
  creator: { tiered_access: false },
}
function record() {
  const counted: unknown[] = []
  network.use(
    answer('subscription_products', [plan]),
    http.post('*/functions/v1/count-page-view', async ({ request }) => {
      counted.push(await request.json())
      return HttpResponse.json({})
    }),
  )
  return counted
}

it('counts the profile, and the plans once they show, for a visitor, each once [STATX-02]', async () => {
  const counted = record()
  const { id } = serveProfile({ id: 'counted-1' })
  renderRoute('/profile/noor')
  expect(await screen.findByRole('heading', { name: 'Noor Haddad' })).toBeVisible()
  await expect.poll(() => counted).toEqual([{ page: 'profile', id }])
  cleanup()
  renderRoute('/profile/noor?tab=subscribe')
  expect(await screen.findByRole('heading', { name: 'Monthly' })).toBeVisible()
  await expect
    .poll(() => counted)
    .toEqual([
      { page: 'profile', id },
      { page: 'plans', id },
    ])
})

it('counts neither for the creator of the profile [STATX-02]', async () => {
  const counted = record()
  const viewer = signIn({ is_creator: true, is_verified: true })
  serveProfile({ id: 'counted-2', user_id: viewerProfile.user_id }, viewer)
  renderRoute(`/profile/${viewerProfile.username}?tab=subscribe`)
  expect(await screen.findByRole('heading', { name: 'Monthly' })).toBeVisible()
  expect(counted).toEqual([])
})
