import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildVaultFile, noor } from '../../testing/rows.ts'
import { signFiles } from '../../testing/sign-files.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import { takeRecordings } from './kept-recordings.ts'

const build = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 'a0000000-0000-4000-8000-000000000001',
  sender_id: noor.id,
  recipient_id: viewerProfile.id,
  content: '',
  is_paid: false,
  price: 0,
  is_read: true,
  is_locked: false,
  is_unlocked: false,
  media_urls: [] as string[],
  media_types: [] as string[],
  media_previews: [] as object[],
  preview_index: null,
  preview_url: null,
  sender_reaction: null,
  recipient_reaction: null,
  quoted_id: null,
  quote: null,
  story_id: null,
  created_at: '2024-05-04T10:00:00Z',
  ...over,
})
const heard = {
  media_urls: ['n/voice.m4a'],
  media_types: ['audio'],
  media_previews: [{ duration: 42, waveform: 'AP8A' }],
}

/** @returns the messages that were sent, and the paths of uploaded files. */
function serve({ thread = [], viewer = {} }: { thread?: Record<string, unknown>[]; viewer?: object } = {}) {
  const me = signIn(viewer)
  const [sent, uploaded]: [Record<string, unknown>[], string[]] = [[], []]
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const one = new URL(request.url).searchParams.get('username') ? { ...noor, last_seen_at: null } : me
      return HttpResponse.json(request.headers.get('accept')?.includes('object') ? one : [one])
    }),
    answer('rpc/can_message', true as unknown as null),
    answer('rpc/get_conversations', []),
    answer('rpc/get_thread', thread),
    http.patch('*/rest/v1/messages', () => new HttpResponse(null, { status: 204 })),
    http.post('*/rest/v1/messages', async ({ request }) => {
      const row = (await request.json()) as Record<string, unknown>
      sent.push(row)
      return HttpResponse.json({ ...build(), ...row }, { status: 201 })
    }),
    http.post('*/storage/v1/object/messages/*', ({ request }) => {
      uploaded.push(new URL(request.url).pathname)
      return HttpResponse.json({ Id: 'f', Key: 'messages/f' })
    }),
    http.delete('*/storage/v1/object/messages', () => HttpResponse.json([])),
  )
  signFiles({ bucket: 'messages' })
  return { sent, uploaded }
}

class FakeRecorder extends EventTarget {
  static isTypeSupported = (type: string) => type.startsWith('audio/webm')
  static last: FakeRecorder
  state = 'inactive'
  constructor() {
    super()
    FakeRecorder.last = this
  }
  start() {
    this.state = 'recording'
  }
  stop() {
    this.state = 'inactive'
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['sound']) }))
    this.dispatchEvent(new Event('stop'))
  }
}
const track = { stop: vi.fn() }
/** A microphone, and a clock that stands still. @returns a function that lets seconds pass. */
function withMicrophone(getUserMedia = vi.fn(async () => ({ getTracks: () => [track] }) as unknown as MediaStream)) {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.stubGlobal('MediaRecorder', FakeRecorder)
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'mediaDevices')
  })
  return (seconds: number) => vi.advanceTimersByTime(seconds * 1000)
}
const box = () => screen.findByRole('textbox', { name: 'Message to Noor Haddad' })
const record = async () => userEvent.click(await screen.findByRole('button', { name: 'Record a voice message' }))
const recorder = () => screen.findByRole('group', { name: 'Voice message' })

beforeEach(() => {
  sessionStorage.clear()
  takeRecordings(`${viewerProfile.id} ${noor.id}`) // unsent ones of the test before
  track.stop.mockClear()
  URL.createObjectURL = () => 'blob:voice'
})

it('records, lets the user listen, and sends it at a price [INBOX-05]', async () => {
  const { sent, uploaded } = serve({ viewer: { is_verified: true } })
  const pass = withMicrophone()
  renderRoute('/messages?with=noor')
  await box()
  await record()
  const group = within(await recorder())
  expect(await group.findByText('Recording')).toBeInTheDocument()
  expect(screen.queryByRole('textbox', { name: 'Message to Noor Haddad' })).toBeNull()
  pass(7)
  expect(await group.findByText('0:07')).toBeVisible()
  await userEvent.click(group.getByRole('button', { name: 'Stop and listen' }))
  expect(track.stop).toHaveBeenCalled()
  expect(await screen.findByRole('button', { name: 'Play: Your voice message' })).toBeEnabled()
  expect(screen.getByText('0:07')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Paid message' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled())
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ media_types: ['audio'], is_paid: true, price: 500, content: '' })
  expect(sent[0]).not.toHaveProperty('about')
  expect(uploaded).toEqual([expect.stringMatching(/\.m4a$/)])
})

it('ends by itself after five minutes, with what it has, and says so before [INBOX-05]', async () => {
  serve()
  const pass = withMicrophone()
  renderRoute('/messages?with=noor')
  await record()
  const group = within(await recorder())
  await group.findByText('Recording')
  pass(271)
  expect(await group.findByText('29 seconds left')).toBeVisible()
  pass(40)
  expect(await screen.findByText('Voice messages can be up to 5 minutes. Yours is ready to send.')).toBeVisible()
  expect(await screen.findByRole('slider', { name: 'Position: Your voice message' })).toHaveAttribute(
    'aria-valuemax',
    '300',
  )
})

it('closes the saved replies while it records, and opens them again [INBOX-03, INBOX-05]', async () => {
  serve()
  network.use(answer('rpc/get_saved_replies', []))
  withMicrophone()
  renderRoute('/messages?with=noor')
  await userEvent.type(await box(), '/')
  expect(await screen.findByRole('listbox', { name: 'Saved replies' })).toBeVisible()
  await record()
  await recorder()
  expect(screen.queryByRole('listbox', { name: 'Saved replies' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Delete the recording' }))
  expect(await screen.findByRole('listbox', { name: 'Saved replies' })).toBeVisible()
})

it('deletes a recording, and brings it back', async () => {
  const { uploaded } = serve()
  const pass = withMicrophone()
  renderRoute('/messages?with=noor')
  await record()
  const group = within(await recorder())
  await group.findByText('Recording')
  pass(3)
  await userEvent.click(group.getByRole('button', { name: 'Delete the recording' }))
  expect(await screen.findByText('Recording deleted')).toBeVisible()
  expect(await box()).toBeVisible()
  expect(uploaded).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: 'Play: Your voice message' })).toBeEnabled()
})

it.each([
  ['NotAllowedError', "Your browser doesn't let this site use the microphone."],
  ['NotFoundError', "We couldn't find a microphone."],
  ['NotReadableError', 'Your microphone is in use by another app.'],
])('explains a microphone that is not to be had (%s), and tries again [INBOX-05]', async (name, words) => {
  serve()
  const stream = { getTracks: () => [track] } as unknown as MediaStream
  const getUserMedia = vi.fn().mockRejectedValueOnce(new DOMException('no', name)).mockResolvedValue(stream)
  withMicrophone(getUserMedia)
  renderRoute('/messages?with=noor')
  await record()
  expect(await screen.findByText(words, { exact: false })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await within(await recorder()).findByText('Recording')).toBeInTheDocument()
})

it('says that a browser can’t record, and returns to the message field', async () => {
  serve()
  renderRoute('/messages?with=noor')
  await record()
  expect(await screen.findByText("Your browser can't record voice messages.", { exact: false })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  const alert = within(screen.getByText(/can't record/).closest('[role=alert]') as HTMLElement)
  await userEvent.click(alert.getByRole('button', { name: 'Close' }))
  expect(await box()).toBeVisible()
})

it('keeps an unsent recording for the thread, and asks before the page closes', async () => {
  const { uploaded } = serve()
  const pass = withMicrophone()
  const { router } = renderRoute('/messages?with=noor')
  await record()
  const group = within(await recorder())
  await group.findByText('Recording')
  pass(4)
  const closing = () => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }
  expect(closing()).toBe(true)
  await act(() => router.navigate('/messages'))
  expect(track.stop).toHaveBeenCalled()
  await act(() => router.navigate('/messages?with=noor'))
  expect(await screen.findByRole('button', { name: 'Play: Your voice message' })).toBeEnabled()
  await waitFor(() => expect(uploaded).toHaveLength(1))
  expect(closing()).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Remove Voice message' }))
  await waitFor(() => expect(closing()).toBe(false))
})

it('uploads a recording again that could not be uploaded, and says why [INBOX-05]', async () => {
  const { uploaded } = serve()
  const message = "This site can't process voice messages: FFmpeg isn't installed"
  network.use(
    http.post(
      '*/storage/v1/object/messages/*',
      () => HttpResponse.json({ statusCode: '409', message }, { status: 400 }),
      { once: true },
    ),
  )
  const pass = withMicrophone()
  renderRoute('/messages?with=noor')
  await record()
  const group = within(await recorder())
  await group.findByText('Recording')
  pass(4)
  await userEvent.click(group.getByRole('button', { name: 'Stop and listen' }))
  expect(await screen.findByText(`Couldn't upload Voice message: ${message}`)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: 'Upload Voice message again' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled())
  expect(uploaded).toHaveLength(1)
})

it('plays a voice message in the thread, beside pictures and words [INBOX-05]', async () => {
  serve({
    thread: [
      build({
        content: 'Listen to this',
        media_urls: ['n/sea.jpg', ...heard.media_urls],
        media_types: ['image', 'audio'],
        media_previews: [{ width: 4, height: 3 }, ...heard.media_previews],
      }),
    ],
  })
  renderRoute('/messages?with=noor')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Play: Voice message by Noor Haddad' })).toBeEnabled())
  expect(document.querySelector('audio')).toHaveAttribute('src', expect.stringContaining('n/voice.m4a'))
  expect(await screen.findByRole('img', { name: /Noor Haddad/ })).toHaveAttribute(
    'src',
    expect.stringContaining('n/sea.jpg'),
  )
  expect(screen.getByText('0:42')).toBeVisible()
})

it('shows the length of voice messages before the purchase, and plays a free preview [INBOX-05, INBOX-08]', async () => {
  const paid = { is_paid: true, is_locked: true, price: 500, content: null }
  serve({
    thread: [
      build({ ...paid, media_types: ['audio'], media_previews: [{ duration: 42 }] }),
      build({
        ...paid,
        id: 'a0000000-0000-4000-8000-000000000002',
        media_types: ['image', 'audio', 'audio'],
        media_previews: [{}, { duration: 42 }, { duration: 62 }],
        preview_index: 1,
        preview_url: 'n/voice.m4a',
      }),
    ],
  })
  renderRoute('/messages?with=noor')
  expect(await screen.findByText('1 voice message (0:42)')).toBeVisible()
  expect(screen.getByText('1 photo, 2 voice messages (1:44)')).toBeVisible()
  const preview = within((await screen.findByText('Free preview')).closest('figure') as HTMLElement)
  expect(await preview.findByRole('button', { name: 'Play: Voice message by Noor Haddad' })).toBeVisible()
  expect(screen.getAllByRole('button', { name: /^Play:/ })).toHaveLength(1)
})

it('is called a voice message in quotes and in the list of conversations [INBOX-05]', async () => {
  const quote = { sender_id: noor.id, is_locked: false, media_url: 'n/voice.m4a', media_type: 'audio' }
  serve({ thread: [build({ content: 'Your voice!', quoted_id: 'a0000000-0000-4000-8000-000000000009', quote })] })
  network.use(
    answer('rpc/get_conversations', [
      {
        other_id: noor.id,
        username: 'noor',
        display_name: 'Noor Haddad',
        avatar_url: null,
        is_verified: true,
        last_seen_at: null,
        last_sender_id: viewerProfile.id,
        last_content: '',
        last_is_paid: false,
        last_is_locked: false,
        last_media_types: ['audio'],
        last_message_at: '2024-05-04T10:00:00Z',
        unread_count: 0,
        updated_at: noor.updated_at,
        is_pinned: false,
        is_archived: false,
        is_restricted: false,
        is_marked_unread: false,
        is_subscriber: false,
        waiting_since: null,
        spent: 0,
      },
    ]),
  )
  renderRoute('/messages?with=noor')
  expect(await screen.findByText('You: Voice message')).toBeVisible()
  expect(await screen.findByText('Voice message')).toBeVisible()
})

it('is sent again from the vault, where it has a length and no picture [INBOX-05, VAULT-02]', async () => {
  const { sent } = serve({ viewer: { is_verified: true } })
  signFiles({ bucket: 'vault' })
  const file = buildVaultFile({
    kind: 'audio',
    name: null,
    preview: null,
    duration: 42,
    created_at: '2024-05-04T10:00:00Z',
  })
  network.use(answer('rpc/get_vault_files', [file]), answer('rpc/get_vault_history', []))
  network.use(http.post('*/rest/v1/rpc/use_vault_files', () => HttpResponse.json(['u/again.m4a'])))
  renderRoute('/messages?with=noor')
  await userEvent.click(await screen.findByRole('button', { name: 'From vault' }))
  const picker = within(await screen.findByRole('dialog', { name: 'Choose from your vault' }))
  const tile = await picker.findByRole('button', { name: /^Voice message from / })
  expect(tile).toHaveTextContent('0:42')
  await userEvent.click(tile)
  await userEvent.click(picker.getByRole('button', { name: 'Add 1 file' }))
  expect(await screen.findByRole('slider', { name: 'Position: Your voice message' })).toHaveAttribute(
    'aria-valuemax',
    '42',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(sent).toMatchObject([{ media_urls: ['u/again.m4a'], media_types: ['audio'] }]))
})
