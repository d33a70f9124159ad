import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { toLocalInput } from '../../lib/format/local-time.ts'
import { creator } from '../../testing/dashboard.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'

const id = '70000000-0000-4000-8000-000000000001'
const later = new Date(Date.now() + 10 * 86_400_000).toISOString()
const goal = {
  id,
  title: 'New camera',
  description: 'For the northern lights.',
  cover_path: null,
  kind: 'money',
  target: 50_000,
  progress: 0,
  closed_progress: null,
  refunds_if_missed: true,
  status: 'open',
  ends_at: later,
  closed_at: null,
  created_at: '2024-05-01T10:00:00Z',
}
const variant = (last: number, over: object) => ({ ...goal, id: id.replace(/1$/, String(last)), ...over })

/** What the functions were called with. */
function record(...names: string[]) {
  const calls: unknown[] = []
  network.use(
    ...names.map((name) =>
      http.post(`*/rest/v1/rpc/${name}`, async ({ request }) => {
        calls.push([name, await request.json()])
        return HttpResponse.json(id)
      }),
    ),
  )
  return calls
}

describe('the goals of a creator', () => {
  it('can be ended, and deleted while nobody has tipped toward them [OFFER-07]', async () => {
    creator({ goals: [goal, variant(2, { title: 'Tipped', progress: 100, refunds_if_missed: false })] })
    const calls = record('end_goal', 'delete_goal')
    renderRoute('/dashboard?tab=goals')
    expect(await screen.findByRole('progressbar', { name: 'Progress of New camera' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Delete Tipped' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'End New camera' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'End New camera?' }))
    expect(dialog.getByText(/every tip toward it is refunded/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'End goal' }))
    expect(await screen.findByText(/ends in a few minutes/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Delete New camera' }))
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: 'Delete New camera?' })).getByRole('button', { name: 'Delete' }),
    )
    await waitFor(() =>
      expect(calls).toEqual([
        ['end_goal', { goal_id: id }],
        ['delete_goal', { goal_id: id }],
      ]),
    )
  })

  it.each([
    [{ status: 'reached', progress: 60_000 }, 'It was reached, and takes no more tips.'],
    [{ progress: 100, refunds_if_missed: false }, /Their tips stay yours/],
    [{ kind: 'subscribers', target: 10, refunds_if_missed: false }, 'It counts as missed.'],
  ])('says what it means to end %j [OFFER-07]', async (over, words) => {
    creator({ goals: [{ ...goal, ...over }] })
    renderRoute('/dashboard?tab=goals')
    await userEvent.click(await screen.findByRole('button', { name: 'End New camera' }))
    expect(await screen.findByText(words)).toBeVisible()
  })

  it('show results, and why no fourth can be set [OFFER-07]', async () => {
    const closed = { status: 'missed', progress: 0, closed_progress: 400, closed_at: '2024-05-03T10:00:00Z' }
    creator({ goals: [goal, variant(2, {}), variant(3, {}), variant(4, { title: 'A trip', ...closed })] })
    renderRoute('/dashboard?tab=goals')
    const row = (await screen.findByRole('heading', { name: 'A trip' })).closest('li') as HTMLElement
    for (const words of ['Missed', '$4.00 of $500.00', 'Ended May 3, 2024', 'Tips are refunded'])
      expect(within(row).getByText(words)).toBeVisible()
    expect(within(row).queryByRole('button')).not.toBeInTheDocument()
    expect(screen.getByText(/You have 3 open goals/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'New goal' })).not.toBeInTheDocument()
  })

  it('say when there are none, and offer Retry when they fail to load [OFFER-07]', async () => {
    creator()
    network.use(fail('goals'))
    renderRoute('/dashboard?tab=goals')
    expect(await screen.findByText("Couldn't load your goals")).toBeVisible()
    network.use(answer('goals', []))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No goals yet')).toBeVisible()
  })
})

describe('the form', () => {
  it('sets a goal for money, with a promise [OFFER-07]', async () => {
    creator({ goals: [] })
    const calls = record('create_goal')
    renderRoute('/dashboard?tab=goals&goal=new')
    await userEvent.type(await screen.findByLabelText(/^Title/), ' New camera ')
    await userEvent.click(screen.getByRole('button', { name: 'Set goal' }))
    expect(await screen.findByText('Enter an amount of at least $1.00')).toBeVisible()
    await userEvent.type(screen.getByLabelText(/^Amount/), '500')
    const end = screen.getByLabelText(/^End/)
    await userEvent.clear(end)
    await userEvent.type(end, '2020-01-01T10:00')
    await userEvent.click(screen.getByRole('button', { name: 'Set goal' }))
    expect(await screen.findByText('Choose a time at least an hour from now')).toBeVisible()
    const at = toLocalInput(new Date(Date.now() + 100 * 86_400_000))
    await userEvent.clear(end)
    await userEvent.type(end, at)
    await userEvent.click(screen.getByLabelText('Refund all tips if the goal is missed'))
    await userEvent.click(screen.getByRole('button', { name: 'Set goal' }))
    expect(await screen.findByText('With refunds, choose a time within 90 days')).toBeVisible()
    const soon = toLocalInput(new Date(Date.now() + 20 * 86_400_000))
    await userEvent.clear(end)
    await userEvent.type(end, soon)
    await userEvent.click(screen.getByRole('button', { name: 'Set goal' }))
    expect(await screen.findByText('Your goal is on your profile')).toBeVisible()
    expect(calls).toEqual([
      [
        'create_goal',
        {
          title: 'New camera',
          kind: 'money',
          target: 50_000,
          ends_at: new Date(soon).toISOString(),
          refunds_if_missed: true,
        },
      ],
    ])
    expect(await screen.findByRole('heading', { name: 'Goals' })).toBeVisible()
  })

  it('sets a goal for subscribers [OFFER-07]', async () => {
    creator({ goals: [] })
    const calls = record('create_goal')
    renderRoute('/dashboard?tab=goals&goal=new')
    await userEvent.type(await screen.findByLabelText(/^Title/), 'A crowd')
    await userEvent.click(screen.getByRole('radio', { name: 'Subscribers' }))
    expect(screen.queryByLabelText(/Refund all tips/)).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Set goal' }))
    expect(await screen.findByText('Enter a whole number from 1 to 1,000,000')).toBeVisible()
    await userEvent.type(screen.getByLabelText(/^Number of subscribers/), '100')
    await userEvent.click(screen.getByRole('button', { name: 'Set goal' }))
    await waitFor(() =>
      expect(calls).toEqual([['create_goal', expect.objectContaining({ kind: 'subscribers', target: 100 })]]),
    )
  })

  it('changes only the words and the picture of a goal, and shows what the server rejects [OFFER-07]', async () => {
    creator({ goals: [goal] })
    network.use(
      http.post('*/rest/v1/rpc/change_goal', () =>
        HttpResponse.json({ code: 'PT409', message: 'This goal has ended' }, { status: 409 }),
      ),
    )
    renderRoute(`/dashboard?tab=goals&goal=${id}`)
    const title = await screen.findByLabelText(/^Title/)
    for (const fixed of [/^Amount/, /^End/, /Refund/]) expect(screen.queryByLabelText(fixed)).not.toBeInTheDocument()
    await userEvent.clear(title)
    await userEvent.type(title, 'New lens')
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('This goal has ended')).toBeVisible()
    const calls = record('change_goal')
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() =>
      expect(calls).toEqual([
        ['change_goal', { goal_id: id, title: 'New lens', description: 'For the northern lights.' }],
      ]),
    )
  })

  it('isn’t there for a goal that has ended [OFFER-07]', async () => {
    creator({ goals: [{ ...goal, closed_at: '2024-05-03T10:00:00Z' }] })
    renderRoute(`/dashboard?tab=goals&goal=${id}`)
    expect(await screen.findByText('Goal not found')).toBeVisible()
  })
})
