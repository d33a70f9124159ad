import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { noor } from '../../testing/rows.ts'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const id = '70000000-0000-4000-8000-000000000001'
const later = new Date(Date.now() + 10 * 86_400_000).toISOString()
const goal = {
  id,
  title: 'New camera',
  description: 'For the northern lights.',
  cover_path: 'u/camera.webp',
  kind: 'money',
  target: 50_000,
  progress: 12_345,
  closed_progress: null,
  refunds_if_missed: true,
  status: 'open',
  ends_at: later,
  closed_at: null,
  created_at: '2024-05-01T10:00:00Z',
}
const crowd = { ...goal, id: id.replace(/1$/, '2'), title: 'A crowd', kind: 'subscribers', target: 100, progress: 1 }
const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
const missed = {
  ...goal,
  id: id.replace(/1$/, '3'),
  title: 'A trip',
  status: 'missed',
  progress: 0,
  closed_progress: 4_000,
  closed_at: hourAgo,
  ends_at: hourAgo,
}
const old = { ...missed, id: id.replace(/1$/, '4'), title: 'Long ago', closed_at: '2024-05-01T10:00:00Z' }

function serveGoals(rows: Record<string, unknown>[] = [goal], viewer: object = viewerProfile) {
  serveProfile({ is_verified: true, goals: rows.map(() => ({ id })) }, viewer)
  network.use(answer('goals', rows))
}
function recordOrders() {
  const orders: unknown[] = []
  network.use(
    http.post('*/functions/v1/create-payment-checkout', async ({ request }) => {
      orders.push(await request.json())
      return HttpResponse.json({ success: false, error: 'This goal has ended' }, { status: 409 })
    }),
  )
  return orders
}
const card = async (name: string) => {
  const heading = await screen.findByRole('heading', { level: 3, name })
  return within(heading.closest('li') as HTMLElement)
}

describe('the goals on a profile', () => {
  it('show how far they are, for everyone [OFFER-07]', async () => {
    serveGoals([goal, crowd, missed, old])
    renderRoute('/profile/noor')
    const money = await card('New camera')
    expect(money.getByText('$123.45 of $500.00')).toBeVisible()
    expect(money.getByText('For the northern lights.')).toBeVisible()
    expect(money.getByText('Refunded if missed')).toBeVisible()
    const bar = money.getByRole('progressbar', { name: 'Progress of New camera' })
    expect(bar).toHaveAttribute('aria-valuenow', '24')
    expect(bar).toHaveAttribute('aria-valuetext', '$123.45 of $500.00')
    const people = await card('A crowd')
    expect(people.getByText('1 of 100 subscribers')).toBeVisible()
    expect(people.queryByRole('button')).not.toBeInTheDocument()
    const over = await card('A trip')
    for (const words of ['Missed', '$40.00 of $500.00', 'Tips are refunded'])
      expect(over.getByText(words)).toBeVisible()
    expect(over.queryByRole('button')).not.toBeInTheDocument()
    expect(screen.queryByText('Long ago')).not.toBeInTheDocument()
  })

  it('take no room where there are none, or where they fail to load [OFFER-07]', async () => {
    serveProfile({ goals: [{ id }] })
    network.use(fail('goals'))
    renderRoute('/profile/noor')
    expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
    await waitFor(() => expect(document.querySelector('.mantine-Skeleton-root')).not.toBeInTheDocument())
    expect(screen.queryByRole('heading', { name: 'Goals' })).not.toBeInTheDocument()
  })

  it('lead to the tip form with the goal chosen [OFFER-07]', async () => {
    signIn()
    serveGoals()
    const orders = recordOrders()
    renderRoute('/profile/noor')
    await userEvent.click((await card('New camera')).getByRole('button', { name: 'Tip toward New camera' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Tip Noor Haddad' }))
    expect(await dialog.findByRole('radio', { name: 'New camera' })).toBeChecked()
    expect(dialog.getByText(/your tip is refunded/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: /^Continue/ }))
    expect(await dialog.findByText('This goal has ended')).toBeVisible()
    expect(orders).toEqual([expect.objectContaining({ kind: 'tip', targetId: noor.id, goalId: id })])
  })

  it('lead visitors to sign in [OFFER-07]', async () => {
    serveGoals()
    const { router } = renderRoute('/profile/noor')
    await userEvent.click((await card('New camera')).getByRole('button', { name: 'Tip toward New camera' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
  })
})

describe('the tip form', () => {
  it('offers open goals for money below it, and none at first [OFFER-07]', async () => {
    signIn()
    serveGoals([goal, crowd, missed])
    const orders = recordOrders()
    renderRoute('/profile/noor')
    await userEvent.click(await screen.findByRole('button', { name: 'Tip' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Tip Noor Haddad' }))
    const group = within(await dialog.findByRole('radiogroup', { name: 'Tip toward a goal' }))
    expect(group.getAllByRole('radio').map((radio) => radio.closest('div')?.textContent)).toHaveLength(2)
    expect(group.getByRole('radio', { name: 'No goal' })).toBeChecked()
    await userEvent.click(dialog.getByRole('button', { name: /^Continue/ }))
    await waitFor(() => expect(orders).toHaveLength(1))
    expect(orders[0]).not.toHaveProperty('goalId')
    await userEvent.click(group.getByRole('radio', { name: 'New camera' }))
    await userEvent.click(dialog.getByRole('button', { name: /^Continue/ }))
    await waitFor(() => expect(orders).toHaveLength(2))
    expect(orders[1]).toMatchObject({ goalId: id })
  })

  it('stays as it is when the goals fail to load', async () => {
    signIn()
    serveGoals()
    network.use(fail('goals'))
    renderRoute('/profile/noor')
    await userEvent.click(await screen.findByRole('button', { name: 'Tip' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Tip Noor Haddad' }))
    expect(await dialog.findByLabelText('Amount in USD')).toBeVisible()
    expect(dialog.queryByRole('radiogroup')).not.toBeInTheDocument()
  })
})

it('an admin takes down a goal, for a reason [OFFER-07]', async () => {
  signIn()
  serveGoals([goal], { ...viewerProfile, role: 'admin' })
  const calls: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/take_down_goal', async ({ request }) => {
      calls.push(await request.json())
      return HttpResponse.json(null)
    }),
  )
  renderRoute('/profile/noor')
  await userEvent.click(await (await card('New camera')).findByRole('button', { name: 'Take down New camera' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Take down goal' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Take down' }))
  expect(await dialog.findByText('Enter a reason')).toBeVisible()
  await userEvent.type(dialog.getByLabelText(/^Reason/), 'Fraud')
  await userEvent.click(dialog.getByRole('button', { name: 'Take down' }))
  await waitFor(() => expect(calls).toEqual([{ goal_id: id, reason: 'Fraud' }]))
})
