import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../testing/network.ts'
import { renderRoute } from '../testing/render-route.tsx'
import { buildPost, noor } from '../testing/rows.ts'
import { serveProfile } from '../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../testing/sign-in.ts'

const text = 'Prints: https://prints.example/noor?size=30. <b>Mail</b> me: noor@prints.example'
const at = '2024-05-04T10:00:00Z'

function openPost(content: string) {
  signIn()
  network.use(answer('rpc/get_feed', [buildPost({ content })]))
  return renderRoute('/')
}

it.each([
  ['a post', () => openPost(text)],
  [
    'a comment',
    async () => {
      signIn()
      network.use(
        answer('rpc/get_feed', [buildPost({ comments_count: 1 })]),
        answer('posts', []),
        answer('comments', [
          {
            id: 'd0000000-0000-4000-8000-000000000001',
            parent_id: null,
            content: text,
            created_at: at,
            likes_count: 0,
            is_pinned: false,
            is_held: false,
            author: noor,
            replies: [],
          },
        ]),
      )
      renderRoute('/')
      await userEvent.click(await screen.findByRole('button', { name: /^Comments/ }))
    },
  ],
  [
    'a message',
    () => {
      signIn()
      const message = {
        id: 'a0000000-0000-4000-8000-000000000001',
        sender_id: noor.id,
        recipient_id: viewerProfile.id,
        content: text,
      }
      const free = {
        is_paid: false,
        price: 0,
        is_read: true,
        is_locked: false,
        media_urls: [],
        media_types: [],
        media_previews: [],
      }
      network.use(
        http.get('*/rest/v1/profiles', ({ request }) => {
          const one = new URL(request.url).searchParams.has('username')
            ? { ...noor, last_seen_at: null }
            : viewerProfile
          return HttpResponse.json(request.headers.get('accept')?.includes('object') ? one : [one])
        }),
        http.patch('*/rest/v1/messages', () => new HttpResponse(null, { status: 204 })),
        answer('rpc/get_conversations', []),
        answer('rpc/get_thread', [{ ...message, ...free, created_at: at }]),
      )
      renderRoute('/messages?with=noor')
    },
  ],
  [
    'a bio',
    () => {
      signIn()
      serveProfile({ bio: text, website_url: null })
      renderRoute('/profile/noor')
    },
  ],
])('makes the URL in %s a link, and nothing else in it [LOOP-13]', async (_place, open) => {
  await open()
  const link = await screen.findByRole('link', { name: 'https://prints.example/noor?size=30' })
  expect(link).toHaveAttribute('href', 'https://prints.example/noor?size=30')
  expect(link).toHaveAttribute('target', '_blank')
  expect(link.getAttribute('rel')?.split(' ')).toEqual(expect.arrayContaining(['nofollow', 'ugc', 'noopener']))
  expect(link.closest('p')).toHaveTextContent(text)
  expect(within(link.closest('p') as HTMLElement).getAllByRole('link')).toEqual([link])
})

it('shows the full URL before the user leaves the site, and look-alike characters as they are [LOOP-13]', async () => {
  openPost('Sign in: https://аpple.com/login?to=\u202Egnp.exe#now')
  const link = await screen.findByRole('link', { name: 'https://аpple.com/login?to=gnp.exe#now' })
  expect(link).toHaveAttribute('dir', 'ltr')
  await userEvent.click(link)
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave this site?' }))
  const address = 'https://xn--pple-43d.com/login?to=%E2%80%AEgnp.exe#now'
  expect(dialog.getByText('xn--pple-43d.com').closest('p')).toHaveTextContent(address)
  expect(dialog.getByText(/characters that can look like other ones/)).toBeVisible()
  const go = dialog.getByRole('link', { name: 'Open link' })
  expect(go).toHaveAttribute('href', address)
  expect(go).toHaveAttribute('rel', expect.stringContaining('noopener'))
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(link).toHaveFocus()
})

it('shows the full URL also before a link opens in a new tab, and of the website on a profile [LOOP-13]', async () => {
  signIn()
  serveProfile({ website_url: 'https://www.noor.example/' })
  renderRoute('/profile/noor')
  await userEvent.pointer({ keys: '[MouseMiddle]', target: await screen.findByRole('link', { name: 'noor.example' }) })
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave this site?' }))
  expect(dialog.getByText('www.noor.example').closest('p')).toHaveTextContent('https://www.noor.example/')
  expect(dialog.queryByText(/look like/)).not.toBeInTheDocument()
})

it('opens a link to this site without asking [LOOP-13]', async () => {
  const { router } = openPost(`My page: ${window.location.origin}/explore?sort=newest`)
  network.use(answer('rpc/discover_creators', []), answer('rpc/count_creators', 0))
  await userEvent.click(await screen.findByRole('link', { name: /explore/ }))
  await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/explore', search: '?sort=newest' }))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it('has no links in the preview of a locked post, which may end within one [LOOP-13]', async () => {
  const preview = `${'The whole series is at the gallery. '.repeat(2)}https://prints.example/${'a'.repeat(80)}`
  signIn()
  network.use(
    answer('rpc/get_feed', [buildPost({ content: preview.slice(0, 100), is_locked: true, post_type: 'subscription' })]),
  )
  renderRoute('/')
  expect((await screen.findByText(/^The whole series/)).querySelector('a')).toBeNull()
})

it('links tags and mentions in posts and comments, and nothing within a URL [TALK-01]', async () => {
  openPost('With @Noor at dawn, #Golden_Hour! https://prints.example/#no and #été.')
  const link = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href')
  expect(await link('@Noor')).toBe('/profile/noor')
  expect(await link('#Golden_Hour')).toBe('/tag/golden_hour')
  expect(await link('#été')).toBe(`/tag/${encodeURIComponent('été')}`)
  expect(screen.queryByRole('link', { name: '#no' })).not.toBeInTheDocument()
})
