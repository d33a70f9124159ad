import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { creator } from '../../../testing/dashboard.ts'
import { answer, fail, network } from '../../../testing/network.ts'
import { renderRoute } from '../../../testing/render-route.tsx'

const quiet = {
  profile_views: 0,
  plan_views: 0,
  checkouts: 0,
  payments: 0,
  net_cents: 0,
  plan_checkouts: 0,
  plan_payments: 0,
  plan_net_cents: 0,
}
/** One busy day in this period, and one in the period before. */
function answerFunnel() {
  const asked: Record<string, string>[] = []
  network.use(
    http.get('*/rest/v1/rpc/get_funnel', ({ request }) => {
      const wanted = Object.fromEntries(new URL(request.url).searchParams)
      asked.push(wanted)
      const day = String(wanted.from_day)
      return HttpResponse.json([
        asked.length === 1 || asked[0]?.from_day === day
          ? {
              ...quiet,
              day,
              profile_views: 200,
              plan_views: 50,
              checkouts: 30,
              payments: 24,
              net_cents: 12_345,
              plan_checkouts: 10,
              plan_payments: 5,
              plan_net_cents: 4495,
            }
          : { ...quiet, day, profile_views: 100, plan_views: 50, checkouts: 15, payments: 0 },
      ])
    }),
  )
  return asked
}
const figure = async (name: string) => within(await screen.findByRole('region', { name }))

describe('the funnel', () => {
  it('shows the steps of subscriptions and of all payments, compared with the previous period [STATX-02]', async () => {
    creator()
    const asked = answerFunnel()
    renderRoute('/dashboard?tab=analytics&view=funnel&from=2026-03-01&to=2026-03-07')
    const steps = await figure('From look to payment')
    await userEvent.click(await steps.findByRole('radio', { name: 'Table' }))
    const row = (name: RegExp) => steps.getByRole('row', { name })
    expect(row(/^Profile views/)).toHaveTextContent('Profile views200100–')
    expect(row(/^Plan views/)).toHaveTextContent('Plan views505025%')
    expect(row(/^Checkouts started/)).toHaveTextContent('Checkouts started10020%')
    expect(row(/^Payments/)).toHaveTextContent('Payments5050%')
    expect(screen.getByText('+100% vs. previous period')).toBeVisible()
    expect(asked.map(({ from_day, to_day }) => [from_day, to_day])).toEqual([
      ['2026-03-01', '2026-03-07'],
      ['2026-02-22', '2026-02-28'],
    ])
    await userEvent.click(screen.getByRole('radio', { name: 'All payments' }))
    expect(steps.queryByRole('row', { name: /^Plan views/ })).toBeNull()
    expect(row(/^Checkouts started/)).toHaveTextContent('Checkouts started301515%')
    expect(row(/^Payments/)).toHaveTextContent('Payments24080%')
  })

  it('has a table, a CSV, and words of each chart [STATX-03]', async () => {
    creator()
    answerFunnel()
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      if (file instanceof Blob) saved.push(file)
      return 'blob:file'
    })
    renderRoute('/dashboard?tab=analytics&view=funnel&from=2026-03-01&to=2026-03-07')
    const days = await figure('By day')
    expect(await days.findByText(/Profile views: 200 in total\..*Earned: \$44\.95 in total\./)).toBeInTheDocument()
    await userEvent.click(days.getByRole('button', { name: 'Download "By day" as CSV' }))
    expect(await saved[0]?.text()).toContain(
      'Day,Profile views,Plan views,Checkouts started,Payments,Earned (USD)\r\n2026-03-01,200,50,10,5,44.95',
    )
    await userEvent.click(days.getByRole('radio', { name: 'Table' }))
    expect(days.getByRole('row', { name: /Mar 1/ })).toHaveTextContent('$44.95')
  })

  it('says that nothing has happened, and recovers from a failure [STATX-02]', async () => {
    creator()
    network.use(fail('rpc/get_funnel'))
    renderRoute('/dashboard?tab=analytics&view=funnel')
    const [retry] = await screen.findAllByRole('button', { name: 'Retry' })
    network.use(answer('rpc/get_funnel', []))
    if (retry) await userEvent.click(retry)
    expect((await screen.findAllByText('Nobody has looked at your profile in these days.')).length).toBeGreaterThan(0)
  })
})

const post = {
  id: crypto.randomUUID(),
  title: 'Rehearsal',
  post_type: 'ppv',
  media_types: ['image', 'video'],
  created_at: '2026-03-04T10:00:00Z',
  recipients: null,
  views: 1_231,
  purchases: 4,
  net_cents: 4_050,
  sort_value: 9,
}

describe('the figures of content', () => {
  it('lists posts, messages, and products, sorted and searched [STATX-02]', async () => {
    creator()
    const asked: string[] = []
    network.use(
      http.get('*/rest/v1/rpc/get_content_figures', ({ request }) => {
        const { kind, sort, search } = Object.fromEntries(new URL(request.url).searchParams)
        asked.push([kind, sort, search].join(' ').trim())
        if (search) return HttpResponse.json([])
        if (kind === 'messages')
          return HttpResponse.json([
            { ...post, title: '', post_type: null, media_types: ['image'], recipients: 50, views: 20 },
          ])
        return HttpResponse.json([
          post,
          { ...post, id: 'free', title: 'A walk', post_type: 'free', purchases: 0, net_cents: 0, media_types: [] },
        ])
      }),
      http.get('*/rest/v1/rpc/get_single_message_figures', () =>
        HttpResponse.json({ viewers: 7, purchases: 3, net_cents: 1_500 }),
      ),
    )
    renderRoute('/dashboard?tab=analytics&view=content')
    expect(await screen.findByRole('row', { name: /^Rehearsal/ })).toHaveTextContent('1,2314$40.50')
    expect(screen.getByRole('row', { name: /^A walk/ })).toHaveTextContent('–$0.00')
    expect(screen.getByRole('link', { name: 'Rehearsal' })).toHaveAttribute('href', `/post/${post.id}`)
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Most earned first')
    await waitFor(() => expect(asked.at(-1)).toBe('posts earnings'))
    expect(screen.getByRole('columnheader', { name: 'Earned' })).toHaveAttribute('aria-sort', 'descending')
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search posts' }), 'nothing')
    expect(await screen.findByText('Nothing found')).toBeVisible()
    await userEvent.click(screen.getByRole('radio', { name: 'Messages' }))
    expect(await screen.findByRole('row', { name: /^Message without text/ })).toHaveTextContent('50204$40.50')
    expect(screen.getByText('Paid messages to one fan')).toBeVisible()
    expect(await screen.findByText('$15.00')).toBeVisible()
  })

  it('saves all rows as CSV, page by page [STATX-03]', async () => {
    creator()
    const many = Array.from({ length: 501 }, (_, n) => ({
      ...post,
      id: `post-${n}`,
      title: `Post ${n}`,
      sort_value: 501 - n,
    }))
    network.use(
      http.get('*/rest/v1/rpc/get_content_figures', ({ request }) => {
        const { page_size, before_value } = Object.fromEntries(new URL(request.url).searchParams)
        const from = before_value ? many.findIndex(({ sort_value }) => String(sort_value) === before_value) + 1 : 0
        return HttpResponse.json(many.slice(from, from + Number(page_size)))
      }),
    )
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      if (file instanceof Blob) saved.push(file)
      return 'blob:file'
    })
    renderRoute('/dashboard?tab=analytics&view=content')
    await userEvent.click(await screen.findByRole('button', { name: 'Download posts as CSV' }))
    await waitFor(() => expect(saved).toHaveLength(1))
    const lines = ((await saved[0]?.text()) ?? '').trim().split('\r\n')
    expect(lines).toHaveLength(502)
    expect(lines.at(-1)).toBe('Post 500,2026-03-04T10:00:00Z,1231,4,40.50')
  })

  it('shows how far viewers got in a video, in a chart, words, and a table [STATX-02] [STATX-03]', async () => {
    creator()
    network.use(
      answer('rpc/get_content_figures', [post]),
      answer('rpc/get_media_reach', [
        { position: 2, media_type: 'video', reached: Array.from({ length: 21 }, (_, step) => (step < 10 ? 40 : 10)) },
        { position: 3, media_type: 'video', reached: Array.from({ length: 21 }, () => 0) },
      ]),
    )
    renderRoute('/dashboard?tab=analytics&view=content')
    await userEvent.click(await screen.findByRole('link', { name: 'How far viewers got in "Rehearsal"' }))
    const video = await figure('Video, file 2')
    expect(
      video.getByText('40 viewers: 100% got to 25%, 25% got to 50%, 25% got to 75%, 25% got to 95%.'),
    ).toBeVisible()
    expect(video.getByText(/^Viewers who got there: 100% at the beginning, 25% at the end\./)).toBeInTheDocument()
    await userEvent.click(video.getByRole('radio', { name: 'Table' }))
    expect(video.getByRole('row', { name: /^45%/ })).toHaveTextContent('45%100%40')
    expect((await figure('Video, file 3')).getByText('Nobody has played it yet.')).toBeVisible()
    await userEvent.click(screen.getByRole('link', { name: 'All content' }))
    expect(await screen.findByRole('row', { name: /^Rehearsal/ })).toBeVisible()
  })

  it('recovers when loading fails [STATX-02]', async () => {
    creator()
    network.use(fail('rpc/get_content_figures'))
    renderRoute('/dashboard?tab=analytics&view=content&kind=products')
    const retry = await screen.findByRole('button', { name: 'Retry' })
    network.use(answer('rpc/get_content_figures', []))
    await userEvent.click(retry)
    expect(await screen.findByText('No products yet')).toBeVisible()
  })
})
