import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost, buildProfile, noor } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const ppv = (over = {}) => buildPost({ post_type: 'ppv', ppv_price: 1250, is_locked: true, ...over })

/** Refuses every checkout, in words; collects what was ordered. */
function refuseCheckout(): unknown[] {
  const orders: unknown[] = []
  network.use(
    http.post('*/functions/v1/create-payment-checkout', async ({ request }) => {
      orders.push(await request.json())
      return HttpResponse.json({ success: false, error: 'You have bought this post already' }, { status: 409 })
    }),
  )
  return orders
}
/** Answers `verify-payment` with these, the last one from then on. */
function payments(...answers: Record<string, unknown>[]) {
  let asked = 0
  network.use(
    http.post('*/functions/v1/verify-payment', () =>
      HttpResponse.json(answers[Math.min(asked++, answers.length - 1)] ?? null),
    ),
  )
}
const openProfile = (path = '/profile/noor') => {
  const row = buildProfile()
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('user_id') ? viewerProfile : row),
    ),
    answer('posts', []),
    answer('follows', []),
  )
  return renderRoute(path)
}

it('says what is in a pay-per-view post and what it costs, and orders it [POST-03, POST-10, POST-45]', async () => {
  signIn()
  const post = ppv({ media_types: ['image', 'image', 'video'] })
  network.use(answer('rpc/get_feed', [post]))
  const orders = refuseCheckout()
  renderRoute('/')
  expect(await screen.findByText('2 photos, 1 video')).toBeVisible()
  expect(screen.getByText('Unlock this post for $12.50')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Purchase' }))
  expect(await screen.findByText('Payment error')).toBeVisible()
  expect(screen.getByText('You have bought this post already')).toBeVisible()
  expect(orders).toEqual([{ kind: 'ppv', targetId: post.id, savedCard: 'ask' }])
})

it('asks a visitor to sign in before buying [GEN-40, POST-45]', async () => {
  const post = ppv()
  network.use(answer('posts', [post]))
  const { router } = renderRoute(`/post/${post.id}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Purchase' }))
  expect(await screen.findByText('Sign In Required')).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

it('opens the post once its payment is confirmed, and tidies the address [POST-45]', async () => {
  signIn()
  const post = ppv({ content: 'The first words' })
  network.use(answer('posts', [post]), answer('comments', []))
  payments({ status: 'paid', kind: 'ppv', amountCents: 1250, hasAccess: true })
  const { router } = renderRoute(`/post/${post.id}?purchase=cs_1`)
  expect(await screen.findByText('The first words')).toBeVisible()
  network.use(answer('posts', [{ ...post, content: 'The first words and the rest', is_locked: false }]))
  expect(await screen.findByText('Payment confirmed. Enjoy the post!')).toBeVisible()
  await waitFor(() => expect(screen.getByText('The first words and the rest')).toBeVisible())
  expect(router.state.location.search).toBe('')
})

it('shows the buyer of a post the creator’s face and cover above it, and no toast [LOOP-06]', async () => {
  signIn()
  const cover = 'http://localhost:3000/storage/v1/object/public/banners/noor.webp'
  const post = ppv({ is_locked: false, content: 'The whole story' })
  network.use(
    answer('posts', [post]),
    answer('comments', []),
    http.get('*/rest/v1/profiles', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get('id') ? buildProfile({ cover_url: cover }) : viewerProfile,
      ),
    ),
  )
  payments({ status: 'paid', kind: 'ppv', amountCents: 1250, hasAccess: true })
  const { router } = renderRoute(`/post/${post.id}?purchase=cs_1`)
  const banner = await screen.findByRole('heading', { name: 'Payment confirmed. Enjoy the post!' })
  expect(screen.getAllByText('Payment confirmed. Enjoy the post!')).toEqual([banner])
  const region = banner.closest('section') as HTMLElement
  expect(region).toHaveTextContent('Unlocked from Noor Haddad')
  await waitFor(() => expect(region.querySelector('img')).toHaveAttribute('src', expect.stringContaining('/banners/')))
  expect(within(region).getByRole('link', { name: 'See more posts' })).toHaveAttribute('href', '/profile/noor')
  expect(screen.getByText('The whole story')).toBeVisible()
  // The link to the post carries nothing of it, and neither does a visit from elsewhere.
  expect(router.state.location.search).toBe('')
  await router.navigate(`/post/${post.id}`)
  await waitFor(() => expect(banner).not.toBeInTheDocument())
})

const refunded = { at: '2026-03-04T12:00:00Z', amountCents: 1250, hasFailed: false }

it('says on the page of a purchase that it was refunded, when, and what that means, until it is closed [POST-45]', async () => {
  signIn()
  const post = ppv()
  network.use(answer('posts', [post]), answer('comments', []))
  payments({ status: 'refunded', kind: 'ppv', amountCents: 1250, hasAccess: false, refund: refunded })
  const { router } = renderRoute(`/post/${post.id}?purchase=cs_1`)
  const note = await screen.findByText(
    'Your payment of $12.50 was refunded on Mar 4, 2026. The post is locked again. The money can take a few days to reach your account.',
  )
  expect(note).toBeVisible()
  expect(screen.getByText('Payment refunded')).toBeVisible()
  expect(screen.queryByText(/Payment confirmed/)).not.toBeInTheDocument()
  expect(router.state.location.search).toBe('?purchase=cs_1')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(note).not.toBeInTheDocument())
  expect(router.state.location.search).toBe('')
})

it('no longer thanks for a purchase that was refunded since, when the viewer goes back to its page [LOOP-06]', async () => {
  signIn()
  const post = ppv({ is_locked: false })
  network.use(answer('posts', [post]), answer('comments', []))
  payments(
    { status: 'paid', kind: 'ppv', amountCents: 1250, hasAccess: true, refund: null },
    { status: 'refunded', kind: 'ppv', amountCents: 1250, hasAccess: false, refund: refunded },
  )
  const { queryClient } = renderRoute(`/post/${post.id}?purchase=cs_1`)
  const thanks = await screen.findByText('Payment confirmed. Enjoy the post!')
  network.use(answer('posts', [{ ...post, is_locked: true }]))
  await act(() => queryClient.invalidateQueries({ queryKey: ['posts'] }))
  expect(await screen.findByText(/^Your payment of \$12\.50 was refunded on Mar 4, 2026\./)).toBeVisible()
  expect(thanks).not.toBeInTheDocument()
})

it('says that the bank rejected a refund, and what to do [POST-45]', async () => {
  signIn()
  const post = ppv()
  network.use(answer('posts', [post]), answer('comments', []))
  const refund = { ...refunded, hasFailed: true }
  payments({ status: 'refunded', kind: 'ppv', amountCents: 1250, hasAccess: false, refund })
  renderRoute(`/post/${post.id}?purchase=cs_1`)
  expect(await screen.findByText('Refund failed')).toBeVisible()
  expect(screen.getByText(/^Your bank rejected the refund of \$12\.50\. Contact support/)).toBeVisible()
})

it('claims nothing about a payment for what is no longer there [POST-45]', async () => {
  signIn()
  const post = ppv()
  network.use(answer('posts', [post]), answer('comments', []))
  payments({ status: 'paid', kind: 'ppv', amountCents: 1250, hasAccess: false, refund: null })
  renderRoute(`/post/${post.id}?purchase=cs_1`)
  expect(await screen.findByRole('alert')).toHaveTextContent("what you paid for isn't available anymore")
  expect(screen.queryByText(/Payment confirmed/)).not.toBeInTheDocument()
})

it('says that nothing was charged when the checkout ran out [POST-45]', async () => {
  signIn()
  const post = ppv()
  network.use(answer('posts', [post]))
  payments({ status: 'expired', kind: 'ppv', amountCents: 1250, hasAccess: false })
  renderRoute(`/post/${post.id}?purchase=cs_1`)
  expect(await screen.findByText("This payment wasn't completed. You weren't charged.")).toBeVisible()
  expect(screen.getByRole('button', { name: 'Purchase' })).toBeVisible()
})

it('lets the viewer ask again when the payment could not be verified [POST-45]', async () => {
  signIn()
  const post = ppv()
  network.use(
    answer('posts', [post]),
    http.post('*/functions/v1/verify-payment', () =>
      HttpResponse.json({ success: false, error: 'The payment provider does not answer right now.' }, { status: 502 }),
    ),
  )
  renderRoute(`/post/${post.id}?purchase=cs_1`)
  expect(await screen.findByText('The payment provider does not answer right now.')).toBeVisible()
  payments({ status: 'paid', kind: 'ppv', amountCents: 1250, hasAccess: true })
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Payment confirmed. Enjoy the post!')).toBeVisible()
})

it('lets the viewer put away what could not be confirmed, and the address is tidy [PROF-21]', async () => {
  signIn()
  network.use(
    http.post('*/functions/v1/verify-payment', () =>
      HttpResponse.json({ success: false, error: 'Payment not found' }, { status: 404 }),
    ),
  )
  const { router } = openProfile('/profile/noor?tip=cs_1')
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Payment not found')
  await userEvent.click(within(alert).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByText('Payment not found')).toBeNull())
  expect(router.state.location.search).toBe('')
})

it('tips from the profile: an amount at a press, or any from $1 to $500 [PROF-21, D28, GEN-08]', async () => {
  signIn()
  const orders = refuseCheckout()
  openProfile()
  await userEvent.click(await screen.findByRole('button', { name: 'Tip' }))
  const dialog = await screen.findByRole('dialog', { name: 'Tip Noor Haddad' })
  const presets = await within(dialog).findByRole('group', { name: 'Suggested amounts' })
  expect(
    within(presets)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['$5', '$10', '$25', '$50'])
  await userEvent.click(within(presets).getByRole('button', { name: '$25' }))
  expect(within(presets).getByRole('button', { name: '$25' })).toHaveAttribute('aria-pressed', 'true')
  const amount = within(dialog).getByRole('textbox', { name: 'Amount in USD' })
  expect(amount).toHaveValue('$25.00')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Continue · $25.00' }))
  expect(await screen.findByText('Payment error')).toBeVisible()
  for (const wrong of ['0.99', '500.01']) {
    await userEvent.clear(amount)
    await userEvent.type(amount, wrong)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Continue' }))
    expect(within(dialog).getByText('Enter an amount from $1.00 to $500.00')).toBeVisible()
  }
  expect(orders).toEqual([{ kind: 'tip', targetId: noor.id, amountCents: 2500, savedCard: 'ask' }])
})

it('sends a note with the tip [PROF-21]', async () => {
  signIn()
  const orders = refuseCheckout()
  openProfile()
  await userEvent.click(await screen.findByRole('button', { name: 'Tip' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Tip Noor Haddad' }))
  const note = await dialog.findByRole('textbox', { name: 'Note (optional)' })
  expect(note).toHaveAccessibleDescription('Noor Haddad sees it with your tip.')
  expect(note).toHaveAttribute('maxlength', '200')
  await userEvent.type(note, '  For the darkroom ')
  await userEvent.click(dialog.getByRole('button', { name: 'Continue · $10.00' }))
  await waitFor(() =>
    expect(orders).toEqual([
      { kind: 'tip', targetId: noor.id, amountCents: 1000, note: 'For the darkroom', savedCard: 'ask' },
    ]),
  )
})

it('suggests what the creator suggests, from their smallest on, and nothing where they take none [PROF-21, D28]', async () => {
  signIn()
  const orders = refuseCheckout()
  const terms = { takes_tips: true, tip_min_cents: 300, tip_presets_cents: [350, 2_000] }
  network.use(answer('monetization_settings', [terms]))
  openProfile()
  await userEvent.click(await screen.findByRole('button', { name: 'Tip' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Tip Noor Haddad' }))
  const amount = await dialog.findByRole('textbox', { name: 'Amount in USD' })
  expect(dialog.getByText('From $3.00 to $500.00')).toBeVisible()
  await userEvent.clear(amount)
  await userEvent.type(amount, '2.99')
  await userEvent.click(dialog.getByRole('button', { name: 'Continue' }))
  expect(dialog.getByText('Enter an amount from $3.00 to $500.00')).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: '$3.50' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Continue · $3.50' }))
  await waitFor(() => expect(orders).toMatchObject([{ kind: 'tip', amountCents: 350 }]))
})

it('says when a creator takes no tips [PROF-21]', async () => {
  signIn()
  network.use(answer('monetization_settings', [{ takes_tips: false }]))
  openProfile()
  await userEvent.click(await screen.findByRole('button', { name: 'Tip' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Tip Noor Haddad' }))
  expect(await dialog.findByText("Noor Haddad isn't accepting tips right now.")).toBeVisible()
  expect(dialog.queryByRole('textbox')).toBeNull()
})

it('tips under a post, which the order names; no creator can tip themselves [PROF-21, D28]', async () => {
  signIn()
  const post = buildPost({ content: 'Worth it' })
  const own = buildPost({ content: 'Mine', creator_id: viewerProfile.id, creator: { ...noor, id: viewerProfile.id } })
  network.use(answer('rpc/get_feed', [post, own]))
  const orders = refuseCheckout()
  renderRoute('/')
  const [tip, ...others] = await screen.findAllByRole('button', { name: 'Tip' })
  expect(others).toEqual([])
  await userEvent.click(tip as HTMLElement)
  await userEvent.click(await screen.findByRole('button', { name: 'Continue · $10.00' }))
  await waitFor(() =>
    expect(orders).toEqual([{ kind: 'tip', targetId: noor.id, amountCents: 1000, postId: post.id, savedCard: 'ask' }]),
  )
})

it('thanks for a tip once it is paid [PROF-21]', async () => {
  signIn()
  payments({ status: 'paid', kind: 'tip', amountCents: 2500, hasAccess: true })
  const { router } = openProfile('/profile/noor?tip=cs_1')
  expect(await screen.findByText('Thank you! Your tip of $25.00 was sent.')).toBeVisible()
  await waitFor(() => expect(router.state.location.search).toBe(''))
})

it('thanks for a tip under the post that it was given under [PROF-21, D28]', async () => {
  signIn()
  payments({ status: 'paid', kind: 'tip', amountCents: 500, hasAccess: true })
  network.use(
    answer('posts', [buildPost({ id: 'b0000000-0000-4000-8000-000000000001', title: 'The pier' })]),
    answer('follows', []),
    answer('comments', []),
  )
  renderRoute('/post/b0000000-0000-4000-8000-000000000001?tip=cs_1')
  expect(await screen.findByText('Thank you! Your tip of $5.00 was sent.')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'The pier' })).toBeVisible()
})

it('says once that nothing was charged when the fan returns from the payment page [PROF-21, SUB-01]', async () => {
  signIn()
  const { router } = openProfile('/profile/noor?tab=about&checkout=left')
  expect(await screen.findByText("This payment wasn't completed. You weren't charged.")).toBeVisible()
  // A reload, or the link passed on, does not say it again; the tab stays open.
  await waitFor(() => expect(router.state.location.search).toBe('?tab=about'))
})

it('asks before it charges a saved card, and opens the post without leaving [D40, POST-45]', async () => {
  signIn()
  const post = ppv({ title: 'The pier' })
  const orders: { savedCard?: string }[] = []
  network.use(
    answer('rpc/get_feed', [post]),
    http.post('*/functions/v1/create-payment-checkout', async ({ request }) => {
      const order = (await request.json()) as { savedCard?: string }
      orders.push(order)
      const card = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034, isDefault: true }
      if (order.savedCard === 'ask')
        return HttpResponse.json({ status: 'confirm', card, amountCents: 1250, title: 'The pier' })
      return HttpResponse.json({ status: 'paid', paymentId: 'pi_1' })
    }),
  )
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Purchase' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Pay $12.50?' }))
  expect(dialog.getByText('Visa ending in 4242')).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Purchase' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Pay $12.50' }))
  expect(await screen.findByText('Payment confirmed. Enjoy the post!')).toBeVisible()
  expect(orders.map(({ savedCard }) => savedCard)).toEqual(['ask', 'ask', 'use'])
})

it('presses the same attempt again when no answer came, so that a card is charged once [D40]', async () => {
  signIn()
  const attempts: (string | undefined)[] = []
  network.use(
    answer('rpc/get_feed', [ppv()]),
    http.post('*/functions/v1/create-payment-checkout', async ({ request }) => {
      const order = (await request.json()) as { savedCard?: string; attemptId?: string }
      const card = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034, isDefault: true }
      if (order.savedCard === 'ask')
        return HttpResponse.json({ status: 'confirm', card, amountCents: 1250, title: 'The pier' })
      attempts.push(order.attemptId)
      return attempts.length === 1 ? HttpResponse.error() : HttpResponse.json({ status: 'paid', paymentId: 'pi_1' })
    }),
  )
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Purchase' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Pay $12.50' }))
  expect(await screen.findByText('Payment error')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Purchase' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Pay $12.50' }))
  expect(await screen.findByText('Payment confirmed. Enjoy the post!')).toBeVisible()
  expect(attempts).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), attempts[0]])
})
