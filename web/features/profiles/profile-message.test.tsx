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

const notice = (over: object) =>
  network.use(answer('rpc/get_message_notice', [{ away_message: null, away_until: null, reply_time: null, ...over }]))

it.each([['a visitor'], ['a fan']])('shows %s how soon a creator usually replies [PAGE-03]', async (who) => {
  if (who === 'a fan') signIn()
  serveProfile()
  notice({ reply_time: 'day' })
  renderRoute('/profile/noor')
  expect(await screen.findByText('Usually replies within a day')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Message' })).toBeVisible()
})

it('shows the away message above the field for a message [PAGE-03]', async () => {
  signIn()
  serveProfile()
  notice({ away_message: 'Back with the tide' })
  renderRoute('/profile/noor')
  const note = await screen.findByRole('note')
  expect(note).toHaveTextContent('Noor Haddad is awayBack with the tide')
  const field = await screen.findByRole('textbox', { name: 'Message to Noor Haddad' })
  expect(note.compareDocumentPosition(field)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

it('asks for no notice of a creator whom the viewer has blocked [PAGE-03]', async () => {
  signIn()
  let asked = 0
  network.use(
    http.get('*/rest/v1/rpc/get_message_notice', () => {
      asked += 1
      return HttpResponse.json([])
    }),
  )
  serveProfile()
  network.use(answer('blocks', [{ id: 'b1' }]), answer('rpc/can_message', false))
  renderRoute('/profile/noor')
  await screen.findByRole('button', { name: 'Unblock Noor Haddad' })
  expect(asked).toBe(0)
})
