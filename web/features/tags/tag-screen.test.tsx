import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost, noor } from '../../testing/rows.ts'

const tagged = (posts: unknown[]) => {
  const asked: (string | null)[] = []
  network.use(
    http.get('*/rest/v1/rpc/get_tagged_posts', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('tag'))
      return HttpResponse.json(posts)
    }),
  )
  return asked
}

it('lists the posts with a tag, also for visitors, in any case [TALK-01]', async () => {
  const asked = tagged([buildPost({ title: 'Where the valley opens' })])
  renderRoute('/tag/Fog')
  expect(await screen.findByRole('heading', { name: '#fog', level: 1 })).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Where the valley opens' })).toBeVisible()
  expect(asked).toEqual(['fog'])
})

it('says that a tag has no posts yet [TALK-01]', async () => {
  tagged([])
  renderRoute('/tag/fog')
  expect(await screen.findByText('No posts yet')).toBeVisible()
})

it('lists the comments with a tag in a tab of their own, each with its post [TALK-01]', async () => {
  tagged([])
  network.use(
    answer('rpc/get_tagged_comments', [
      {
        id: 'd0000000-0000-4000-8000-000000000001',
        content: 'So much #fog',
        created_at: '2024-05-04T10:00:00Z',
        author: noor,
        post: { id: 'd0000000-0000-4000-8000-000000000002', title: 'Where the valley opens' },
      },
    ]),
  )
  renderRoute('/tag/fog')
  await userEvent.click(await screen.findByRole('tab', { name: 'Comments' }))
  expect(await screen.findByText(/So much/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Where the valley opens' })).toHaveAttribute(
    'href',
    '/post/d0000000-0000-4000-8000-000000000002',
  )
})
