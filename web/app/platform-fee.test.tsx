import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setConfig } from '../lib/api/config.ts'
import { testConfig } from '../testing/config.ts'
import { creator } from '../testing/dashboard.ts'
import { answer, network } from '../testing/network.ts'
import { renderRoute } from '../testing/render-route.tsx'
import { signIn, viewerProfile } from '../testing/sign-in.ts'

beforeAll(() => setConfig({ ...testConfig, feePercent: 15 }))
afterAll(() => setConfig(testConfig))

const seller = {
  ...viewerProfile,
  is_creator: true,
  is_verified: true,
  stripe_account_id: 'acct_1',
  stripe_charges_enabled: true,
}
const status = {
  success: true,
  has_stripe_account: false,
  onboarding_completed: false,
  charges_enabled: false,
  payouts_enabled: false,
}

const screens: [path: string, says: RegExp, prepare?: () => void][] = [
  ['/auth', /You keep 85% of every payment/],
  ['/dashboard', /keep 85% of every payment/, () => signIn()],
  ['/dashboard?tab=earnings', /The platform fee is 15%/, () => creator()],
  [
    '/dashboard?tab=monetization',
    /You keep 85% of each payment/,
    () => creator({ subscription_products: [], session_offers: [] }),
  ],
  [
    '/creator-onboarding',
    /You keep 85% of every payment/,
    () => {
      signIn({ is_verified: true })
      network.use(http.post('*/functions/v1/check-stripe-status', () => HttpResponse.json(status)))
    },
  ],
  [
    '/subscription-products',
    /You keep 85% of every payment/,
    () => {
      signIn({ is_creator: true, is_verified: true })
      network.use(
        answer('subscription_products', []),
        answer('rpc/get_plan_subscribers', []),
        answer('rpc/get_earlier_prices', []),
      )
    },
  ],
  [
    '/private-sessions?tab=offers',
    /At least \$1\.00\. You keep 85%\./,
    () => {
      signIn({ is_creator: true, is_verified: true })
      network.use(answer('session_bookings', []), answer('session_offers', []), answer('profiles', [seller]))
    },
  ],
  ['/terms-of-service', /The platform fee is 15% of what a fan pays; the creator keeps 85%\./],
]

it.each(screens)(
  'says 15%% and 85%% on %s when that is the fee, and 10%% or 90%% nowhere [GEN-06]',
  async (path, says, prepare) => {
    prepare?.()
    renderRoute(path)
    expect(await screen.findByText(says)).toBeVisible()
    expect(document.body.textContent).not.toMatch(/\b(?:10|80|90)%/)
  },
)

it('explains the configured fee with an example in the FAQ [GEN-06, SUPP-16]', async () => {
  renderRoute('/support')
  await userEvent.click(await screen.findByRole('button', { name: /fee/ }))
  const answerOfFee = /The platform fee is 15% of each payment\. For a \$9\.99 subscription, you get \$8\.49\./
  await waitFor(() => expect(screen.getByText(answerOfFee)).toBeVisible())
})
