import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { type Conversation, type Message, threadPageSize } from '../../domain/messages/queries.ts'
import type { SavedReply } from '../../domain/messages/saved-replies.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildVaultFile, noor } from '../../testing/rows.ts'
import { signFiles } from '../../testing/sign-files.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

let count = 0
const build = (over: Partial<Message> = {}): Message => ({
  id: `a0000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
  sender_id: noor.id,
  recipient_id: viewerProfile.id,
  content: `Message ${count}`,
  is_paid: false,
  price: 0,
  is_read: true,
  is_locked: false,
  is_unlocked: false,
  media_urls: [],
  media_types: [],
  media_previews: [],
  preview_index: null,
  preview_url: null,
  sender_reaction: null,
  recipient_reaction: null,
  quoted_id: null,
  quote: null,
  story_id: null,
  author_kind: 'user',
  author_name: null,
  created_at: '2024-05-04T10:00:00Z',
  ...over,
})
const conversation: Conversation = {
  other_id: noor.id,
  username: 'noor',
  display_name: 'Noor Haddad',
  avatar_url: null,
  is_verified: true,
  last_seen_at: null,
  last_sender_id: noor.id,
  last_content: 'See you at the pier',
  last_is_paid: false,
  last_is_locked: false,
  last_media_types: [],
  last_message_at: '2024-05-04T10:00:00Z',
  unread_count: 2,
  updated_at: noor.updated_at,
  is_pinned: false,
  is_archived: false,
  is_restricted: false,
  is_marked_unread: false,
  is_subscriber: false,
  waiting_since: '2024-05-04T10:00:00Z',
  spent: 0,
}

/** Newest first, as the server answers. */
function serve({
  thread = [],
  canMessage = true,
  viewer = {},
}: {
  thread?: Message[]
  canMessage?: boolean
  viewer?: object
} = {}) {
  const me = signIn(viewer)
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const one = new URL(request.url).searchParams.get('username') ? { ...noor, last_seen_at: null } : me
      return HttpResponse.json(request.headers.get('accept')?.includes('object') ? one : [one])
    }),
    answer('rpc/can_message', canMessage as unknown as null),
    answer('rpc/get_conversations', [conversation]),
    answer('rpc/get_thread', thread),
    answer('rpc/get_vault_history', []),
    answer('rpc/search_messages', []),
    http.patch('*/rest/v1/messages', () => new HttpResponse(null, { status: 204 })),
  )
}
const sends = (reply: (sent: Record<string, unknown>) => Response) =>
  network.use(
    http.post('*/rest/v1/messages', async ({ request }) => reply((await request.json()) as Record<string, unknown>)),
  )
const created = (sent: Record<string, unknown>) =>
  HttpResponse.json({ ...build({ is_read: false }), ...sent, created_at: new Date().toISOString() }, { status: 201 })
const box = () => screen.findByRole('textbox', { name: 'Message to Noor Haddad' })

beforeEach(() => sessionStorage.clear())

it('sends a signed-out visitor to sign in, and back afterwards [MSG-02, D35]', async () => {
  const { router } = renderRoute('/messages?with=noor')
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
  expect(router.state.location.search).toBe('?next=%2Fmessages%3Fwith%3Dnoor')
})

it('lists conversations with the last line and what is unread, and asks to choose one [MSG-03, MSG-16]', async () => {
  serve()
  renderRoute('/messages')
  const line = await screen.findByRole('link', { name: /See you at the pier/ })
  expect(line).toHaveAttribute('href', '/messages?with=noor')
  expect(line).toHaveTextContent('Noor Haddad')
  expect(line).toHaveTextContent('2 unread')
  expect(screen.getByText('Select a conversation to read and reply.')).toBeVisible()
})

it('has the list with a search by name on the left, and the conversation with its composer on the right [MSG-03, MSG-04]', async () => {
  serve({ thread: [build({ content: 'At noon?' })] })
  network.use(
    http.get('*/rest/v1/rpc/get_conversations', ({ request }) => {
      const search = new URL(request.url).searchParams.get('search')
      return HttpResponse.json(!search || 'noor haddad'.includes(search) ? [conversation] : [])
    }),
  )
  renderRoute('/messages?with=noor')
  const line = await screen.findByRole('link', { name: /See you at the pier/ })
  const search = screen.getByRole('searchbox', { name: 'Search names and messages' })
  const message = await screen.findByText('At noon?')
  const order = [search, line, message, await box()]
  for (const [index, element] of order.slice(1).entries())
    expect(order[index]?.compareDocumentPosition(element)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await userEvent.type(search, 'zed')
  expect(await screen.findByText('No results for "zed"')).toBeVisible()
  await userEvent.clear(search)
  await userEvent.type(search, 'haddad')
  // Each character is a search of its own, and its results replace those before.
  await waitFor(() => expect(screen.getByRole('link', { name: /See you at the pier/ })).toBeVisible())
})

it('says that there are none yet, and that nobody is called so [MSG-16]', async () => {
  serve()
  network.use(answer('rpc/get_conversations', []))
  const { router } = renderRoute('/messages')
  expect(await screen.findByText('No messages yet')).toBeVisible()
  // There is nothing to choose.
  expect(screen.getByText('When you have a conversation, it opens here.')).toBeVisible()
  expect(screen.queryByText('Select a conversation to read and reply.')).not.toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Find creators' })).toHaveAttribute('href', '/explore')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search names and messages' }), 'zed')
  expect(await screen.findByText('No results for "zed"')).toBeVisible()
  await act(() => router.navigate('/messages?with=noor'))
  expect(await screen.findByText('This is the start of your conversation with Noor Haddad.')).toBeVisible()
})

it('says that the list or a conversation failed to load, or a message to send, and recovers [MSG-15]', async () => {
  serve({ thread: [build({ content: 'Back again' })] })
  network.use(fail('rpc/get_conversations'), fail('rpc/get_thread'))
  renderRoute('/messages?with=noor')
  expect(await screen.findByText('Failed to load conversations')).toBeVisible()
  expect(await screen.findByText('Failed to load messages')).toBeVisible()
  serve({ thread: [build({ content: 'Back again' })] })
  for (const retry of screen.getAllByRole('button', { name: 'Retry' })) await userEvent.click(retry)
  expect(await screen.findByText('Back again')).toBeVisible()
  expect(await screen.findByRole('link', { name: /See you at the pier/ })).toBeVisible()
  sends(() => HttpResponse.json({ code: 'PT403', message: 'Not today' }, { status: 403 }))
  await userEvent.type(await box(), 'Hello{enter}')
  expect(await screen.findByText(/^Failed to send message/)).toBeVisible()
})

it('shows a thread from old to new, with a mark for each day [MSG-04]', async () => {
  const today = new Date()
  const yesterday = new Date(today.getTime() - 24 * 3_600_000)
  serve({
    thread: [
      build({ content: 'third', created_at: today.toISOString() }),
      build({
        content: 'second',
        sender_id: viewerProfile.id,
        recipient_id: noor.id,
        created_at: yesterday.toISOString(),
      }),
      build({ content: 'first', created_at: '2022-03-07T12:00:00Z' }),
    ],
  })
  renderRoute('/messages?with=noor')
  const log = await screen.findByRole('log', { name: 'Messages with Noor Haddad' })
  await within(log).findByText('third')
  const said = within(log)
    .getAllByRole('listitem')
    .map((item) => item.textContent)
  expect(said).toEqual([
    'Monday, March 7, 2022',
    expect.stringMatching(/^Noor Haddad:first/),
    'Yesterday',
    expect.stringMatching(/^You:second/),
    'Today',
    expect.stringMatching(/^Noor Haddad:third/),
  ])
})

it('has the keyboard stay in the thread when the button for older messages goes with its press [MSG-04]', async () => {
  serve()
  const newest = Array.from({ length: threadPageSize }, () => build())
  const first = build({ content: 'The very first' })
  network.use(
    http.get('*/rest/v1/rpc/get_thread', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.has('before') ? [first] : newest),
    ),
  )
  renderRoute('/messages?with=noor')
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  expect(await screen.findByText('The very first')).toBeVisible()
  expect(screen.getByRole('log')).toHaveFocus()
})

it('is no stop for older messages on the way through the thread, but one where they could not be loaded [MSG-04]', async () => {
  serve()
  const newest = Array.from({ length: threadPageSize }, () => build())
  network.use(
    http.get('*/rest/v1/rpc/get_thread', ({ request }) =>
      new URL(request.url).searchParams.has('before')
        ? HttpResponse.json({ message: 'down' }, { status: 500 })
        : HttpResponse.json(newest),
    ),
  )
  renderRoute('/messages?with=noor')
  const more = await screen.findByRole('button', { name: 'Load more' })
  expect(more).toHaveAttribute('tabindex', '-1')
  await userEvent.click(more)
  expect(await screen.findByText("Couldn't load older messages.")).toBeVisible()
  expect(screen.getByRole('button', { name: 'Retry' })).not.toHaveAttribute('tabindex', '-1')
})

it('needs some text, sends it at once, and says so [MSG-06, MSG-13, API-REST-11]', async () => {
  serve()
  const sent: Record<string, unknown>[] = []
  sends((row) => {
    sent.push(row)
    return created(row)
  })
  renderRoute('/messages?with=noor')
  const send = await screen.findByRole('button', { name: 'Send' })
  expect(send).toBeDisabled()
  await userEvent.type(await box(), '   ')
  expect(send).toBeDisabled()
  await userEvent.type(await box(), 'Hello there  {enter}')
  expect(await screen.findByText('Hello there')).toBeVisible()
  expect(await screen.findByText('Message sent')).toBeVisible()
  expect(await box()).toHaveValue('')
  expect(sent).toEqual([
    expect.objectContaining({
      sender_id: viewerProfile.id,
      recipient_id: noor.id,
      content: 'Hello there',
      is_paid: false,
      price: 0,
    }),
  ])
})

it('keeps a refused message with its reason, to be sent again under the same id or deleted [MSG-15]', async () => {
  serve()
  const ids: unknown[] = []
  sends((row) => {
    ids.push(row.id)
    return HttpResponse.json({ code: 'PT403', message: "This user doesn't accept messages from you" }, { status: 403 })
  })
  renderRoute('/messages?with=noor')
  await userEvent.type(await box(), 'Hello{enter}')
  const alert = await screen.findByText(/Failed to send message: This user doesn't accept messages from you/)
  expect(alert).toBeVisible()
  sends((row) => {
    ids.push(row.id)
    return created(row)
  })
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Message sent')).toBeVisible()
  expect(ids[0]).toBe(ids[1])
  expect(screen.getAllByText('Hello')).toHaveLength(1)
})

it('takes a lost answer for what it was: the message had arrived [MSG-04]', async () => {
  serve()
  let row: Record<string, unknown> = {}
  sends((sent) => {
    row = sent
    return HttpResponse.json({ code: '23505', message: 'duplicate key' }, { status: 409 })
  })
  network.use(http.get('*/rest/v1/messages', () => HttpResponse.json({ ...build({ is_read: false }), ...row })))
  renderRoute('/messages?with=noor')
  await userEvent.type(await box(), 'Once only{enter}')
  expect(await screen.findByText('Message sent')).toBeVisible()
  expect(screen.getAllByText('Once only')).toHaveLength(1)
})

it('keeps words that were begun while one looks elsewhere', async () => {
  serve()
  const { router } = renderRoute('/messages?with=noor')
  await userEvent.type(await box(), 'Half a thought')
  await router.navigate('/messages')
  await screen.findByText('Select a conversation to read and reply.')
  await router.navigate('/messages?with=noor')
  expect(await box()).toHaveValue('Half a thought')
})

it('opens no conversation with the viewer’s own profile', async () => {
  serve({ viewer: { id: noor.id, username: 'noor' } })
  renderRoute('/messages?with=noor')
  expect(await screen.findByText("That's you")).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to conversations' })).toHaveAttribute('href', '/messages')
  expect(screen.queryByText(/can't message Noor/)).not.toBeInTheDocument()
})

it('offers a price to approved creators only [MSG-05, D27]', async () => {
  serve()
  renderRoute('/messages?with=noor')
  await box()
  expect(screen.queryByRole('button', { name: 'Paid message' })).not.toBeInTheDocument()
})

/** An approved creator writes "For you" and asks this for it. @returns what was sent, and the field of the price. */
async function sendFor(dollars: string) {
  serve({ viewer: { is_verified: true } })
  const sent: Record<string, unknown>[] = []
  sends((row) => {
    sent.push(row)
    return created(row)
  })
  renderRoute('/messages?with=noor')
  await userEvent.click(await screen.findByRole('button', { name: 'Paid message' }))
  const price = await screen.findByLabelText('Price in USD')
  expect(price).toHaveFocus()
  await userEvent.clear(price)
  await userEvent.type(price, dollars)
  await userEvent.type(await box(), 'For you{enter}')
  return { sent, price }
}

it('sends a message whose price is 0 for free [MSG-05, MSG-14, D27]', async () => {
  const { sent } = await sendFor('0')
  expect(await screen.findByText('Message sent')).toBeVisible()
  expect(sent).toEqual([expect.objectContaining({ is_paid: false, price: 0, content: 'For you' })])
})

it('has a paid-message toggle with a price from 0 in steps of a cent [MSG-05]', async () => {
  serve({ viewer: { is_verified: true } })
  renderRoute('/messages?with=noor')
  const toggle = await screen.findByRole('button', { name: 'Paid message' })
  await userEvent.click(toggle)
  const price = await screen.findByLabelText('Price in USD')
  for (const [typed, shown] of [
    ['0', '$0.00'],
    ['-3', '$3.00'],
    ['2.999', '$2.99'],
  ] as const) {
    await userEvent.clear(price)
    await userEvent.type(price, typed)
    expect(price).toHaveValue(shown)
  }
  await userEvent.click(toggle)
  await waitFor(() => expect(price).not.toBeInTheDocument())
})

it('sends a paid message for its price [MSG-05, MSG-14, D27]', async () => {
  const { sent, price } = await sendFor('0.5')
  expect(await screen.findByText('Enter 0, or a price from $1.00 to $9,999.99')).toBeVisible()
  expect(price).toHaveFocus()
  await userEvent.clear(price)
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  // What was to be paid for is not given away because its price was wiped out.
  expect(await screen.findByText('Enter 0, or a price from $1.00 to $9,999.99')).toBeVisible()
  expect(sent).toEqual([])
  await userEvent.type(price, '12.5')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Paid message sent for $12.50')).toBeVisible()
  expect(sent).toEqual([expect.objectContaining({ is_paid: true, price: 1250, content: 'For you' })])
  expect(screen.getByText('Paid · $12.50 · not unlocked yet')).toBeVisible()
})

it('stops sending a file that is taken off the message [MSG-04, POST-36]', async () => {
  serve()
  const abort = vi.spyOn(XMLHttpRequest.prototype, 'abort')
  let arrived = 0
  network.use(
    http.post('*/storage/v1/object/messages/*', () => {
      arrived += 1
      return new Promise<never>(() => undefined)
    }),
  )
  renderRoute('/messages?with=noor')
  await box()
  const chooser = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!chooser) throw new Error('no file input')
  await userEvent.upload(chooser, new File(['x'], 'pier.jpg', { type: 'image/jpeg' }))
  await waitFor(() => expect(arrived).toBe(1))
  await userEvent.click(await screen.findByRole('button', { name: 'Remove pier.jpg' }))
  expect(abort).toHaveBeenCalledTimes(1)
  abort.mockRestore()
  expect(screen.queryByRole('img', { name: 'pier.jpg' })).not.toBeInTheDocument()
})

it('says what the fan already has of the vault, in the choice and beside the message, or that it couldn’t be loaded [INBOX-04]', async () => {
  serve({ viewer: { is_verified: true } })
  signFiles({ bucket: 'vault' })
  signFiles({ bucket: 'messages' })
  const names = ['Sea.jpg', 'Pier.jpg', 'Dunes.jpg', 'Fog.jpg', 'New.jpg', 'Twin.jpg']
  const files = names.map((name) => buildVaultFile({ name, earned_cents: 900 }))
  const year = new Date().getFullYear()
  const receivedAt = (
    index: number,
    received_at: string,
    price: number,
    is_bought = false,
    post_id: string | null = null,
  ) => ({
    file_id: files[index]?.id,
    post_id,
    price,
    is_bought,
    received_at,
  })
  const calls: URLSearchParams[] = []
  network.use(
    answer('rpc/get_vault_files', files),
    http.get('*/rest/v1/rpc/get_vault_history', ({ request }) => {
      calls.push(new URL(request.url).searchParams)
      if (calls.length === 1) return HttpResponse.json({ message: 'down' }, { status: 500 })
      return HttpResponse.json([
        receivedAt(0, `${year}-03-03T12:00:00Z`, 1200, true),
        receivedAt(1, `${year}-03-04T12:00:00Z`, 0),
        receivedAt(2, `${year - 1}-03-05T12:00:00Z`, 500),
        receivedAt(3, `${year}-03-06T12:00:00Z`, 900, true, 'post-1'),
        receivedAt(5, `${year}-03-03T12:00:00Z`, 1200, true),
      ])
    }),
    http.post('*/rest/v1/rpc/use_vault_files', () => HttpResponse.json(['u/1.jpg', 'u/2.jpg', 'u/3.jpg', 'u/4.jpg'])),
    http.delete('*/storage/v1/object/messages', () => HttpResponse.json([])), // the draft is left
  )
  renderRoute('/messages?with=noor')
  await box()
  await userEvent.click(screen.getByRole('button', { name: 'From vault' }))
  const picker = within(await screen.findByRole('dialog', { name: 'Choose from your vault' }))
  expect(await picker.findByRole('alert')).toHaveTextContent("Couldn't load what this fan already has.")
  await userEvent.click(picker.getByRole('button', { name: 'Retry' }))
  const sea = await picker.findByRole('button', { name: 'Sea.jpg, Sent Mar 3 · $12.00, unlocked' })
  expect(sea).toHaveTextContent('Sent Mar 3$12.00, unlocked')
  for (const name of [
    'Pier.jpg, Sent Mar 4 · free',
    `Dunes.jpg, Sent Mar 5, ${year - 1} · $5.00, locked`,
    'Fog.jpg, Bought in a post Mar 6 · $9.00',
    'New.jpg',
  ])
    expect(picker.getByRole('button', { name })).toBeVisible()
  expect(calls[1]?.get('fan_id')).toBe(noor.id)
  expect(calls[1]?.get('file_ids')).toBe(`{${files.map(({ id }) => id).join(',')}}`)
  await userEvent.click(sea)
  for (const name of [/^Twin/, /^Pier/, 'New.jpg']) await userEvent.click(picker.getByRole('button', { name }))
  await userEvent.click(picker.getByRole('button', { name: 'Add 4 files' }))
  expect(await screen.findByText('2 files: Sent Mar 3 · $12.00, unlocked')).toBeVisible()
  expect(screen.getByText('Pier.jpg: Sent Mar 4 · free')).toBeVisible()
  expect(screen.queryByText(/^New.jpg:/)).toBeNull()
})

it('sends a file of the vault once, without uploading it, and offers it to approved creators only [VAULT-02]', async () => {
  serve({ viewer: { is_verified: true } })
  const sent: Record<string, unknown>[] = []
  sends((message) => {
    sent.push(message)
    return created(message)
  })
  signFiles({ bucket: 'vault' })
  signFiles({ bucket: 'messages' })
  network.use(answer('rpc/get_vault_files', [{ ...buildVaultFile({ name: 'Sea.jpg' }) }]))
  network.use(http.post('*/rest/v1/rpc/use_vault_files', () => HttpResponse.json(['u/again.jpg'])))
  renderRoute('/messages?with=noor')
  await box()
  for (let times = 0; times < 2; times += 1) {
    await userEvent.click(screen.getByRole('button', { name: 'From vault' }))
    const picker = within(await screen.findByRole('dialog', { name: 'Choose from your vault' }))
    await userEvent.click(await picker.findByRole('button', { name: 'Sea.jpg' }))
    await userEvent.click(picker.getByRole('button', { name: 'Add 1 file' }))
    expect(await screen.findByRole('img', { name: 'Sea.jpg' })).toBeVisible()
  }
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(sent).toMatchObject([{ media_urls: ['u/again.jpg'], media_types: ['image'] }]))
  cleanup()
  serve()
  renderRoute('/messages?with=noor')
  await box()
  expect(screen.queryByRole('button', { name: 'From vault' })).toBeNull()
})

it('prices a paid message as its creator usually does, until another price is typed [MSG-05]', async () => {
  serve({ viewer: { is_verified: true } })
  network.use(answer('monetization_settings', [{ message_price_cents: 725 }]))
  const sent: Record<string, unknown>[] = []
  sends((row) => {
    sent.push(row)
    return created(row)
  })
  renderRoute('/messages?with=noor')
  await userEvent.click(await screen.findByRole('button', { name: 'Paid message' }))
  await waitFor(() => expect(screen.getByLabelText('Price in USD')).toHaveValue('$7.25'))
  await userEvent.type(await box(), 'For you{enter}')
  expect(await screen.findByText('Paid message sent for $7.25')).toBeVisible()
  expect(sent).toEqual([expect.objectContaining({ is_paid: true, price: 725 })])
})

it('shows a locked message blurred, with its price and an Unlock that opens the checkout [MSG-07, MSG-08]', async () => {
  serve({
    thread: [
      build({
        content: null,
        is_paid: true,
        price: 500,
        is_read: false,
        is_locked: true,
        media_types: ['image', 'video'],
        media_previews: [{}, { duration: 185 }],
      }),
    ],
  })
  const asked: unknown[] = []
  network.use(
    http.post('*/functions/v1/create-payment-checkout', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ error: 'The message is gone' }, { status: 404 })
    }),
  )
  renderRoute('/messages?with=noor')
  const offer = await screen.findByText('Noor Haddad sent you a paid message')
  expect(offer).toBeVisible()
  expect(offer.closest('li')?.querySelector('[class*=blur]')).toBeInTheDocument()
  expect(screen.getByText('1 photo, 1 video (3:05)')).toBeVisible()
  expect(screen.getByText('$5.00')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Unlock' }))
  expect(await screen.findByText('The message is gone')).toBeVisible()
  expect(asked).toEqual([expect.objectContaining({ kind: 'message', targetId: expect.stringMatching(/^a0000000/) })])
})

it('brings a message in sight that one has paid for on another page, whatever has come below it [MSG-08]', async () => {
  const paid = build({ is_paid: true, price: 500, is_read: false, is_locked: true, content: null })
  const later = build({ content: 'Have you seen it?' })
  serve({ thread: [later, paid] })
  network.use(http.post('*/functions/v1/create-payment-checkout', () => HttpResponse.json({ error: 'Gone' })))
  renderRoute('/messages?with=noor')
  await userEvent.click(await screen.findByRole('button', { name: 'Unlock' }))
  cleanup()
  const intoSight = vi.spyOn(Element.prototype, 'scrollIntoView')
  network.use(
    answer('rpc/get_thread', [
      later,
      { ...paid, is_read: true, is_locked: false, is_unlocked: true, content: 'The pier at night' },
    ]),
  )
  renderRoute('/messages?with=noor')
  const words = await screen.findByText('The pier at night')
  await waitFor(() => expect(intoSight.mock.instances).toContain(words.closest('li')))
  intoSight.mockRestore()
})

it('says why one cannot write, instead of a box that would refuse [MSG-12]', async () => {
  serve({
    canMessage: false,
    thread: [build({ content: 'Long ago', sender_id: viewerProfile.id, recipient_id: noor.id })],
  })
  renderRoute('/messages?with=noor')
  expect(await screen.findByText("You can't message Noor Haddad")).toBeVisible()
  expect(screen.getByText(/They only accept messages from people they've messaged first/)).toBeVisible()
  expect(screen.queryByRole('textbox', { name: /^Message to/ })).not.toBeInTheDocument()
  expect(screen.getByText('Long ago')).toBeVisible()
})

it('does not say that someone who has written waits for the viewer’s first message [MSG-12]', async () => {
  serve({ canMessage: false, thread: [build({ content: 'Long ago' })] })
  renderRoute('/messages?with=noor')
  expect(await screen.findByText("You can't message Noor Haddad")).toBeVisible()
  expect(screen.getByText(/They're not accepting messages from you right now/)).toBeVisible()
  expect(screen.queryByText(/They only accept messages from/)).not.toBeInTheDocument()
})

it('says that the viewer has blocked the other user, and how to undo it [MSG-12]', async () => {
  serve({ canMessage: false, thread: [build({ content: 'Long ago' })] })
  network.use(answer('blocks', [{ id: 'b1' }]))
  renderRoute('/messages?with=noor')
  expect(await screen.findByText('You blocked Noor Haddad')).toBeVisible()
  expect(screen.getByText(/Unblock them on their profile/)).toBeVisible()
  expect(screen.queryByText(/They only accept messages from/)).not.toBeInTheDocument()
})

it('names a file that the viewer has sent', async () => {
  serve({
    thread: [build({ sender_id: viewerProfile.id, content: null, media_urls: ['a/pier.mp4'], media_types: ['video'] })],
  })
  network.use(
    http.post('*/storage/v1/object/sign/messages', () =>
      HttpResponse.json([{ path: 'a/pier.mp4', signedURL: '/object/sign/messages/a/pier.mp4?token=t', error: null }]),
    ),
  )
  renderRoute('/messages?with=noor')
  expect(await screen.findByLabelText('Video by you')).toBeInTheDocument()
})

it('clears the badge when the thread is opened, and shows that the paid message is still locked [MSG-10, LOOP-16]', async () => {
  let unread = 1
  serve({ thread: [build({ content: null, is_paid: true, price: 500, is_read: false, is_locked: true })] })
  const marked: string[] = []
  network.use(
    http.get('*/rest/v1/rpc/count_unread_messages', () => HttpResponse.json(unread)),
    http.patch('*/rest/v1/messages', ({ request }) => {
      marked.push(new URL(request.url).search)
      unread = 0
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/messages?with=noor')
  expect(await screen.findByRole('button', { name: 'Unlock' })).toBeVisible()
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'Messages' }).length).toBeGreaterThan(0))
  expect(marked).toEqual([`?recipient_id=eq.${viewerProfile.id}&sender_id=eq.${noor.id}&is_read=eq.false`])
  expect(screen.getByText('Noor Haddad sent you a paid message')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Unlock' })).toBeVisible()
})

it.each([
  [false, 'Paid · $5.00 · not unlocked yet'],
  [true, 'Paid · $5.00 · unlocked'],
])('shows the sender whether a paid message that was read is unlocked: %s [LOOP-16]', async (is_unlocked, words) => {
  const sold = { sender_id: viewerProfile.id, recipient_id: noor.id, is_paid: true, price: 500, is_unlocked }
  serve({ thread: [build(sold)] })
  renderRoute('/messages?with=noor')
  expect(await screen.findByText(words)).toBeVisible()
})

it('shows a new message as it arrives, and counts it in the badge [MSG-11, GEN-22, GEN-23, API-RT-01]', async () => {
  serve()
  renderRoute('/messages?with=noor')
  await screen.findByText('This is the start of your conversation with Noor Haddad.')
  await waitFor(() => expect(listensTo('messages')).toContain(`recipient_id=eq.${viewerProfile.id}`))
  network.use(
    answer('rpc/get_thread', [build({ content: 'Are you there?' })]),
    answer('rpc/count_unread_messages', 120 as unknown as null),
  )
  pushInsert('messages', { id: 'x' })
  expect(await screen.findByText('Are you there?')).toBeVisible()
  expect((await screen.findAllByRole('link', { name: 'Messages, 99+ unread' })).length).toBeGreaterThan(0)
})

it('says that there is no such person', async () => {
  serve()
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const asked = new URL(request.url).searchParams.get('username')
      return HttpResponse.json(asked ? null : viewerProfile)
    }),
  )
  renderRoute('/messages?with=nobody')
  expect(await screen.findByText('User not found')).toBeVisible()
})

it('opens the conversation of an older link, which has a former username', async () => {
  serve()
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const asked = new URL(request.url).searchParams.get('username')
      return HttpResponse.json(asked === null ? viewerProfile : asked === 'eq.noor' ? noor : null)
    }),
    answer('rpc/get_present_username', 'noor' as unknown as null),
  )
  renderRoute('/messages?with=noor-before')
  expect(await box()).toBeVisible()
})

const notice = (over: object) =>
  network.use(answer('rpc/get_message_notice', [{ away_message: null, away_until: null, reply_time: null, ...over }]))

it.each([
  ['without an end', null, 'Noor Haddad is away', 'Away'],
  ['with one', '2099-05-04T12:00:00Z', 'Noor Haddad is away until May 4, 2099', 'Away until May 4, 2099'],
])(
  'shows a creator’s away message %s once, before a fan pays or writes [PAGE-03]',
  async (_what, until, title, head) => {
    serve({ thread: [build({ content: null, is_paid: true, price: 500, is_locked: true })] })
    notice({ away_message: 'Back with the tide', away_until: until })
    sends(created)
    renderRoute('/messages?with=noor')
    const note = await screen.findByRole('note')
    expect(note).toHaveTextContent(`${title}Back with the tide`)
    expect(await screen.findByText(head)).toBeVisible()
    // Below what can be unlocked, and above the composer.
    expect(screen.getByRole('button', { name: 'Unlock' }).compareDocumentPosition(note)).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    )
    expect(note.compareDocumentPosition(await box())).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(within(screen.getByRole('log')).getAllByRole('listitem')).toHaveLength(2) // a day and a message
    await userEvent.type(await box(), 'Until then{enter}')
    expect(await screen.findByText('Message sent')).toBeVisible()
    expect(screen.getAllByText('Back with the tide')).toHaveLength(1)
  },
)

it('shows the away message of a creator who has left since the thread was opened, after the next message [PAGE-03]', async () => {
  serve()
  renderRoute('/messages?with=noor')
  const written = await box()
  expect(screen.queryByRole('note')).not.toBeInTheDocument()
  notice({ away_message: 'Back with the tide' })
  sends(created)
  await userEvent.type(written, 'Are you there?{enter}')
  expect(await screen.findByText('Back with the tide')).toBeVisible()
})

it.each([
  ['hour', 'Usually replies within an hour'],
  ['few_hours', 'Usually replies within a few hours'],
  ['day', 'Usually replies within a day'],
  ['few_days', 'Usually replies within a few days'],
])('shows in the header how soon a creator usually replies: %s [PAGE-03]', async (reply_time, words) => {
  serve()
  notice({ reply_time })
  renderRoute('/messages?with=noor')
  expect(await screen.findByText(words)).toBeVisible()
  expect(screen.queryByRole('note')).not.toBeInTheDocument()
})

it('shows when a creator was last online if there is no notice, or it can’t be read [PAGE-03, SET-19]', async () => {
  serve()
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const isOther = new URL(request.url).searchParams.has('username')
      return HttpResponse.json(isOther ? { ...noor, last_seen_at: '2024-05-04T10:00:00Z' } : viewerProfile)
    }),
    fail('rpc/get_message_notice'),
  )
  renderRoute('/messages?with=noor')
  expect(await screen.findByText('Active on May 4, 2024')).toBeVisible()
})

it('asks for no notice of a user who is no creator [PAGE-03]', async () => {
  serve()
  let asked = 0
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const isOther = new URL(request.url).searchParams.has('username')
      return HttpResponse.json(isOther ? { ...noor, is_verified: false, last_seen_at: null } : viewerProfile)
    }),
    http.get('*/rest/v1/rpc/get_message_notice', () => {
      asked += 1
      return HttpResponse.json([])
    }),
  )
  renderRoute('/messages?with=noor')
  await box()
  expect(asked).toBe(0)
})

it('says that a message failed once the server has not taken it four times, and sends it with Retry [MSG-15]', async () => {
  serve({ thread: [] })
  let tries = 0
  let isUp = false
  network.use(
    http.post('*/rest/v1/messages', async ({ request }) => {
      tries += 1
      const draft = (await request.json()) as Record<string, unknown>
      return isUp
        ? HttpResponse.json(build({ ...draft, sender_id: viewerProfile.id }), { status: 201 })
        : HttpResponse.json({ message: 'down' }, { status: 500 })
    }),
  )
  renderRoute('/messages?with=noor')
  await userEvent.type(await screen.findByRole('textbox', { name: /^Message to/ }), 'Are you there?{Enter}')
  expect(await screen.findByText('Sending…')).toBeVisible()
  expect(screen.queryByText('Waiting for connection…')).not.toBeInTheDocument()
  const failure = await screen.findByText(/^Failed to send message: Something went wrong on our end/)
  expect(tries).toBe(4)
  isUp = true
  await userEvent.click(within(failure.closest('[role=alert]') as HTMLElement).getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(screen.queryByText(/^Failed to send message/)).not.toBeInTheDocument())
  expect(screen.getByText('Are you there?')).toBeVisible()
  expect(tries).toBe(5)
})

it('unsends an own message that nobody has read, after asking, and no other [INBOX-07]', async () => {
  const mine = { sender_id: viewerProfile.id, recipient_id: noor.id }
  const [unread, seen] = [
    build({ ...mine, content: 'A slip of the finger', is_read: false }),
    build({ ...mine, content: 'Seen already' }),
  ]
  const sold = build({ ...mine, content: 'Bought', is_paid: true, price: 500, is_unlocked: true, is_read: false })
  const unsent: unknown[] = []
  serve({ thread: [unread, sold, seen] })
  network.use(
    http.post('*/rest/v1/rpc/unsend_message', async ({ request }) => {
      unsent.push(await request.json())
      network.use(answer('rpc/get_thread', [sold, seen]))
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/messages?with=noor')
  expect(await screen.findByText('A slip of the finger')).toBeVisible()
  // From old to new.
  const [ofSeen, ofSold, ofUnread] = screen.getAllByRole('button', { name: 'More options for your message' })
  for (const menu of [ofSeen, ofSold]) {
    await userEvent.click(menu as HTMLElement)
    expect(await screen.findByRole('menuitem', { name: 'Reply' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Unsend' })).toBeNull()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  }
  await userEvent.click(ofUnread as HTMLElement)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Unsend' }))
  const dialog = await screen.findByRole('dialog', { name: 'Unsend this message?' })
  expect(within(dialog).getByText('It disappears for you and Noor Haddad.')).toBeVisible()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Unsend' }))
  await waitFor(() => expect(screen.queryByText('A slip of the finger')).toBeNull())
  expect(unsent).toEqual([{ message_id: unread.id }])
  expect(screen.getByText('Bought')).toBeVisible()
})

it('reacts with an emoji at once, shows the other user’s, and removes it by pressing it again [INBOX-06]', async () => {
  const message = build({ content: 'The pier at dawn', sender_reaction: '😮' })
  serve({ thread: [message] })
  const asked: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/react_to_message', async ({ request }) => {
      asked.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/messages?with=noor')
  expect(await screen.findByRole('button', { name: '😮 from Noor Haddad' })).toHaveAttribute('aria-pressed', 'false')
  await userEvent.click(screen.getByRole('button', { name: 'More options for Noor Haddad' }))
  const first = await screen.findByRole('menuitem', { name: 'React with ❤️' })
  await waitFor(() => expect(first).toHaveFocus())
  await userEvent.keyboard('{ArrowRight}{Enter}')
  const own = await screen.findByRole('button', { name: '👍 from you' })
  expect(own).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(own)
  await waitFor(() => expect(screen.queryByRole('button', { name: '👍 from you' })).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: '😮 from Noor Haddad' }))
  expect(await screen.findByRole('button', { name: '😮 from you and Noor Haddad' })).toHaveTextContent('2')
  expect(asked).toEqual(['👍', null, '😮'].map((emoji) => ({ message_id: message.id, emoji })))
})

it('has more reactions in a dialog, and takes back one that the server rejects [INBOX-06]', async () => {
  serve({ thread: [build({ content: 'The pier at dawn' })] })
  network.use(
    http.post('*/rest/v1/rpc/react_to_message', () =>
      HttpResponse.json({ code: 'PT403', message: "You can't react to messages of this user" }, { status: 403 }),
    ),
  )
  renderRoute('/messages?with=noor')
  await userEvent.click(await screen.findByRole('button', { name: 'More options for Noor Haddad' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'More reactions' }))
  const dialog = await screen.findByRole('dialog', { name: 'React to this message' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'React with 🎉' }))
  expect(await screen.findByText("You can't react to messages of this user")).toBeVisible()
  expect(screen.queryByRole('button', { name: '🎉 from you' })).toBeNull()
})

it('shows reactions, and offers none, where the viewer can’t write, and on a locked message [INBOX-06]', async () => {
  const locked = { is_paid: true, is_locked: true, price: 500, content: null, sender_reaction: '🔥' }
  serve({ thread: [build(locked)] })
  renderRoute('/messages?with=noor')
  expect(await screen.findByRole('img', { name: '🔥 from Noor Haddad' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'More options for Noor Haddad' }))
  expect(await screen.findByRole('menuitem', { name: 'Reply' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: /^React/ })).toBeNull()
  cleanup()
  serve({ canMessage: false, thread: [build({ content: 'Long ago', recipient_reaction: '👍' })] })
  renderRoute('/messages?with=noor')
  expect(await screen.findByRole('img', { name: '👍 from you' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'More options for Noor Haddad' }))
  expect(await screen.findByRole('menuitem', { name: 'Report this message' })).toBeVisible()
  expect(screen.getAllByRole('menuitem')).toHaveLength(1)
})

it('replies with a quote, which Escape cancels, and which leads to the message [INBOX-06]', async () => {
  const message = build({ content: 'Shall we meet at the pier?' })
  serve({ thread: [message] })
  const sent: Record<string, unknown>[] = []
  sends((row) => {
    sent.push(row)
    const quote = { sender_id: noor.id, is_locked: false, text: 'Shall we meet at the pier?' }
    return HttpResponse.json(
      { ...build({ is_read: false }), ...row, quote, created_at: new Date().toISOString() },
      { status: 201 },
    )
  })
  renderRoute('/messages?with=noor')
  const reply = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'More options for Noor Haddad' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Reply' }))
    return screen.findByRole('group', { name: 'Replying to Noor Haddad' })
  }
  expect(await reply()).toHaveTextContent('Shall we meet at the pier?')
  await waitFor(async () => expect(await box()).toHaveFocus())
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('group', { name: /^Replying/ })).toBeNull())
  await reply()
  await userEvent.type(await box(), 'At noon{enter}')
  expect(await screen.findByText('Message sent')).toBeVisible()
  expect(screen.queryByRole('group', { name: /^Replying/ })).toBeNull()
  expect(sent).toEqual([expect.objectContaining({ content: 'At noon', quoted_id: message.id })])
  expect(sent[0]).not.toHaveProperty('quote')
  await userEvent.click(await screen.findByRole('button', { name: /^Noor Haddad ?Shall we meet/ }))
  const [original] = screen.getAllByText('Shall we meet at the pier?')
  expect(original?.closest('li')).toHaveFocus()
})

const foundMessage = (over: object = {}) => ({
  id: build().id,
  sender_id: noor.id,
  other_id: noor.id,
  username: 'noor',
  display_name: 'Noor Haddad',
  avatar_url: null,
  updated_at: noor.updated_at,
  excerpt: '… at the Café, at noon',
  created_at: '2024-05-04T10:00:00Z',
  ...over,
})

it('finds messages by their words, marks those, and lists them below the conversations [INBOX-02]', async () => {
  serve()
  const names = Array.from({ length: 7 }, (_, each) => ({
    ...conversation,
    other_id: `other-${each}`,
    username: `n${each}`,
  }))
  const asked: URLSearchParams[] = []
  const found = foundMessage()
  network.use(
    answer('rpc/get_conversations', names),
    http.get('*/rest/v1/rpc/search_messages', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      if (asked.length === 1) return HttpResponse.json({ message: 'down' }, { status: 500 })
      return HttpResponse.json([found, foundMessage({ sender_id: viewerProfile.id, excerpt: 'A café' })])
    }),
  )
  renderRoute('/messages')
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Search names and messages' }), 'cafe')
  expect(await screen.findByText("Couldn't search your messages")).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  const list = within(await screen.findByRole('list', { name: 'Messages' }))
  const [theirs, mine] = list.getAllByRole('link')
  expect(theirs).toHaveAttribute('href', `/messages?with=noor&message=${found.id}`)
  expect(theirs).toHaveTextContent('Noor Haddad')
  expect(within(theirs as HTMLElement).getByText('Café').tagName).toBe('MARK')
  expect(mine).toHaveTextContent('You: A café')
  expect(asked.map((parameters) => parameters.get('search'))).toEqual(['cafe', 'cafe'])
  const conversations = within(screen.getByRole('navigation', { name: 'Conversations' }))
  expect(conversations.getAllByRole('link')).toHaveLength(5)
  await userEvent.click(screen.getByRole('button', { name: 'Show all conversations' }))
  expect(conversations.getAllByRole('link')).toHaveLength(7)
})

it('opens a thread at a message, loads both directions, and jumps to the newest one [INBOX-02]', async () => {
  const at = (minute: number) => new Date(Date.UTC(2024, 4, 4, 10, minute)).toISOString()
  const all = Array.from({ length: 60 }, (_, minute) =>
    build({ content: `Line ${minute}`, created_at: at(minute) }),
  ).toReversed()
  const target = all[50] as Message
  serve({ thread: all.slice(0, threadPageSize) })
  network.use(
    http.get('*/rest/v1/rpc/get_thread_around', ({ request }) => {
      const { message_id, older, newer } = Object.fromEntries(new URL(request.url).searchParams)
      const place = all.findIndex(({ id }) => id === message_id)
      return HttpResponse.json(all.slice(Math.max(0, place - Number(newer)), place + 1 + Number(older)))
    }),
  )
  const { router } = renderRoute(`/messages?with=noor&message=${target.id}`)
  const line = await screen.findByText('Line 9')
  await waitFor(() => expect(line.closest('li')).toHaveFocus())
  expect(line.closest('li')).toHaveAttribute('data-highlighted', 'true')
  expect(screen.getByText('Line 0')).toBeVisible()
  expect(screen.queryByText('Line 59')).toBeNull()
  // Newer messages, until the thread is whole.
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await screen.findByText('Line 54')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Jump to newest' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await screen.findByText('Line 59')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Jump to newest' })).toBeNull())
  for (let minute = 0; minute < 60; minute += 1) expect(screen.getAllByText(`Line ${minute}`)).toHaveLength(1)
  cleanup()

  const again = renderRoute(`/messages?with=noor&message=${target.id}`)
  await screen.findByText('Line 9')
  await userEvent.click(screen.getByRole('button', { name: 'Jump to newest' }))
  expect(await screen.findByText('Line 59')).toBeVisible()
  expect(again.router.state.location.search).toBe('?with=noor')
  expect(screen.queryByText('Line 9')).toBeNull()
  expect(router).not.toBe(again.router)
})

it('leaves the focus to a viewer who writes while a message arrives in a thread opened at a message [INBOX-02]', async () => {
  const target = build({ content: 'Look here' })
  const thread = [build({ content: 'Newest' }), target]
  serve({ thread })
  network.use(answer('rpc/get_thread_around', thread))
  renderRoute(`/messages?with=noor&message=${target.id}`)
  const line = (await screen.findByText('Look here')).closest('li')
  await waitFor(() => expect(line).toHaveFocus())
  await waitFor(() => expect(listensTo('messages')).toContain(`recipient_id=eq.${viewerProfile.id}`))
  const field = await box()
  await userEvent.type(field, 'One mo')
  network.use(answer('rpc/get_thread', [build({ content: 'Are you there?' }), ...thread]))
  pushInsert('messages', { id: 'x' })
  expect(await screen.findByText('Are you there?')).toBeVisible()
  expect(field).toHaveFocus()
  await userEvent.keyboard('ment')
  expect(field).toHaveValue('One moment')
})

it('leaves the focus to a viewer who writes before the next frame in a thread opened at a message [INBOX-02]', async () => {
  const target = build({ content: 'Look here' })
  serve({ thread: [target] })
  network.use(answer('rpc/get_thread_around', [target]))
  const frames: FrameRequestCallback[] = []
  const frame = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((run) => frames.push(run))
  renderRoute(`/messages?with=noor&message=${target.id}`)
  await waitFor(async () => expect((await screen.findByText('Look here')).closest('li')).toHaveFocus())
  const field = await box()
  await userEvent.type(field, 'One moment')
  frame.mockRestore()
  expect(frames.length).toBeGreaterThan(0)
  act(() => {
    for (const run of frames) run(performance.now())
  })
  expect(field).toHaveFocus()
})

it('shows the newest messages and says so when a message is no longer there [INBOX-02, INBOX-07]', async () => {
  serve({ thread: [build({ content: 'Still here' })] })
  network.use(answer('rpc/get_thread_around', []))
  const { router } = renderRoute(`/messages?with=noor&message=${build().id}`)
  expect(await screen.findByText('Still here')).toBeVisible()
  expect(await screen.findByText('Message no longer available')).toBeVisible()
  expect(router.state.location.search).toBe('?with=noor')
})

it('leads from a quote to a message that isn’t loaded [INBOX-02, INBOX-06]', async () => {
  const old = build({ content: 'The old question', created_at: '2023-01-01T10:00:00Z' })
  const quote = { sender_id: noor.id, is_locked: false, text: 'The old question' }
  serve({ thread: Array.from({ length: threadPageSize }, () => build({ quoted_id: old.id, quote })) })
  network.use(answer('rpc/get_thread_around', [old]))
  renderRoute('/messages?with=noor')
  const [first] = await screen.findAllByRole('button', { name: /^Noor Haddad ?The old question/ })
  await userEvent.click(first as HTMLElement)
  await waitFor(() => expect(document.getElementById(`message-${old.id}`)).toHaveFocus())
})

it('searches one thread from its menu [INBOX-02]', async () => {
  serve({ thread: [build({ content: 'Newest' })] })
  const found = foundMessage({ excerpt: 'At the pier' })
  const asked: URLSearchParams[] = []
  network.use(
    http.get('*/rest/v1/rpc/get_conversation', () => HttpResponse.json(conversation)),
    answer('rpc/get_thread_around', [build({ id: found.id, content: 'At the pier' })]),
    http.get('*/rest/v1/rpc/search_messages', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json(asked.at(-1)?.get('search') === 'pier' ? [found] : [])
    }),
  )
  renderRoute('/messages?with=noor')
  await screen.findByText('Newest')
  const menus = await screen.findAllByRole('button', { name: 'Options for your conversation with Noor Haddad' })
  await userEvent.click(menus.at(-1) as HTMLElement)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Search messages' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Search messages with Noor Haddad' }))
  const field = dialog.getByRole('searchbox', { name: 'Search' })
  await userEvent.type(field, 'whale')
  expect(await dialog.findByText('No messages with these words.')).toBeVisible()
  await userEvent.clear(field)
  await userEvent.type(field, 'pier')
  await userEvent.click(await dialog.findByRole('link', { name: /At the/ }))
  expect(asked.at(-1)?.get('with_id')).toBe(noor.id)
  await waitFor(() => expect(document.getElementById(`message-${found.id}`)).toHaveFocus())
})

it('quotes a locked message without its content, and says of an unsent one that it is gone [INBOX-06, INBOX-07]', async () => {
  const mine = { sender_id: viewerProfile.id, recipient_id: noor.id }
  const locked = build({ is_paid: true, is_locked: true, price: 500, content: null, media_types: ['image'] })
  const quote = { sender_id: noor.id, is_locked: true }
  serve({
    thread: [
      build({ ...mine, content: 'And this?', quoted_id: viewerProfile.id }),
      build({ ...mine, content: 'How much?', quoted_id: locked.id, quote }),
      locked,
    ],
  })
  renderRoute('/messages?with=noor')
  const bubble = (await screen.findByText('How much?')).closest('li') as HTMLElement
  expect(await within(bubble).findByRole('button', { name: /^Noor Haddad ?Paid message$/ })).toBeVisible()
  const gone = screen.getByText('And this?').closest('li') as HTMLElement
  expect(within(gone).getByText('Message no longer available')).toBeVisible()
  expect(within(gone).queryByText('Noor Haddad')).toBeNull()
})

it('shows what a paid message contains, and its free preview, before the purchase [INBOX-08]', async () => {
  const paid = { is_paid: true, is_locked: true, price: 500, content: null }
  serve({
    thread: [
      build({
        ...paid,
        media_types: ['image', 'image', 'video'],
        media_previews: [{}, { width: 4, height: 3 }, { duration: 200 }],
        preview_index: 1,
        preview_url: 'n/sample.jpg',
      }),
      // The length of a video that is still being read isn't known.
      build({ ...paid, media_types: ['video', 'video'], media_previews: [{ duration: 10 }, {}] }),
    ],
  })
  const asked: unknown[] = []
  network.use(
    http.post('*/storage/v1/object/sign/messages', async ({ request }) => {
      asked.push(await request.json())
      const signedURL = '/object/sign/messages/n/sample.jpg?token=t'
      return HttpResponse.json([{ path: 'n/sample.jpg', signedURL, error: null }])
    }),
  )
  renderRoute('/messages?with=noor')
  expect(await screen.findByText('2 photos, 1 video (3:20)')).toBeVisible()
  expect(screen.getByText('2 videos')).toBeVisible()
  const preview = screen.getByText('Free preview').closest('figure') as HTMLElement
  expect(await within(preview).findByRole('img', { name: /Noor Haddad/ })).toHaveAttribute(
    'src',
    expect.stringContaining('n/sample.jpg'),
  )
  expect(asked).toMatchObject([{ paths: ['n/sample.jpg'] }])
})

it('labels messages that a team member or an automation wrote, on both sides [INBOX-09]', async () => {
  const team = { author_kind: 'team', author_name: 'Ada' } as const
  const mine = { sender_id: viewerProfile.id, recipient_id: noor.id }
  serve({
    thread: [
      build({ ...mine, ...team, content: 'From my team' }),
      build({ ...mine, author_kind: 'automation', author_name: 'Welcome flow', content: 'From my flow' }),
      build({ content: 'From Noor' }),
      build({ ...team, content: 'From the team' }),
      build({ ...team, author_name: null, content: 'From a former member' }),
      build({ author_kind: 'automation', is_paid: true, is_locked: true, price: 500, content: null }),
    ],
  })
  renderRoute('/messages?with=noor')
  const itemOf = async (text: string) => (await screen.findByText(text)).closest('li')
  expect(await itemOf('From my team')).toHaveTextContent('Sent by Ada for you')
  expect(await itemOf('From my flow')).toHaveTextContent('Sent automatically')
  expect(await itemOf('From Noor')).not.toHaveTextContent('Sent')
  expect(await itemOf('From the team')).toHaveTextContent('Sent by Ada for Noor Haddad')
  expect(await itemOf('From a former member')).toHaveTextContent('Sent by a team member for Noor Haddad')
  expect(await itemOf('Noor Haddad sent you a paid message')).toHaveTextContent('Sent automatically')
})

it('lets a creator choose one file of a paid message as a free preview [INBOX-08]', async () => {
  serve({ viewer: { is_verified: true } })
  network.use(http.post('*/storage/v1/object/messages/*', () => HttpResponse.json({ Id: 'f', Key: 'messages/f' })))
  signFiles({ bucket: 'messages' })
  const sent: Record<string, unknown>[] = []
  sends((row) => {
    sent.push(row)
    return created(row)
  })
  renderRoute('/messages?with=noor')
  await box()
  const chooser = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!chooser) throw new Error('no file input')
  const add = (name: string) => userEvent.upload(chooser, new File(['x'], name, { type: 'image/jpeg' }))
  await add('pier.jpg')
  await add('boat.jpg')
  expect(screen.queryByRole('button', { name: /as a free preview/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Paid message' }))
  await userEvent.click(screen.getByRole('button', { name: 'Show pier.jpg as a free preview' }))
  const boat = screen.getByRole('button', { name: 'Show boat.jpg as a free preview' })
  await userEvent.click(boat)
  expect(boat).toHaveAttribute('aria-pressed', 'true')
  expect(screen.getByRole('button', { name: 'Show pier.jpg as a free preview' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Paid message sent for $5.00')).toBeVisible()
  expect(sent).toEqual([expect.objectContaining({ price: 500, preview_index: 1 })])
  expect(screen.getByText('Paid · $5.00 · not unlocked yet · with a free preview')).toBeVisible()
})

const reply = (over: Partial<SavedReply> = {}): SavedReply => ({
  id: crypto.randomUUID(),
  content: 'Thanks, {name}!',
  price_cents: null,
  files: [],
  ...over,
})

it('opens the saved replies with a slash, finds one while typing, and fills in the name [INBOX-03]', async () => {
  serve()
  network.use(
    answer('rpc/get_saved_replies', [
      reply(),
      reply({ content: 'On my way' }),
      reply({ content: 'Goodnight, {name}' }),
    ]),
  )
  renderRoute('/messages?with=noor')
  const field = await box()
  await userEvent.type(field, '/')
  const list = within(await screen.findByRole('listbox', { name: 'Saved replies' }))
  const options = list.getAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'Thanks, Noor Haddad!',
    'On my way',
    'Goodnight, Noor Haddad',
    'Manage saved replies',
  ])
  expect(options[0]).toHaveAttribute('aria-selected', 'true')
  expect(field).toHaveAttribute('aria-activedescendant', options[0]?.id)
  await userEvent.keyboard('haddad{ArrowDown}')
  await waitFor(() => expect(list.getAllByRole('option')).toHaveLength(3))
  expect(screen.getByRole('option', { name: 'Goodnight, Noor Haddad' })).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(field).toHaveValue('Goodnight, Noor Haddad'))
  expect(screen.queryByRole('listbox', { name: 'Saved replies' })).toBeNull()
  expect(field).toHaveFocus()
})

it('sends what begins with a slash if no saved reply has it, and closes them with Escape [INBOX-03]', async () => {
  serve()
  network.use(answer('rpc/get_saved_replies', [reply()]))
  const sent: Record<string, unknown>[] = []
  sends((row) => {
    sent.push(row)
    return created(row)
  })
  renderRoute('/messages?with=noor')
  await userEvent.type(await box(), '/')
  expect(await screen.findByRole('listbox', { name: 'Saved replies' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('listbox', { name: 'Saved replies' })).toBeNull())
  await userEvent.keyboard('{Backspace}/shrug')
  await waitFor(() => expect(screen.queryByRole('listbox', { name: 'Saved replies' })).toBeNull())
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('Message sent')).toBeVisible()
  expect(sent).toEqual([expect.objectContaining({ content: '/shrug' })])
})

it('takes the files and the price of a creator’s saved reply [INBOX-03]', async () => {
  serve({ viewer: { is_verified: true } })
  const file = buildVaultFile({ name: 'Pier.jpg' })
  signFiles({ bucket: 'vault' })
  signFiles({ bucket: 'messages' })
  network.use(
    answer('rpc/get_saved_replies', [reply({ price_cents: 1200, files: [file] })]),
    http.post('*/rest/v1/rpc/use_vault_files', () => HttpResponse.json(['u/pier.jpg'])),
  )
  const sent: Record<string, unknown>[] = []
  sends((row) => {
    sent.push(row)
    return created(row)
  })
  renderRoute('/messages?with=noor')
  await userEvent.type(await box(), '/')
  await userEvent.click(await screen.findByRole('option', { name: /^Thanks, Noor Haddad! ?\$12.00 · 1 file$/ }))
  expect(await screen.findByRole('img', { name: 'Pier.jpg' })).toBeVisible()
  expect(await screen.findByLabelText('Price in USD')).toHaveValue('$12.00')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() =>
    expect(sent).toEqual([
      expect.objectContaining({ content: 'Thanks, Noor Haddad!', price: 1200, media_urls: ['u/pier.jpg'] }),
    ]),
  )
})

it('manages saved replies in a dialog: none yet, a new one, a change, and a deletion [INBOX-03]', async () => {
  serve()
  let kept: SavedReply[] = []
  const saved: unknown[] = []
  network.use(
    http.get('*/rest/v1/rpc/get_saved_replies', () => HttpResponse.json(kept)),
    http.post('*/rest/v1/rpc/save_reply', async ({ request }) => {
      const asked = (await request.json()) as { content: string }
      saved.push(asked)
      kept = [reply({ content: asked.content })]
      return HttpResponse.json(kept[0]?.id)
    }),
    http.delete('*/rest/v1/saved_replies', () => new HttpResponse(null, { status: 204 })),
  )
  renderRoute('/messages?with=noor')
  await userEvent.type(await box(), '/')
  await userEvent.click(await screen.findByRole('option', { name: 'Save a reply that you often send' }))
  expect(await screen.findByText('No saved replies yet')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'New saved reply' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Write a text, or add a file.')).toBeVisible()
  // Only approved creators have files and a price.
  expect(screen.queryByLabelText('Price in USD')).toBeNull()
  expect(within(screen.getByRole('dialog')).queryByRole('button', { name: 'From vault' })).toBeNull()
  await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'Hi {{name}')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Edit "Hi {name}"' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Text' }), '!')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete "Hi {name}!"' }))
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'Delete this saved reply?' })).getByRole('button', {
      name: 'Delete',
    }),
  )
  expect(await screen.findByText('No saved replies yet')).toBeVisible()
  expect(saved).toEqual([
    { content: 'Hi {name}', file_ids: [] },
    { content: 'Hi {name}!', file_ids: [], reply_id: expect.any(String) },
  ])
})

it('mutes the offers of a creator from one of them [MASS-05]', async () => {
  serve({ thread: [build({ content: null, is_paid: true, price: 500, is_locked: true })] })
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/mute_offers', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/messages?with=noor')
  await userEvent.click(await screen.findByRole('button', { name: 'More options for Noor Haddad' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Mute offers from Noor Haddad' }))
  expect(await screen.findByText('Offers from Noor Haddad muted')).toBeVisible()
  expect(sent).toEqual([{ creator: noor.id, muted: true }])
})
