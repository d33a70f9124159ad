import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it, vi } from 'vitest'
import { noteLinkOutcome } from '../../lib/auth/link-outcome.ts'
import { answer, network, signInWays } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { sessionFor, signIn, viewerProfile } from '../../testing/sign-in.ts'

const email = 'ada@example.com'
const pending = { claims: { second_factor: 'pending', aal: 'aal1' } }
const totp = { id: 'f0000000-0000-4000-8000-000000000001', factor_type: 'totp', status: 'verified' }

type Sent = { path: string; query: URLSearchParams; body: Record<string, unknown>; authorization: string | null }

/** Answers a path of auth/v1 and keeps what was sent there. */
function mockAuth(path: string, respond: () => Response = () => HttpResponse.json({})): Sent[] {
  const sent: Sent[] = []
  network.use(
    http.all(`*/auth/v1/${path}`, async ({ request }) => {
      const text = await request.text()
      sent.push({
        path,
        query: new URL(request.url).searchParams,
        body: text ? JSON.parse(text) : {},
        authorization: request.headers.get('authorization'),
      })
      return respond()
    }),
  )
  return sent
}

const refuse = (status: number, code: string, msg: string) => () =>
  HttpResponse.json({ code: status, error_code: code, msg }, { status })
const home = () => network.use(answer('rpc/get_feed', []), answer('rpc/discover_creators', []), answer('follows', []))

async function askFor(link: string, button: string) {
  await userEvent.click(await screen.findByRole('button', { name: link }))
  const send = await screen.findByRole('button', { name: button })
  await userEvent.type(screen.getByLabelText('Email'), email)
  await userEvent.click(send)
}

it('leads from a forgotten password by the code of a mail to a new one, and home [AUTH-20, AUTH-23]', async () => {
  const recover = mockAuth('recover')
  const verify = mockAuth('verify', () => HttpResponse.json(sessionFor()))
  const update = mockAuth('user', () => HttpResponse.json(sessionFor().user))
  network.use(answer('profiles', [viewerProfile]), answer('notifications', []))
  home()
  const { router } = renderRoute('/auth')
  await askFor('Forgot password?', 'Send link')
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible()
  expect(recover[0]?.body).toMatchObject({ email })
  expect(recover[0]?.query.get('redirect_to')).toBe('http://localhost:3000/auth?tab=new-password')

  await userEvent.type(screen.getByLabelText('Code from the email'), '123 456')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  const password = await screen.findByLabelText('New password')
  expect(verify[0]?.body).toMatchObject({ type: 'recovery', email, token: '123456' })

  await userEvent.type(password, 'short')
  await userEvent.type(screen.getByLabelText('Confirm new password'), 'different')
  await userEvent.click(screen.getByRole('button', { name: 'Save password' }))
  expect(password).toHaveAccessibleDescription(/Use at least 8 characters/)
  expect(password).toHaveFocus()
  expect(screen.getByLabelText('Confirm new password')).toHaveAccessibleDescription('Passwords do not match')
  expect(update).toEqual([])

  for (const label of ['New password', 'Confirm new password']) {
    await userEvent.clear(screen.getByLabelText(label))
    await userEvent.type(screen.getByLabelText(label), 'a much longer one')
  }
  await userEvent.click(screen.getByRole('button', { name: 'Save password' }))
  expect(await screen.findByText('Your new password is saved')).toBeVisible()
  expect(update[0]?.body).toMatchObject({ password: 'a much longer one' })
  // The person's token, and not the public key beside it (GEN-13).
  expect(update[0]?.authorization).toMatch(/^Bearer [\w.-]+$/)
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})

it('says when a mail may be sent again, and keeps waiting over a reload [AUTH-16]', async () => {
  network.use(answer('profiles', []))
  mockAuth('signup', () => HttpResponse.json({ id: viewerProfile.user_id, email }))
  renderRoute('/auth?tab=sign-up')
  await userEvent.type(await screen.findByLabelText('Email'), email)
  await userEvent.type(screen.getByLabelText('Password'), 'long enough')
  await userEvent.click(screen.getByRole('checkbox', { name: /I am at least 18/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Sign Up' }))
  expect(await screen.findByRole('button', { name: /Send again in \d+ s/ })).toBeDisabled()
  renderRoute('/auth') // as a reload does
  await waitFor(() => expect(screen.getAllByText(/We sent a link to ada@example\.com/)).toHaveLength(2))
})

it('sends the confirmation again after the pause, and waits as long as the server says [AUTH-16, API-AUTH-10]', async () => {
  sessionStorage.setItem('ovation-draft:auth-mail', JSON.stringify({ kind: 'signup', email, sentAt: 0 }))
  const resend = mockAuth(
    'resend',
    refuse(429, 'over_email_send_rate_limit', 'For security purposes, you can only request this after 41 seconds.'),
  )
  renderRoute('/auth')
  await userEvent.click(await screen.findByRole('button', { name: 'Send again' }))
  expect(await screen.findByRole('button', { name: 'Send again in 41 s' })).toBeDisabled()
  expect(resend[0]?.body).toMatchObject({ type: 'signup', email })
})

it('offers an unconfirmed account its confirmation [AUTH-14, AUTH-16]', async () => {
  mockAuth('token', refuse(400, 'email_not_confirmed', 'Email not confirmed'))
  const resend = mockAuth('resend')
  renderRoute('/auth')
  await userEvent.type(await screen.findByLabelText('Email'), email)
  await userEvent.type(screen.getByLabelText('Password'), 'long enough')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Resend confirmation' }))
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible()
  expect(resend).toHaveLength(1)
})

it('signs in by a mail that makes no account, and comes back to where one was [API-AUTH-07, D35, AUTH-07]', async () => {
  const otp = mockAuth('otp')
  mockAuth('verify', refuse(403, 'otp_expired', 'Token has expired or is invalid'))
  renderRoute('/auth?next=%2Fsupport')
  await askFor('Email me a sign-in link', 'Send link')
  expect(await screen.findByText(/If ada@example\.com has an account/)).toBeVisible()
  expect(otp[0]?.body).toMatchObject({ email, create_user: false })
  expect(otp[0]?.query.get('redirect_to')).toBe('http://localhost:3000/auth?next=%2Fsupport')

  await userEvent.type(screen.getByLabelText('Code from the email'), '000000')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'That code is incorrect or has expired. Enter the most recent one.',
  )
  // The next is typed over it.
  expect(screen.getByLabelText('Code from the email')).toHaveFocus()
  await userEvent.keyboard('123456')
  expect(screen.getByLabelText('Code from the email')).toHaveValue('123456')
})

it('leads from step to step by keyboard, without losing the place [AUTH-20, AUTH-16]', async () => {
  mockAuth('otp')
  renderRoute('/auth')
  ;(await screen.findByRole('button', { name: 'Email me a sign-in link' })).focus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { name: 'Sign in by email' })).toHaveFocus()
  await userEvent.tab()
  await userEvent.keyboard(`${email}{Enter}`)
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toHaveFocus()
  screen.getByRole('button', { name: 'Back to sign in' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByRole('tab', { name: 'Sign In' })).toHaveFocus()
})

it('tells the suspended whom to write to, whichever way they come [AUTH-14, GEN-05]', async () => {
  mockAuth('otp')
  mockAuth('verify', refuse(403, 'user_banned', 'User is banned'))
  renderRoute('/auth')
  await askFor('Email me a sign-in link', 'Send link')
  await userEvent.type(await screen.findByLabelText('Code from the email'), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(/This account is suspended.*support@ovation\.example/)
})

it('offers what the installation has on, and nothing else [API-AUTH-16, API-AUTH-29]', async () => {
  renderRoute('/auth')
  expect(await screen.findByRole('button', { name: 'Email me a sign-in link' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Continue with|passkey/ })).not.toBeInTheDocument()
})

it('offers services, single sign-on and passkeys that are on [API-AUTH-15, API-AUTH-16]', async () => {
  vi.stubGlobal('PublicKeyCredential', class {})
  network.use(
    signInWays({
      external: { email: true, google: true, apple: false, acme_id: true, web3_solana: true },
      saml_enabled: true,
      passkeys_enabled: true,
    }),
  )
  const sso = mockAuth('sso', refuse(404, 'sso_provider_not_found', 'No SSO provider assigned for this domain'))
  renderRoute('/auth')
  expect(await screen.findByRole('button', { name: 'Continue with Google' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Continue with Acme id' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Apple|solana/i })).not.toBeInTheDocument()

  await userEvent.click(screen.getByRole('button', { name: 'Continue with single sign-on' }))
  await userEvent.type(await screen.findByLabelText('Work email'), 'ada@Acme.example')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('No SSO provider assigned for this domain')
  expect(sso[0]?.body).toMatchObject({ domain: 'acme.example' })
  vi.unstubAllGlobals()
})

it('accepts no sign-up where the operator has closed it', async () => {
  network.use(signInWays({ disable_signup: true }))
  renderRoute('/auth?tab=sign-up')
  expect(await screen.findByText("We're not accepting new accounts right now.")).toBeVisible()
})

it('asks for the second factor, and lets in who shows it [AUTH-19, API-AUTH-20, API-AUTH-21]', async () => {
  mockAuth('token', () => HttpResponse.json(sessionFor({ ...pending, factors: [totp] })))
  mockAuth(`factors/${totp.id}/challenge`, () => HttpResponse.json({ id: 'c1', type: 'totp', expires_at: 1 }))
  const wrong = mockAuth(
    `factors/${totp.id}/verify`,
    refuse(422, 'mfa_verification_failed', 'Invalid TOTP code entered'),
  )
  const { router } = renderRoute('/auth?next=%2Fprivacy-policy')
  await userEvent.type(await screen.findByLabelText('Email'), email)
  await userEvent.type(screen.getByLabelText('Password'), 'long enough')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  const code = await screen.findByLabelText('Code from your authenticator app')
  expect(code).toHaveFocus()
  await userEvent.type(code, '12')
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  expect(code).toHaveAccessibleDescription('Enter the 6-digit code from the app')
  await userEvent.type(code, '3456')
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'That code is incorrect or has expired. Enter the most recent one.',
  )
  expect(wrong[0]?.body).toMatchObject({ code: '123456', challenge_id: 'c1' })

  network.use(answer('profiles', [viewerProfile]), answer('notifications', []))
  mockAuth(`factors/${totp.id}/verify`, () =>
    HttpResponse.json(sessionFor({ claims: { aal: 'aal2' }, factors: [totp] })),
  )
  await userEvent.clear(code)
  await userEvent.type(code, '654321')
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/privacy-policy'))
})

it('treats who owes the second factor as a visitor, asks again after a reload, and takes a recovery code [AUTH-19, GEN-13]', async () => {
  const codes = { id: 'f2', factor_type: 'recovery_code', status: 'verified' }
  localStorage.setItem('sb-localhost-auth-token', JSON.stringify(sessionFor({ ...pending, factors: [totp, codes] })))
  const asked: (string | null)[] = []
  network.use(
    http.get('*/rest/v1/rpc/discover_creators', ({ request }) => {
      asked.push(request.headers.get('authorization'))
      return HttpResponse.json([])
    }),
    answer('rpc/count_creators', 0),
  )
  const explore = renderRoute('/explore')
  expect(await screen.findByText('No creators found')).toBeVisible()
  expect(asked).toEqual(['Bearer public-key'])
  await explore.router.navigate('/notifications')
  await userEvent.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
  const verify = mockAuth(
    'factors/recovery-codes/verify',
    refuse(422, 'mfa_verification_failed', 'Invalid recovery code entered'),
  )
  await userEvent.type(screen.getByLabelText('Recovery code'), ' abcde-fghjk ')
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'That code is incorrect or was already used. Try another recovery code.',
  )
  expect(verify[0]?.body).toEqual({ code: 'abcde-fghjk' })
})

it('lets who cannot show the second factor go back to another account [AUTH-19, AUTH-24]', async () => {
  localStorage.setItem('sb-localhost-auth-token', JSON.stringify(sessionFor({ ...pending, factors: [totp] })))
  mockAuth('logout', () => new HttpResponse(null, { status: 204 }))
  renderRoute('/auth')
  await userEvent.click(await screen.findByRole('button', { name: 'Use another account' }))
  expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeVisible()
  expect(localStorage.getItem('sb-localhost-auth-token')).toBeNull()
})

it('opens the link of an email only when the user presses the button, and says when it is incomplete [AUTH-20, API-AUTH-08]', async () => {
  const verify = mockAuth('verify')
  const { router } = renderRoute('/auth/link#token=abc&type=recovery&redirect_to=http%3A%2F%2Flocalhost%3A3000%2F')
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Continue' })).toBeEnabled()
  await router.navigate('/auth')
  await router.navigate('/auth/link#type=recovery')
  expect(await screen.findByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to sign in' })).toHaveAttribute('href', '/auth')
  expect(verify).toEqual([])
})

it('tells that a link has expired, and offers another one at once [AUTH-20]', async () => {
  const refusal = '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired'
  noteLinkOutcome({ hash: refusal, href: `http://localhost:3000/auth?tab=new-password${refusal}` } as Location)
  renderRoute('/auth?tab=new-password')
  expect(await screen.findByRole('alert')).toHaveTextContent('This link has expired')
  expect(screen.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  expect(window.location.hash).toBe('')
})

it('tells what another service refused [API-AUTH-16]', async () => {
  const refusal = '?error=access_denied&error_code=provider_email_needs_verification&error_description=Unverified+email'
  noteLinkOutcome({ hash: '', href: `http://localhost:3000/auth${refusal}` } as Location)
  renderRoute('/auth')
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Sign in failed')
  expect(alert).toHaveTextContent('Unverified email')
  expect(window.location.search).toBe('')
})

it('asks who came through another service for the consent, and brings the invitation along [AUTH-02, AUTH-07, D16]', async () => {
  localStorage.setItem('ovation-referral', 'REF1234ABCD')
  signIn()
  network.use(answer('profiles', [{ ...viewerProfile, terms_accepted_at: null }]))
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/accept_terms', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json('2024-05-05T00:00:00Z')
    }),
  )
  const { router } = renderRoute('/auth?tab=welcome&next=%2Fprivacy-policy')
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }))
  expect(screen.getByText('Please confirm your age and agree to the terms')).toBeVisible()
  await userEvent.click(screen.getByRole('checkbox', { name: /I am at least 18/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/privacy-policy'))
  expect(sent).toEqual([{ referral_code: 'REF1234ABCD' }])
  expect(localStorage.getItem('ovation-referral')).toBeNull()
})

it('leads on who has agreed before [AUTH-18]', async () => {
  signIn()
  network.use(answer('profiles', [{ ...viewerProfile, terms_accepted_at: '2024-05-05T00:00:00Z' }]))
  const { router } = renderRoute('/auth?tab=welcome&next=%2Fprivacy-policy')
  await waitFor(() => expect(router.state.location.pathname).toBe('/privacy-policy'))
})

it('brings back what was typed after a reload, but never a password', async () => {
  renderRoute('/auth?tab=sign-up')
  await userEvent.type(await screen.findByLabelText('Display name'), 'Ada')
  await userEvent.type(screen.getByLabelText('Password'), 'a secret of mine')
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('a secret of mine')
  renderRoute('/auth?tab=sign-up')
  await waitFor(() => expect(screen.getAllByLabelText('Display name')).toHaveLength(2))
  expect(screen.getAllByLabelText('Display name')[1]).toHaveValue('Ada')
  expect(screen.getAllByLabelText('Password')[1]).toHaveValue('')
})
