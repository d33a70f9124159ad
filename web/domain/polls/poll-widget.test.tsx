import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import type { PollWithVotes } from './queries.ts'

const inADay = () => new Date(Date.now() + 86_400_000).toISOString()
const base: PollWithVotes = {
  id: 'poll-1',
  title: 'Tea or coffee?',
  description: 'For the next meeting',
  options: '["Tea","Coffee"]',
  expires_at: '',
  is_active: true,
  total_votes: 3,
  my_option: null,
  results: [
    { option_index: 0, option: 'Tea', votes: 2 },
    { option_index: 1, option: 'Coffee', votes: 1 },
  ],
}

/** Opens a screen, the notifications' if none is named, with a poll whose votes count up; keeps the votes that were sent. */
function poll(over: Partial<PollWithVotes> = {}, { refuse = false, at = '/notifications' } = {}) {
  signIn()
  const sent: unknown[] = []
  const state = { ...base, expires_at: inADay(), ...over }
  network.use(
    answer('notifications', [
      {
        id: 'n1',
        type: 'poll',
        title: 'Your say',
        message: '',
        is_read: true,
        created_at: '2024-05-04T10:00:00Z',
        poll_id: 'poll-1',
      },
    ]),
    http.post('*/rest/v1/rpc/get_poll_results', () => HttpResponse.json([state])),
    http.post('*/rest/v1/poll_votes', async ({ request }) => {
      const vote = (await request.json()) as { option_index: number }
      sent.push(vote)
      if (refuse) return HttpResponse.json({ code: 'PT409', message: 'Poll is closed' }, { status: 409 })
      state.my_option = vote.option_index
      state.total_votes += 1
      state.results = state.results.map((each) =>
        each.option_index === vote.option_index ? { ...each, votes: each.votes + 1 } : each,
      )
      return new HttpResponse(null, { status: 201 })
    }),
  )
  renderRoute(at)
  return { sent, state }
}

it('embeds the poll with its options, and takes one vote [NOTI-16, NOTI-18, NOTI-20]', async () => {
  const { sent } = poll()
  const answers = await screen.findByRole('radiogroup', { name: 'Answers to "Tea or coffee?"' })
  expect(within(answers).getAllByRole('radio')).toHaveLength(2)
  await userEvent.click(screen.getByRole('button', { name: 'Vote' }))
  expect(await screen.findByText('Choose an answer first')).toBeVisible()
  await userEvent.click(within(answers).getByRole('radio', { name: 'Coffee' }))
  await userEvent.click(screen.getByRole('button', { name: 'Vote' }))
  expect(await screen.findByText('Vote Recorded')).toBeVisible()
  expect(sent).toEqual([{ poll_id: 'poll-1', user_id: viewerProfile.id, option_index: 1 }])
  const results = await screen.findByRole('list', { name: 'Answers to "Tea or coffee?"' })
  expect(within(results).getByText('· Your vote')).toBeVisible()
  expect(within(results).getAllByText('2 votes · 50%')).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Vote' })).not.toBeInTheDocument()
})

it.each([
  ['it has expired', { expires_at: '2024-05-05T10:00:00Z' }, /Expired/],
  ['it was closed', { is_active: false }, /Closed/],
  ['the viewer has voted', { my_option: 0 }, /Open until/],
] as const)('shows results and takes no vote when %s [NOTI-17, NOTI-18, NOTI-19]', async (_, over, words) => {
  poll(over)
  expect((await screen.findByText(words)).previousElementSibling).toHaveTextContent(/^3 votes$/)
  expect(screen.getByText('2 votes · 67%')).toBeVisible()
  expect(screen.queryByRole('radiogroup', { name: 'Answers to "Tea or coffee?"' })).not.toBeInTheDocument()
  expect(screen.queryByRole('radio', { name: 'Tea' })).not.toBeInTheDocument()
})

it('says that a vote was not recorded [NOTI-19, NOTI-21]', async () => {
  poll({}, { refuse: true })
  await userEvent.click(await screen.findByRole('radio', { name: 'Tea' }))
  await userEvent.click(screen.getByRole('button', { name: 'Vote' }))
  expect(await screen.findByText('Failed to record your vote. Please try again.')).toBeVisible()
})

it('counts up as others vote [API-RT-03, D21]', async () => {
  const { state } = poll({ my_option: 0 })
  expect(await screen.findByText('2 votes · 67%')).toBeVisible()
  await waitFor(() => expect(listensTo('poll_votes')).toContain('poll_id=eq.poll-1'))
  state.total_votes = 4
  state.results = state.results.map((each) => (each.option_index === 0 ? { ...each, votes: 3 } : each))
  pushInsert('poll_votes', { id: 'v1', poll_id: 'poll-1' })
  await waitFor(() => expect(screen.getByText('3 votes · 75%')).toBeVisible())
})

const question = { id: 'poll-1', title: base.title, options: base.options, expires_at: inADay(), is_active: true }

it('stands in the post that asks, and takes a vote there [NOTI-16, NOTI-18]', async () => {
  network.use(answer('rpc/get_feed', [buildPost({ poll: question })]))
  const { sent } = poll({}, { at: '/' })
  const answers = await screen.findByRole('radiogroup', { name: 'Answers to "Tea or coffee?"' })
  await userEvent.click(within(answers).getByRole('radio', { name: 'Coffee' }))
  await userEvent.click(screen.getByRole('button', { name: 'Vote' }))
  expect(await screen.findByText('Vote Recorded')).toBeVisible()
  expect(sent).toEqual([{ poll_id: 'poll-1', user_id: viewerProfile.id, option_index: 1 }])
  const article = within(screen.getByRole('article'))
  expect(await article.findByText('· Your vote')).toBeVisible()
})

it('shows a visitor the question of a post, and asks them to sign in before they answer [NOTI-16, GEN-40, D35]', async () => {
  const post = buildPost({ poll: question })
  network.use(answer('posts', [post]), answer('comments', []))
  const { router } = renderRoute(`/post/${post.id}`)
  await userEvent.click(await screen.findByRole('radio', { name: 'Tea' }))
  await userEvent.click(screen.getByRole('button', { name: 'Vote' }))
  expect(await screen.findByText('Sign In Required')).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})
