import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

it('sends a word from the profile, and leads to the conversation [PROF-17, MSG-06, MSG-13]', async () => {
  signIn()
  const { id } = serveProfile()
  const sent: Record<string, unknown>[] = []
  network.use(
    http.post('*/rest/v1/messages', async ({ request }) => {
      const message = (await request.json()) as Record<string, unknown>
      sent.push(message)
      return HttpResponse.json(message, { status: 201 })
    }),
  )
  renderRoute('/profile/noor')
  const box = await screen.findByRole('textbox', { name: 'Message to Noor Haddad' })
  expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled()
  await userEvent.type(box, ' The harbour is lovely ')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Message sent')).toBeVisible()
  expect(sent).toMatchObject([
    { sender_id: viewerProfile.id, recipient_id: id, content: 'The harbour is lovely', price: 0, is_paid: false },
  ])
  expect(box).toHaveValue('')
  expect(screen.getByRole('link', { name: 'Open your conversation with Noor Haddad' })).toHaveAttribute(
    'href',
    '/messages?with=noor',
  )
})

it('takes a word although it could not be asked who may write: the server knows [PROF-17, MSG-12]', async () => {
  signIn()
  serveProfile()
  network.use(fail('rpc/can_message'))
  renderRoute('/profile/noor')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message to Noor Haddad' }), 'Hello')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled())
})

it('keeps a word that was not sent, and says who takes none [PROF-17, MSG-12, MSG-15]', async () => {
  signIn()
  serveProfile()
  network.use(http.post('*/rest/v1/messages', () => HttpResponse.json({ message: 'Not allowed' }, { status: 403 })))
  renderRoute('/profile/noor')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message to Noor Haddad' }), 'Hello')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText(/Failed to send message: Not allowed/)).toBeVisible()
  network.use(answer('rpc/can_message', false))
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText(/You can't message Noor Haddad/)).toBeVisible()
})

it('tells a viewer who has blocked a user why they can’t message them [PROF-17, MSG-12]', async () => {
  signIn()
  serveProfile()
  network.use(answer('rpc/can_message', false), answer('blocks', [{ id: 'b1' }]))
  renderRoute('/profile/noor')
  // Not on "their profile": this is the very page.
  expect(await screen.findByText('You blocked Noor Haddad. Unblock them to message each other again.')).toBeVisible()
})
