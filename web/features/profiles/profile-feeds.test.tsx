import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { plan } from '../../testing/composer.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn } from '../../testing/sign-in.ts'

const subscription = {
  id: 'subscription-1',
  status: 'active',
  current_period_end: '2100-03-04T12:00:00Z',
  trial_end: null,
  cancel_at_period_end: false,
  access_until: 'infinity',
  price_cents: 999,
  interval_count: 1,
  moves: [],
  plan: { name: 'Print Club', interval: 'month' },
}

/** The entries of the profile's menu, opened. */
async function openMenu(over: object = {}, subscriptions: object[] = []) {
  signIn()
  serveProfile(over)
  network.use(
    answer('subscription_products', [plan]),
    answer('subscriptions', subscriptions as Record<string, unknown>[]),
  )
  renderRoute('/profile/noor')
  if (subscriptions.length > 0) await screen.findByRole('region', { name: 'Your plan' })
  await userEvent.click(await screen.findByRole('button', { name: 'More' }))
  await screen.findByRole('menuitem', { name: 'Report profile' })
  return screen.getAllByRole('menuitem').map((item) => item.textContent)
}
async function openFeed() {
  await openMenu({}, [subscription])
  await userEvent.click(screen.getByRole('menuitem', { name: 'Private feed' }))
  return within(await screen.findByRole('dialog', { name: 'Your private feed of Noor Haddad' }))
}
const serveAddress = (token: string, is_paused = false) => answer('rpc/get_feed_address', { token, is_paused } as never)
const addressOf = (token: string) => `${window.location.origin}/feeds/${token}.xml`

describe('the menu of a creator’s profile', () => {
  it('links to the RSS feed for everyone, in a tab of its own [RSS-01]', async () => {
    serveProfile()
    renderRoute('/profile/noor')
    await userEvent.click(await screen.findByRole('button', { name: 'More' }))
    const feed = await screen.findByRole('menuitem', { name: 'RSS feed' })
    expect(feed).toHaveAttribute('href', '/profile/noor/feed.xml')
    expect(feed).toHaveAttribute('target', '_blank')
    expect(screen.queryByRole('menuitem', { name: 'Private feed' })).not.toBeInTheDocument()
  })

  it.each([
    ['a private profile', { is_private: true }],
    ['a fan', { is_creator: false, is_verified: false }],
  ])('has no feed on the profile of %s [RSS-01]', async (_who, over) => {
    expect(await openMenu(over)).not.toContain('RSS feed')
  })

  it.each([
    ['offers the private feed to subscribers', subscription, true],
    ['offers none without access', { ...subscription, status: 'unpaid', access_until: '-infinity' }, false],
  ])('%s [RSS-02]', async (_what, mine, isOffered) => {
    expect((await openMenu({}, [mine])).includes('Private feed')).toBe(isOffered)
  })

  it('offers no private feed to those who don’t subscribe [RSS-02]', async () => {
    expect(await openMenu()).toEqual(['RSS feed', 'Report profile', 'Block Noor Haddad'])
  })
})

describe('the dialog of a private feed', () => {
  it('shows the address, says what it is for and that it is personal, and copies it [RSS-02]', async () => {
    const user = userEvent.setup()
    network.use(serveAddress('a1'))
    const dialog = await openFeed()
    const address = await dialog.findByLabelText('Address')
    expect(address).toHaveValue(addressOf('a1'))
    expect(address).toHaveAttribute('readonly')
    expect(dialog.getByText(/feed reader or podcast app/)).toBeVisible()
    expect(dialog.getByText(/It's yours alone: .* don't share it/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Copy address' }))
    expect(await screen.findByText('Address copied')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(addressOf('a1'))
  })

  it('renews the address only after a confirmation [RSS-02]', async () => {
    let renewals = 0
    network.use(
      serveAddress('a1'),
      http.post('*/rest/v1/rpc/renew_feed_address', () => {
        renewals += 1
        return HttpResponse.json({ token: 'b2', is_paused: false })
      }),
    )
    const dialog = await openFeed()
    await userEvent.click(await dialog.findByRole('button', { name: 'Renew address' }))
    const question = within(await screen.findByRole('dialog', { name: 'Renew the address?' }))
    expect(question.getByText(/The current address stops working right away/)).toBeVisible()
    await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
    expect(renewals).toBe(0)
    await userEvent.click(dialog.getByRole('button', { name: 'Renew address' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Renew' }))
    await waitFor(() => expect(dialog.getByLabelText('Address')).toHaveValue(addressOf('b2')))
    expect(await screen.findByText('Address renewed')).toBeVisible()
    expect(screen.queryByRole('dialog', { name: 'Renew the address?' })).not.toBeInTheDocument()
  })

  it('says that the feed is paused, and offers to renew it instead of copying [RSS-02]', async () => {
    network.use(serveAddress('a1', true))
    const dialog = await openFeed()
    expect(await dialog.findByText(/^This feed is paused/)).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Renew address' })).toHaveAttribute('data-variant', 'filled')
    expect(dialog.queryByRole('button', { name: 'Copy address' })).not.toBeInTheDocument()
  })

  it('offers a retry when the address can’t be loaded [RSS-02]', async () => {
    network.use(fail('rpc/get_feed_address'))
    const dialog = await openFeed()
    expect(await dialog.findByText("Couldn't load the address")).toBeVisible()
    network.use(serveAddress('a1'))
    await userEvent.click(dialog.getByRole('button', { name: 'Retry' }))
    expect(await dialog.findByLabelText('Address')).toHaveValue(addressOf('a1'))
  })

  it('keeps the address when renewing fails, and says so [RSS-02]', async () => {
    network.use(serveAddress('a1'), fail('rpc/renew_feed_address'))
    const dialog = await openFeed()
    await userEvent.click(await dialog.findByRole('button', { name: 'Renew address' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Renew' }))
    expect(await screen.findByText("Couldn't renew the address. Please try again.")).toBeVisible()
    expect(dialog.getByLabelText('Address')).toHaveValue(addressOf('a1'))
  })
})
