import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { creator } from '../../../testing/dashboard.ts'
import { answer, fail, network } from '../../../testing/network.ts'
import { renderRoute } from '../../../testing/render-route.tsx'

const now = new Date('2026-03-31T12:00:00Z')
const day = (date: string, subscribers: number, over: Record<string, number> = {}) => ({
  day: date,
  subscribers,
  began: 0,
  returned: 0,
  lost: 0,
  monthly_cents: subscribers * 999,
  previous_subscribers: 1,
  previous_began: 0,
  previous_returned: 0,
  previous_lost: 0,
  previous_monthly_cents: 999,
  ...over,
})
const days = [day('2026-03-29', 2), day('2026-03-30', 4, { began: 3, lost: 1 }), day('2026-03-31', 3, { lost: 1 })]
const group = (dimension: string, id: string | null, name: string | null, subscribers: number) => ({
  ...day('', subscribers),
  dimension,
  id,
  name,
})
const plan = `plan0000-${'0'.repeat(27)}`.replaceAll(/[^0-9a-f-]/g, 'a')
const groups = [
  group('plan', plan, 'Backstage', 3),
  group('source', null, 'trial', 2),
  group('source', null, 'paid', 1),
  group('link', null, null, 3),
]
const marks = [
  { day: '2026-03-30', kind: 'price', name: 'Backstage', from_cents: 999, to_cents: 1299, recipients: null },
  { day: '2026-03-31', kind: 'message', name: 'x'.repeat(80), from_cents: null, to_cents: null, recipients: 1 },
]
const cohorts = [
  { month: '2026-03-01', subscribers: 2, remaining: [] },
  { month: '2026-01-01', subscribers: 10, remaining: [8] },
  { month: '2025-12-01', subscribers: 5, remaining: [5, 3] },
]
const worth = [
  { dimension: 'plan', id: plan, name: 'Backstage', subscribers: 3, subscription_cents: 3000, other_cents: 101 },
  { dimension: 'link', id: null, name: null, subscribers: 3, subscription_cents: 3000, other_cents: 101 },
]

/** What each call of the series asked for. */
let asked: unknown[] = []
beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  asked = []
  creator()
  network.use(
    http.post('*/rest/v1/rpc/get_subscriber_series', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json(days)
    }),
    answer('rpc/get_subscriber_groups', groups),
    answer('rpc/get_analytics_marks', marks),
    answer('rpc/get_subscriber_retention', cohorts),
    answer('rpc/get_subscriber_values', worth),
  )
})

/** A figure by its title. */
const figure = async (name: string) => within(await screen.findByRole('region', { name }))
const tableOf = async (name: string) => {
  const found = await figure(name)
  await found.findByRole('button', { name: /as CSV/ })
  const table = found.queryByRole('radio', { name: 'Table' })
  if (table) await userEvent.click(table)
  return within(found.getByRole('table'))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))
}
/** The text of the file that a button saves, and its name. */
async function saved(button: HTMLElement): Promise<{ name: string; text: string }> {
  const blobs: Blob[] = []
  const names: string[] = []
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.push(blob)
    return 'blob:file'
  })
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  await userEvent.click(button)
  create.mockRestore()
  click.mockRestore()
  return { name: names[0] ?? '', text: (await blobs[0]?.text()) ?? '' }
}

describe('the analytics', () => {
  it('show recurring revenue with its change, as a chart in words, a table, and a CSV [STATX-01, STATX-03]', async () => {
    renderRoute('/dashboard?tab=analytics')
    const found = await figure('Recurring revenue by day')
    expect(
      await found.findByText(/^Recurring revenue: \$19\.98 at the beginning, \$29\.97 at the end/),
    ).toHaveTextContent(
      'Highest: $39.96, Mar 30, 2026. Lowest: $19.98, Mar 29, 2026. Previous period: $9.99 at the beginning, $9.99 at the end.',
    )
    // Of the revenue, and of the subscribers.
    expect(screen.getAllByText('+200% vs. previous period')).toHaveLength(2)
    expect(await tableOf('Recurring revenue by day')).toEqual([
      ['Day', 'Recurring revenue', 'Previous period'],
      ['Mar 31, 2026', '$29.97', '$9.99'],
      ['Mar 30, 2026', '$39.96', '$9.99'],
      ['Mar 29, 2026', '$19.98', '$9.99'],
    ])
    const csv = await saved(found.getByRole('button', { name: 'Download "Recurring revenue by day" as CSV' }))
    expect(csv.name).toBe('recurring-revenue.csv')
    expect(csv.text.replace('\uFEFF', '').split('\r\n')).toEqual([
      'Day,Recurring revenue (USD),Previous period (USD)',
      '2026-03-29,19.98,9.99',
      '2026-03-30,39.96,9.99',
      '2026-03-31,29.97,9.99',
      '',
    ])
  })

  it('ask for 30 days in the time zone of the device, and for others by the address [STATX-01, STATX-03]', async () => {
    const { router } = renderRoute('/dashboard?tab=analytics')
    await figure('Recurring revenue by day')
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    expect(asked[0]).toMatchObject({ from_day: '2026-03-02', to_day: '2026-03-31', time_zone: timeZone })
    await userEvent.click(screen.getByRole('radio', { name: '7 days' }))
    expect(router.state.location.search).toBe('?tab=analytics&period=7')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ from_day: '2026-03-25', to_day: '2026-03-31' }))
    expect(screen.getByText(/Mar 25, 2026 to Mar 31, 2026, compared with Mar 18, 2026 to Mar 24, 2026\./)).toBeVisible()
  })

  it('take the creator’s own dates, and say why some can’t be shown [STATX-01]', async () => {
    const { router } = renderRoute('/dashboard?tab=analytics&view=subscribers')
    await userEvent.click(await screen.findByRole('radio', { name: 'Dates' }))
    expect(router.state.location.search).toBe('?tab=analytics&view=subscribers&from=2026-03-02&to=2026-03-31')
    const from = screen.getByLabelText('First day')
    const to = screen.getByLabelText('Last day')
    await userEvent.clear(to)
    expect(screen.getByRole('alert')).toHaveTextContent('Enter both days.')
    await userEvent.type(to, '2026-04-01')
    expect(screen.getByRole('alert')).toHaveTextContent('not after today')
    await userEvent.clear(to)
    await userEvent.type(to, '2026-03-01')
    expect(screen.getByRole('alert')).toHaveTextContent('before the last one')
    await userEvent.clear(from)
    await userEvent.type(from, '2024-01-01')
    expect(screen.getByRole('alert')).toHaveTextContent('up to 366 days')
    await userEvent.clear(from)
    await userEvent.type(from, '2026-02-27')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ from_day: '2026-02-27', to_day: '2026-03-01' }))
  })

  it('count new, returning, and lost subscribers, and note what the creator did [STATX-01]', async () => {
    renderRoute('/dashboard?tab=analytics&view=subscribers')
    const moves = await figure('Gained and lost by day')
    expect(await moves.findByText(/^New: 3 in total\. Highest: 3, Mar 30, 2026\./)).toHaveTextContent(
      'Lost: 2 in total. Highest: 1, Mar 30, 2026. New before: 0 in total.',
    )
    expect(moves.getByText('Mar 30, 2026: Backstage now costs $12.99 instead of $9.99')).toBeVisible()
    expect(moves.getByText(`Mar 31, 2026: Mass message to 1 fan: "${'x'.repeat(79)}…"`)).toBeVisible()
    expect(await tableOf('Subscribers by group')).toEqual([
      ['Plan', 'Subscribers', 'Previous period', 'New', 'Returning', 'Lost'],
      ['Backstage', '3', '1', '0', '0', '0'],
    ])
    const grouped = await figure('Subscribers by group')
    await userEvent.click(grouped.getByRole('radio', { name: 'Beginning' }))
    expect((await tableOf('Subscribers by group')).map(([name]) => name)).toEqual([
      'Beginning',
      'Free trial',
      'Paid from the start',
    ])
    await userEvent.click(grouped.getByRole('radio', { name: 'Link' }))
    expect((await tableOf('Subscribers by group')).map(([name]) => name)).toEqual(['Link', 'No link'])
  })

  it('are shown for one plan, beginning, or link alone [STATX-01]', async () => {
    const { router } = renderRoute('/dashboard?tab=analytics&view=subscribers&period=7')
    const choice = await screen.findByRole('combobox', { name: 'Shown subscribers' })
    await userEvent.selectOptions(choice, await screen.findByRole('option', { name: 'Free trial' }))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ dimension: 'source', member: 'trial' }))
    await userEvent.selectOptions(choice, screen.getByRole('option', { name: 'Backstage' }))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ dimension: 'plan', member: plan }))
    await userEvent.selectOptions(choice, screen.getByRole('option', { name: 'No link' }))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ dimension: 'link', member: '' }))
    await userEvent.selectOptions(choice, screen.getByRole('option', { name: 'Backstage' }))
    await userEvent.click(screen.getByRole('tab', { name: 'Revenue' }))
    expect(new URLSearchParams(router.state.location.search).get('of')).toBe(`plan:${plan}`)
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Shown subscribers' }), 'All subscribers')
    await waitFor(() => expect(asked.at(-1)).not.toHaveProperty('member'))
  })

  it.each(['of=plan:1', 'of=source:other', 'of=post:x', 'period=31', 'from=2026-02-30', 'view=other'])(
    'ignore %s in the address',
    async (part) => {
      renderRoute(`/dashboard?tab=analytics&${part}`)
      await figure('Recurring revenue by day')
      expect(asked[0]).toMatchObject({ from_day: '2026-03-02', to_day: '2026-03-31' })
      expect(asked[0]).not.toHaveProperty('member')
    },
  )

  it('show who stays by the month joined, without a choice of the period [STATX-01, D116]', async () => {
    renderRoute('/dashboard?tab=analytics&view=retention')
    const found = await figure('Who stays, by month joined')
    expect(
      await found.findByText(/^March 2026: Subscribers 2\. January 2026: Subscribers 10, 1 month 80%\./),
    ).toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'Period' })).not.toBeInTheDocument()
    expect(await tableOf('Who stays, by month joined')).toEqual([
      ['Joined', 'Subscribers', '1 month', '2 months'],
      ['March 2026', '2', '–', '–'],
      ['January 2026', '10', '80%', '–'],
      ['December 2025', '5', '100%', '60%'],
    ])
    const csv = await saved(found.getByRole('button', { name: /as CSV/ }))
    expect(csv.text).toContain('2025-12,5,100,60,5,3\r\n')
  })

  it('show what a subscriber is worth by plan and by link [STATX-01, D117]', async () => {
    renderRoute('/dashboard?tab=analytics&view=value')
    expect((await tableOf('Value of a subscriber')).slice(1)).toEqual([
      ['Backstage', '$10.34', '$10.00', '$0.34', '3', '$30.00', '$1.01', '$31.01'],
    ])
    await userEvent.click(screen.getByRole('radio', { name: 'Link' }))
    expect((await tableOf('Value of a subscriber')).slice(1).map(([name]) => name)).toEqual(['No link'])
  })

  it('say when there is nothing [STATX-01]', async () => {
    network.use(
      answer('rpc/get_subscriber_series', []),
      answer('rpc/get_subscriber_groups', []),
      answer('rpc/get_analytics_marks', []),
      answer('rpc/get_subscriber_retention', []),
      answer('rpc/get_subscriber_values', []),
    )
    renderRoute('/dashboard?tab=analytics&view=subscribers')
    expect(await screen.findAllByText('No subscribers in this period.')).toHaveLength(2)
    expect(screen.getByText('Nobody came or left in this period.')).toBeVisible()
    await userEvent.click(screen.getByRole('tab', { name: 'Retention' }))
    expect(await screen.findByText('Nobody has subscribed in the last 24 months.')).toBeVisible()
    await userEvent.click(screen.getByRole('tab', { name: 'Value' }))
    expect(await screen.findByText('Nobody has subscribed yet.')).toBeVisible()
  })

  it('have only a table while no month has passed [STATX-01]', async () => {
    network.use(answer('rpc/get_subscriber_retention', cohorts.slice(0, 1)))
    renderRoute('/dashboard?tab=analytics&view=retention')
    expect(await tableOf('Who stays, by month joined')).toHaveLength(2)
    expect(screen.queryByRole('radio', { name: 'Chart' })).not.toBeInTheDocument()
  })

  it('offer a retry for each figure, and work without notes [DASH-17]', async () => {
    network.use(fail('rpc/get_subscriber_groups'), fail('rpc/get_analytics_marks'))
    renderRoute('/dashboard?tab=analytics')
    const found = await figure('Recurring revenue by group')
    expect(await found.findByText("Couldn't load your recurring revenue", {}, { timeout: 10_000 })).toBeVisible()
    network.use(answer('rpc/get_subscriber_groups', groups))
    await userEvent.click(found.getByRole('button', { name: 'Retry' }))
    expect(await found.findByText(/^Backstage: Recurring revenue \$29\.97/)).toBeInTheDocument()
    expect((await figure('Recurring revenue by day')).queryByText(/Noted/)).not.toBeInTheDocument()
  })
})
