import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderPart } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'
import { Offers } from './offers.tsx'

const plans = [
  { id: 'plan-1', name: 'Backstage', is_active: true },
  { id: 'plan-2', name: 'Front row', is_active: true },
  { id: 'plan-3', name: 'Retired', is_active: false },
]
const offer = {
  id: 'offer-1',
  percent_off: 40,
  periods: 3,
  audience: 'new',
  is_for_all_plans: true,
  ends_at: '2100-03-04T12:00:00',
  user_limit: 1000,
  ended_at: null,
  offers_used: 12,
  plans: [],
}
function open(offers: object[] = []) {
  signIn({ is_creator: true, is_verified: true })
  network.use(answer('offers', offers as Record<string, unknown>[]))
  renderPart(<Offers creatorId="creator-1" plans={plans} />)
}

it('lists open offers with their fans, plans, users, and end, and earlier ones on request [OFFER-04]', async () => {
  open([
    offer,
    { ...offer, id: 'offer-2', ended_at: '2026-01-01T00:00:00Z', percent_off: 10, periods: 1 },
    { ...offer, id: 'offer-3', ends_at: '2020-01-01T00:00:00Z', percent_off: 20, audience: 'former' },
    {
      ...offer,
      id: 'offer-4',
      ends_at: null,
      user_limit: 12,
      percent_off: 30,
      is_for_all_plans: false,
      plans: [{ plan: { name: 'Backstage' } }, { plan: null }],
    },
  ])
  const row = (await screen.findByRole('heading', { name: '40% off the first 3 payments' })).closest(
    'li',
  ) as HTMLElement
  for (const text of ['New subscribers', 'All plans', '12 of 1,000 users', 'until Mar 4, 2100'])
    expect(row).toHaveTextContent(text)
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: 'Show 3 earlier offers' }))
  const [, ended, expired, used] = screen.getAllByRole('listitem')
  expect(ended).toHaveTextContent('10% off the first paymentEnded early')
  expect(expired).toHaveTextContent('Expired')
  expect(used).toHaveTextContent('Used up')
  expect(used).toHaveTextContent('Backstage, Deleted plan')
  expect(screen.getAllByRole('button', { name: /^End offer/ })).toHaveLength(1)
})

it('says that there are none, and offers Retry when they cannot be read', async () => {
  open()
  expect(await screen.findByText('No offers yet.')).toBeVisible()
  network.use(fail('offers', 500))
  renderPart(<Offers creatorId="creator-2" plans={plans} />)
  expect(await screen.findByText("Couldn't load your offers")).toBeVisible()
})

it('ends an offer after asking [OFFER-04]', async () => {
  open([offer])
  const asked: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/end_offer', async ({ request }) => {
      asked.push(await request.json())
      network.use(answer('offers', [{ ...offer, ended_at: '2026-01-01T00:00:00Z' }]))
      return new HttpResponse(null, { status: 204 })
    }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'End offer: 40% off the first 3 payments' }))
  const dialog = await screen.findByRole('dialog', { name: 'End this offer?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep offer' }))
  expect(asked).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'End offer: 40% off the first 3 payments' }))
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'End this offer?' })).getByRole('button', { name: 'End offer' }),
  )
  expect(await screen.findByRole('button', { name: 'Show 1 earlier offer' })).toBeVisible()
  expect(asked).toEqual([{ offer_id: 'offer-1' }])
})

it('starts an offer for chosen plans, with an end [OFFER-04]', async () => {
  open()
  const asked: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/create_offer', async ({ request }) => {
      asked.push(await request.json())
      return asked.length === 1
        ? HttpResponse.json(
            { code: 'PT409', message: 'A plan can have one open offer', details: 'offer_overlaps' },
            { status: 409 },
          )
        : HttpResponse.json('offer-1')
    }),
  )
  const form = await screen.findByRole('form', { name: 'New offer' })
  const start = within(form).getByRole('button', { name: 'Start offer' })
  await userEvent.selectOptions(within(form).getByLabelText('Offered to'), 'Former subscribers')
  await userEvent.selectOptions(within(form).getByLabelText('Applies to'), 'Only these plans')
  await userEvent.click(start)
  expect(await within(form).findByText('Choose at least one plan')).toBeVisible()
  expect(within(form).getByText('Choose a last day, a number of users, or both')).toBeVisible()
  expect(within(form).queryByLabelText('Retired')).not.toBeInTheDocument()
  await userEvent.click(within(form).getByLabelText('Front row'))
  await userEvent.type(within(form).getByLabelText('Number of users'), '50')
  await userEvent.click(start)
  expect(await within(form).findByText('A plan can have one open offer')).toBeVisible()
  await userEvent.click(start)
  await waitFor(() => expect(asked).toHaveLength(2))
  expect(asked[1]).toEqual({ percent_off: 20, periods: 1, audience: 'former', plan_ids: ['plan-2'], user_limit: 50 })
  expect(await screen.findByText('Your offer has started')).toBeVisible()
  expect(within(form).getByLabelText('Number of users')).toHaveValue('')
})
