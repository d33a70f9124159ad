import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { creator } from '../../testing/dashboard.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

describe('gates', () => {
  it('offers an ordinary person to become a creator [DASH-07]', async () => {
    signIn()
    renderRoute('/dashboard')
    expect(await screen.findByRole('heading', { name: 'Become a Creator' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Apply' })).toHaveAttribute('href', '/creator-verification')
    expect(screen.queryByRole('tab')).not.toBeInTheDocument()
  })

  it('asks a creator who is not approved for verification [DASH-08, D25]', async () => {
    signIn({ is_creator: true })
    renderRoute('/dashboard')
    expect(await screen.findByRole('heading', { name: 'Verification Required' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Verify your identity' })).toHaveAttribute('href', '/creator-verification')
  })

  it('opens by itself when the application is approved', async () => {
    const viewer = creator()
    network.use(answer('profiles', [{ ...viewerProfile, is_creator: true }]))
    renderRoute('/dashboard')
    await screen.findByRole('heading', { name: 'Verification Required' })
    await waitFor(() => expect(listensTo('notifications')).toHaveLength(1))
    network.use(answer('profiles', [{ ...viewerProfile, is_creator: true, is_verified: true }]))
    pushInsert('notifications', { user_id: viewer.id, type: 'verification' })
    expect(await screen.findByRole('tab', { name: 'Overview' })).toBeVisible()
  })

  it('counts an admin as approved [DASH-09]', async () => {
    creator()
    network.use(answer('profiles', [{ ...viewerProfile, role: 'admin' }]))
    renderRoute('/dashboard')
    expect(await screen.findByRole('tab', { name: 'Overview' })).toBeVisible()
  })

  it('sends a signed-out visitor to sign in and back [DASH-02, D35]', async () => {
    const { router } = renderRoute('/dashboard')
    await waitFor(() => expect(router.state.location.search).toBe('?next=%2Fdashboard'))
  })

  it('tells a person without a profile, and tries again [ERR-01]', async () => {
    signIn()
    network.use(answer('profiles', []))
    renderRoute('/dashboard')
    expect(await screen.findByText('Could not find your profile')).toBeVisible()
    network.use(answer('profiles', [viewerProfile]))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'Become a Creator' })).toBeVisible()
  })
})

describe('the header', () => {
  it('leads to sessions, creator setup, settings and products, and copies the referral link [DASH-04, DASH-05, DASH-06, D30]', async () => {
    const viewer = creator()
    const copied = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { clipboard: { writeText: copied } }))
    renderRoute('/dashboard')
    expect(await screen.findByRole('button', { name: 'Copy referral link' })).toBeVisible()
    for (const [name, path] of [
      ['Private sessions', '/private-sessions'],
      ['Creator Setup', '/creator-onboarding'],
      ['Settings', '/settings'],
      ['Subscription Products', '/subscription-products'],
    ] as const)
      expect(within(screen.getByRole('main')).getByRole('link', { name })).toHaveAttribute('href', path)
    screen.getByRole('button', { name: 'Copy referral link' }).click()
    const code = `REF${viewer.id.slice(0, 8).toUpperCase()}`
    await waitFor(() => expect(copied).toHaveBeenCalledWith(`${window.location.origin}/auth?ref=${code}`))
    vi.unstubAllGlobals()
  })
})

describe('the tabs', () => {
  it('are six; list all posts, and remember the tab in the address [DASH-03]', async () => {
    creator()
    const { router } = renderRoute('/dashboard')
    expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual([
      'Overview',
      'Subscribers',
      'Earnings',
      'Content',
      'Monetization',
      'Referrals',
    ])
    await userEvent.click(screen.getByRole('tab', { name: 'Content' }))
    const content = within(await screen.findByRole('tabpanel', { name: 'Content' })) // the overview lists the newest, too
    expect(await content.findByRole('link', { name: 'Rehearsal' })).toBeVisible()
    expect(router.state.location.search).toBe('?tab=content')
  })

  it.each([
    ['subscribers', 'rpc/get_subscribers', "Couldn't load your subscribers", 'No subscribers yet'],
    ['earnings', 'transactions', "Couldn't load your payments", 'No payments yet'],
    ['content', 'posts', "Couldn't load your posts", 'No posts yet'],
  ])('offer a retry on %s, and say when there is nothing', async (tab, table, failure, empty) => {
    creator()
    network.use(fail(table))
    renderRoute(`/dashboard?tab=${tab}`)
    expect(await screen.findByText(failure)).toBeVisible()
    network.use(answer(table, []))
    // Where two lists of one table stand side by side, each has its own.
    for (const retry of screen.getAllByRole('button', { name: 'Retry' })) await userEvent.click(retry)
    expect(await screen.findByText(empty)).toBeVisible()
  })
})
