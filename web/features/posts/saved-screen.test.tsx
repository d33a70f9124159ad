import { feedPageSize } from '@ovation/contract/limits'
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { bringIntoSight } from '../../testing/browser.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost } from '../../testing/rows.ts'
import { signIn } from '../../testing/sign-in.ts'

it('goes on behind the last post of a page, also among posts that were kept in one instant [DATA-37]', async () => {
  signIn()
  const created_at = '2026-03-02T08:00:00.000001+00:00'
  const page = Array.from({ length: feedPageSize }, (_, index) => buildPost({ content: `Kept ${index}` }))
  const last = page.at(-1)?.id
  const after = `(created_at.lt."${created_at}",and(created_at.eq."${created_at}",post_id.lt.${last}))`
  network.use(
    http.get('*/rest/v1/bookmarks', ({ request }) => {
      const asked = new URL(request.url).searchParams
      if (asked.get('select') === 'post_id') return HttpResponse.json([])
      expect(asked.get('order')).toBe('created_at.desc,post_id.desc')
      if (!asked.has('or')) return HttpResponse.json(page.map((post) => ({ created_at, post })))
      const posts = asked.get('or') === after ? [buildPost({ content: 'One more' })] : []
      return HttpResponse.json(posts.map((post) => ({ created_at, post })))
    }),
  )
  renderRoute('/saved')
  expect(await screen.findByText('Kept 0')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  const end = await screen.findByText("You're all caught up.")
  act(() => bringIntoSight(end.previousElementSibling?.firstElementChild as Element))
  expect(await screen.findByText('One more')).toBeVisible()
})
