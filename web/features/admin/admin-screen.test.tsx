import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { formatExact } from '../../lib/format/format-date.ts'
import { keepDownloads } from '../../testing/downloads.ts'
import { answer, fail, network, signInWays } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { sessionFor, signIn, viewerProfile } from '../../testing/sign-in.ts'
import { applicationFile } from './download-application.ts'
import type { SupportRequest } from './support-queries.ts'
import type { ListedUser } from './user-queries.ts'

const grace = {
  user_id: 'user-grace',
  username: 'grace',
  display_name: 'Grace',
  avatar_url: null,
  updated_at: '2024-05-01T10:00:00Z',
}
const pending = {
  id: 'application-1',
  user_id: 'user-grace',
  full_name: 'Grace Hopper',
  address: '1 Navy Yard\nArlington',
  country: 'US',
  ssn_last4: '6789',
  id_front_url: 'user-grace/id_front_1.png',
  id_back_url: 'user-grace/id_back_1.png',
  status: 'pending',
  rejection_reason: null,
  submitted_at: '2024-05-01T10:00:00Z',
  reviewed_at: null,
}
const listedUser: ListedUser = {
  id: 'profile-noor',
  user_id: 'user-noor',
  username: 'noor',
  display_name: 'Noor Haddad',
  avatar_url: null,
  is_creator: true,
  is_verified: true,
  role: 'user',
  created_at: '2024-05-02T10:00:00Z',
  updated_at: '2024-05-02T10:00:00Z',
  email: 'noor@example.com',
  suspended_at: null,
  suspension_reason: null,
  total_posts: 12,
  total_earnings: 0,
}
const supportRequest: SupportRequest = {
  id: 'request-1',
  user_id: null,
  name: 'Grace',
  email: 'grace@example.com',
  subject: 'Charged twice',
  category: 'Billing',
  message: 'See June 3rd.',
  priority: 'high',
  status: 'open',
  created_at: '2024-05-02T10:00:00Z',
  updated_at: '2024-05-02T10:00:00Z',
}
const rejected = {
  ...pending,
  id: 'application-2',
  full_name: 'Mallory',
  status: 'rejected',
  rejection_reason: 'Blurred photo',
  reviewed_at: '2024-05-02T10:00:00Z',
}

/** An admin, and the applications that wait and that were decided. */
function admin(applications: Record<string, unknown>[] = [pending, rejected]) {
  signIn({ role: 'admin' })
  network.use(
    answer('support_requests', []),
    answer('rpc/count_users', 3),
    http.get('*/rest/v1/profiles', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get('user_id')?.startsWith('in.')
          ? [grace]
          : { ...viewerProfile, role: 'admin' },
      ),
    ),
    http.get('*/rest/v1/creator_applications', ({ request }) => {
      const query = new URL(request.url).searchParams
      expect(query.get('select')).not.toContain('full_ssn')
      const rows = applications.filter(({ status }) => query.get('status')?.includes(String(status)))
      return HttpResponse.json(rows, { headers: { 'content-range': `0-${rows.length - 1}/${rows.length}` } })
    }),
  )
}

/** Answers reviews, and keeps them. */
function acceptReviews(status = 200, body: object = { id: 'application-1' }) {
  const sent: Record<string, unknown>[] = []
  network.use(
    http.patch('*/rest/v1/creator_applications', async ({ request }) => {
      sent.push({ id: new URL(request.url).searchParams.get('id'), ...((await request.json()) as object) })
      return HttpResponse.json(body, { status })
    }),
  )
  return sent
}

/** Signs links as the server does, or refuses. */
function signLinks(answerFor: (path: string) => Response) {
  const asked: unknown[] = []
  network.use(
    http.post('*/storage/v1/object/sign/verification/*', async ({ request }) => {
      asked.push(await request.json())
      return answerFor(new URL(request.url).pathname.split('/verification/')[1] ?? '')
    }),
  )
  return asked
}
const signed = (path: string) => HttpResponse.json({ signedURL: `/object/sign/verification/${path}?token=t` })

async function openDetails() {
  await userEvent.click(await screen.findByRole('button', { name: 'View details for Grace Hopper' }))
  return within(await screen.findByRole('dialog', { name: 'Verification details' }))
}

describe('the way in', () => {
  it('sends a signed-out visitor to sign in [ADM-02]', async () => {
    const { router } = renderRoute('/admin')
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
  })

  it.each([
    ['who is not an admin', answer('profiles', [viewerProfile])],
    ["whose role can't be loaded", fail('profiles')],
  ])('sends a user %s home [ADM-03, GEN-42]', async (_who, profiles) => {
    signIn()
    network.use(profiles, answer('rpc/get_feed', []), answer('rpc/discover_creators', []))
    const { router } = renderRoute('/admin')
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })
})

it.each([
  ['pending', 'View details for Grace Hopper', 'Verification details'],
  ['pending', 'Approve Grace Hopper', 'Approve application'],
  ['pending', 'Reject Grace Hopper', 'Reject application'],
  ['users', 'Edit email', 'Edit user email'],
  ['users', 'Delete account', 'Delete account'],
  ['support', 'View details for Charged twice', 'Support request details'],
])('opens a dialog from the tab %s with "%s": %s [ADM-05]', async (tab, press, title) => {
  admin()
  signLinks(signed)
  network.use(answer('rpc/get_users_with_emails', [listedUser]), answer('support_requests', [supportRequest]))
  renderRoute(`/admin?tab=${tab}`)
  if (tab === 'users') {
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Noor Haddad' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: press }))
  } else await userEvent.click(await screen.findByRole('button', { name: press }))
  const dialog = within(await screen.findByRole('dialog', { name: title }))
  const images = title === 'Verification details' ? ['ID Front', 'ID Back'] : []
  for (const name of images) expect(await dialog.findByRole('img', { name })).toBeVisible()
})

describe('the applications', () => {
  it('say in words how long ago they were submitted, and exactly when on hover [ADM-05]', async () => {
    const submitted_at = new Date(Date.now() - 13.5 * 60_000).toISOString()
    admin([{ ...pending, submitted_at }])
    renderRoute('/admin')
    expect(await screen.findByText(/Submitted/)).toHaveTextContent('Submitted 13m ago')
    expect(screen.getByText('13m ago')).toHaveAttribute('title', formatExact(submitted_at))
  })

  it('stand in two of the six tabs, with their counts [ADM-01, ADM-04, API-REST-29]', async () => {
    admin()
    renderRoute('/admin')
    expect(await screen.findByRole('tab', { name: 'Pending Applications (1)' })).toBeVisible()
    await screen.findByRole('tab', { name: 'All Users (3)' })
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Pending Applications (1)',
      'Reviewed Applications (1)',
      'All Users (3)',
      'Support Requests (0)',
      'Notifications',
      'Poll Results',
    ])
    const list = within(await screen.findByRole('list', { name: 'Pending applications' }))
    expect(list.getByText('Grace Hopper')).toBeVisible()
    expect(list.getByText(/@grace/)).toBeVisible()
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Pending Applications')
    await userEvent.click(screen.getByRole('tab', { name: 'Reviewed Applications (1)' }))
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Reviewed Applications')
    const reviewed = within(await screen.findByRole('list', { name: 'Reviewed applications' }))
    expect(reviewed.getByText('Rejected')).toBeVisible()
    expect(reviewed.getByText('Blurred photo')).toBeVisible()
    expect(reviewed.queryByRole('button', { name: /Approve/ })).not.toBeInTheDocument()
  })

  it('update live as others apply, write, and join [ADM-04, D21]', async () => {
    const waiting = [pending]
    admin(waiting)
    renderRoute('/admin')
    expect(await screen.findByRole('tab', { name: 'Pending Applications (1)' })).toBeVisible()
    await waitFor(() => {
      expect(listensTo('creator_applications')).toHaveLength(1)
      expect(listensTo('support_requests')).toHaveLength(1)
      expect(listensTo('profiles')).toHaveLength(1)
    })
    waiting.push({ ...pending, id: 'application-3', full_name: 'Ada' })
    pushInsert('creator_applications', { id: 'application-3' })
    expect(await screen.findByRole('tab', { name: 'Pending Applications (2)' })).toBeVisible()
    expect(screen.getByText('Ada')).toBeVisible()
    network.use(http.post('*/rest/v1/rpc/get_admin_queues', () => HttpResponse.json({ open_support_requests: 1 })))
    pushInsert('support_requests', { id: 'request-1' })
    expect(await screen.findByRole('tab', { name: 'Support Requests (1)' })).toBeVisible()
    network.use(answer('rpc/count_users', 1_204))
    pushInsert('profiles', { id: 'profile-new' })
    expect(await screen.findByRole('tab', { name: 'All Users (1,204)' })).toBeVisible()
  })

  it('say when there are none, and when they could not be loaded [ADM-10]', async () => {
    admin([])
    network.use(fail('creator_applications'))
    renderRoute('/admin')
    expect(await screen.findByText('Failed to load creator applications')).toBeVisible()
    admin([])
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('All caught up')).toBeVisible()
  })
})

describe('a review', () => {
  it('approves, and moves the application over [ADM-05, ADM-06, API-REST-32]', async () => {
    admin()
    const sent = acceptReviews()
    renderRoute('/admin')
    await userEvent.click(await screen.findByRole('button', { name: 'Approve Grace Hopper' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve application' }))
    admin([{ ...pending, status: 'approved' }])
    await userEvent.click(dialog.getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText('Application approved')).toBeVisible()
    expect(await screen.findByText('All caught up')).toBeVisible()
    expect(screen.getByRole('tab', { name: 'Reviewed Applications (1)' })).toBeVisible()
    expect(sent).toEqual([{ id: 'eq.application-1', status: 'approved', reviewed_at: expect.any(String) }])
  })

  it('rejects with a reason, and not without [ADM-07, ADM-08, D32]', async () => {
    admin()
    const sent = acceptReviews()
    renderRoute('/admin')
    await userEvent.click(await screen.findByRole('button', { name: 'Reject Grace Hopper' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject application' }))
    const reason = dialog.getByLabelText(/^Reason/)
    await userEvent.type(reason, '   ')
    await userEvent.click(dialog.getByRole('button', { name: 'Reject' }))
    expect(reason).toHaveAccessibleDescription('Enter a reason for the rejection')
    expect(sent).toEqual([])
    await userEvent.type(reason, 'The photo is blurred ')
    await userEvent.click(dialog.getByRole('button', { name: 'Reject' }))
    expect(await screen.findByText('Application rejected')).toBeVisible()
    expect(sent).toMatchObject([{ status: 'rejected', rejection_reason: 'The photo is blurred' }])
  })

  it('confirms an approval and a rejection [ADM-09]', async () => {
    admin()
    acceptReviews()
    renderRoute('/admin')
    await userEvent.click(await screen.findByRole('button', { name: 'Reject Grace Hopper' }))
    const rejection = within(await screen.findByRole('dialog', { name: 'Reject application' }))
    await userEvent.type(rejection.getByLabelText(/^Reason/), 'Blurred')
    await userEvent.click(rejection.getByRole('button', { name: 'Reject' }))
    expect(await screen.findByText('Application rejected')).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: 'Approve Grace Hopper' }))
    const approval = within(await screen.findByRole('dialog', { name: 'Approve application' }))
    await userEvent.click(approval.getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText('Application approved')).toBeVisible()
  })

  it('says that applications failed to load, or that a review failed [ADM-10]', async () => {
    admin()
    network.use(fail('creator_applications'))
    renderRoute('/admin')
    expect(await screen.findByText('Failed to load creator applications')).toBeVisible()
    admin()
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    acceptReviews(409, { code: 'PT409', message: 'This application has already been reviewed' })
    await userEvent.click(await screen.findByRole('button', { name: 'Approve Grace Hopper' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve application' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Approve' }))
    expect(await dialog.findByText('Failed to review application')).toBeVisible()
  })

  it('keeps the reason when it fails [ADM-10]', async () => {
    admin()
    acceptReviews(409, { code: 'PT409', message: 'This application has already been reviewed' })
    renderRoute('/admin')
    await userEvent.click(await screen.findByRole('button', { name: 'Reject Grace Hopper' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject application' }))
    await userEvent.type(dialog.getByLabelText(/^Reason/), 'Blurred')
    await userEvent.click(dialog.getByRole('button', { name: 'Reject' }))
    const alert = await dialog.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to review application')
    expect(alert).toHaveTextContent('This application has already been reviewed')
    expect(dialog.getByLabelText(/^Reason/)).toHaveValue('Blurred')
  })
})

describe('the details', () => {
  it('show what was handed in, with both images through links of 3600 s [ADM-05, ADM-11]', async () => {
    admin()
    const asked = signLinks(signed)
    renderRoute('/admin')
    const dialog = await openDetails()
    expect(dialog.getByText('Grace Hopper')).toBeVisible()
    expect(dialog.getByText(/1 Navy Yard/)).toBeVisible()
    expect((await dialog.findByRole('img', { name: 'ID Front' })).getAttribute('src')).toContain(
      'id_front_1.png?token=t',
    )
    expect((await dialog.findByRole('link', { name: 'Open ID Back in a new tab' })).getAttribute('href')).toContain(
      'id_back_1.png?token=t',
    )
    expect(asked).toEqual([{ expiresIn: 3600 }, { expiresIn: 3600 }])
  })

  it('say when a document is not available [ADM-12]', async () => {
    admin()
    signLinks((path) =>
      path.includes('front')
        ? HttpResponse.json({ statusCode: '404', error: 'not_found', message: 'Object not found' }, { status: 400 })
        : signed(path),
    )
    renderRoute('/admin')
    const dialog = await openDetails()
    const words = 'Document Not Available: This document is not available for viewing.'
    expect(await dialog.findByText(words)).toBeVisible()
    fireEvent.error(await dialog.findByRole('img', { name: 'ID Back' }))
    expect(await dialog.findAllByText(words)).toHaveLength(2)
  })

  it('offer another try when a link cannot be had [ADM-13]', async () => {
    admin()
    signLinks(() => HttpResponse.json({ statusCode: '500', error: 'internal', message: 'down' }, { status: 500 }))
    renderRoute('/admin')
    const dialog = await openDetails()
    expect(await dialog.findByText('Failed to view ID Front')).toBeVisible()
    expect(await dialog.findByText('Failed to view ID Back')).toBeVisible()
    signLinks(signed)
    for (const retry of dialog.getAllByRole('button', { name: 'Retry' })) await userEvent.click(retry)
    expect(await dialog.findByRole('img', { name: 'ID Front' })).toBeInTheDocument()
  })

  it('show the last four digits, and the number only on demand [ADM-14, D10]', async () => {
    admin()
    signLinks(signed)
    const asked: unknown[] = []
    network.use(
      http.post('*/rest/v1/rpc/reveal_ssn', async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json('123-45-6789')
      }),
    )
    renderRoute('/admin')
    const dialog = await openDetails()
    expect(dialog.getByText('•••-••-6789')).toBeVisible()
    expect(asked).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Reveal full number' }))
    expect(await dialog.findByText('123-45-6789')).toBeVisible()
    expect(asked).toEqual([{ application_id: 'application-1' }])
    await userEvent.click(dialog.getByRole('button', { name: 'Hide' }))
    expect(dialog.queryByText('123-45-6789')).not.toBeInTheDocument()
  })

  it('tell why the number could not be revealed [ADM-14]', async () => {
    admin()
    signLinks(signed)
    network.use(fail('rpc/reveal_ssn', 403, 'Only admins can see a social security number'))
    renderRoute('/admin')
    const dialog = await openDetails()
    await userEvent.click(dialog.getByRole('button', { name: 'Reveal full number' }))
    expect(await dialog.findByText(/Only admins can see a social security number/)).toBeVisible()
  })

  it('are downloaded as a file without the full number [ADM-15]', async () => {
    admin([{ ...pending, full_ssn: '900-11-2222' }])
    signLinks(signed)
    const files = keepDownloads()
    renderRoute('/admin')
    const dialog = await openDetails()
    await userEvent.click(dialog.getByRole('button', { name: 'Download application data' }))
    expect(files.map(({ name }) => name)).toEqual(['application-grace.json'])
    const text = (await files[0]?.blob.text()) ?? ''
    expect(JSON.parse(text)).toMatchObject({ full_name: 'Grace Hopper', ssn_last4: '6789' })
    expect(text).not.toMatch(/full_ssn|900-?11/)
  })

  it('lead to the decision [ADM-05]', async () => {
    admin()
    signLinks(signed)
    renderRoute('/admin')
    const dialog = await openDetails()
    await userEvent.click(dialog.getByRole('button', { name: 'Reject' }))
    expect(await screen.findByRole('dialog', { name: 'Reject application' })).toBeVisible()
  })
})

it('puts everything but the number into the file [ADM-15, D10]', () => {
  const whole = { ...pending, status: 'pending' as const, applicant: grace, full_ssn: '900-11-2222' }
  const { name, text } = applicationFile(whole)
  expect(name).toBe('application-grace.json')
  expect(JSON.parse(text)).toMatchObject({
    full_name: 'Grace Hopper',
    username: 'grace',
    ssn_last4: '6789',
    status: 'pending',
  })
  expect(text).not.toMatch(/full_ssn|900-?11/)
})

describe('where admins need a second factor', () => {
  it('has it set up first, and then opens [ADM-01, AUTH-19]', async () => {
    admin()
    network.use(
      signInWays({ mfa_required_for_admins: true }),
      http.post('*/auth/v1/factors', () =>
        HttpResponse.json({
          id: 'f1',
          type: 'totp',
          totp: { qr_code: '<svg/>', secret: 'JBSWY3DP', uri: 'otpauth://totp/x' },
        }),
      ),
      http.post('*/auth/v1/factors/f1/challenge', () => HttpResponse.json({ id: 'c1', type: 'totp', expires_at: 1 })),
      http.post('*/auth/v1/factors/f1/verify', () =>
        HttpResponse.json(
          sessionFor({ claims: { aal: 'aal2' }, factors: [{ id: 'f1', factor_type: 'totp', status: 'verified' }] }),
        ),
      ),
      http.post('*/auth/v1/factors/recovery-codes', () => HttpResponse.json({ codes: ['abcde-fghjk'] })),
    )
    const { router } = renderRoute('/admin?tab=support')
    expect(await screen.findByRole('heading', { name: 'Set up two-factor sign-in' })).toBeVisible()
    expect(screen.queryByRole('tab')).not.toBeInTheDocument()
    await userEvent.click(await screen.findByRole('button', { name: 'Turn on' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.type(await within(dialog).findByLabelText('Code from the app'), '123456')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Turn on' }))
    expect(await screen.findByText('abcde-fghjk')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: "I've saved them" }))
    expect(await screen.findByRole('tab', { name: /^Support/, selected: true })).toBeVisible()
    expect(router.state.location.search).toBe('?tab=support')
  })

  it('keeps nobody who has shown it, or where none is needed', async () => {
    admin()
    localStorage.setItem('sb-localhost-auth-token', JSON.stringify(sessionFor({ claims: { aal: 'aal2' } })))
    network.use(signInWays({ mfa_required_for_admins: true }))
    renderRoute('/admin')
    expect(await screen.findByText('Grace Hopper')).toBeVisible()
  })
})
