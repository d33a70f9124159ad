import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

const voter = (name: string) => ({
  profile_id: `profile-${name}`,
  username: name.toLowerCase(),
  display_name: name,
  avatar_url: null,
  voted_at: '2024-05-02T10:00:00Z',
})
const poll = {
  id: 'poll-1',
  title: 'Which theme next?',
  description: 'One answer each.',
  options: '["Sea","Hills"]',
  expires_at: '2024-05-09T10:00:00Z',
  is_active: true,
  created_at: '2024-05-02T10:00:00Z',
  total_votes: 3,
  my_option: null,
  results: [
    { option_index: 0, option: 'Sea', votes: 2, voters: [voter('Grace'), voter('Lena')] },
    { option_index: 1, option: 'Hills', votes: 1, voters: [voter('Sam')] },
  ],
}
const unanswered = {
  ...poll,
  id: 'poll-0',
  title: 'Anybody there?',
  expires_at: '2999-01-01T10:00:00Z',
  total_votes: 0,
  results: poll.results.map((option) => ({ ...option, votes: 0, voters: [] })),
}

function admin(polls: Record<string, unknown>[] = [poll, unanswered]) {
  signIn({ role: 'admin' })
  network.use(
    answer('creator_applications', []),
    answer('support_requests', []),
    answer('rpc/count_users', 2),
    answer('rpc/get_poll_results', polls),
  )
}

it('shows all polls with results and recent voters [ADM-04, ADM-38, ADM-39, API-REST-37]', async () => {
  admin()
  renderRoute('/admin')
  await userEvent.click(await screen.findByRole('tab', { name: 'Poll Results' }))
  const list = await screen.findByRole('list', { name: 'Polls' })
  expect(
    within(list)
      .getAllByRole('heading')
      .map((heading) => heading.textContent),
  ).toEqual(['Which theme next?', 'Anybody there?'])
  expect(within(list).getByText('2 votes · 67%')).toBeVisible()
  expect(within(list).getByText('1 vote · 33%')).toBeVisible()
  expect(within(list).getAllByText('0 votes · 0%')).toHaveLength(2)
  expect(within(list).getByRole('link', { name: 'Lena' })).toHaveAttribute('href', '/profile/lena')
  const [first, second] = within(list)
    .getAllByText(/^\d votes$/)
    .map((votes) => votes.parentElement)
  expect(first).toHaveTextContent(/^3 votes.*Closed$/)
  expect(second).toHaveTextContent(/^0 votes.*Open until/)
})

it('shows an empty state without polls [ADM-38]', async () => {
  admin([])
  renderRoute('/admin?tab=polls')
  expect(await screen.findByText('No polls yet')).toBeVisible()
})

it('tells when they could not be loaded, and loads on the next try [ADM-40]', async () => {
  admin()
  network.use(fail('rpc/get_poll_results'))
  renderRoute('/admin?tab=polls')
  expect(await screen.findByText('Failed to load poll results')).toBeVisible()
  admin()
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Which theme next?')).toBeVisible()
})

it('counts votes up as they are cast [API-RT-03, D21]', async () => {
  admin([unanswered])
  renderRoute('/admin')
  await userEvent.click(await screen.findByRole('tab', { name: 'Poll Results' }))
  expect(await screen.findAllByText(/^0 votes/)).not.toHaveLength(0)
  await waitFor(() => expect(listensTo('poll_votes')).toHaveLength(1))
  network.use(answer('rpc/get_poll_results', [{ ...poll, id: 'poll-0' }]))
  pushInsert('poll_votes', { poll_id: 'poll-0' })
  expect(await screen.findByText('2 votes · 67%')).toBeVisible()
})
