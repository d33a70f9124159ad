import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { creator } from '../../testing/dashboard.ts'
import { fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'

const none = { visits: 0, sign_ups: 0, follows: 0, trials: 0, subscriptions: 0, purchases: 0, earned_cents: 0 }
const link = {
  id: 'link-1',
  code: 'abcdefgh',
  name: 'Instagram',
  target: 'profile',
  plan: null,
  post_id: null,
  trial_days: null,
  trial_limit: null,
  trial_until: null,
  trials_used: 0,
  is_archived: false,
  ...none,
  visits: 1_204,
  follows: 31,
  earned_cents: 8_990,
}
const trial = {
  ...link,
  id: 'link-2',
  name: 'Launch',
  target: 'plan',
  plan: { name: 'Backstage' },
  trial_days: 14,
  trial_limit: 50,
  trial_until: '2100-08-01T12:00:00Z',
  trials_used: 3,
}
const rowOf = async (name: string) => {
  const row = (await screen.findByRole('heading', { name })).closest('li')
  if (!row) throw new Error('there is no row')
  return within(row)
}
/** What was written, and with which filter. */
function record() {
  const calls: unknown[] = []
  network.use(
    http.post('*/rest/v1/tracking_links', async ({ request }) => {
      calls.push(await request.json())
      return new HttpResponse(null, { status: 201 })
    }),
    http.patch('*/rest/v1/tracking_links', async ({ request }) => {
      calls.push([new URL(request.url).searchParams.get('id'), await request.json()])
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return calls
}

describe('the links of a creator', () => {
  it('show where they lead, their figures, and how many trials were started [LINK-01, LINK-03]', async () => {
    creator({ tracking_links: [link, trial] })
    renderRoute('/dashboard?tab=links')
    const row = await rowOf('Instagram')
    expect(row.getByText('/l/abcdefgh')).toBeVisible()
    expect(row.getByText('To your profile')).toBeVisible()
    expect(row.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '1,204',
      '0',
      '31',
      '0',
      '0',
      '0',
      '$89.90',
    ])
    const other = await rowOf('Launch')
    expect(other.getByText('To the plan Backstage')).toBeVisible()
    expect(other.getByText('14 days free')).toBeVisible()
    expect(other.getByText('3 of 50 trials started, until Aug 1, 2100')).toBeVisible()
    // The creator's own visits don't count.
    expect(document.cookie).not.toContain('own-links') // of the path /l alone
  })

  it('say so when there are none, and offer Retry when they fail to load [LINK-01]', async () => {
    creator()
    network.use(fail('tracking_links'))
    renderRoute('/dashboard?tab=links')
    expect(await screen.findByText("Couldn't load your links")).toBeVisible()
    network.use(http.get('*/rest/v1/tracking_links', () => HttpResponse.json([])))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No links yet')).toBeVisible()
    await userEvent.click(screen.getByText('Archived'))
    expect(await screen.findByText('No archived links')).toBeVisible()
  })

  it('are created for a plan with a free trial, and keep a draft until then [LINK-01, LINK-03]', async () => {
    creator({ subscription_products: [{ id: 'plan-1', name: 'Backstage', is_active: true }] })
    const calls = record()
    renderRoute('/dashboard?tab=links')
    await userEvent.click(await screen.findByRole('button', { name: 'New link' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New link' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Create link' }))
    expect(await dialog.findByText(/Enter a name of up to/)).toBeVisible()
    await userEvent.type(dialog.getByLabelText(/^Name/), 'Launch')
    await userEvent.selectOptions(dialog.getByLabelText('Leads to'), 'A plan')
    await userEvent.selectOptions(await dialog.findByLabelText('Plan'), await dialog.findByText('Backstage'))
    await userEvent.click(dialog.getByLabelText('Give a free trial'))
    await userEvent.clear(dialog.getByLabelText('Free days'))
    await userEvent.type(dialog.getByLabelText('Free days'), '14')
    await userEvent.clear(dialog.getByLabelText('For how many users'))
    await userEvent.type(dialog.getByLabelText('For how many users'), '50')
    await userEvent.click(dialog.getByRole('button', { name: 'Create link' }))
    await waitFor(() =>
      expect(calls).toMatchObject([
        { name: 'Launch', target: 'plan', plan_id: 'plan-1', trial_days: 14, trial_limit: 50 },
      ]),
    )
    expect(await screen.findByText('Link created')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('are created for a product that is for sale [LINK-01, OFFER-05]', async () => {
    creator({ products: [{ id: 'product-1', title: 'Brushes' }] })
    const calls = record()
    renderRoute('/dashboard?tab=links')
    await userEvent.click(await screen.findByRole('button', { name: 'New link' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New link' }))
    await userEvent.type(dialog.getByLabelText(/^Name/), 'Launch')
    await userEvent.selectOptions(dialog.getByLabelText('Leads to'), 'A product')
    await userEvent.click(dialog.getByRole('button', { name: 'Create link' }))
    expect(await dialog.findByText('Choose a product.')).toBeVisible()
    await userEvent.selectOptions(dialog.getByLabelText('Product'), await dialog.findByText('Brushes'))
    await userEvent.click(dialog.getByRole('button', { name: 'Create link' }))
    await waitFor(() => expect(calls).toMatchObject([{ name: 'Launch', target: 'product', product_id: 'product-1' }]))
  })

  it('are archived after a question, and edited [LINK-01]', async () => {
    creator({ tracking_links: [trial] })
    const calls = record()
    renderRoute('/dashboard?tab=links')
    const more = async () => userEvent.click(await screen.findByRole('button', { name: 'More about Launch' }))
    await more()
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Archive' }))
    const question = await screen.findByRole('dialog', { name: 'Archive Launch?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Archive' }))
    expect(await screen.findByText('Link archived')).toBeVisible()
    await more()
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit link' }))
    await userEvent.clear(dialog.getByLabelText(/^Name/))
    await userEvent.type(dialog.getByLabelText(/^Name/), 'Relaunch')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(calls).toMatchObject([
        ['eq.link-2', { is_archived: true }],
        ['eq.link-2', { name: 'Relaunch', trial_limit: 50 }],
      ]),
    )
  })
})

describe('one link', () => {
  const openLink = () =>
    creator({
      tracking_links: [link],
      tracking_link_days: [
        { day: '2026-05-02', ...none, visits: 12, follows: 2 },
        { day: '2026-05-01', ...none, visits: 7, earned_cents: 899 },
      ],
      'rpc/get_link_retention': [
        { month: '2026-03-01', subscribers: 10, remaining: [8, 5] },
        { month: '2026-04-01', subscribers: 4, remaining: [3] },
      ],
    })

  it('show their figures in total and by day, and a QR code [LINK-01]', async () => {
    openLink()
    renderRoute('/dashboard?tab=links&link=link-1')
    expect(await screen.findByRole('heading', { name: 'Instagram' })).toBeVisible()
    expect(screen.getByRole('img', { name: 'QR code of Instagram' })).toHaveAttribute('src', '/l/abcdefgh.svg')
    for (const form of ['png', 'svg'])
      expect(screen.getByRole('link', { name: `Download ${form.toUpperCase()}` })).toHaveAttribute(
        'href',
        `/l/abcdefgh.${form}`,
      )
    const rows = within(await screen.findByRole('table', { name: 'By day' })).getAllByRole('row')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'DayVisitsSign-upsFollowsTrialsSubscriptionsPurchasesEarned',
      'May 2, 20261202000$0.00',
      'May 1, 2026700000$8.99',
    ])
  })

  it('show how many subscribers remain after each month [LINK-04]', async () => {
    openLink()
    renderRoute('/dashboard?tab=links&link=link-1')
    const rows = within(await screen.findByRole('table', { name: 'Who stays' })).getAllByRole('row')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'BeganSubscribers1 month2 months',
      'March 2026108 (80%)5 (50%)',
      'April 202643 (75%)–',
    ])
  })

  it('says when it isn’t the viewer’s [LINK-01]', async () => {
    creator({ tracking_links: [] })
    network.use(http.get('*/rest/v1/tracking_links', () => HttpResponse.json([])))
    renderRoute('/dashboard?tab=links&link=link-9')
    expect(await screen.findByText("This link doesn't exist, or isn't yours.")).toBeVisible()
  })
})
