import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { creator } from '../../testing/dashboard.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { noor } from '../../testing/rows.ts'
import { viewerProfile } from '../../testing/sign-in.ts'

const held = (id: string, content: string) => ({
  id,
  content,
  created_at: '2024-05-04T10:00:00Z',
  author: noor,
  post: { id: 'a-post', title: 'Where the valley opens' },
})

it('lists the comments that wait for review, to approve or delete [TALK-03]', async () => {
  creator({ subscription_products: [] })
  let waiting = [held('first', 'Buy followers'), held('second', 'Rude words')]
  const done: string[] = []
  network.use(
    http.get('*/rest/v1/rpc/get_held_comments', () => HttpResponse.json(waiting)),
    http.post('*/rest/v1/rpc/approve_comment', async ({ request }) => {
      const { comment_id } = (await request.json()) as { comment_id: string }
      done.push(`approved ${comment_id}`)
      waiting = waiting.filter(({ id }) => id !== comment_id)
      return HttpResponse.json(null)
    }),
    http.delete('*/rest/v1/comments', ({ request }) => {
      const id = new URL(request.url).searchParams.get('id')?.replace('eq.', '') ?? ''
      done.push(`deleted ${id}`)
      waiting = waiting.filter((comment) => comment.id !== id)
      return new HttpResponse(null, { status: 204, headers: { 'content-range': '*/1' } })
    }),
  )
  renderRoute('/dashboard?tab=comments')
  const queue = await screen.findByRole('region', { name: 'Waiting for your review' })
  const [first] = within(queue).getAllByRole('listitem')
  expect(within(queue).getAllByRole('link', { name: 'Where the valley opens' })[0]).toHaveAttribute(
    'href',
    '/post/a-post',
  )
  await userEvent.click(within(first as HTMLElement).getByRole('button', { name: /^Approve/ }))
  await waitFor(() => expect(screen.queryByText('Buy followers')).not.toBeInTheDocument())
  await userEvent.click(within(queue).getByRole('button', { name: /^Delete/ }))
  await waitFor(() => expect(queue).not.toBeInTheDocument())
  expect(done).toEqual(['approved first', 'deleted second'])
})

it('saves who may comment and the blocked words, and says what is wrong with them [TALK-02, TALK-03]', async () => {
  creator({ subscription_products: [] })
  const saved: unknown[] = []
  network.use(
    http.post('*/rest/v1/comment_settings', async ({ request }) => {
      const row = (await request.json()) as { blocked_words: string[] }
      saved.push(row)
      return HttpResponse.json({ commenters: 'subscribers', plan_id: null, blocked_words: ['Spam'] }, { status: 201 })
    }),
  )
  renderRoute('/dashboard?tab=comments')
  const form = within(await screen.findByRole('form', { name: 'Comments' }))
  const rule = form.getByLabelText('Who can comment')
  await waitFor(() => expect(rule).toBeEnabled()) // once the plans are there
  await userEvent.selectOptions(rule, 'Subscribers')
  const words = form.getByLabelText('Blocked words')
  await userEvent.type(words, 'Spam{enter}!!!')
  await userEvent.click(form.getByRole('button', { name: 'Save comment settings' }))
  expect(await form.findByText('Each word or phrase needs a letter or digit.')).toBeVisible()
  await userEvent.clear(words)
  await userEvent.type(words, 'Spam{enter}{enter} spam ')
  await userEvent.click(form.getByRole('button', { name: 'Save comment settings' }))
  expect(await screen.findByText('Comment settings saved')).toBeVisible()
  expect(saved).toEqual([
    { creator_id: viewerProfile.id, commenters: 'subscribers', plan_id: null, blocked_words: ['Spam', 'spam'] },
  ])
  expect(words).toHaveValue('Spam')
})
