import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { creator, stat } from '../../testing/dashboard.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'

describe('the referrals', () => {
  it('say what referrals bring, with the link and the numbers [DASH-03, DASH-05, DASH-16, REF-05]', async () => {
    creator({
      referrals: [],
      'rpc/get_my_referrer': [],
    })
    network.use(
      http.post('*/rest/v1/rpc/get_referral_stats', () =>
        HttpResponse.json({
          total_referrals: 12,
          completed_referrals: 10,
          pending_referrals: 2,
          total_earned: 1000,
          pending_rewards: 0,
        }),
      ),
    )
    renderRoute('/dashboard?tab=referrals')
    expect(await screen.findByText(/^\$10 reward per 10 creators joined/)).toBeVisible()
    await waitFor(async () => expect(await stat('Completed')).toHaveTextContent('10'))
    expect(screen.getByText(/\/auth\?ref=REF22222222$/)).toBeVisible()
  })
})
