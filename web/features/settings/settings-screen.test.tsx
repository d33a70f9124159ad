import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { noteLinkOutcome } from '../../lib/auth/link-outcome.ts'
import { plan as monthly } from '../../testing/composer.ts'
import { answer, fail, network, signInWays } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { noor } from '../../testing/rows.ts'
import { sessionFor, signIn, viewerProfile } from '../../testing/sign-in.ts'
// Loaded when the tab opens; here before the first test, so that no test waits while it is compiled.
import '../../domain/plans/plan-form.tsx'
import '../../domain/plans/promotion-codes.tsx'
import './message-settings.tsx'
import './page-settings.tsx'
import './stripe-tab.tsx'

const settings = {
  notifications: {
    email: true,
    push: true,
    messages: true,
    tips: true,
    subscriptions: true,
    posts: true,
    digest: false,
    postEmails: 'daily',
  },
  privacy: {
    profileVisibility: 'public',
    showOnlineStatus: true,
    allowDirectMessages: true,
    allowSearchEngines: true,
  },
  security: { twoFactorEnabled: false, loginAlerts: true },
}
const session = {
  id: 's1',
  created_at: '2024-05-04T10:00:00Z',
  last_used_at: '2024-05-04T10:00:00Z',
  user_agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0',
  ip: '203.0.113.7',
  is_current: true,
}

/** What was sent to a path, answered by `respond`. */
function mock(
  path: string,
  respond: () => Response = () => HttpResponse.json({}),
): { method: string; body: unknown }[] {
  const sent: { method: string; body: unknown }[] = []
  network.use(
    http.all(`*${path}`, async ({ request }) => {
      const text = await request.text()
      sent.push({ method: request.method, body: text ? JSON.parse(text) : null })
      return respond()
    }),
  )
  return sent
}

/** Saves go out one after the other, each with its reading again. */
const patient = { timeout: 20_000 }

const user = (over: object = {}) => ({
  ...sessionFor().user,
  identities: [{ provider: 'email', id: 'i1', user_id: viewerProfile.user_id }],
  ...over,
})

beforeEach(() => {
  signIn()
  network.use(
    answer('profiles', [{ ...viewerProfile, bio: 'Hello' }]),
    answer('user_settings', [settings]),
    answer('rpc/list_own_sessions', [session]),
    answer('rpc/list_push_subscriptions', []),
    answer('blocks', []),
    answer('subscriptions', []),
    answer('transactions', []),
    http.get('*/auth/v1/user', () => HttpResponse.json(user())),
    http.get('*/auth/v1/passkeys', () => HttpResponse.json([])),
  )
})

/** Answers an update of a table, and keeps what was sent. */
function updates(table: string, status = 204): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = []
  network.use(
    http.patch(`*/rest/v1/${table}`, async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>)
      if (status >= 400) return HttpResponse.json({ code: 'XX000', message: 'down' }, { status })
      return new HttpResponse(null, { status })
    }),
  )
  return sent
}

describe('the screen', () => {
  it.each([
    ['above the settings', false, 'horizontal', '{ArrowRight}'],
    ['beside them on a wide screen', true, 'vertical', '{ArrowDown}'],
  ])('has its tabs %s', async (_where, isWide, orientation, key) => {
    const { matchMedia } = window
    vi.stubGlobal('matchMedia', (query: string) => ({
      ...matchMedia(query),
      matches: isWide && query.includes('75em'),
    }))
    onTestFinished(() => void vi.unstubAllGlobals())
    renderRoute('/settings')
    const account = await screen.findByRole('tab', { name: 'Account' })
    expect(screen.getByRole('tablist')).toHaveAttribute('aria-orientation', orientation)
    account.focus()
    await userEvent.keyboard(key)
    expect(screen.getByRole('tab', { name: 'Subscriptions' })).toHaveFocus()
  })

  it('has its five tabs and its links [SET-01, SET-03, SET-04]', async () => {
    const { router } = renderRoute('/settings')
    const tabs = await screen.findAllByRole('tab')
    expect(tabs.map((tab) => tab.textContent)).toEqual([
      'Account',
      'Subscriptions',
      'Privacy',
      'Notifications',
      'Stripe Setup',
    ])
    const links = within(screen.getByRole('navigation', { name: 'More' })).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/privacy-policy',
      '/terms-of-service',
      '/support',
      '/creator-onboarding',
    ])
    await userEvent.click(screen.getByRole('tab', { name: 'Privacy' }))
    await waitFor(() => expect(router.state.location.search).toBe('?tab=privacy'))
    expect(await screen.findByLabelText(/^Show when I'm online/)).toBeChecked()
  })

  it('sends a visitor to sign in, and back here afterwards [SET-02, D35]', async () => {
    localStorage.clear()
    const { router } = renderRoute('/settings?tab=privacy')
    await waitFor(() =>
      expect(router.state.location).toMatchObject({ pathname: '/auth', search: '?next=%2Fsettings%3Ftab%3Dprivacy' }),
    )
  })

  it('recovers when the settings cannot be loaded', async () => {
    network.use(fail('user_settings'))
    renderRoute('/settings?tab=privacy')
    const retry = await screen.findByRole('button', { name: 'Retry' })
    network.use(answer('user_settings', [settings]))
    await userEvent.click(retry)
    expect(await screen.findByLabelText(/^Show when I'm online/)).toBeChecked()
  })

  it('tells of the first of two confirmations of a new address', async () => {
    const said = '#message=Confirmation+link+accepted'
    noteLinkOutcome({ hash: said, href: `http://localhost:3000/settings${said}` } as Location)
    renderRoute('/settings')
    expect(await screen.findByText(/You've confirmed one link/)).toBeVisible()
  })
})

describe('what is stored', () => {
  it('is saved as it is pressed, in part [SET-15, SET-18, SET-19, SET-20, FIND-02]', async () => {
    const sent = updates('user_settings')
    renderRoute('/settings?tab=privacy')
    await userEvent.click(await screen.findByLabelText('Private'))
    await userEvent.click(screen.getByLabelText(/^Show when I'm online/))
    await userEvent.click(screen.getByLabelText(/^Allow direct messages/))
    await userEvent.click(screen.getByLabelText(/^Show my profile in search engines/))
    await waitFor(
      () =>
        expect(Object.assign({}, ...sent.map(({ privacy }) => privacy))).toEqual({
          profileVisibility: 'private',
          showOnlineStatus: false,
          allowDirectMessages: false,
          allowSearchEngines: false,
        }),
      patient,
    )
  })

  it('sends what still waits for an earlier save as the page is left [SET-07]', async () => {
    const sent: unknown[] = []
    network.use(
      http.patch('*/rest/v1/user_settings', async ({ request }) => {
        sent.push([await request.json(), request.keepalive])
        // The first save takes longer than its reader stays.
        return new Promise<never>(() => undefined)
      }),
    )
    renderRoute('/settings?tab=notifications')
    await userEvent.click(await screen.findByLabelText('Tips'))
    await userEvent.click(screen.getByLabelText(/^Daily digest/))
    await userEvent.click(screen.getByLabelText('Tips'))
    await waitFor(() => expect(sent).toEqual([[{ notifications: { tips: false } }, true]]))
    fireEvent(window, new Event('pagehide'))
    await waitFor(() => expect(sent[1]).toEqual([{ notifications: { digest: true, tips: true } }, true]))
  })

  it('has channels, kinds and a digest [SET-16, SET-17]', async () => {
    const sent = updates('user_settings')
    renderRoute('/settings?tab=notifications')
    await userEvent.click(await screen.findByLabelText('Tips'))
    await userEvent.click(screen.getByLabelText(/^Daily digest/))
    await userEvent.click(screen.getByLabelText(/^Push notifications/))
    await userEvent.click(screen.getByLabelText(/^Email/))
    await waitFor(
      () =>
        expect(Object.assign({}, ...sent.map(({ notifications }) => notifications))).toEqual({
          tips: false,
          digest: true,
          push: false,
          email: false,
        }),
      patient,
    )
    expect(screen.getByLabelText(/^In the app/)).toBeDisabled()
  })

  it('lists new posts as a type of their own, with the pace of their emails [LOOP-02]', async () => {
    const sent = updates('user_settings')
    renderRoute('/settings?tab=notifications')
    const choice = await screen.findByRole('radiogroup', { name: 'New post emails' })
    expect(within(choice).getByLabelText('Once a day')).toBeChecked()
    await userEvent.click(within(choice).getByLabelText('Immediately'))
    await waitFor(() => expect(sent).toEqual([{ notifications: { postEmails: 'immediately' } }]))
    await userEvent.click(screen.getByLabelText(/^New posts/))
    await waitFor(() => expect(sent.at(-1)).toEqual({ notifications: { posts: false } }), patient)
  })

  it('offers no immediate emails about posts with the daily digest on [LOOP-02]', async () => {
    const { notifications } = settings
    const stored = { ...settings, notifications: { ...notifications, digest: true, postEmails: 'immediately' } }
    network.use(answer('user_settings', [stored]))
    renderRoute('/settings?tab=notifications')
    const choice = await screen.findByRole('radiogroup', { name: 'New post emails' })
    expect(within(choice).queryByLabelText('Immediately')).not.toBeInTheDocument()
    expect(within(choice).getByLabelText('Once a day')).toBeChecked()
  })

  it('offers no choice of emails about posts while emails are off [LOOP-02]', async () => {
    network.use(answer('user_settings', [{ ...settings, notifications: { ...settings.notifications, email: false } }]))
    renderRoute('/settings?tab=notifications')
    expect(await screen.findByLabelText(/^New posts/)).toBeChecked()
    expect(screen.queryByRole('radiogroup', { name: 'New post emails' })).not.toBeInTheDocument()
  })

  it('goes back to what it was when the server refuses [SET-07]', async () => {
    updates('user_settings', 500)
    renderRoute('/settings?tab=notifications')
    const tips = await screen.findByLabelText('Tips')
    await userEvent.click(tips)
    expect(await screen.findByText('Failed to save settings. Please try again.')).toBeVisible()
    await waitFor(() => expect(tips).toBeChecked())
  })

  it('tells a browser without push so [SET-16]', async () => {
    renderRoute('/settings?tab=notifications')
    expect(await screen.findByText("This browser doesn't support push notifications.")).toBeVisible()
  })

  it('lists the blocked, and unblocks them', async () => {
    network.use(answer('blocks', [{ id: 'b1', blocked: noor }]))
    renderRoute('/settings?tab=privacy')
    const unblock = await screen.findByRole('button', { name: 'Unblock Noor Haddad' })
    const removed = mock('/rest/v1/blocks', () => new HttpResponse(null, { status: 204 }))
    network.use(http.get('*/rest/v1/blocks', () => HttpResponse.json([])))
    await userEvent.click(unblock)
    expect(await screen.findByText("You haven't blocked anyone.")).toBeVisible()
    expect(removed).toMatchObject([{ method: 'DELETE' }])
  })
})

describe('messages from fans', () => {
  const stored = { is_away: false, away_message: 'Back soon', away_until: null, shows_reply_time: false }
  const open = async (row: object | null = stored, replyTime: string | null = null) => {
    signIn({ is_creator: true, is_verified: true })
    network.use(
      answer('profiles', [{ ...viewerProfile, is_creator: true, is_verified: true }]),
      answer('message_settings', row ? [{ ...row }] : []),
      answer('rpc/get_own_reply_time', replyTime as null),
    )
    renderRoute('/settings?tab=privacy')
    return within(await screen.findByRole('form', { name: 'Messages from fans' }, patient))
  }
  const saved = () => mock('/rest/v1/message_settings', () => new HttpResponse(null, { status: 201 }))

  it('are no settings of users who may not publish [PAGE-03]', async () => {
    renderRoute('/settings?tab=privacy')
    expect(await screen.findByText("You haven't blocked anyone.")).toBeVisible()
    expect(screen.queryByText('Messages from fans')).not.toBeInTheDocument()
  })

  it('keep an away message with its end, and show how soon the creator replies [PAGE-03]', async () => {
    const form = await open(stored, 'few_hours')
    expect(form.getByRole('textbox', { name: 'Away message' })).toHaveValue('Back soon')
    expect(await form.findByText(/Right now: "Usually replies within a few hours"$/)).toBeVisible()
    const sent = saved()
    await userEvent.click(form.getByRole('switch', { name: /^I'm away/ }))
    await userEvent.click(form.getByRole('switch', { name: /^Show how soon I reply/ }))
    fireEvent.change(form.getByLabelText('Last day away'), { target: { value: '2099-05-04' } })
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Message settings saved')).toBeVisible()
    expect(sent.map(({ body }) => body)).toEqual([
      {
        creator_id: viewerProfile.id,
        is_away: true,
        away_message: 'Back soon',
        away_until: new Date('2099-05-04T23:59:59').toISOString(),
        shows_reply_time: true,
      },
    ])
  })

  it('need a text while away, and an end in the future, and keep the text when the switch goes off [PAGE-03]', async () => {
    const form = await open({ ...stored, is_away: true })
    const sent = saved()
    const text = form.getByRole('textbox', { name: 'Away message' })
    await userEvent.clear(text)
    fireEvent.change(form.getByLabelText('Last day away'), { target: { value: '2020-01-01' } })
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    expect(form.getByText('Write a message for your fans')).toBeVisible()
    expect(form.getByText('Choose today or a later date')).toBeVisible()
    expect(text).toHaveFocus()
    expect(sent).toEqual([])
    await userEvent.type(text, 'On a boat')
    fireEvent.change(form.getByLabelText('Last day away'), { target: { value: '' } })
    await userEvent.click(form.getByRole('switch', { name: /^I'm away/ }))
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Message settings saved')).toBeVisible()
    expect(sent.map(({ body }) => body)).toEqual([
      { creator_id: viewerProfile.id, ...stored, away_message: 'On a boat' },
    ])
  })

  it('are off after the last day, and say why there is no response time yet [PAGE-03]', async () => {
    const form = await open({ ...stored, is_away: true, away_until: '2024-05-04T23:59:59Z' })
    expect(form.getByRole('switch', { name: /^I'm away/ })).not.toBeChecked()
    expect(form.getByLabelText('Last day away')).toHaveValue('')
    expect(await form.findByText(/There's nothing to show yet/)).toBeVisible()
  })

  it('say that they could not be loaded or saved, and recover [PAGE-03]', async () => {
    signIn({ is_creator: true, is_verified: true })
    network.use(
      answer('profiles', [{ ...viewerProfile, is_creator: true, is_verified: true }]),
      answer('rpc/get_own_reply_time', null),
      fail('message_settings'),
    )
    renderRoute('/settings?tab=privacy')
    expect(await screen.findByText("Couldn't load your away message", undefined, patient)).toBeVisible()
    network.use(http.get('*/rest/v1/message_settings', () => HttpResponse.json([])))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await userEvent.click(await screen.findByRole('switch', { name: /^Show how soon I reply/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText("Couldn't save your message settings")).toBeVisible()
    saved()
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Message settings saved')).toBeVisible()
  })
})

describe('the account', () => {
  it('has the page of a creator, and none of a fan [PAGE-01]', async () => {
    renderRoute('/settings')
    expect(await screen.findByRole('heading', { name: 'Email' })).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Your page' })).not.toBeInTheDocument()
    cleanup()
    signIn({ is_creator: true, is_verified: true })
    network.use(answer('profiles', [{ ...viewerProfile, is_creator: true, is_verified: true }]), answer('posts', []))
    renderRoute('/settings')
    expect(await screen.findByRole('heading', { name: 'Your page' }, patient)).toBeVisible()
    expect(await screen.findByRole('form', { name: 'Your links' }, patient)).toBeVisible()
  })

  it('checks a username while it is typed, and tells a taken one on its field [SET-12, AUTH-09, AUTH-10]', async () => {
    const sent = updates('profiles')
    renderRoute('/settings')
    const username = await screen.findByLabelText('Username')
    await waitFor(() => expect(username).toHaveValue('ada'))
    network.use(
      http.get('*/rest/v1/profiles', ({ request }) => {
        const asked = new URL(request.url).searchParams.get('username')
        if (asked) return HttpResponse.json(asked === 'eq.mara' ? [{ id: 'other' }] : [])
        return HttpResponse.json({ ...viewerProfile, bio: 'Hello' })
      }),
    )
    await userEvent.clear(username)
    await userEvent.type(username, 'Ma ra')
    expect(
      await screen.findByText('This username is already taken. Please choose another one.', undefined, {
        timeout: 20_000,
      }),
    ).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Username taken')).toBeVisible()
    expect(sent).toEqual([])
    await userEvent.type(username, '_2')
    expect(await screen.findByText('This username is available.', undefined, patient)).toBeVisible()
    await userEvent.type(screen.getByLabelText('Display name'), ' II')
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Settings saved')).toBeVisible()
    expect(sent).toEqual([{ username: 'mara_2', display_name: 'Ada Lovelace II', bio: 'Hello' }])
  })

  it('tells a username that is kept for another user as taken [SET-12, AUTH-10]', async () => {
    network.use(
      http.get('*/rest/v1/profiles', ({ request }) =>
        HttpResponse.json(new URL(request.url).searchParams.has('username') ? [] : { ...viewerProfile, bio: 'Hello' }),
      ),
      http.get('*/rest/v1/rpc/is_username_reserved', ({ request }) =>
        HttpResponse.json(new URL(request.url).searchParams.get('candidate') === 'mara'),
      ),
    )
    renderRoute('/settings')
    const username = await screen.findByLabelText('Username')
    await waitFor(() => expect(username).toHaveValue('ada'))
    await userEvent.clear(username)
    await userEvent.type(username, 'mara')
    expect(
      await screen.findByText('This username is already taken. Please choose another one.', undefined, patient),
    ).toBeVisible()
  })

  it('says that a save failed, and keeps what was typed [SET-07]', async () => {
    updates('profiles', 500)
    renderRoute('/settings')
    const name = await screen.findByLabelText('Display name')
    await waitFor(() => expect(name).toHaveValue('Ada Lovelace'))
    await userEvent.type(name, ' II')
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Failed to save settings. Please try again.')).toBeVisible()
    expect(name).toHaveValue('Ada Lovelace II')
  })

  it('changes the password with the old one [SET-08, SET-09, SET-10, SET-11]', async () => {
    renderRoute('/settings')
    const current = await screen.findByLabelText('Current password')
    const next = screen.getByLabelText('New password')
    const confirm = screen.getByLabelText('Confirm new password')
    const submit = screen.getByRole('button', { name: 'Change password' })
    await userEvent.type(next, 'short')
    await userEvent.type(confirm, 'other')
    await userEvent.click(submit)
    expect(await screen.findByText('Password too short')).toBeVisible()
    expect(next).toHaveAccessibleDescription(/Use at least 8 characters/)
    expect(confirm).toHaveAccessibleDescription('Passwords do not match')
    expect(current).toHaveFocus()

    for (const [field, text] of [
      [current, 'the old one'],
      [next, 'a much longer one'],
      [confirm, 'a much longer one'],
    ] as const) {
      await userEvent.clear(field)
      await userEvent.type(field, text)
    }
    const refused = mock('/auth/v1/user', () =>
      HttpResponse.json({ code: 400, error_code: 'invalid_credentials', msg: 'Invalid' }, { status: 400 }),
    )
    await userEvent.click(submit)
    await waitFor(() => expect(current).toHaveAccessibleDescription("That's not your current password"))
    expect(refused).toMatchObject([
      { method: 'PUT', body: { password: 'a much longer one', current_password: 'the old one' } },
    ])
    mock('/auth/v1/user', () =>
      HttpResponse.json({ code: 422, error_code: 'weak_password', msg: 'Known from leaks' }, { status: 422 }),
    )
    await userEvent.click(submit)
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to change password')
    expect(alert).toHaveTextContent('Known from leaks')
    mock('/auth/v1/user', () => HttpResponse.json(user()))
    await userEvent.click(submit)
    expect(await screen.findByText("Password changed. You've been signed out everywhere else.")).toBeVisible()
  })

  it('changes the password with a code, for who does not know the old one [SET-08, API-AUTH-14]', async () => {
    const asked = mock('/auth/v1/reauthenticate')
    renderRoute('/settings')
    await userEvent.click(await screen.findByRole('button', { name: 'Forgot it? Send me a code' }))
    expect(await screen.findByText('We sent a code to ada@example.com.')).toBeVisible()
    expect(screen.getByLabelText('Verification code')).toHaveFocus()
    expect(asked).toHaveLength(1)
    expect(screen.queryByLabelText('Current password')).not.toBeInTheDocument()
    await userEvent.type(screen.getByLabelText('New password'), 'a much longer one')
    await userEvent.type(screen.getByLabelText('Confirm new password'), 'a much longer one')
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
    const code = screen.getByLabelText('Verification code')
    expect(code).toHaveAccessibleDescription('Enter the 6-digit code we sent you')
    const refused = mock('/auth/v1/user', () =>
      HttpResponse.json({ code: 422, error_code: 'reauthentication_not_valid', msg: 'Nonce' }, { status: 422 }),
    )
    await userEvent.type(code, '000 000')
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
    await waitFor(() => expect(code).toHaveAccessibleDescription('That code is incorrect or has expired'))
    expect(refused).toMatchObject([{ method: 'PUT', body: { password: 'a much longer one', nonce: '000000' } }])
    mock('/auth/v1/user', () => HttpResponse.json(user()))
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText("Password changed. You've been signed out everywhere else.")).toBeVisible()
  })

  it('sends a code by itself where the sign-in is too old for a password of its own', async () => {
    localStorage.setItem(
      'sb-localhost-auth-token',
      JSON.stringify({ ...sessionFor(), user: user({ identities: [{ provider: 'google', id: 'i1' }] }) }),
    )
    const asked = mock('/auth/v1/reauthenticate')
    mock('/auth/v1/user', () =>
      HttpResponse.json({ code: 400, error_code: 'reauthentication_needed', msg: 'Needed' }, { status: 400 }),
    )
    renderRoute('/settings')
    await userEvent.type(await screen.findByLabelText('New password'), 'a much longer one')
    await userEvent.type(screen.getByLabelText('Confirm new password'), 'a much longer one')
    await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
    expect(await screen.findByText('We sent a code to ada@example.com.')).toBeVisible()
    expect(asked).toHaveLength(1)
    expect(screen.getByLabelText('New password')).toHaveValue('a much longer one')
  })

  it('takes a phone as second factor, with recovery codes, and takes a mistyped number back [SET-21, API-AUTH-19, API-AUTH-20, API-AUTH-21]', async () => {
    const phone = { id: 'f1', factor_type: 'phone', status: 'verified', phone: '15550100100', created_at: '2024-05-04' }
    network.use(
      signInWays({ external: { email: true, phone: true } }),
      http.post('*/auth/v1/factors/recovery-codes', () => HttpResponse.json({ codes: ['abcde-fghjk'] })),
      http.get('*/auth/v1/factors/recovery-codes', () =>
        HttpResponse.json({ code: 422, error_code: 'mfa_factor_not_found', msg: 'None' }, { status: 422 }),
      ),
    )
    const enrolled = mock('/auth/v1/factors', () =>
      HttpResponse.json({ id: 'f1', type: 'phone', phone: '15550100100' }),
    )
    const removed = mock('/auth/v1/factors/f1', () => HttpResponse.json({ id: 'f1' }))
    mock('/auth/v1/factors/f1/challenge', () => HttpResponse.json({ id: 'c1', type: 'phone', expires_at: 1 }))
    const verified = mock('/auth/v1/factors/f1/verify', () =>
      HttpResponse.json(sessionFor({ claims: { aal: 'aal2' }, factors: [phone] })),
    )
    renderRoute('/settings')
    await userEvent.click(await screen.findByRole('button', { name: 'Add a phone number' }))
    const dialog = await screen.findByRole('dialog', { name: 'Codes by text message' })
    await userEvent.type(within(dialog).getByLabelText('Phone number'), '555')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send code' }))
    expect(within(dialog).getByLabelText('Phone number')).toHaveAccessibleDescription(
      /Enter your number with the country code/,
    )
    await userEvent.clear(within(dialog).getByLabelText('Phone number'))
    await userEvent.type(within(dialog).getByLabelText('Phone number'), '+1 (555) 010-0100')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send code' }))
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Use another number' }))
    await waitFor(() => expect(removed).toMatchObject([{ method: 'DELETE' }]))
    await userEvent.type(within(dialog).getByLabelText('Phone number'), '+15550100100')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send code' }))
    await userEvent.type(await within(dialog).findByLabelText('Code from the text message'), '123 456')
    network.use(http.get('*/auth/v1/user', () => HttpResponse.json(user({ factors: [phone] }))))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Turn on' }))
    expect(await screen.findByText('abcde-fghjk')).toBeVisible()
    expect(enrolled.map(({ body }) => body)).toMatchObject(
      Array(2).fill({ factor_type: 'phone', phone: '+15550100100' }),
    )
    expect(verified).toMatchObject([{ body: { challenge_id: 'c1', code: '123456' } }])
    await userEvent.click(screen.getByRole('button', { name: "I've saved them" }))
    expect(await screen.findByRole('button', { name: 'Remove +15550100100' })).toBeVisible()
    expect(screen.getByText("On. You'll enter a code from a text message when you sign in.")).toBeVisible()
    // Not 'Turn on' beside it: it is on.
    expect(screen.getByRole('button', { name: 'Add an authenticator app' })).toBeVisible()
    expect(removed).toHaveLength(1) // the number that was proved stays
  })

  it('focuses the code whenever it asks for the authenticator app, and after a wrong code [SET-21]', async () => {
    mock('/auth/v1/factors', () =>
      HttpResponse.json({ id: 'f1', type: 'totp', totp: { qr_code: '<svg/>', secret: 'KEY', uri: 'otpauth://totp' } }),
    )
    mock('/auth/v1/factors/f1/challenge', () => HttpResponse.json({ id: 'c1', type: 'totp', expires_at: 1 }))
    mock('/auth/v1/factors/f1/verify', () =>
      HttpResponse.json({ code: 422, error_code: 'mfa_verification_failed', msg: 'Invalid' }, { status: 422 }),
    )
    renderRoute('/settings')
    const turnOn = await screen.findByRole('button', { name: 'Turn on' })
    await userEvent.click(turnOn)
    await waitFor(async () => expect(await screen.findByLabelText('Code from the app')).toHaveFocus())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(turnOn).toHaveFocus())
    // The dialog is there at once now, and what it asks about comes after it.
    await userEvent.keyboard('{Enter}')
    const code = await screen.findByLabelText('Code from the app')
    await waitFor(() => expect(code).toHaveFocus())
    await userEvent.type(code, '000000')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Turn on' }))
    expect(await within(screen.getByRole('dialog')).findByRole('alert')).toBeVisible()
    expect(code).toHaveFocus()
    // What is typed next replaces it.
    await userEvent.keyboard('1')
    expect(code).toHaveValue('1')
  })

  it('asks both mailboxes about a new address', async () => {
    renderRoute('/settings')
    const sent = mock('/auth/v1/user', () => HttpResponse.json(user({ new_email: 'new@example.com' })))
    await userEvent.type(await screen.findByLabelText('New email'), 'New@Example.com')
    await userEvent.click(screen.getByRole('button', { name: 'Change email' }))
    expect(await screen.findByText('Confirm from both inboxes')).toBeVisible()
    expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({ email: 'new@example.com' })
    const resend = mock('/auth/v1/resend')
    await userEvent.click(screen.getByRole('button', { name: 'Resend links' }))
    await waitFor(() => expect(resend[0]?.body).toMatchObject({ type: 'email_change', email: 'new@example.com' }))
  })

  it('has what is about security: where one is signed in, and signs out there, two-factor, login alerts [SET-22, SET-23, D38]', async () => {
    const used = { ...session, last_used_at: new Date().toISOString() }
    const other = { ...used, id: 's2', is_current: false, user_agent: 'Mozilla/5.0 (iPhone) Safari/605' }
    network.use(answer('rpc/list_own_sessions', [used, other]))
    renderRoute('/settings')
    expect(await screen.findByText('Firefox on Windows')).toBeVisible()
    expect(screen.getByText('This device')).toBeVisible()
    expect(screen.getAllByText('203.0.113.7, active a moment ago')).toHaveLength(2)
    const ended = mock('/rest/v1/rpc/end_own_session', () => HttpResponse.json(true))
    await userEvent.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }))
    expect(await screen.findByText('Device signed out')).toBeVisible()
    expect(ended).toMatchObject([{ body: { session_id: 's2' } }])
    expect(screen.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible()
    const sent = updates('user_settings')
    await userEvent.click(screen.getByLabelText(/^Login alerts/))
    await waitFor(() => expect(sent).toEqual([{ security: { loginAlerts: false } }]))
  })

  it('offers no keys to a browser that knows none, and lists passkeys that are there', async () => {
    network.use(
      signInWays({ passkeys_enabled: true }),
      http.get('*/auth/v1/passkeys', () =>
        HttpResponse.json([{ id: 'p1', friendly_name: 'My laptop', created_at: '2024-05-04T10:00:00Z' }]),
      ),
    )
    renderRoute('/settings')
    expect(await screen.findByText('My laptop')).toBeVisible()
    expect(screen.getByText('Added May 4, 2024, never used')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add a passkey' })).toBeDisabled()
  })

  it('asks, asks for the password, and only then deletes [SET-13, SET-14, D6]', async () => {
    const asked = mock('/functions/v1/delete-own-account', () =>
      HttpResponse.json({ success: false, error: 'Incorrect password' }, { status: 403 }),
    )
    const { router } = renderRoute('/settings')
    expect(await screen.findByRole('heading', { name: 'Danger Zone' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Delete account' }))
    const prompt = await screen.findByRole('dialog', { name: 'Delete your account?' })
    await userEvent.click(within(prompt).getByRole('button', { name: 'Continue' }))
    const dialog = await screen.findByRole('dialog', { name: 'Enter your password' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete my account' }))
    expect(asked).toEqual([])
    await userEvent.type(within(dialog).getByLabelText('Password'), 'not this one')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete my account' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Incorrect password')
    expect(within(dialog).getByLabelText('Password')).toHaveFocus()
    mock('/functions/v1/delete-own-account', () => HttpResponse.json({ success: true }))
    mock('/auth/v1/logout', () => HttpResponse.json({ code: 403, error_code: 'session_not_found' }, { status: 403 }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete my account' }))
    expect(await screen.findByText('Your account was deleted')).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
    expect(asked).toEqual([{ method: 'POST', body: { password: 'not this one' } }])
  })
})

it('lists what was paid, with a receipt for each [SET-06]', async () => {
  network.use(
    answer('transactions', [
      {
        id: 'abcdef12-0000-4000-8000-000000000001',
        transaction_type: 'tip',
        status: 'refunded',
        amount: 500,
        created_at: '2024-05-04T10:00:00Z',
        payee: noor,
      },
    ]),
  )
  renderRoute('/settings?tab=subscriptions')
  const row = (await screen.findByText('Tip')).closest('li')
  expect(row).toHaveTextContent('Noor Haddad')
  expect(screen.getByText('$5.00')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Receipt from May 4, 2024' }))
  const dialog = await screen.findByRole('dialog', { name: 'Receipt' })
  expect(dialog).toHaveTextContent('ABCDEF12')
  expect(dialog).toHaveTextContent('$5.00 · Refunded')
  expect(dialog).toHaveTextContent('Ovation Media LLC')
})

it('leads from a payment to the post or product that was bought, and names the goal of a tip [SET-06, OFFER-05, OFFER-07]', async () => {
  const paid = { status: 'completed', amount: 700, created_at: '2024-05-04T10:00:00Z', payee: noor }
  network.use(
    answer('transactions', [
      { ...paid, id: 'abcdef12-0000-4000-8000-000000000001', transaction_type: 'ppv', post_id: 'p1' },
      { ...paid, id: 'abcdef12-0000-4000-8000-000000000002', transaction_type: 'tip', post_id: null },
      { ...paid, id: 'abcdef12-0000-4000-8000-000000000003', transaction_type: 'product', bought_product_id: 'w1' },
      { ...paid, id: 'abcdef12-0000-4000-8000-000000000004', transaction_type: 'tip', goal: { title: 'New lens' } },
    ]),
  )
  renderRoute('/settings?tab=subscriptions')
  expect(await screen.findByRole('link', { name: 'Post' })).toHaveAttribute('href', '/post/p1')
  expect(screen.getByRole('link', { name: 'Product' })).toHaveAttribute('href', '/product/w1')
  expect(screen.getByText('Tip').closest('a')).toBeNull()
  expect(screen.getByText('Tip toward "New lens"')).toBeVisible()
})

it('tells a part that went back from the whole [SET-06]', async () => {
  const tip = { transaction_type: 'tip', amount: 500, created_at: '2024-05-04T10:00:00Z', payee: noor }
  network.use(
    answer('transactions', [{ ...tip, id: 'abcdef12-0000-4000-8000-000000000001', status: 'partially_refunded' }]),
  )
  renderRoute('/settings?tab=subscriptions')
  expect(await screen.findByText('Partially refunded')).toBeVisible()
})

it('shows the payout account and the products [SET-05, D1]', async () => {
  mock('/functions/v1/check-stripe-status', () =>
    HttpResponse.json({
      success: true,
      has_stripe_account: true,
      account_id: 'acct_1',
      onboarding_completed: true,
      charges_enabled: true,
      payouts_enabled: true,
    }),
  )
  const plan = { ...monthly, id: 'p1', name: 'Backstage' }
  const payee = { stripe_account_id: 'acct_1', stripe_charges_enabled: true, tiered_access: false }
  network.use(
    answer('profiles', [{ ...viewerProfile, is_creator: true, is_verified: true, ...payee }]),
    answer('subscription_products', [{ ...plan, is_active: true }]),
    answer('rpc/get_plan_subscribers', []),
    answer('rpc/get_earlier_prices', []),
    http.post('*/functions/v1/list-promotion-codes', () => HttpResponse.json({ promotionCodes: [] })),
  )
  renderRoute('/settings?tab=stripe')
  expect(await screen.findByText('acct_1')).toBeVisible()
  expect(screen.getByText('Fully set up')).toBeVisible()
  // The manager itself, not a way to it.
  expect(await screen.findByRole('button', { name: 'Deactivate Backstage' })).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Create plan' })).toBeVisible()
})

describe('muted offers', () => {
  const mutes = (rows: object[]) => network.use(answer('rpc/get_muted_offers', rows as never))

  it('are those of everyone, or of the listed creators [MASS-05]', async () => {
    signIn()
    network.use(answer('user_settings', [settings]))
    const mara = {
      creator_id: noor.id,
      username: 'noor',
      display_name: 'Noor Haddad',
      avatar_url: null,
      updated_at: noor.updated_at,
    }
    mutes([mara])
    const sent: unknown[] = []
    network.use(
      http.post('*/rest/v1/rpc/mute_offers', async ({ request }) => {
        const change = (await request.json()) as { creator?: string; muted: boolean }
        sent.push(change)
        mutes(change.creator ? [] : [mara, { ...mara, creator_id: null, username: null, display_name: null }])
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/settings?tab=notifications')
    const all = await screen.findByRole('switch', { name: 'Mute offers from everyone' })
    expect(all).not.toBeChecked()
    await userEvent.click(all)
    expect(all).toBeChecked()
    await waitFor(() => expect(sent).toEqual([{ muted: true }]))
    expect(screen.getByRole('link', { name: 'Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
    await userEvent.click(screen.getByRole('button', { name: 'Unmute offers from Noor Haddad' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Noor Haddad' })).toBeNull())
    expect(sent.at(-1)).toEqual({ creator: noor.id, muted: false })
  })

  it('offer Retry when they fail to load [MASS-05]', async () => {
    signIn()
    network.use(answer('user_settings', [settings]), fail('rpc/get_muted_offers'))
    renderRoute('/settings?tab=notifications')
    expect(await screen.findByText("Couldn't load what you muted")).toBeVisible()
    mutes([])
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('switch', { name: 'Mute offers from everyone' })).toBeVisible()
  })
})
