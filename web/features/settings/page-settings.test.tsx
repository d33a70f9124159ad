import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderPart } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import { usualLayout } from './page-queries.ts'
import PageSettings from './page-settings.tsx'

const viewer = {
  profileId: viewerProfile.id,
  userId: viewerProfile.user_id,
  username: 'ada',
  displayName: 'Ada Lovelace',
  avatarUrl: null,
  isCreator: true,
  isVerified: true,
  isAdmin: false,
  mayPublish: true,
}
const post = { id: 'p1', title: 'Fog over the harbor', created_at: '2024-05-04T10:00:00Z' }
const untitled = { id: 'p2', title: null, created_at: '2024-05-03T10:00:00Z' }
const link = { id: 'l1', label: 'My blog', url: 'https://blog.example/', verified_at: null as string | null }

/** What was sent to a path, answered by `respond`. */
function mock(method: 'post' | 'patch', path: string, respond: () => Response) {
  const sent: unknown[] = []
  network.use(
    http[method](`*${path}`, async ({ request }) => {
      sent.push(await request.json())
      return respond()
    }),
  )
  return sent
}

async function open({ layout = {}, links = [] as (typeof link)[] } = {}) {
  signIn({ is_creator: true, is_verified: true })
  network.use(
    answer('profile_layouts', [{ ...usualLayout, ...layout }]),
    answer('profile_links', links),
    answer('posts', [post, untitled]),
  )
  renderPart(<PageSettings viewer={viewer} />)
  return {
    layout: within(await screen.findByRole('form', { name: 'Your page' })),
    links: within(await screen.findByRole('form', { name: 'Your links' })),
  }
}

describe('the layout', () => {
  it('is saved as a whole: color, welcome, posts, order, and numbers [PAGE-01]', async () => {
    const { layout } = await open()
    await layout.findAllByRole('option', { name: 'Fog over the harbor' })
    const sent = mock('post', '/rest/v1/profile_layouts', () => new HttpResponse(null, { status: 201 }))
    await userEvent.type(layout.getByLabelText('Accent color'), '1F5F99')
    await userEvent.type(layout.getByLabelText('Welcome message'), ' Hello ')
    await userEvent.selectOptions(layout.getByLabelText('Welcome video'), 'Fog over the harbor')
    await userEvent.selectOptions(layout.getByLabelText('Featured post'), 'Post from May 3, 2024')
    await userEvent.click(layout.getByRole('button', { name: 'Move About up' }))
    expect(layout.getByText('About: 3 of 4')).toBeInTheDocument()
    await userEvent.click(layout.getByRole('switch', { name: 'Show how many subscribers I have' }))
    await userEvent.click(layout.getByRole('button', { name: 'Save page' }))
    expect(await screen.findByText('Your page is saved')).toBeVisible()
    expect(sent).toEqual([
      {
        creator_id: viewerProfile.id,
        accent_color: '#1f5f99',
        welcome_text: 'Hello',
        welcome_post_id: 'p1',
        featured_post_id: 'p2',
        tab_order: ['posts', 'media', 'about', 'subscribe'],
        shows_subscriber_count: true,
        shows_post_count: false,
      },
    ])
  })

  it('goes back to the usual one [PAGE-01]', async () => {
    const { layout } = await open({
      layout: {
        accent_color: '#1f5f99',
        welcome_text: 'Hello',
        featured_post_id: 'p1',
        tab_order: ['media', 'posts', 'subscribe', 'about'],
        shows_post_count: true,
      },
    })
    await layout.findAllByRole('option', { name: 'Fog over the harbor' })
    const sent = mock('post', '/rest/v1/profile_layouts', () => new HttpResponse(null, { status: 201 }))
    await userEvent.click(layout.getByRole('button', { name: 'Use the usual color' }))
    await userEvent.clear(layout.getByLabelText('Welcome message'))
    await userEvent.selectOptions(layout.getByLabelText('Featured post'), 'None')
    await userEvent.click(layout.getByRole('button', { name: 'Move Posts up' }))
    await userEvent.click(layout.getByRole('switch', { name: 'Show how many posts are for subscribers' }))
    await userEvent.click(layout.getByRole('button', { name: 'Save page' }))
    await waitFor(() => expect(sent).toEqual([{ creator_id: viewerProfile.id, ...usualLayout }]))
  })

  it('shows the color in both schemes, from its code or the browser’s picker, and rejects a word [PAGE-01]', async () => {
    const { layout } = await open()
    const color = layout.getByLabelText('Accent color')
    fireEvent.change(layout.getByLabelText('Pick a color'), { target: { value: '#ffd84d' } })
    expect(color).toHaveValue('#ffd84d')
    const [light, dark] = [...layout.getByRole('img', { name: 'Preview of your color' }).children] as HTMLElement[]
    expect(dark?.style.getPropertyValue('--fill')).toBe('#ffd84d')
    expect(light?.style.getPropertyValue('--fill')).not.toBe('#ffd84d')
    await userEvent.clear(color)
    await userEvent.type(color, 'red')
    await userEvent.click(layout.getByRole('button', { name: 'Save page' }))
    expect(color).toHaveAccessibleDescription(expect.stringContaining('Use a color code such as #1f5f99'))
    expect(color).toHaveFocus()
  })

  it('searches many posts by title, and keeps the chosen one on the list [PAGE-01]', async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ ...post, id: `m${n}`, title: `Post ${n}` }))
    const { layout } = await open({ layout: { featured_post_id: 'old' } })
    const asked: URLSearchParams[] = []
    network.use(
      http.get('*/rest/v1/posts', ({ request }) => {
        const { searchParams } = new URL(request.url)
        asked.push(searchParams)
        if (searchParams.get('id')) return HttpResponse.json([{ ...post, id: 'old', title: 'An old one' }])
        return HttpResponse.json(searchParams.get('title') ? [post] : many)
      }),
    )
    await userEvent.selectOptions(layout.getByLabelText('Welcome video'), '')
    await userEvent.selectOptions(await layout.findByLabelText('Featured post'), 'Fog over the harbor')
    const search = await layout.findByRole('searchbox', { name: 'Featured post: Search your posts by title' })
    await userEvent.type(search, 'fog_')
    await waitFor(() => expect(asked.some((each) => each.get('title') === 'ilike.%fog\\_%')).toBe(true))
  })
})

describe('the links', () => {
  it('are added, changed, and removed in one list, with addresses as browsers write them [PAGE-01]', async () => {
    const { links } = await open({ links: [link] })
    await userEvent.click(links.getByRole('button', { name: 'Add link' }))
    const second = within(links.getByRole('group', { name: 'Link 2' }))
    await userEvent.type(second.getByLabelText('Label'), 'Shop')
    await userEvent.type(second.getByLabelText('Address'), 'shop.example')
    const saved = [link, { id: 'l2', label: 'Shop', url: 'https://shop.example/', verified_at: null }]
    const sent = mock('post', '/rest/v1/rpc/set_profile_links', () => HttpResponse.json(saved))
    await userEvent.click(links.getByRole('button', { name: 'Save links' }))
    expect(await screen.findByText('Links saved')).toBeVisible()
    expect(second.getByLabelText('Address')).toHaveValue('https://shop.example/')
    await userEvent.click(links.getByRole('button', { name: 'Remove link 1' }))
    await userEvent.click(links.getByRole('button', { name: 'Save links' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    const shop = { label: 'Shop', url: 'https://shop.example/' }
    expect(sent).toEqual([{ links: [{ label: 'My blog', url: link.url }, shop] }, { links: [shop] }])
  })

  it.each([
    ['', 'https://a.example', 'Label', 'Enter a label'],
    ['A', 'http://a.example', 'Address', 'Use a web address that starts with https://'],
    ['A', 'javascript:alert(1)', 'Address', 'Use a web address that starts with https://'],
    ['A', `https://a.example/${'x'.repeat(300)}`, 'Address', 'Use 300 characters or fewer'],
    ['A', 'blog.example', 'Address', 'This link is already in the list'],
  ])('need a label and an https address each: %j, %j [PAGE-01]', async (label, url, field, message) => {
    const { links } = await open({ links: [link] })
    await userEvent.click(links.getByRole('button', { name: 'Add link' }))
    const second = within(links.getByRole('group', { name: 'Link 2' }))
    fireEvent.change(second.getByLabelText('Label'), { target: { value: label } })
    fireEvent.change(second.getByLabelText('Address'), { target: { value: url } })
    await userEvent.click(links.getByRole('button', { name: 'Save links' }))
    expect(second.getByLabelText(field)).toHaveAccessibleDescription(message)
    expect(second.getByLabelText(field)).toHaveFocus()
  })

  it('are eight at most [PAGE-01]', async () => {
    const eight = Array.from({ length: 8 }, (_, n) => ({ ...link, id: `l${n}`, url: `https://blog.example/${n}` }))
    const { links } = await open({ links: eight })
    expect(links.getByRole('button', { name: 'Add link' })).toBeDisabled()
  })

  it.each([
    ['confirmed', true, 'My blog is verified', 'Verified'],
    ['missing', false, "My blog doesn't link back to your profile yet", 'Not verified'],
    ['unreachable', false, "We couldn't read My blog. Try again later.", 'Not verified'],
  ])('are checked on request: %s [PAGE-01]', async (outcome, verified, message, mark) => {
    await open({ links: [link] })
    const sent = mock('post', '/functions/v1/check-profile-link', () => HttpResponse.json({ outcome, verified }))
    expect(screen.getByText('Not verified')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Check My blog' }))
    expect(await screen.findByText(message)).toBeVisible()
    expect(await screen.findByText(mark)).toBeVisible()
    expect(sent).toEqual([{ linkId: 'l1' }])
  })

  it('say why a check was rejected [PAGE-01]', async () => {
    await open({ links: [link] })
    const error = 'Too many attempts. Try again in 300 seconds.'
    mock('post', '/functions/v1/check-profile-link', () =>
      HttpResponse.json({ success: false, error }, { status: 429 }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Check My blog' }))
    expect(await screen.findByText(error)).toBeVisible()
  })

  it('come with the HTML that verifies them, to copy [PAGE-01]', async () => {
    await open({ links: [link] })
    const html = `<a rel="me" href="${window.location.origin}/@ada">Ovation</a>`
    expect(screen.getByText(html)).toBeVisible()
    const user = userEvent.setup() // with a clipboard
    await user.click(screen.getByRole('button', { name: 'Copy HTML' }))
    expect(await navigator.clipboard.readText()).toBe(html)
  })
})

it('recovers when loading fails and the creator retries [PAGE-01]', async () => {
  signIn({ is_creator: true, is_verified: true })
  network.use(fail('profile_layouts'), fail('profile_links'), answer('posts', []))
  renderPart(<PageSettings viewer={viewer} />)
  expect(await screen.findByText("Couldn't load your page settings")).toBeVisible()
  expect(await screen.findByText("Couldn't load your links")).toBeVisible()
  network.use(answer('profile_layouts', []), answer('profile_links', []))
  for (const retry of screen.getAllByRole('button', { name: 'Retry' })) await userEvent.click(retry)
  expect(await screen.findByRole('form', { name: 'Your page' })).toBeVisible()
  expect(await screen.findByRole('form', { name: 'Your links' })).toBeVisible()
})
