import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { Conversation } from '../../domain/messages/queries.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { noor } from '../../testing/rows.ts'
import { signIn } from '../../testing/sign-in.ts'

const buildConversation = (over: Partial<Conversation> = {}): Conversation => ({
  other_id: noor.id,
  username: 'noor',
  display_name: 'Noor Haddad',
  avatar_url: null,
  is_verified: false,
  last_seen_at: null,
  last_sender_id: noor.id,
  last_content: 'See you at the pier',
  last_is_paid: false,
  last_is_locked: false,
  last_media_types: [],
  last_message_at: '2024-05-04T10:00:00Z',
  unread_count: 0,
  updated_at: noor.updated_at,
  is_pinned: false,
  is_archived: false,
  is_restricted: false,
  is_marked_unread: false,
  is_subscriber: false,
  waiting_since: '2024-05-04T10:00:00Z',
  spent: 0,
  ...over,
})

/** What the inbox of the server has, which changes as the screen asks. */
let inbox: Conversation[]
let lists: URLSearchParams[]
let changes: Record<string, unknown>[]
const creator = { is_creator: true, is_verified: true }

function serve(viewer: object = {}) {
  const me = signIn(viewer)
  const shown = (filter: string) =>
    inbox.filter(
      (one) =>
        (filter === 'archived') === one.is_archived &&
        (filter === 'restricted') === one.is_restricted &&
        (filter !== 'unread' || one.unread_count > 0),
    )
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const person = new URL(request.url).searchParams.get('username') ? { ...noor, last_seen_at: null } : me
      return HttpResponse.json(request.headers.get('accept')?.includes('object') ? person : [person])
    }),
    answer('rpc/can_message', true as unknown as null),
    answer('rpc/get_thread', []),
    http.get('*/rest/v1/rpc/get_conversations', ({ request }) => {
      const { searchParams } = new URL(request.url)
      lists.push(searchParams)
      return HttpResponse.json(shown(searchParams.get('filter') ?? 'all'))
    }),
    http.get('*/rest/v1/rpc/get_conversation', () => HttpResponse.json(inbox[0] ?? null)),
    http.post('*/rest/v1/rpc/update_conversation', async ({ request }) => {
      const { other_id, ...change } = (await request.json()) as Record<string, unknown>
      changes.push(change)
      const { is_unread, ...state } = change
      inbox = inbox.map((one) =>
        one.other_id === other_id
          ? { ...one, ...state, ...(is_unread !== undefined && { is_marked_unread: is_unread === true }) }
          : one,
      )
      return new HttpResponse(null, { status: 204 })
    }),
  )
}

beforeEach(() => {
  ;[inbox, lists, changes] = [[buildConversation()], [], []]
})

const row = () => screen.findByRole('link', { name: /See you at the pier/ })
const options = (select: HTMLElement) =>
  within(select)
    .getAllByRole('option')
    .map((option) => option.textContent)
async function choose(action: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'Options for your conversation with Noor Haddad' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

it('gives creators filters and an order, and explains an empty filter [INBOX-01]', async () => {
  serve(creator)
  renderRoute('/messages')
  await row()
  const [show, sort] = [
    screen.getByRole('combobox', { name: 'Show' }),
    screen.getByRole('combobox', { name: 'Sort by' }),
  ]
  expect(options(show)).toEqual(['All', 'Unread', 'Unanswered', 'Subscribers', 'Offers', 'Restricted', 'Archived'])
  expect(options(sort)).toEqual(['Newest', 'Longest unanswered', 'Highest spending'])
  await userEvent.selectOptions(show, 'Unanswered')
  await userEvent.selectOptions(sort, 'Longest unanswered')
  await row()
  expect(Object.fromEntries(lists.at(-1) ?? [])).toMatchObject({ filter: 'unanswered', sort: 'waiting' })
  await userEvent.selectOptions(show, 'Unread')
  expect(await screen.findByText('Nothing unread')).toBeVisible()
})

it('gives fans the filters that fit them [INBOX-01]', async () => {
  serve()
  renderRoute('/messages')
  await row()
  expect(options(screen.getByRole('combobox', { name: 'Show' }))).toEqual(['All', 'Unread', 'Offers', 'Archived'])
  expect(screen.queryByRole('combobox', { name: 'Sort by' })).not.toBeInTheDocument()
})

it('archives at once, with undo, which also pins again [INBOX-01]', async () => {
  inbox = [buildConversation({ is_pinned: true })]
  serve()
  renderRoute('/messages')
  await row()
  expect(screen.getByLabelText('Pinned')).toBeVisible()
  await choose('Archive')
  expect(await screen.findByText('Conversation archived')).toBeVisible()
  expect(await screen.findByText('Your inbox is empty')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await row()
  expect(changes).toEqual([{ is_archived: true }, { is_archived: false, is_pinned: true }])
  await waitFor(() => expect(screen.queryByText('Conversation archived')).not.toBeInTheDocument())
})

it.each([
  ['Pin', 'Conversation pinned', {}, { is_pinned: true }, { is_pinned: false }],
  ['Unpin', 'Conversation unpinned', { is_pinned: true }, { is_pinned: false }, { is_pinned: true }],
  ['Mark as unread', 'Marked as unread', {}, { is_unread: true }, { is_unread: false }],
  ['Mark as read', 'Marked as read', { unread_count: 1 }, { is_unread: false }, { is_unread: true }],
])('offers %s, with undo [INBOX-01]', async (action, done, before, does, undoes) => {
  inbox = [buildConversation(before)]
  serve()
  renderRoute('/messages')
  await row()
  await choose(action)
  expect(await screen.findByText(done)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(changes).toEqual([does, undoes]))
})

it('moves an archived conversation to the inbox [INBOX-01]', async () => {
  inbox = [buildConversation({ is_archived: true })]
  serve()
  renderRoute('/messages')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Show' }), 'Archived')
  await row()
  await choose('Move to inbox')
  expect(await screen.findByText('Nothing archived')).toBeVisible()
  expect(changes).toEqual([{ is_archived: false }])
})

it.each([
  ['Archive', 500, 'XX000', "Couldn't change the conversation"],
  ['Pin', 409, 'PT409', 'You can pin up to 20 conversations. Unpin another one first.'],
])('takes %s back when the server rejects it [INBOX-01]', async (action, status, code, words) => {
  serve()
  network.use(
    http.post('*/rest/v1/rpc/update_conversation', () => HttpResponse.json({ code, message: 'No' }, { status })),
  )
  renderRoute('/messages')
  await row()
  await choose(action)
  expect(await screen.findByText(words)).toBeVisible()
  await row()
  expect(screen.queryByLabelText('Pinned')).not.toBeInTheDocument()
})

it('leaves an open thread that is marked as unread, and reads it when it opens again [INBOX-01]', async () => {
  serve()
  const { router } = renderRoute('/messages?with=noor')
  const [, inThread] = await waitFor(() => {
    const menus = screen.getAllByRole('button', { name: 'Options for your conversation with Noor Haddad' })
    expect(menus).toHaveLength(2)
    return menus
  })
  await userEvent.click(inThread as HTMLElement)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Mark as unread' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(await screen.findByText('Marked as unread')).toBeVisible()
  expect(await row()).toHaveTextContent('See you at the pier')
  expect(within(await row()).getByLabelText('Unread')).toBeVisible()
  await userEvent.click(await row())
  await waitFor(() => expect(changes).toEqual([{ is_unread: true }, { is_unread: false }]))
})

it('gives creators a folder for restricted fans, and says in the thread that they are [LIST-05]', async () => {
  serve(creator)
  network.use(
    http.post('*/rest/v1/rpc/restrict_fan', async ({ request }) => {
      const { is_restricted } = (await request.json()) as { is_restricted: boolean }
      inbox = inbox.map((one) => ({ ...one, is_restricted }))
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/messages?with=noor')
  await row()
  const [, inThread] = await waitFor(() => {
    const menus = screen.getAllByRole('button', { name: 'Options for your conversation with Noor Haddad' })
    expect(menus).toHaveLength(2)
    return menus
  })
  await userEvent.click(inThread as HTMLElement)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Restrict Noor Haddad' }))
  expect(await screen.findByText(/^You restricted Noor Haddad/)).toBeVisible()
  expect(await screen.findByText('Noor Haddad is restricted')).toBeVisible()
  expect(screen.queryByRole('link', { name: /See you at the pier/ })).not.toBeInTheDocument()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Restricted')
  const item = (await row()).closest('li') as HTMLElement
  await userEvent.click(within(item).getByRole('button', { name: /^Options/ }))
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Mark as unread',
    'Lift restriction',
  ])
  await userEvent.click(screen.getByRole('menuitem', { name: 'Lift restriction' }))
  expect(await screen.findByText('Nobody is restricted')).toBeVisible()
  await waitFor(() => expect(screen.queryByText(/^You restricted/)).not.toBeInTheDocument())
})

it('offers fans no restriction [LIST-05]', async () => {
  serve()
  renderRoute('/messages')
  await row()
  await userEvent.click(await screen.findByRole('button', { name: /^Options/ }))
  expect(await screen.findByRole('menuitem', { name: 'Archive' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: /Restrict/ })).not.toBeInTheDocument()
})

it('still shows the list when the state of the open conversation fails to load', async () => {
  serve()
  network.use(fail('rpc/get_conversation'))
  renderRoute('/messages?with=noor')
  await row()
  expect(await screen.findByRole('textbox', { name: 'Message to Noor Haddad' })).toBeVisible()
})

it('shows creators the conversations with the fans on one of their lists [INBOX-01]', async () => {
  inbox = [buildConversation()]
  serve(creator)
  network.use(answer('fan_lists', [{ id: 'list-1', name: 'Regulars', rule: null, members_count: 1 }]))
  renderRoute('/messages')
  const show = await screen.findByRole('combobox', { name: 'Show' })
  inbox = []
  await userEvent.selectOptions(show, await within(show).findByRole('option', { name: 'Regulars' }))
  expect(await screen.findByText('Conversations with the fans on this list show up here.')).toBeVisible()
  expect(lists.at(-1)?.get('list_id')).toBe('list-1')
  expect(show).toHaveValue('list-1')
  await userEvent.selectOptions(show, 'Unread')
  await waitFor(() => expect(lists.at(-1)?.get('filter')).toBe('unread'))
  expect(lists.at(-1)?.has('list_id')).toBe(false)
})

it('shows the whole inbox again once the list is deleted [INBOX-01]', async () => {
  serve(creator)
  network.use(answer('fan_lists', [{ id: 'list-1', name: 'Regulars', rule: null, members_count: 1 }]))
  const { queryClient } = renderRoute('/messages')
  const show = await screen.findByRole('combobox', { name: 'Show' })
  await userEvent.selectOptions(show, await within(show).findByRole('option', { name: 'Regulars' }))
  await waitFor(() => expect(lists.at(-1)?.get('list_id')).toBe('list-1'))
  network.use(answer('fan_lists', []))
  await act(() => queryClient.invalidateQueries({ queryKey: ['fans'] }))
  await waitFor(() => expect(show).toHaveValue('all'))
  expect(within(show).queryByRole('option', { name: 'Regulars' })).not.toBeInTheDocument()
})

it('mutes the offers of a creator, takes it back, and has a folder for muted ones [MASS-05]', async () => {
  inbox = [buildConversation({ is_verified: true })]
  serve()
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/mute_offers', async ({ request }) => {
      const change = (await request.json()) as { muted: boolean }
      sent.push(change)
      network.use(answer('rpc/get_muted_offers', change.muted ? [{ creator_id: noor.id, username: 'noor' }] : []))
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/messages')
  await choose('Mute offers')
  expect(await screen.findByText('Offers from Noor Haddad muted')).toBeVisible()
  expect(sent).toEqual([{ creator: noor.id, muted: true }])
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sent.at(-1)).toEqual({ creator: noor.id, muted: false }))
  inbox = []
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Offers')
  expect(await screen.findByText('No muted offers')).toBeVisible()
  expect(lists.at(-1)?.get('filter')).toBe('offers')
})

it('offers only to unmute in the folder of muted offers, which aren’t conversations [MASS-05, INBOX-01]', async () => {
  inbox = [buildConversation({ is_verified: true })]
  serve(creator)
  network.use(answer('rpc/get_muted_offers', [{ creator_id: noor.id, username: 'noor' }]))
  renderRoute('/messages')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Show' }), 'Offers')
  await waitFor(() => expect(lists.at(-1)?.get('filter')).toBe('offers'))
  await row()
  await userEvent.click(await screen.findByRole('button', { name: /^Options/ }))
  expect(await screen.findByRole('menuitem', { name: 'Unmute offers' })).toBeVisible()
  expect(screen.getAllByRole('menuitem')).toHaveLength(1)
})

it('says so when offers could not be muted [MASS-05]', async () => {
  inbox = [buildConversation({ is_verified: true })]
  serve()
  network.use(fail('rpc/mute_offers'))
  renderRoute('/messages')
  await choose('Mute offers')
  expect(await screen.findByText("Couldn't change this")).toBeVisible()
})

it('offers nothing to mute from users who sell nothing [MASS-05]', async () => {
  serve()
  renderRoute('/messages')
  await userEvent.click(await screen.findByRole('button', { name: 'Options for your conversation with Noor Haddad' }))
  expect(await screen.findByRole('menuitem', { name: 'Archive' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: 'Mute offers' })).toBeNull()
})
