import { notificationsStore } from '@mantine/notifications'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http, type JsonBodyType } from 'msw'
import { expect, it, onTestFinished } from 'vitest'
import { setConfig } from '../../../lib/api/config.ts'
import { testConfig } from '../../../testing/config.ts'
import { keepDownloads } from '../../../testing/downloads.ts'
import { answer, fail, network } from '../../../testing/network.ts'
import { renderRoute } from '../../../testing/render-route.tsx'
import { signFiles } from '../../../testing/sign-files.ts'
import { signIn } from '../../../testing/sign-in.ts'
import type { AuditLine } from './audit-queries.ts'
import type { Health } from './health-query.ts'
import type { QueuedReport } from './report-queries.ts'

const report: QueuedReport = {
  id: 'report-1',
  target_type: 'post',
  target_id: 'post-1',
  reason: 'scam',
  details: 'Asks for a transfer',
  excerpt: 'Send me money first',
  status: 'open',
  resolution: null,
  created_at: '2026-01-02T10:00:00Z',
  resolved_at: null,
  reporter_username: 'fay',
  reported_id: 'profile-noor',
  reported_username: 'noor',
  reported_name: 'Noor Haddad',
  reported_suspended: false,
  post_id: 'post-1',
  still_there: true,
  open_on_target: 3,
  media_urls: [],
  media_types: [],
}

type Arguments = Record<string, unknown>

/** Responds for a procedure, by the current data or the arguments, and records its arguments. */
function procedure(name: string, respond: (sent: Arguments) => JsonBodyType = () => null) {
  const calls: Arguments[] = []
  network.use(
    http.post(`*/rest/v1/rpc/${name}`, async ({ request }) => {
      const sent = (await request.json()) as Arguments
      calls.push(sent)
      return HttpResponse.json(respond(sent))
    }),
  )
  return calls
}

it.each(['/admin/overview', '/admin/reports', '/admin/payments', '/admin/money', '/admin/audit', '/admin/health'])(
  '%s sends others home [ADM-03]',
  async (path) => {
    signIn()
    network.use(answer('rpc/get_feed', []), answer('rpc/discover_creators', []))
    const { router } = renderRoute(path)
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  },
)

/** The queue of reports, about posts without pictures. */
function reports(respond: () => JsonBodyType) {
  network.use(answer('posts', []))
  return procedure('get_reports', respond)
}

/** Shows the details of each entry. */
async function openEntries(name: RegExp | string) {
  for (const button of await screen.findAllByRole('button', { name })) await userEvent.click(button)
}

it('shows the reported content, and takes it down with a required reason [D43, POST-54, GEN-05]', async () => {
  signIn({ role: 'admin' })
  const calls = procedure('take_down')
  reports(() => (calls.length === 0 ? [report] : []))
  renderRoute('/admin/reports')
  await openEntries(/^Show details/)
  const row = within((await screen.findByRole('list', { name: 'Reports' })).querySelector('li') as HTMLElement)
  expect(row.getByRole('heading', { name: 'Post by Noor Haddad' })).toBeVisible()
  expect(row.getByText('Scam or fraud')).toBeVisible()
  expect(row.getAllByText('Send me money first')).toHaveLength(2) // in the line, and in full
  expect(row.getByText(/Reported by @fay and 2 more/)).toBeVisible()
  await userEvent.click(row.getByRole('button', { name: 'Take down: Post by Noor Haddad' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Take down this post?' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Take down' }))
  expect(dialog.getByText('Enter a reason')).toBeVisible()
  expect(calls).toEqual([])
  await userEvent.type(dialog.getByLabelText(/Reason/), ' Fraud ')
  await userEvent.click(dialog.getByRole('button', { name: 'Take down' }))
  expect(await screen.findByText('Post deleted for policy violation')).toBeVisible()
  expect(calls).toEqual([{ target_type: 'post', target_id: 'post-1', reason: 'Fraud' }])
  expect(await screen.findByText('No open reports')).toBeVisible()
})

it('keeps a reason that is being typed over a reload, and for what it is about alone [GEN-05]', async () => {
  signIn({ role: 'admin' })
  reports(() => [report, { ...report, id: 'report-2', target_id: 'post-2', post_id: 'post-2' }])
  const reasonOf = async (place: number) => {
    await openEntries(/^Show details/)
    const buttons = await screen.findAllByRole('button', { name: 'Take down: Post by Noor Haddad' })
    await userEvent.click(buttons[place] as HTMLElement)
    const dialog = within(await screen.findByRole('dialog', { name: 'Take down this post?' }))
    return dialog.getByLabelText(/Reason/)
  }
  renderRoute('/admin/reports')
  await userEvent.type(await reasonOf(0), 'Fraud')
  cleanup()
  renderRoute('/admin/reports')
  expect(await reasonOf(1)).toHaveValue('')
  cleanup()
  renderRoute('/admin/reports')
  expect(await reasonOf(0)).toHaveValue('Fraud')
})

it('shows a reported message with its files, and takes it down [D43, GEN-05]', async () => {
  signIn({ role: 'admin' })
  const calls = procedure('take_down')
  const message = {
    ...report,
    target_type: 'message',
    target_id: 'message-1',
    post_id: null,
    excerpt: 'Pay or else',
    media_urls: ['noor/1.jpg', 'noor/2.mp4', 'noor/3.m4a'],
    media_types: ['image', 'video', 'audio'],
  }
  reports(() => [message, { ...message, id: 'report-2', excerpt: null, media_urls: [], media_types: [] }])
  signFiles({ bucket: 'messages' })
  renderRoute('/admin/reports')
  await openEntries(/^Show details/)
  const list = within(screen.getByRole('list', { name: 'Reports' }))
  const [first, second] = await list.findAllByRole('listitem').then((rows) => rows.map((row) => within(row)))
  expect(first?.getAllByText('Pay or else')).toHaveLength(2)
  expect(await first?.findByRole('img', { name: 'Reported image 1' })).toHaveAttribute(
    'src',
    expect.stringContaining('/render/image/sign/messages/noor/1.jpg'),
  )
  expect(first?.getByLabelText('Reported video 2')).toHaveAttribute('src', expect.stringContaining('noor/2.mp4'))
  expect(await first?.findByRole('button', { name: 'Play: Reported voice message 3' })).toBeEnabled()
  expect(second?.getByText("This message is locked because its reporter hasn't paid for it.")).toBeVisible()
  const [open] = screen.getAllByRole('button', { name: 'Take down: Message by Noor Haddad' })
  await userEvent.click(open as HTMLElement)
  const dialog = within(await screen.findByRole('dialog', { name: 'Take down this message?' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Take down' }))
  expect(dialog.getByLabelText(/Reason/)).toHaveFocus() // where what is missing goes
  await userEvent.type(dialog.getByLabelText(/Reason/), 'Threats')
  await userEvent.click(dialog.getByRole('button', { name: 'Take down' }))
  expect(await screen.findByText('Message deleted for policy violation')).toBeVisible()
  expect(calls).toEqual([{ target_type: 'message', target_id: 'message-1', reason: 'Threats' }])
})

it('dismisses every open report about the same thing at once, and says when that fails [D43]', async () => {
  signIn({ role: 'admin' })
  reports(() => [report])
  const asked: string[] = []
  network.use(
    http.patch('*/rest/v1/reports', ({ request }) => {
      asked.push(new URL(request.url).search)
      return HttpResponse.json({ message: 'This report has already been settled' }, { status: 409 })
    }),
  )
  renderRoute('/admin/reports')
  await openEntries(/^Show details/)
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss report: Post by Noor Haddad' }))
  expect(await screen.findByText("Couldn't settle the report")).toBeVisible()
  expect(asked).toEqual(['?target_type=eq.post&target_id=eq.post-1&status=eq.open'])
})

it('suspends the reported person for a reason [GEN-05]', async () => {
  signIn({ role: 'admin' })
  reports(() => [report])
  const calls = procedure('suspend_user')
  renderRoute('/admin/reports')
  await openEntries(/^Show details/)
  await userEvent.click(await screen.findByRole('button', { name: 'Suspend Noor Haddad' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Suspend Noor Haddad?' }))
  await userEvent.type(dialog.getByLabelText(/Reason/), 'Fraud')
  await userEvent.click(dialog.getByRole('button', { name: 'Suspend account' }))
  expect(await screen.findByText('Account suspended')).toBeVisible()
  expect(calls).toEqual([{ profile_id: 'profile-noor', reason: 'Fraud' }])
})

const line: AuditLine = {
  id: 'line-1',
  created_at: '2026-01-02T10:00:00Z',
  action: 'suspend_user',
  actor_id: 'user-robin',
  actor: 'robin',
  subject_type: 'profiles',
  subject_id: 'profile-noor',
  before: { suspended: false },
  after: { suspended: true },
  details: { reason: 'Fraud' },
  actor_name: 'Robin',
  subject_username: 'noor',
  subject_name: 'Noor Haddad',
}

it('names who did what to whom in one line, shows before and after on demand, and finds lines by who, what and when [DATA-25, LOOP-24]', async () => {
  signIn({ role: 'admin' })
  const calls = procedure('get_audit_log', ({ actor }) => (actor === undefined ? [line] : []))
  renderRoute('/admin/audit')
  expect(await screen.findByRole('heading', { name: 'Suspended a user' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Robin' })).toHaveAttribute('href', '/profile/robin')
  expect(screen.getByRole('link', { name: 'Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
  expect(screen.queryByText('profile-noor')).not.toBeInTheDocument()
  await openEntries('Show details: Suspended a user')
  expect(screen.getByText('profile-noor')).toBeVisible()
  expect(screen.getByText('suspended: false')).toBeVisible()
  expect(screen.getByText('suspended: true')).toBeVisible()
  expect(screen.getByText('reason: Fraud')).toBeVisible()
  await userEvent.type(screen.getByLabelText('From'), '2026-01-02')
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ since: new Date('2026-01-02T00:00').toISOString() }))
  await userEvent.type(screen.getByLabelText('Admin'), 'nobody')
  expect(await screen.findByText('No entries found')).toBeVisible()
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ actor: 'nobody' }))
})

it('tells former admins apart by their ids [DATA-25]', async () => {
  signIn({ role: 'admin' })
  const former = { ...line, actor: null, actor_name: null }
  procedure('get_audit_log', () => [former, { ...former, id: 'line-2', actor_id: 'user-sam' }])
  renderRoute('/admin/audit')
  await openEntries('Show details: Suspended a user')
  expect(screen.getAllByText('Former member')).toHaveLength(2)
  const ids = screen.getAllByText('Admin ID').map((term) => term.nextElementSibling?.textContent)
  expect(ids).toEqual(['user-robin', 'user-sam'])
})

it('exports all that was found, as CSV that no spreadsheet takes for formulas [DATA-25]', async () => {
  signIn({ role: 'admin' })
  const ofServer = { ...line, id: 'line-2', actor: null, actor_id: null, subject_id: '=HYPERLINK()', before: null }
  const calls = procedure('get_audit_log', ({ page_size }) => (page_size === 50 ? [line] : [line, ofServer]))
  const files = keepDownloads()
  renderRoute('/admin/audit')
  await userEvent.selectOptions(await screen.findByLabelText('Action'), 'Suspended a user')
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(files).toHaveLength(1))
  expect(files[0]?.name).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
  expect(calls).toContainEqual({ action: 'suspend_user', page_size: 1000 })
  expect((await files[0]?.blob.text())?.split('\r\n')).toEqual([
    'created_at,actor,actor_id,action,subject_type,subject_id,before,after,details',
    `2026-01-02T10:00:00Z,robin,user-robin,suspend_user,profiles,profile-noor,"{""suspended"":false}","{""suspended"":true}","{""reason"":""Fraud""}"`,
    `2026-01-02T10:00:00Z,,,suspend_user,profiles,'=HYPERLINK(),,"{""suspended"":true}","{""reason"":""Fraud""}"`,
    '',
  ])
})

const overview = {
  payments: 12,
  volume: 120_000,
  fees: 11_000,
  creators: 99_000,
  refunds: 10_000,
  referral_costs: 1_000,
  payouts: 50_000,
  disputes_opened: 2,
  disputes_open: 1,
  disputed: 2_500,
  differences_open: 1,
}

/** The overview's data. @returns the requests for revenue. */
function atAGlance() {
  procedure('get_admin_overview', () => ({
    users: 1_204,
    users_new: 30,
    users_before: 12,
    creators: 40,
    subscriptions: 90,
    monthly_cents: 89_910,
    subscriptions_new: 20,
    subscriptions_before: 5,
    subscriptions_ended: 10,
    pending_applications: 3,
    open_reports: 2,
    open_support_requests: 7,
  }))
  procedure('get_admin_queues', () => ({ pending_applications: 3, open_reports: 2, open_support_requests: 7 }))
  procedure('get_platform_balances', () => ({ owed_to_creators: 49_000, kept_by_platform: 10_000 }))
  network.use(
    http.post('*/functions/v1/get-system-health', () =>
      HttpResponse.json({ success: true, parts: [], jobs: [], failedJobs: [] }),
    ),
  )
  return procedure('get_money_overview', () => overview)
}

it('shows people, money, growth, and queues at a glance, with links to the queues [LOOP-24]', async () => {
  signIn({ role: 'admin' })
  const asked = atAGlance()
  network.use(
    answer('creator_applications', [{ id: 'application-1', user_id: 'user-1' }]),
    answer('rpc/count_users', 1_204),
  )
  renderRoute('/admin/overview')
  const queues = within(await screen.findByLabelText('Queues'))
  expect(await queues.findByText('7')).toBeVisible()
  expect(queues.getByRole('link', { name: 'Pending applications' })).toHaveAttribute('href', '/admin')
  expect(queues.getByRole('link', { name: 'Open reports' })).toHaveAttribute('href', '/admin/reports')
  expect(screen.getByText('12 in the previous 30 days')).toBeVisible()
  expect(screen.getByText('$899.10')).toBeVisible()
  expect(screen.getByText('10% churn')).toBeVisible()
  expect(await screen.findAllByText('$1,200.00 in the previous 30 days')).toHaveLength(1)
  expect(asked).toHaveLength(2)
  const rail = within(screen.getByRole('navigation', { name: 'Administration' }))
  await rail.findByRole('link', { name: 'All Users (1,204)' })
  expect(rail.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Overview',
    'Pending Applications (1)',
    'Reviewed Applications (1)',
    'All Users (1,204)',
    'Support Requests (7)',
    'Notifications',
    'Poll Results',
    'Reports',
    'Payments',
    'Money',
    'Front page',
    'Audit log',
    'Health',
    'Integration',
  ])
})

it('shows a dash for a balance that could not be loaded, beside the other figures [LOOP-24]', async () => {
  signIn({ role: 'admin' })
  atAGlance()
  network.use(fail('rpc/get_platform_balances'))
  renderRoute('/admin/overview')
  const owed = await screen.findByText('Owed to creators now')
  await waitFor(() => expect(owed.nextElementSibling).toHaveTextContent(/^–$/))
  expect(screen.getByText('$899.10')).toBeVisible()
})

it('says when the overview could not be loaded [LOOP-24]', async () => {
  signIn({ role: 'admin' })
  network.use(fail('rpc/get_admin_overview'), fail('rpc/get_money_overview'), fail('rpc/get_platform_balances'))
  network.use(http.post('*/functions/v1/get-system-health', () => HttpResponse.json({}, { status: 500 })))
  renderRoute('/admin/overview')
  expect(await screen.findByText("Couldn't load the overview")).toBeVisible()
})

it('finds a payment by a name and refunds what is left of it from its line [LOOP-24, D40]', async () => {
  signIn({ role: 'admin' })
  const payment = {
    id: 'payment-1',
    created_at: '2026-01-02T10:00:00Z',
    transaction_type: 'tip',
    status: 'partially_refunded',
    amount: 1_000,
    fee_amount: 100,
    net_amount: 900,
    refunded_amount: 400,
    reason: null,
    payer_username: 'fay',
    payer_name: 'Fay Wong',
    creator_username: 'noor',
    creator_name: 'Noor Haddad',
    target: null,
    target_at: null,
    is_repeated: false,
    refund_effect: 'none',
  }
  const sent: unknown[] = []
  const asked = procedure('get_payments', ({ search }) =>
    search === 'nobody' ? [] : [sent.length > 0 ? { ...payment, status: 'refunded', refunded_amount: 1_000 } : payment],
  )
  network.use(
    http.post('*/functions/v1/refund-payment', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ success: true })
    }),
  )
  const { router } = renderRoute('/admin/payments')
  await userEvent.type(await screen.findByLabelText('Search by fan or creator'), 'fay')
  await waitFor(() => expect(asked.at(-1)).toEqual({ page_size: 25, search: 'fay' }))
  await waitFor(() => expect(router.state.location.search).toBe('?q=fay'))
  expect(await screen.findByRole('link', { name: 'Fay Wong' })).toHaveAttribute('href', '/profile/fay')
  expect(screen.getByRole('link', { name: 'Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
  await userEvent.click(screen.getByRole('button', { name: 'Refund $6.00 from Fay Wong' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund $6.00 to Fay Wong?' }))
  await userEvent.type(dialog.getByLabelText(/Reason/), 'Sent twice')
  await userEvent.click(dialog.getByRole('button', { name: 'Refund' }))
  expect(sent).toEqual([{ transactionId: 'payment-1', reason: 'Sent twice' }])
  expect(await screen.findByText('Refunded')).toBeVisible()
  // The line says it; only screen readers hear it, too.
  expect(screen.getByText('Payment refunded')).toHaveAttribute('aria-live', 'polite')
  expect(notificationsStore.getState().notifications).toEqual([])
  expect(screen.queryByRole('button', { name: /^Refund/ })).not.toBeInTheDocument()
  await userEvent.clear(screen.getByLabelText('Search by fan or creator'))
  await userEvent.type(screen.getByLabelText('Search by fan or creator'), 'nobody')
  expect(await screen.findByText('No payments for "nobody"')).toBeVisible()
})

it('says when payments could not be loaded [LOOP-24]', async () => {
  signIn({ role: 'admin' })
  network.use(fail('rpc/get_payments'))
  renderRoute('/admin/payments')
  expect(await screen.findByText("Couldn't load the payments")).toBeVisible()
})

it('shows a thumbnail of a reported post and of a reported profile [LOOP-24]', async () => {
  signIn({ role: 'admin' })
  reports(() => [
    report,
    { ...report, id: 'report-2', target_type: 'profile', target_id: 'profile-noor', post_id: null, excerpt: null },
  ])
  network.use(
    answer('posts', [{ id: 'post-1', media_urls: ['noor/1.jpg'], media_types: ['image'] }]),
    http.get('*/rest/v1/profiles', ({ request }) =>
      new URL(request.url).searchParams.get('id') === 'in.(profile-noor)'
        ? HttpResponse.json([
            {
              id: 'profile-noor',
              avatar_url: 'https://ovation.example/storage/v1/object/public/avatars/noor.webp',
              updated_at: '2026-01-02T10:00:00Z',
            },
          ])
        : undefined,
    ),
  )
  signFiles({ bucket: 'posts' })
  renderRoute('/admin/reports')
  expect(await screen.findByRole('img', { name: 'Preview of Post by Noor Haddad' })).toHaveAttribute(
    'src',
    expect.stringContaining('/render/image/sign/posts/noor/1.jpg'),
  )
  expect(await screen.findByRole('img', { name: "Preview of Noor Haddad's profile" })).toHaveAttribute(
    'src',
    expect.stringContaining('/render/image/public/avatars/noor.webp?width=144'),
  )
})

it('shows a reported product with its cover, and takes it down [D43, OFFER-05]', async () => {
  signIn({ role: 'admin' })
  const calls = procedure('take_down')
  const product = { ...report, target_type: 'product', target_id: 'product-1', post_id: null, excerpt: 'Brushes' }
  reports(() => [product, { ...product, id: 'report-2', target_id: 'product-2', still_there: false }])
  network.use(answer('products', [{ id: 'product-1', cover_path: 'noor/cover.webp' }]))
  renderRoute('/admin/reports')
  await openEntries(/^Show details/)
  expect(await screen.findByRole('img', { name: 'Preview of Product by Noor Haddad' })).toHaveAttribute(
    'src',
    expect.stringContaining('/covers/noor/cover.webp?width=144'),
  )
  expect(screen.getByRole('link', { name: 'Open product' })).toHaveAttribute('href', '/product/product-1')
  expect(screen.getByText('Already taken down or deleted')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Take down: Product by Noor Haddad' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Take down this product?' }))
  await userEvent.type(dialog.getByLabelText(/Reason/), 'Stolen')
  await userEvent.click(dialog.getByRole('button', { name: 'Take down' }))
  expect(await screen.findByText('Product taken down for policy violation')).toBeVisible()
  expect(calls).toEqual([{ target_type: 'product', target_id: 'product-1', reason: 'Stolen' }])
})

it('shows the money of all creators, and where the books differ from the provider’s [GEN-05, GEN-09]', async () => {
  signIn({ role: 'admin' })
  const asked = procedure('get_money_overview', () => overview)
  network.use(answer('rpc/get_platform_balances', { owed_to_creators: 49_000, kept_by_platform: 10_000 } as never))
  procedure('get_money_series', () => [
    { day: '2026-01-01', volume: 120_000, fees: 11_000, refunds: 10_000 },
    { day: '2026-01-02', volume: 0, fees: 0, refunds: 0 },
  ])
  const settled = procedure('settle_payment_difference')
  const difference = {
    id: 'difference-1',
    cause: 'pi_1',
    kind: 'missing',
    expected_cents: 0,
    actual_cents: 999,
    found_at: '2026-01-02T10:00:00Z',
    resolved_at: null,
  }
  procedure('get_payment_differences', () => (settled.length === 0 ? [difference] : []))
  renderRoute('/admin/money')
  const figures = within(await screen.findByLabelText('Figures'))
  expect(await figures.findByText('$1,200.00')).toBeVisible()
  expect(figures.getByText('12 payments')).toBeVisible()
  expect(figures.getByText('$25.00 at stake, 2 opened in this period')).toBeVisible()
  expect(await figures.findByText('$490.00')).toBeVisible()
  // The day on which money moved, under the names.
  const days = within(await screen.findByRole('table', { name: 'Day by day' }))
  expect(days.getAllByRole('row')).toHaveLength(2)
  await userEvent.click(screen.getByRole('radio', { name: '7 days' }))
  const daysOf = ({ first_day, last_day }: Arguments) =>
    (Date.parse(String(last_day)) - Date.parse(String(first_day))) / 86_400_000 + 1
  await waitFor(() => expect(asked.map(daysOf).at(-1)).toBe(7))
  await userEvent.click(await screen.findByRole('button', { name: 'Settle difference pi_1' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Settle this difference?' }))
  await userEvent.type(dialog.getByLabelText(/How it was settled/), 'Booked by hand')
  await userEvent.click(dialog.getByRole('button', { name: 'Settle' }))
  expect(await screen.findByText('The books match the payment provider.')).toBeVisible()
  expect(settled).toEqual([{ difference_id: 'difference-1', note: 'Booked by hand' }])
})

it.each([
  [10, ['$1.00', '$0.10', '$0.33', '-$0.23'], /below \$4\.23 cost you money\. .*below \$11\.54 do/],
  [15, ['$1.00', '$0.15', '$0.33', '-$0.18'], /below \$2\.48 cost you money\. .*below \$3\.83 do/],
  [2, ['$1.00', '$0.02', '$0.33', '-$0.31'], /every payment costs you money/],
])(
  'shows what Stripe leaves of a platform fee of %i %%, small payments that cost money first [GEN-05, GEN-06]',
  async (feePercent, smallest, sentence) => {
    onTestFinished(() => setConfig(testConfig))
    setConfig({ ...testConfig, feePercent })
    signIn({ role: 'admin' })
    for (const name of ['get_money_series', 'get_payment_differences']) procedure(name, () => [])
    procedure('get_money_overview', () => overview)
    procedure('get_platform_balances', () => ({ owed_to_creators: 49_000, kept_by_platform: 10_000 }))
    renderRoute('/admin/money')
    const table = within(await screen.findByRole('table', { name: 'What you keep, by price' }))
    const [, first] = table.getAllByRole('row')
    expect([...(first?.children ?? [])].map(({ textContent }) => textContent)).toEqual(smallest)
    expect(table.getByRole('columnheader', { name: `Platform fee (${feePercent}%)` })).toBeVisible()
    expect(screen.getByText(sentence)).toBeVisible()
  },
)

it('shows an error when the figures fail to load [GEN-05]', async () => {
  signIn({ role: 'admin' })
  network.use(
    fail('rpc/get_money_overview'),
    fail('rpc/get_money_series'),
    fail('rpc/get_platform_balances'),
    fail('rpc/get_payment_differences'),
  )
  renderRoute('/admin/money')
  expect(await screen.findByText("Couldn't load the differences")).toBeVisible()
  await waitFor(() => expect(screen.getAllByText("Couldn't load the figures")).toHaveLength(2))
})

it('shows how the parts are, and has failed work tried again [GEN-05]', async () => {
  signIn({ role: 'admin' })
  const health: Health = {
    parts: [
      { part: 'database', state: 'ok', tookMs: 2, seen: 'PostgreSQL 18.1, 12 MB' },
      { part: 'mail', state: 'failed', tookMs: 5000, seen: 'No answer within 5 s' },
    ],
    jobs: [{ queue: 'payment-emails', state: 'failed', count: 1 }],
    failedJobs: [
      {
        id: 'job-1',
        queue: 'payment-emails',
        failedAt: '2026-01-02T10:00:00Z',
        retries: 3,
        reason: 'connect ECONNREFUSED',
      },
    ],
  }
  const retried: unknown[] = []
  network.use(
    http.post('*/functions/v1/get-system-health', () =>
      HttpResponse.json({ success: true, ...health, ...(retried.length > 0 && { jobs: [], failedJobs: [] }) }),
    ),
    http.post('*/functions/v1/retry-job', async ({ request }) => {
      retried.push(await request.json())
      return HttpResponse.json({ success: true, queue: 'payment-emails' })
    }),
  )
  renderRoute('/admin/health')
  const parts = within(await screen.findByRole('list', { name: 'Services' }))
  expect(parts.getAllByRole('listitem').map((part) => part.textContent)).toEqual([
    expect.stringMatching(/^DatabaseOK/),
    expect.stringMatching(/^EmailFailingNo answer within 5 s/),
  ])
  expect(screen.getByText('connect ECONNREFUSED')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Retry payment-emails' }))
  expect(await screen.findByText('No failed jobs.')).toBeVisible()
  expect(retried).toEqual([{ jobId: 'job-1' }])
})
