import { screen, within } from '@testing-library/react'
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

it('shows what a fan has paid for, and since when', async () => {
  const dialog = await open()
  expect(await within(dialog).findByRole('link', { name: 'Lena Berg' })).toHaveAttribute('href', '/profile/lena')
  expect(factsIn(dialog)).toEqual({
    Plan: 'BackstageActive · since May 1, 2024 · Renews Jun 1, 2024',
    'Follows you': 'Since Apr 1, 2024',
    Purchases: '3',
    'Paid messages': '1 of 4 unlocked',
    'In total': '$24.50',
    'Last 30 days': '$9.50',
    Subscription: '$19.50',
    Tips: '$5.00',
  })
})

it('says when a subscription ended', async () => {
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

it('reads tags between commas, each once [LIST-03]', () => {
  expect(tagsIn(' early  bird, Oslo,oslo,, ')).toEqual(['early bird', 'Oslo'])
  expect(tagsIn('')).toEqual([])
})
