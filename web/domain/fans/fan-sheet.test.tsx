import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderPart } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import { AboutFan } from './about-fan.tsx'
import { tagsIn } from './fan-notes-form.tsx'
import type { FanSheet } from './queries.ts'

const fan: FanSheet = {
  profile_id: 'fan-1',
  username: 'lena',
  display_name: 'Lena Berg',
  avatar_url: null,
  updated_at: '2024-05-01T10:00:00Z',
  last_seen_at: null,
  followed_at: '2024-04-01T10:00:00Z',
  plan_name: 'Backstage',
  subscription_status: 'active',
  subscribed_at: '2024-05-01T10:00:00Z',
  runs_until: '2024-06-01T10:00:00Z',
  cancel_at_period_end: false,
  spent: 2450,
  spent_in_30_days: 950,
  spent_by_type: { subscription: 1950, tip: 500 },
  purchases: 3,
  paid_messages: 4,
  came_by: 'Instagram',
  unlocked_messages: 1,
}

async function open(over: Partial<FanSheet> = {}, notes: Record<string, unknown> | null = null) {
  signIn()
  network.use(answer('rpc/get_fan_sheet', [{ ...fan, ...over }]), answer('fan_notes', notes ? [notes] : []))
  renderPart(<AboutFan viewerId={viewerProfile.id} fan={{ id: 'fan-1', name: 'Lena Berg' }} />)
  await userEvent.click(screen.getByRole('button', { name: 'About Lena Berg' }))
  return screen.findByRole('dialog', { name: 'About Lena Berg' })
}
const factsIn = (dialog: HTMLElement) =>
  Object.fromEntries(
    within(dialog)
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )

it('shows what a fan has paid for, and since when [LIST-04]', async () => {
  const dialog = await open()
  expect(await within(dialog).findByRole('link', { name: 'Lena Berg' })).toHaveAttribute('href', '/profile/lena')
  expect(factsIn(dialog)).toEqual({
    Plan: 'BackstageActive · since May 1, 2024 · Renews Jun 1, 2024',
    'Follows you': 'Since Apr 1, 2024',
    'Came by the link': 'Instagram',
    Purchases: '3',
    'Paid messages': '1 of 4 unlocked',
    'In total': '$24.50',
    'Last 30 days': '$9.50',
    Subscription: '$19.50',
    Tips: '$5.00',
  })
})

it('says when a subscription ended [LIST-04]', async () => {
  const dialog = await open({ subscription_status: 'canceled', runs_until: '2024-05-20T10:00:00Z' })
  await within(dialog).findByText('Ended · since May 1, 2024 · Ended May 20, 2024')
})

it('promises no renewal while a payment fails', async () => {
  const dialog = await open({ subscription_status: 'past_due', runs_until: null })
  await within(dialog).findByText('Payment failed · since May 1, 2024')
})

it('shows a fan who has never subscribed or paid', async () => {
  const dialog = await open({
    plan_name: null,
    subscription_status: null,
    subscribed_at: null,
    runs_until: null,
    cancel_at_period_end: null,
    followed_at: null,
    spent: 0,
    spent_in_30_days: 0,
    spent_by_type: {},
    purchases: 0,
    paid_messages: 0,
    unlocked_messages: 0,
    came_by: null,
  })
  await within(dialog).findByText('Never subscribed')
  expect(factsIn(dialog)).toEqual({
    Plan: 'Never subscribed',
    'Follows you': 'No',
    Purchases: '0',
    'In total': '$0.00',
    'Last 30 days': '$0.00',
  })
})

it('keeps a note, tags, and a name [LIST-03]', async () => {
  const saved: unknown[] = []
  const dialog = await open({}, { custom_name: 'Len', tags: ['early bird'], note: null })
  network.use(
    http.post('*/rest/v1/fan_notes', async ({ request }) => {
      saved.push(await request.json())
      return new HttpResponse(null, { status: 201 })
    }),
  )
  expect(await within(dialog).findByLabelText('Custom name')).toHaveValue('Len')
  await userEvent.type(within(dialog).getByLabelText('Tags'), ', Oslo, ,oslo')
  await userEvent.type(within(dialog).getByLabelText('Note'), 'Likes the harbor')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Notes saved')).toBeVisible()
  expect(saved).toEqual([
    {
      creator_id: viewerProfile.id,
      fan_id: 'fan-1',
      custom_name: 'Len',
      tags: ['early bird', 'Oslo'],
      note: 'Likes the harbor',
    },
  ])
})

const lists = [
  { id: 'list-1', name: 'Regulars', rule: null, members_count: 1 },
  { id: 'list-2', name: 'Press', rule: null, members_count: 0 },
  { id: 'list-3', name: 'Leaving', rule: { all: [{ condition: 'renewal_off' }] }, members_count: 0 },
]

it('shows the lists with the fan, and changes them at once [LIST-01, LIST-04]', async () => {
  network.use(answer('fan_lists', lists), answer('fan_list_members', [{ list_id: 'list-1' }]))
  const sent: unknown[] = []
  const press = Promise.withResolvers<void>()
  network.use(
    http.post('*/rest/v1/rpc/add_to_fan_list', async ({ request }) => {
      sent.push(await request.json())
      await press.promise
      return HttpResponse.json(1)
    }),
  )
  const dialog = await open()
  expect(await within(dialog).findByLabelText('Regulars')).toBeChecked()
  expect(within(dialog).queryByLabelText('Leaving')).toBeNull() // takes fans by its rule
  await userEvent.click(within(dialog).getByLabelText('Press'))
  expect(within(dialog).getByLabelText('Press')).toBeChecked()
  await waitFor(() => expect(sent).toEqual([{ list_id: 'list-2', fan_ids: ['fan-1'] }]))
  network.use(answer('fan_list_members', [{ list_id: 'list-1' }, { list_id: 'list-2' }]))
  press.resolve()
  network.use(
    http.post('*/rest/v1/rpc/remove_from_fan_list', () => HttpResponse.json({ message: 'Too busy' }, { status: 500 })),
  )
  await userEvent.click(within(dialog).getByLabelText('Regulars'))
  expect(await screen.findByText("Couldn't change the list")).toBeVisible()
  await waitFor(() => expect(within(dialog).getByLabelText('Regulars')).toBeChecked())
})

it('puts a fan on a new list, unless its name is taken [LIST-01]', async () => {
  const created: unknown[] = []
  const added: unknown[] = []
  network.use(
    http.post(
      '*/rest/v1/fan_lists',
      () => HttpResponse.json({ code: '23505', message: 'duplicate key' }, { status: 409 }),
      { once: true },
    ),
    http.post('*/rest/v1/fan_lists', async ({ request }) => {
      created.push(await request.json())
      return HttpResponse.json({ id: 'list-4', name: 'VIP', rule: null }, { status: 201 })
    }),
    http.post('*/rest/v1/rpc/add_to_fan_list', async ({ request }) => {
      added.push(await request.json())
      return HttpResponse.json(1)
    }),
  )
  const dialog = await open()
  await userEvent.type(await within(dialog).findByLabelText('New list'), 'VIP')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create' }))
  expect(await within(dialog).findByText('You already have a list with this name')).toBeVisible()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(added).toEqual([{ list_id: 'list-4', fan_ids: ['fan-1'] }]))
  expect(created).toEqual([{ name: 'VIP', rule: null }])
})

it('reads tags between commas, each once [LIST-03]', () => {
  expect(tagsIn(' early  bird, Oslo,oslo,, ')).toEqual(['early bird', 'Oslo'])
  expect(tagsIn('')).toEqual([])
})

it('restricts a fan at once, and lifts it with undo [LIST-05]', async () => {
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/restrict_fan', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('*/rest/v1/rpc/restricted_among', () => HttpResponse.json(sent.length % 2 === 1 ? ['fan-1'] : [])),
  )
  const dialog = await open()
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Restrict' }))
  expect(await within(dialog).findByRole('button', { name: 'Lift restriction' })).toBeVisible()
  expect(await screen.findByText('Lena Berg is restricted')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await within(dialog).findByRole('button', { name: 'Restrict' })).toBeVisible()
  expect(sent).toEqual([
    { fan_profile_id: 'fan-1', is_restricted: true },
    { fan_profile_id: 'fan-1', is_restricted: false },
  ])
})

it('says that a restriction failed, and shows it as it is [LIST-05]', async () => {
  network.use(http.post('*/rest/v1/rpc/restrict_fan', () => HttpResponse.json({ message: 'no' }, { status: 500 })))
  const dialog = await open()
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Restrict' }))
  expect(await screen.findByText("Couldn't change the restriction")).toBeVisible()
  expect(await within(dialog).findByRole('button', { name: 'Restrict' })).toBeVisible()
})
