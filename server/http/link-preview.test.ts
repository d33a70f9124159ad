import { paths } from '@ovation/contract/paths'
import { expect, it } from 'vitest'
import { readLinkPreview, withLinkPreview } from './link-preview.ts'

const html = '<html><head><title>Ovation</title></head><body></body></html>'
const face = '/storage/v1/object/public/avatars/u/1.webp'
const cover = '/storage/v1/object/public/banners/u/1.webp'
const preview = {
  title: 'The "pier" & <script>',
  description: 'Costs $& and $1',
  picture: '/storage/v1/object/posts/a/b.jpg',
  isWide: true,
  path: '/post/1',
  type: 'article',
} as const

it('writes title, text, and picture as text, never as markup', () => {
  const page = withLinkPreview(html, preview, 'https://ovation.example', 'Ovation')
  expect(page).toContain('<meta property="og:title" content="The &quot;pier&quot; &amp; &lt;script&gt;" />')
  expect(page).toContain('<meta property="og:description" content="Costs $&amp; and $1" />')
  expect(page).toContain('content="https://ovation.example/storage/v1/object/posts/a/b.jpg"')
  expect(page).not.toContain('<script>')
  expect(page.match(/<\/head>/g)).toHaveLength(1)
})

it('leaves the document alone if there is nothing to show', () => {
  expect(withLinkPreview(html, null, 'https://ovation.example', 'Ovation')).toBe(html)
})

it("omits a picture with an invalid URL, so that its author can't break the page", () => {
  const page = withLinkPreview(html, { ...preview, picture: 'http://[' }, 'https://ovation.example', 'Ovation')
  expect(page).toContain('og:title')
  expect(page).not.toContain('og:image')
})

const mara = {
  name: 'Mara',
  username: 'mara',
  bio: null,
  avatar_url: face,
  cover_url: null as string | null,
  is_private: false,
}

it.each([
  ['the cover on a large card', cover, cover, 'summary_large_image'],
  ['the face on a small one, without a cover', null, face, 'summary'],
  ['no cover of another site', 'https://elsewhere.example/pixel.gif', face, 'summary'],
  ['no script as a cover', 'javascript:ran()', face, 'summary'],
])('shows of a creator %s', async (_what, cover_url, picture, card) => {
  const database = { as: () => ({ rows: async () => [{ ...mara, cover_url }] }) }
  const found = await readLinkPreview({ database } as never, paths.profile('mara'))
  const page = withLinkPreview(html, found, 'https://ovation.example', 'Ovation')
  expect(page).toContain(`<meta property="og:image" content="https://ovation.example${picture}" />`)
  expect(page).toContain(`<meta property="twitter:card" content="${card}" />`)
})

it('cuts a long text between two characters, never inside one', async () => {
  const bio = `${'x'.repeat(198)}🎭 and more`
  const rows = async () => [{ ...mara, bio }]
  const preview = await readLinkPreview({ database: { as: () => ({ rows }) } } as never, paths.profile('mara'))
  expect(preview?.description).toBe(`${'x'.repeat(198)}…`)
})

it.each([
  ['its picture', { image: 'u/a b.jpg', is_locked: false }, '/storage/v1/object/posts/u/a%20b.jpg'],
  ['the free cover of a locked one', { image: null, is_locked: true }, '/storage/v1/object/public/covers/u/1.webp'],
  ['its author, for one without a picture', { image: null, is_locked: false }, face],
])('shows of a post %s [LOOP-14]', async (_what, over, picture) => {
  const post = {
    title: 'The pier',
    content: '',
    creator: 'Mara',
    avatar_url: face,
    cover_path: 'u/1.webp',
    ...over,
  }
  const database = { as: () => ({ rows: async () => [post] }) }
  const preview = await readLinkPreview({ database } as never, paths.post('00000000-0000-4000-8000-000000000001'))
  expect(preview?.picture).toBe(picture)
})
