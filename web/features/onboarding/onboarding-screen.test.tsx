import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'
import { likelyPayoutCountry } from './payout-countries.ts'

const none = {
  success: true,
  has_stripe_account: false,
  account_id: null,
  onboarding_completed: false,
  charges_enabled: false,
  payouts_enabled: false,
  restricted: false,
}
const created = { ...none, has_stripe_account: true, account_id: 'acct_1' }
const completed = { ...created, onboarding_completed: true }
const ready = { ...completed, charges_enabled: true, payouts_enabled: true }

/** Responds for `check-stripe-status` with `now`, and counts the calls. */
function statusIs(first: object) {
  const state = { now: first, asked: 0 }
  network.use(
    http.post('*/functions/v1/check-stripe-status', () => {
      state.asked++
      return HttpResponse.json(state.now)
    }),
  )
  return state
}

const functionAnswers = (name: string, body: object, status = 200) => {
  const sent: unknown[] = []
  network.use(
    http.post(`*/functions/v1/${name}`, async ({ request }) => {
      const text = await request.text()
      sent.push(text ? JSON.parse(text) : undefined)
      return HttpResponse.json(body, { status })
    }),
  )
  return sent
}

/** A tab as the browser opens it, or none. */
function tabs(open = true) {
  const tab = {
    opener: window,
    closed: false,
    document: document.implementation.createHTMLDocument(),
    location: { replace: vi.fn() },
    close: vi.fn(),
  }
  vi.spyOn(window, 'open').mockReturnValue(open ? (tab as unknown as Window) : null)
  return tab
}

const card = async () =>
  within((await screen.findByRole('heading', { name: 'Account Status' })).closest('section') as HTMLElement)

describe('the state of the account', () => {
  it.each([
    ['No account yet', none, ['Not created', 'Not completed', 'Not enabled', 'Not enabled']],
    ['Account created', created, ['Created', 'Not completed', 'Not enabled', 'Not enabled']],
    ['Onboarding completed', completed, ['Created', 'Completed', 'Not enabled', 'Not enabled']],
    ['Fully set up', ready, ['Created', 'Completed', 'Enabled', 'Enabled']],
  ])('reads "%s" [ONB-01, ONB-02, ONB-03, ONB-06, ONB-10, DATA-34]', async (name, status, facts) => {
    signIn({ is_verified: true })
    statusIs(status)
    renderRoute('/creator-onboarding')
    const account = await card()
    expect(account.getByText(name)).toBeVisible()
    expect(
      account
        .getAllByRole('definition')
        .map((fact) => fact.textContent)
        .slice(0, 4),
    ).toEqual(facts)
    // Once everything is enabled, nobody waits.
    expect(account.queryAllByText('Status may take 2 to 3 minutes to update.')).toHaveLength(status === ready ? 0 : 1)
    expect(screen.queryAllByText(/\bready\b/)).toHaveLength(status === ready ? 1 : 0)
    expect(screen.getByRole('heading', { level: 1, name: 'Creator Setup' })).toBeVisible()
    expect(screen.getByRole('heading', { name: /Create Creator Account/ })).toBeVisible()
    expect(screen.getByRole('heading', { name: /Complete Verification/ })).toBeVisible()
  })

  it('leads on to plans once it is fully set up, and tells an unverified person to apply [ONB-06, D25]', async () => {
    signIn()
    statusIs(ready)
    renderRoute('/creator-onboarding')
    expect(await screen.findByRole('link', { name: 'Create a plan' })).toHaveAttribute('href', '/subscription-products')
    expect(await screen.findByRole('link', { name: 'Apply' })).toHaveAttribute('href', '/creator-verification')
  })

  it('is loaded again by Refresh Status, which shows a failure [ONB-03, ONB-15, D33]', async () => {
    signIn()
    const state = statusIs(created)
    renderRoute('/creator-onboarding')
    await card()
    state.now = ready
    await userEvent.click(screen.getByRole('button', { name: 'Refresh Status' }))
    expect(await screen.findByText('Fully set up')).toBeVisible()
    functionAnswers('check-stripe-status', { success: false, error: 'Stripe is down' }, 502)
    await userEvent.click(screen.getByRole('button', { name: 'Refresh Status' }))
    expect(await screen.findByText('Failed to check creator status: Stripe is down')).toBeVisible()
    expect(screen.getByText('Fully set up')).toBeVisible()
  })

  it('offers a retry when it cannot be read at all [ONB-15]', async () => {
    signIn()
    functionAnswers('check-stripe-status', { success: false, error: 'Stripe is down' }, 502)
    renderRoute('/creator-onboarding')
    expect(await screen.findByText('Failed to check creator status: Stripe is down')).toBeVisible()
    // The reason is known, and the connection is not it.
    expect(screen.getByRole('alert')).not.toHaveTextContent('Check your connection')
    statusIs(created)
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Account created')).toBeVisible()
  })

  it('is checked 1 s after the window gets the focus, only while onboarding is unfinished, and silently [ONB-08, ONB-19]', async () => {
    signIn()
    const state = statusIs(created)
    renderRoute('/creator-onboarding')
    await card()
    const before = state.asked
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    fireEvent.focus(window)
    vi.advanceTimersByTime(999)
    expect(state.asked).toBe(before)
    state.now = { success: false, error: 'Stripe is down' }
    vi.advanceTimersByTime(1)
    vi.useRealTimers()
    await waitFor(() =>
      expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ message: 'Stripe is down' })),
    )
    vi.mocked(console.error).mockClear()
    expect(screen.queryByText(/Stripe is down/)).not.toBeInTheDocument()

    state.now = ready
    await userEvent.click(screen.getByRole('button', { name: 'Refresh Status' }))
    await screen.findByText('Fully set up')
    const finished = state.asked
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    fireEvent.focus(window)
    vi.advanceTimersByTime(5_000)
    vi.useRealTimers()
    expect(state.asked).toBe(finished)
  })
})

describe('creating an account', () => {
  it('opens the second step [ONB-02, ONB-06, API-FN-06]', async () => {
    signIn()
    const state = statusIs(none)
    renderRoute('/creator-onboarding')
    const create = await screen.findByRole('button', { name: 'Create account' })
    expect(screen.queryByRole('button', { name: 'Continue to Stripe' })).not.toBeInTheDocument()
    functionAnswers('create-stripe-account', { success: true, account_id: 'acct_1' })
    state.now = created
    await userEvent.click(create)
    expect(await screen.findByRole('button', { name: 'Continue to Stripe' })).toBeEnabled()
  })

  it('is opened in the country that the creator chooses, with the browser’s as a suggestion [ONB-02, API-FN-06]', async () => {
    signIn()
    const state = statusIs(none)
    const sent = functionAnswers('create-stripe-account', { success: true, account_id: 'acct_1' })
    renderRoute('/creator-onboarding')
    const country = await screen.findByRole('combobox', { name: 'Country' })
    await waitFor(() => expect(country).toBeEnabled())
    expect(country).toHaveAccessibleDescription("Where you live and have your bank account. You can't change it later.")
    await userEvent.selectOptions(country, 'Choose your country')
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    expect(country).toHaveFocus()
    expect(country).toBeInvalid()
    expect(sent).toEqual([])
    await userEvent.selectOptions(country, 'Norway')
    expect(country).toBeValid()
    state.now = created
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    expect(await screen.findByRole('button', { name: 'Continue to Stripe' })).toBeEnabled()
    expect(sent).toEqual([{ country: 'NO' }])
    expect(screen.queryByRole('combobox', { name: 'Country' })).not.toBeInTheDocument()
  })

  it.each([
    ['Norway', 'NO', 'NO'],
    ['a country where Stripe pays nobody out', 'JP', ''],
  ])(
    'suggests the country of the application, which says more than the browser: %s [LOOP-08, ONB-02]',
    async (_name, code, value) => {
      signIn()
      statusIs(none)
      network.use(answer('creator_applications', [{ country: code }]))
      renderRoute('/creator-onboarding')
      const country = await screen.findByRole('combobox', { name: 'Country' })
      await waitFor(() => expect(country).toBeEnabled())
      expect(country).toHaveValue(value)
    },
  )

  it.each([
    ['Europe/Oslo', ['en-US'], 'NO'],
    ['America/Toronto', ['fr-FR'], 'CA'],
    ['UTC', ['de', 'de-AT'], 'AT'],
    ['Asia/Tokyo', ['en-US'], ''],
    ['UTC', ['ja-JP'], ''],
  ])('suggests for the time zone %s and the languages %j the country "%s" [ONB-02]', (zone, languages, country) => {
    expect(likelyPayoutCountry(zone, languages)).toBe(country)
  })

  it('says what to do when the connected-accounts feature is not enabled [ONB-18]', async () => {
    signIn()
    statusIs(none)
    functionAnswers(
      'create-stripe-account',
      {
        success: false,
        error: "Stripe Connect isn't enabled for this site yet",
        code: 'connect_not_enabled',
        instructions: 'The operator has to enable Connect in the Stripe Dashboard.',
        learn_more_url: 'https://dashboard.stripe.com/connect',
      },
      409,
    )
    renderRoute('/creator-onboarding')
    await userEvent.click(await screen.findByRole('button', { name: 'Create account' }))
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent("Stripe Connect isn't enabled for this site yet")
    expect(alert).toHaveTextContent('The operator has to enable Connect in the Stripe Dashboard.')
    expect(within(alert).getByRole('link', { name: 'Learn more' })).toHaveAttribute(
      'href',
      'https://dashboard.stripe.com/connect',
    )
  })

  it('shows the account that exists already, with the words of the server [ONB-17]', async () => {
    signIn()
    const state = statusIs(none)
    functionAnswers('create-stripe-account', {
      ...created,
      already_exists: true,
      message: 'You already have a payout account',
    })
    renderRoute('/creator-onboarding')
    const create = await screen.findByRole('button', { name: 'Create account' })
    state.now = created
    await userEvent.click(create)
    expect(await screen.findByText('You already have a payout account')).toBeVisible()
    expect(await screen.findByText('Account created')).toBeVisible()
  })

  it('says why it failed [ONB-13]', async () => {
    signIn()
    statusIs(none)
    functionAnswers('create-stripe-account', { success: false, error: 'The payment provider does not answer' }, 502)
    renderRoute('/creator-onboarding')
    await userEvent.click(await screen.findByRole('button', { name: 'Create account' }))
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to connect payment account')
    expect(alert).toHaveTextContent('The payment provider does not answer')
    expect(screen.getByRole('button', { name: 'Create account' })).toBeEnabled()
  })
})

describe('onboarding', () => {
  it('opens in a new tab while this one says so [ONB-07, ONB-11, D33, API-FN-04]', async () => {
    signIn()
    statusIs(created)
    const tab = tabs()
    const sent: unknown[] = []
    let answerNow = () => {}
    const waiting = new Promise<void>((resolve) => {
      answerNow = resolve
    })
    network.use(
      http.post('*/functions/v1/create-onboarding-link', async ({ request }) => {
        sent.push(await request.json())
        await waiting
        return HttpResponse.json({ onboarding_url: 'https://stripe.test/onboarding' })
      }),
    )
    renderRoute('/creator-onboarding?refresh=true')
    expect(await screen.findByText('Checking your updated status...')).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: 'Continue to Stripe' }))
    expect(await screen.findByText('Redirecting to onboarding...')).toBeVisible()
    expect(tab.document.body.textContent).toBe('Redirecting to onboarding...')
    expect(tab.location.replace).not.toHaveBeenCalled()
    answerNow()
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith('https://stripe.test/onboarding'))
    expect(tab.opener).toBeNull()
    expect(await screen.findByText(/Onboarding is open in another tab/)).toBeVisible()
    expect(sent).toEqual([{ origin: window.location.origin }])
  })

  it('offers a link where the browser blocks the tab [ONB-07]', async () => {
    signIn()
    statusIs(created)
    tabs(false)
    functionAnswers('create-onboarding-link', { url: 'https://stripe.test/onboarding' })
    renderRoute('/creator-onboarding')
    await userEvent.click(await screen.findByRole('button', { name: 'Continue to Stripe' }))
    const link = await screen.findByRole('link', { name: 'Open onboarding' })
    expect(link).toHaveAttribute('href', 'https://stripe.test/onboarding')
    expect(link).toHaveAttribute('target', '_blank')
  })

  it.each([
    [
      'the server refuses',
      { error: "You don't have a payout account yet. Create one first." },
      404,
      "You don't have a payout account yet. Create one first.",
    ],
    ['there is no address', {}, 200, 'No onboarding URL returned'],
  ])('closes the tab and says why when %s [ONB-14, ONB-17]', async (_case, body, status, words) => {
    signIn()
    statusIs(created)
    const tab = tabs()
    functionAnswers('create-onboarding-link', body, status)
    renderRoute('/creator-onboarding')
    await userEvent.click(await screen.findByRole('button', { name: 'Continue to Stripe' }))
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to start onboarding')
    expect(alert).toHaveTextContent(words)
    expect(tab.close).toHaveBeenCalled()
  })
})

describe('back from Stripe', () => {
  it.each(['success', 'refresh'])(
    'clears "%s" from the address and checks 2 s later [ONB-04, ONB-09, ONB-11, ONB-12]',
    async (name) => {
      signIn()
      const state = statusIs(created)
      const begun = performance.now()
      const { router } = renderRoute(`/creator-onboarding?${name}=true&keep=1`)
      expect(await screen.findByText('Checking your updated status...')).toBeVisible()
      await waitFor(() => expect(router.state.location.search).toBe('?keep=1'))
      await screen.findByText('Account created')
      const before = state.asked
      state.now = ready
      expect(await screen.findByText('Fully set up', undefined, { timeout: 20_000 })).toBeVisible()
      expect(performance.now() - begun).toBeGreaterThan(1_990)
      expect(state.asked).toBe(before + 1)
      expect(await screen.findByText('Payment account connected successfully!')).toBeVisible()
      expect(screen.queryByText('Checking your updated status...')).not.toBeInTheDocument()
    },
  )

  it('hands code and state on, once, and says that it is connected [ONB-04, ONB-05, ONB-12, API-FN-07]', async () => {
    signIn()
    statusIs(ready)
    const sent = functionAnswers('handle-stripe-connect-callback', { success: true })
    const { router } = renderRoute('/creator-onboarding?stripe_connect=true&code=ac_1&state=s-1')
    expect(await screen.findByText('Payment account connected successfully!')).toBeVisible()
    expect(sent).toEqual([{ code: 'ac_1', state: 's-1' }])
    expect(router.state.location.search).toBe('')
  })

  it.each([
    [
      'stripe_connect=true&code=ac_1&state=s-1',
      'Failed to connect payment account',
      'Stripe did not accept this connection.',
    ],
    [
      'stripe_connect=true&error=access_denied&error_description=The+user+denied+your+request',
      'Connect failed',
      'The user denied your request',
    ],
  ])('shows the error after "%s": %s, %s [ONB-13]', async (query, title, reason) => {
    signIn()
    statusIs(none)
    functionAnswers(
      'handle-stripe-connect-callback',
      { success: false, error: 'Stripe did not accept this connection.' },
      400,
    )
    renderRoute(`/creator-onboarding?${query}`)
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent(title)
    expect(alert).toHaveTextContent(reason)
  })

  it.each([
    ['success=true', 'Checking your updated status...'],
    ['refresh=true', 'Checking your updated status...'],
    ['stripe_connect=true&code=ac_1&state=s-1', 'Payment account connected successfully!'],
  ])('reads "%s", shows "%s", and removes the parameters from the URL [ONB-04]', async (query, words) => {
    signIn()
    statusIs(created)
    functionAnswers('handle-stripe-connect-callback', { success: true })
    const { router } = renderRoute(`/creator-onboarding?keep=1&${query}`)
    expect(await screen.findByText(words)).toBeVisible()
    await waitFor(() => expect(router.state.location.search).toBe('?keep=1'))
  })
})

it('says why an existing account could not be connected [ONB-16, API-FN-08]', async () => {
  signIn()
  statusIs(none)
  const sent = functionAnswers(
    'create-stripe-connect-url',
    { success: false, error: 'STRIPE_CLIENT_ID is missing' },
    409,
  )
  renderRoute('/creator-onboarding')
  await userEvent.click(await screen.findByRole('button', { name: 'Connect an existing account' }))
  expect(await screen.findByText('Failed to start Connect: STRIPE_CLIENT_ID is missing')).toBeVisible()
  expect(sent).toEqual([{ origin: window.location.origin }])
})

it('sends a signed-out visitor to sign in and back [D35]', async () => {
  const { router } = renderRoute('/creator-onboarding?success=true')
  await waitFor(() => expect(router.state.location.search).toBe('?next=%2Fcreator-onboarding%3Fsuccess%3Dtrue'))
})

it('says that Stripe has stopped payments, and leads there [ONB-06]', async () => {
  signIn()
  statusIs({ ...completed, restricted: true })
  renderRoute('/creator-onboarding')
  expect(await screen.findByText('Payments paused')).toBeVisible()
  expect(screen.getByText(/Stripe has paused your account/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Continue to Stripe' })).toBeEnabled()
})
