import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { setupQuery } from '../../domain/creators/setup.ts'
import { creator, stat } from '../../testing/dashboard.ts'
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

describe('the checklist', () => {
  const steps = async () => {
    const list = await screen.findByRole('region', { name: 'Finish setting up' })
    return within(list)
      .getAllByRole('listitem')
      .map((item) => item.querySelector('h3')?.textContent)
  }
  const ready = {
    ...viewerProfile,
    is_creator: true,
    is_verified: true,
    avatar_url: '/a.jpg',
    cover_url: '/c.jpg',
    total_posts: 3,
    followers_count: 1,
    stripe_charges_enabled: true,
    stripe_payouts_enabled: true,
    plans: [{ id: 'plan-1' }],
  }

  it('starts the dashboard of a new creator with six steps, of which the next one is the primary button [LOOP-07]', async () => {
    creator()
    renderRoute('/dashboard')
    expect(await steps()).toEqual([
      'Verify your identity · Done',
      'Set up payouts',
      'Create a plan',
      'Add a picture and a cover',
      'Publish your first post',
      'Share your page',
    ])
    const list = within(screen.getByRole('region', { name: 'Finish setting up' }))
    expect(list.getByText('1 of 6 done')).toBeVisible()
    for (const [name, path] of [
      ['Set up payouts', '/creator-onboarding'],
      ['Create plan', '/subscription-products'],
      ['Edit page', '/profile'],
    ] as const)
      expect(list.getByRole('link', { name })).toHaveAttribute('href', path)
    expect(list.getByRole('link', { name: 'Set up payouts' })).toHaveAttribute('data-variant', 'filled')
    expect(list.getByRole('button', { name: 'Share' })).toHaveAttribute('data-variant', 'default')
    await userEvent.click(list.getByRole('button', { name: 'Write a post' }))
    expect(await screen.findByRole('dialog', { name: 'Create Post' })).toBeVisible()
  })

  it('marks the page as shared once its link was, and remembers it [LOOP-07]', async () => {
    creator()
    vi.stubGlobal(
      'navigator',
      Object.assign(Object.create(navigator), { clipboard: { writeText: async () => undefined } }),
    )
    renderRoute('/dashboard')
    await userEvent.click(await screen.findByRole('button', { name: 'Share' }))
    await waitFor(async () => expect(await steps()).toContain('Share your page · Done'))
    expect(localStorage.getItem(`ovation:shared:${viewerProfile.id}`)).not.toBeNull()
    vi.unstubAllGlobals()
  })

  type Attempt = () => Promise<never>
  it.each([
    ['closed the share sheet', 'AbortError', (share: Attempt) => ({ canShare: () => true, share })],
    ['may not copy the link', 'NotAllowedError', (writeText: Attempt) => ({ clipboard: { writeText } })],
  ])('does not mark the page as shared by a creator who %s [LOOP-07]', async (_who, error, device) => {
    creator()
    const attempt = vi.fn(() => Promise.reject(new DOMException('', error)))
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), device(attempt)))
    onTestFinished(() => void vi.unstubAllGlobals())
    renderRoute('/dashboard')
    fireEvent.click(await screen.findByRole('button', { name: 'Share' })) // user-event has a clipboard of its own
    await waitFor(() => expect(attempt).toHaveBeenCalledOnce())
    expect(await steps()).toContain('Share your page')
    expect(localStorage.getItem(`ovation:shared:${viewerProfile.id}`)).toBeNull()
  })

  it('disappears once every step is done [LOOP-07]', async () => {
    const viewer = creator()
    network.use(answer('profiles', [{ ...ready, plans: [] }]))
    renderRoute('/dashboard')
    expect(await screen.findByText('5 of 6 done')).toBeVisible()
    await waitFor(() => expect(listensTo('notifications')).toHaveLength(1))
    network.use(answer('profiles', [ready]))
    pushInsert('notifications', { user_id: viewer.id, type: 'follow' })
    await waitFor(() => expect(screen.queryByText('5 of 6 done')).not.toBeInTheDocument())
    expect(screen.getByRole('tab', { name: 'Overview' })).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Finish setting up' })).not.toBeInTheDocument()
  })

  it('is not for admins who are not creators [LOOP-07]', async () => {
    creator()
    const asked: string[] = []
    network.use(
      http.get('*/rest/v1/profiles', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('select') ?? '')
        const admin = { ...ready, is_creator: false, is_verified: false, role: 'admin', plans: [] }
        return HttpResponse.json(request.headers.get('accept')?.includes('object') ? admin : [admin])
      }),
    )
    renderRoute('/dashboard')
    await waitFor(async () => expect(await stat('Views')).toHaveTextContent('13,312'))
    expect(asked).not.toContainEqual(expect.stringContaining('plans'))
    expect(screen.queryByRole('region', { name: 'Finish setting up' })).not.toBeInTheDocument()
  })

  it('leaves the dashboard usable when it cannot be loaded', async () => {
    creator()
    let asked = 0
    network.use(
      http.get('*/rest/v1/profiles', ({ request }) => {
        if (!request.url.includes('plans')) return HttpResponse.json(ready)
        asked++
        return HttpResponse.json({ message: 'down' }, { status: 500 })
      }),
    )
    renderRoute('/dashboard')
    expect(await screen.findByRole('tab', { name: 'Overview' })).toBeVisible()
    await waitFor(() => expect(asked).toBeGreaterThan(0))
    expect(screen.queryByText('Set up payouts')).not.toBeInTheDocument()
  })

  it('shows no step before it is known whether the application was sent [LOOP-07, LOOP-08]', async () => {
    signIn({ is_creator: true })
    const { promise: isSent, resolve: send } = Promise.withResolvers<void>()
    network.use(
      http.get('*/rest/v1/creator_applications', async () => {
        await isSent
        return HttpResponse.json([{ id: 'application-1', status: 'pending' }])
      }),
    )
    const shown: string[] = []
    const observer = new MutationObserver(() => shown.push(document.body.textContent))
    observer.observe(document.body, { childList: true, subtree: true })
    const { queryClient } = renderRoute('/dashboard')
    await waitFor(() => expect(queryClient.getQueryData(setupQuery(viewerProfile.id).queryKey)).toBeDefined())
    send()
    expect(await screen.findByRole('link', { name: 'View application' })).toBeVisible()
    expect(shown).not.toContainEqual(expect.stringContaining('Before you can publish'))
    observer.disconnect()
  })

  it('says that the application is being reviewed, and goes on with the next step [LOOP-07, LOOP-08, DASH-08]', async () => {
    signIn({ is_creator: true })
    network.use(answer('creator_applications', [{ id: 'application-1', status: 'pending' }]))
    renderRoute('/dashboard')
    expect(await screen.findByText(/We're reviewing your application/)).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Verification Required' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'View application' })).toHaveAttribute('href', '/creator-verification')
    expect(screen.getByRole('link', { name: 'Set up payouts' })).toHaveAttribute('data-variant', 'filled')
    await userEvent.click(screen.getByRole('button', { name: 'Write a draft' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Post' }))
    expect(dialog.getByText(/You can publish once you're approved/)).toBeVisible()
    expect(dialog.queryByRole('button', { name: 'Create Post' })).not.toBeInTheDocument()
    await userEvent.type(dialog.getByLabelText('Content'), 'The first rehearsal')
    await userEvent.click(dialog.getByRole('button', { name: 'Save draft' }))
    expect(await screen.findByText('Draft saved')).toBeVisible()
    // In another tab, too.
    sessionStorage.clear()
    await userEvent.click(screen.getByRole('button', { name: 'Write a draft' }))
    expect(await screen.findByLabelText('Content')).toHaveValue('The first rehearsal')
  })
})

describe('the header', () => {
  it('leads to sessions, payouts, settings and products, and copies the referral link [DASH-04, DASH-05, DASH-06, D30]', async () => {
    const viewer = creator()
    const copied = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { clipboard: { writeText: copied } }))
    renderRoute('/dashboard')
    expect(await screen.findByRole('button', { name: 'Copy referral link' })).toBeVisible()
    for (const [name, path] of [
      ['Private sessions', '/private-sessions'],
      ['Payouts', '/creator-onboarding'],
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
  it('are ten; list all posts, and remember the tab in the address [DASH-03]', async () => {
    creator()
    const { router } = renderRoute('/dashboard')
    expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual([
      'Overview',
      'Subscribers',
      'Fans',
      'Messages',
      'Flows',
      'Links',
      'Analytics',
      'Earnings',
      'Content',
      'Comments',
      'Products',
      'Goals',
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
