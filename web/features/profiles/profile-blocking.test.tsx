import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn } from '../../testing/sign-in.ts'

it('says that the posts of somebody whom one has blocked are hidden, not that there are none [PROF-14, D39]', async () => {
  signIn()
  serveProfile()
  network.use(answer('blocks', [{ id: 'b1' }]), answer('rpc/can_message', false))
  renderRoute('/profile/noor')
  expect(await screen.findByText('Hidden because you blocked this user')).toBeVisible()
  expect(screen.queryByText('No posts yet')).not.toBeInTheDocument()
})

it('offers to unblock in the place of what cannot be done with somebody whom one has blocked [PROF-07, D39]', async () => {
  signIn()
  serveProfile()
  let blocks = [{ id: 'b1' }]
  network.use(
    http.get('*/rest/v1/blocks', () => HttpResponse.json(blocks)),
    http.delete('*/rest/v1/blocks', () => {
      blocks = []
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/profile/noor')
  const unblock = await screen.findByRole('button', { name: 'Unblock Noor Haddad' })
  const impossible = () => [
    screen.queryByRole('button', { name: 'Follow Noor Haddad' }),
    screen.queryByRole('link', { name: 'Message' }),
    screen.queryByRole('button', { name: 'Tip' }),
  ]
  expect(impossible()).toEqual([null, null, null])
  await userEvent.click(unblock)
  expect(await screen.findByText('You unblocked Noor Haddad')).toBeVisible()
  await waitFor(() => expect(impossible()).not.toContain(null))
  // The button that was pressed is gone; the focus stays where it was.
  expect(screen.getByRole('link', { name: 'Message' }).parentElement).toHaveFocus()
})
