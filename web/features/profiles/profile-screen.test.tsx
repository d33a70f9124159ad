import { commonTexts } from '@ovation/contract/texts/common'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost, buildProfile, noor } from '../../testing/rows.ts'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const statistic = (label: string) =>
  within(screen.getByText(label).closest('div') as HTMLElement).getByRole('definition')

it('shows the head: names, mark, badge, handle, bio and website, and the counts [PROF-01, PROF-04, PROF-05]', async () => {
  serveProfile()
  renderRoute('/profile/noor')
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  expect(screen.getByRole('img', { name: 'Verified' })).toBeVisible()
  expect(screen.getByText('Creator')).toBeVisible()
  expect(screen.getByText('@noor')).toBeVisible()
  expect(screen.getByText('Photographer in Lisbon.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'noor.example' })).toHaveAttribute('href', 'https://noor.example')
  expect(['Followers', 'Following', 'Photos', 'Videos'].map((label) => statistic(label).textContent)).toEqual([
    '1.2K',
    '3',
    '87',
    '4',
  ])
  expect(screen.getByText('Posts', { selector: 'dt' }).closest('div')).toHaveTextContent('Posts92')
  expect(screen.queryByText('Earned')).not.toBeInTheDocument()
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Posts', 'Media', 'Subscribe', 'About'])
})

it('shows the owner what was earned and Edit Profile, and no Follow [PROF-06, PROF-08, GEN-41]', async () => {
  signIn({ is_verified: true })
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id, total_earnings: 8.99 })
  renderRoute('/profile')
  expect(await screen.findByRole('button', { name: 'Edit Profile' })).toBeVisible()
  expect(statistic('Earned')).toHaveTextContent('$8.99')
  expect(screen.queryByRole('button', { name: /^Follow / })).not.toBeInTheDocument()
})

it('tells an admin, and nobody else, that a profile is closed because its owner is suspended [GEN-44, PROF-22]', async () => {
  serveProfile({ is_private: true }, signIn({ role: 'admin' }))
  network.use(answer('rpc/get_suspension', [{ since: '2026-03-04T10:00:00Z', reason: 'Sells what is not theirs' }]))
  renderRoute('/profile/noor')
  const note = await screen.findByText(/^Suspended since Mar 4, 2026/)
  expect(note.closest('[role="status"]')).toHaveTextContent('The reason that they read: Sells what is not theirs')
  // Nobody can follow, pay or write to them.
  expect(screen.queryByRole('button', { name: /^Follow / })).not.toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Message' })).not.toBeInTheDocument()
})

it('asks the server about no suspension for whoever is no admin [GEN-44]', async () => {
  signIn()
  serveProfile({ is_private: true })
  const asked: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/get_suspension', () => {
      asked.push(1)
      return HttpResponse.json(null)
    }),
  )
  renderRoute('/profile/noor')
  expect(await screen.findByText('This profile is private')).toBeVisible()
  expect(asked).toEqual([])
})

it('sends a visitor without a profile of their own to sign in [PROF-01, GEN-37]', async () => {
  const { router } = renderRoute('/profile')
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

it('finds a profile by user id where the address holds one [PROF-02]', async () => {
  const asked: string[] = []
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('or') ?? '')
      return HttpResponse.json(buildProfile())
    }),
    answer('posts', []),
  )
  renderRoute('/profile/c0000000-0000-4000-8000-0000000000ff')
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  expect(asked[0]).toContain('user_id.eq.c0000000-0000-4000-8000-0000000000ff')
})

it('sends to /404 when there is no such profile, and says so [PROF-03]', async () => {
  network.use(answer('profiles', []))
  const { router } = renderRoute('/profile/nobody')
  expect(await screen.findByText('Profile not found')).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/404'))
  expect(await screen.findByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})

it('recovers when loading fails and the viewer retries', async () => {
  network.use(fail('profiles'))
  renderRoute('/profile/noor')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  serveProfile()
  await userEvent.click(retry)
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
})

it('follows at once and tells the server, then unfollows [PROF-07, PROF-19]', async () => {
  signIn()
  const { id } = serveProfile()
  const sent: string[] = []
  network.use(
    http.post('*/rest/v1/follows', async ({ request }) => {
      sent.push(JSON.stringify(await request.json()))
      return new HttpResponse(null, { status: 201 })
    }),
    http.delete('*/rest/v1/follows', ({ request }) => {
      sent.push(new URL(request.url).search)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/profile/noor')
  const button = await screen.findByRole('button', { name: 'Follow Noor Haddad' })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  expect(button).toHaveAccessibleName('Following Noor Haddad')
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  await waitFor(() => expect(button).toHaveAccessibleName('Follow Noor Haddad'))
  expect(sent).toEqual([
    JSON.stringify({ follower_id: viewerProfile.id, following_id: id }),
    `?follower_id=eq.${viewerProfile.id}&following_id=eq.${id}`,
  ])
})

it('takes a follow back when the server refuses it [PROF-20]', async () => {
  signIn()
  serveProfile({ followers_count: 5 })
  network.use(http.post('*/rest/v1/follows', () => HttpResponse.json({ message: 'no' }, { status: 500 })))
  renderRoute('/profile/noor')
  const button = await screen.findByRole('button', { name: 'Follow Noor Haddad' })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  expect(await screen.findByText('Failed to update follow status')).toBeVisible()
  expect(button).toHaveAccessibleName('Follow Noor Haddad')
  expect(statistic('Followers')).toHaveTextContent('5')
})

it('counts a follow that another window has made already as made [PROF-19]', async () => {
  signIn()
  serveProfile()
  const taken = { code: '23505', message: 'duplicate key' }
  network.use(http.post('*/rest/v1/follows', () => HttpResponse.json(taken, { status: 409 })))
  renderRoute('/profile/noor')
  const button = await screen.findByRole('button', { name: 'Follow Noor Haddad' })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  await waitFor(() => expect(button).toBeEnabled())
  expect(button).toHaveAccessibleName('Following Noor Haddad')
  expect(screen.queryByText('Failed to update follow status')).not.toBeInTheDocument()
})

it('asks a visitor to sign in before following [GEN-40]', async () => {
  serveProfile()
  const { router } = renderRoute('/profile/noor')
  await userEvent.click(await screen.findByRole('button', { name: 'Follow Noor Haddad' }))
  expect(await screen.findByText('Sign In Required')).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

it('shows what is pinned first, and once, and leaves it in its place among the media [POST-08, PROF-14, D28]', async () => {
  serveProfile()
  const [pinned, newest] = ['The pinned one', 'The newest one'].map((title) =>
    buildPost({ title, is_pinned: title === 'The pinned one', media_types: ['image'], is_locked: true }),
  )
  network.use(
    http.get('*/rest/v1/posts', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.has('is_pinned') ? [pinned] : [newest, pinned]),
    ),
  )
  renderRoute('/profile/noor')
  expect(await screen.findByRole('heading', { name: 'The newest one' })).toBeVisible()
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'The pinned one',
    'The newest one',
  ])
  await userEvent.click(screen.getByRole('tab', { name: 'Media' }))
  await screen.findByRole('link', { name: /^The newest one/ })
  expect(screen.getAllByRole('link', { name: /one, / }).map(({ textContent }) => textContent?.split(',')[0])).toEqual([
    'The newest one',
    'The pinned one',
  ])
})

it('shows the posts although what is pinned could not be read [POST-08]', async () => {
  serveProfile()
  network.use(
    http.get('*/rest/v1/posts', ({ request }) =>
      new URL(request.url).searchParams.has('is_pinned')
        ? HttpResponse.json({ message: 'down' }, { status: 500 })
        : HttpResponse.json([buildPost({ title: 'Still here', is_pinned: true })]),
    ),
  )
  renderRoute('/profile/noor')
  expect(await screen.findByRole('heading', { name: 'Still here' })).toBeVisible()
})

it('shows locked media as a lock over its colours, which leads to its post [POST-10]', async () => {
  serveProfile()
  const media_previews = [{ preview: '1QcSHQRnh493V4dIh4eXh1h4kJUI' }]
  const post = buildPost({ title: 'Behind the scenes', media_types: ['image'], media_previews, is_locked: true })
  network.use(answer('posts', [post]))
  renderRoute('/profile/noor?tab=media')
  expect(await screen.findByRole('link', { name: 'Behind the scenes, Locked' })).toHaveAttribute(
    'href',
    `/post/${post.id}`,
  )
  expect(document.querySelector('[data-blurred-preview]')).toHaveAttribute('src', expect.stringMatching(/^data:image/))
})

it('says that a profile is private to others than its owner [PROF-22]', async () => {
  serveProfile({ is_private: true, bio: null, website_url: null })
  renderRoute('/profile/noor')
  expect(await screen.findByText('This profile is private')).toBeVisible()
})

it.each(['', '?tab=media'])(
  'says that a private profile shows its posts to its owner and to who pays, and not that there are none: %s [POST-48, PROF-22]',
  async (tab) => {
    serveProfile({ is_private: true, bio: null, website_url: null, total_posts: 3 })
    renderRoute(`/profile/noor${tab}`)
    expect(await screen.findByRole('heading', { name: 'Nothing to see from outside' })).toBeVisible()
    expect(screen.getByText(/Only its owner, and whoever pays for it/)).toBeVisible()
    expect(screen.queryByText(/No posts yet|No photos or videos yet/)).not.toBeInTheDocument()
  },
)

it('shows a private profile’s posts to who pays for them [POST-48]', async () => {
  serveProfile({ is_private: true })
  network.use(answer('posts', [buildPost({ content: 'For those inside' })]))
  renderRoute('/profile/noor')
  expect(await screen.findByText('For those inside')).toBeVisible()
  expect(screen.queryByText('Nothing to see from outside')).not.toBeInTheDocument()
})

it('saves what was edited, and refuses a website that is none [PROF-08, PROF-10]', async () => {
  signIn({ is_verified: true })
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id })
  const sent: unknown[] = []
  network.use(
    http.patch('*/rest/v1/profiles', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  const website = await screen.findByLabelText('Website')
  expect(website).toHaveAttribute('type', 'url')
  await userEvent.clear(website)
  await userEvent.type(website, 'noor')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter a full address, such as https://example.com')).toBeVisible()
  expect(sent).toEqual([])
  await userEvent.clear(website)
  await userEvent.type(website, 'https://noor.example/prints')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Travel' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Profile updated')).toBeVisible()
  expect(sent).toMatchObject([{ website_url: 'https://noor.example/prints', categories: ['Photography', 'Travel'] }])
})

it('asks before an edit that is not saved is lost by Escape, and not when there is none [PROF-08]', async () => {
  signIn()
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id })
  renderRoute('/profile')
  const edit = await screen.findByRole('button', { name: 'Edit Profile' })
  await userEvent.click(edit)
  await screen.findByLabelText('Bio')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await userEvent.click(edit)
  await userEvent.type(await screen.findByLabelText('Bio'), ' And more.')
  await userEvent.keyboard('{Escape}')
  const question = await screen.findByRole('dialog', { name: 'Discard your changes?' })
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(question).not.toBeInTheDocument())
  expect(screen.getByLabelText('Bio')).toHaveValue('Photographer in Lisbon. And more.')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await userEvent.click(edit)
  expect(await screen.findByLabelText('Bio')).toHaveValue('Photographer in Lisbon.')
})

it.each([
  { who: 'a creator', is_verified: true, role: 'button', name: 'Create Post' } as const,
  { who: 'a fan', is_verified: false, role: 'link', name: 'Become a creator' } as const,
])(
  'leads $who on from a profile of their own without posts [PROF-14, HOME-03]',
  async ({ is_verified, role, name }) => {
    signIn({ is_verified })
    serveProfile(
      { id: viewerProfile.id, user_id: viewerProfile.user_id, is_verified },
      { ...viewerProfile, is_verified },
    )
    renderRoute('/profile')
    expect(await screen.findByText('No posts yet')).toBeVisible()
    expect(await screen.findByRole(role, { name })).toBeVisible()
  },
)

it('says so when an edit failed, and keeps it on the screen [PROF-13]', async () => {
  signIn()
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id })
  network.use(http.patch('*/rest/v1/profiles', () => HttpResponse.json({ message: 'down' }, { status: 500 })))
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  const bio = await screen.findByLabelText('Bio')
  await userEvent.clear(bio)
  await userEvent.type(bio, 'New words')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Failed to update profile')).toBeVisible()
  expect(bio).toHaveValue('New words')
  // Without a connection a browser has words of its own, which are for programs.
  network.use(http.patch('*/rest/v1/profiles', () => HttpResponse.error()))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(commonTexts.offline)).toBeVisible()
  expect(screen.queryByText(/fetch/i)).not.toBeInTheDocument()
})

it.each([
  ['Profile picture', 'avatars', 'Crop profile picture'],
  ['Cover banner', 'banners', 'Crop cover banner'],
])('takes pictures only for %s, and says when one was not sent [PROF-11, PROF-12]', async (label, bucket, title) => {
  const user = userEvent.setup({ applyAccept: false })
  signIn()
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id })
  network.use(
    http.post(`*/storage/v1/object/${bucket}/*`, () => HttpResponse.json({ message: 'down' }, { status: 500 })),
  )
  renderRoute('/profile')
  await user.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  await screen.findByText(label)
  const input = document.querySelector<HTMLInputElement>(`input[type=file][aria-label="${label}"]`)
  if (!input) throw new Error('no file input')
  await user.upload(input, new File(['x'], 'x.pdf', { type: 'application/pdf' }))
  expect(await screen.findByText('Choose a picture: JPEG, PNG, WebP or GIF.')).toBeVisible()
  await user.upload(input, new File(['x'], 'x.png', { type: 'image/png' }))
  const picture = () => screen.findByRole('dialog', { name: title })
  await user.click(within(await picture()).getByRole('button', { name: 'Cancel' }))
  // Whoever thought better of it may choose the same file again: a browser tells of it only where none is chosen.
  expect(input.files).toHaveLength(0)
  await user.upload(input, new File(['x'], 'x.png', { type: 'image/png' }))
  const crop = within(await picture())
  expect(crop.getByRole('slider', { name: 'Zoom' })).toBeInTheDocument()
  await user.click(crop.getByRole('button', { name: 'Use picture' }))
  const failure = await screen.findByText('Please try again.')
  expect(within(failure.closest('[role=alert]') as HTMLElement).getByText('Upload failed')).toBeVisible()
})

const found = (over: object = {}) => ({
  ...noor,
  bio: null,
  is_creator: false,
  is_verified: false,
  followers_count: 2,
  ...over,
})

it('opens the lists behind the counts, searches them, and leads to a person [PROF-18]', async () => {
  signIn()
  serveProfile({ followers_count: 31, following_count: 1 })
  const asked: URLSearchParams[] = []
  network.use(
    http.get('*/rest/v1/follows', ({ request }) => {
      const { searchParams } = new URL(request.url)
      if (!searchParams.get('select')?.includes('person')) return HttpResponse.json([])
      asked.push(searchParams)
      const [start] = [Number(searchParams.get('offset') ?? 0)]
      if (searchParams.has('person.or'))
        return HttpResponse.json([{ person: found({ id: 'x', username: 'zoe', display_name: 'Zoë' }) }])
      const people = searchParams.has('follower_id')
        ? [found({ id: 'f', username: 'otto', display_name: 'Otto' })]
        : Array.from({ length: 31 }, (_, n) => found({ id: `p${n}`, username: `fan${n}`, display_name: `Fan ${n}` }))
      return HttpResponse.json(people.slice(start, start + 30).map((person) => ({ person })))
    }),
  )
  const { router } = renderRoute('/profile/noor')
  await userEvent.click(await screen.findByRole('button', { name: 'Followers, 31: show the list' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Noor Haddad' }))
  expect(dialog.getByRole('tab', { name: 'Followers (31)' })).toHaveAttribute('aria-selected', 'true')
  expect(await dialog.findByRole('link', { name: 'Fan 0' })).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Load more' }))
  expect(await dialog.findByRole('link', { name: 'Fan 30' })).toBeVisible()

  await userEvent.type(dialog.getByRole('searchbox', { name: 'Search by name' }), 'zo(*')
  expect(await dialog.findByRole('link', { name: 'Zoë' })).toBeVisible()
  expect(asked.at(-1)?.get('person.or')).toBe('(username.ilike."*zo*",display_name.ilike."*zo*")')
  await userEvent.clear(dialog.getByRole('searchbox', { name: 'Search by name' }))

  await userEvent.click(dialog.getByRole('tab', { name: 'Following (1)' }))
  await userEvent.click(await dialog.findByRole('link', { name: 'Otto' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/otto'))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

it('has no list where there is nobody, and none of a private profile [PROF-18, PROF-22]', async () => {
  signIn()
  serveProfile({ is_private: true, followers_count: 5, following_count: 0 })
  renderRoute('/profile/noor')
  expect(await screen.findByText('This profile is private')).toBeVisible()
  expect(screen.queryByRole('button', { name: /show the list/ })).not.toBeInTheDocument()
})

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
  expect(await screen.findByText(/You cannot write to Noor Haddad/)).toBeVisible()
})

it('tells whoever has blocked somebody why they cannot write to them [PROF-17, MSG-12]', async () => {
  signIn()
  serveProfile()
  network.use(answer('rpc/can_message', false), answer('blocks', [{ id: 'b1' }]))
  renderRoute('/profile/noor')
  // Not on "their profile": this is the very page.
  expect(
    await screen.findByText('You have blocked Noor Haddad. To write to each other again, unblock them.'),
  ).toBeVisible()
})

it('offers neither to follow nor to unfollow before it is known which [PROF-19]', async () => {
  signIn()
  const profile = serveProfile()
  const told = Promise.withResolvers<void>()
  network.use(
    http.get('*/rest/v1/follows', async () => {
      await told.promise
      return HttpResponse.json([{ following_id: profile.id }])
    }),
  )
  renderRoute('/profile/noor')
  expect(await screen.findByRole('link', { name: 'Message' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Follow.* Noor Haddad/ })).not.toBeInTheDocument()
  told.resolve()
  expect(await screen.findByRole('button', { name: 'Following Noor Haddad' })).toBeEnabled()
})

it('says that the posts of somebody whom one has blocked are hidden, not that there are none [PROF-14, D39]', async () => {
  signIn()
  serveProfile()
  network.use(answer('blocks', [{ id: 'b1' }]), answer('rpc/can_message', false))
  renderRoute('/profile/noor')
  expect(await screen.findByText('Hidden while you block them')).toBeVisible()
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
  expect(await screen.findByText('Noor Haddad is no longer blocked')).toBeVisible()
  await waitFor(() => expect(impossible()).not.toContain(null))
  // The button that was pressed is gone; the focus stays where it was.
  expect(screen.getByRole('link', { name: 'Message' }).parentElement).toHaveFocus()
})

it('lets anybody state the wish to be a creator, which alone gives no badge and nothing to sell [PROF-09, D25]', async () => {
  signIn({ is_creator: true })
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id, is_creator: true, is_verified: false })
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  expect(await screen.findByRole('checkbox', { name: 'I am a creator' })).toBeChecked()
  expect(screen.getByText('Publishing starts once your identity has been verified.')).toBeVisible()
  expect(screen.queryByText('Creator')).not.toBeInTheDocument()
  expect(screen.queryByRole('tab', { name: 'Subscribe' })).not.toBeInTheDocument()
})

it('takes up to three categories from a creator [EXPL-06, D36]', async () => {
  signIn({ is_verified: true })
  serveProfile({ id: viewerProfile.id, user_id: viewerProfile.user_id, categories: ['Art', 'Travel'] })
  renderRoute('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Wellness' }))
  expect(screen.getByRole('checkbox', { name: 'Fitness' })).toBeDisabled()
  expect(screen.getByText('3 chosen. Take one away to choose another.')).toBeVisible()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Art' }))
  expect(screen.getByRole('checkbox', { name: 'Fitness' })).toBeEnabled()
})
