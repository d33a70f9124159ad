import { expect, it } from 'vitest'
import { findAddress } from './find-address.ts'
import type { ProfileRow } from './queries.ts'
import { readPage } from './read-page.ts'

const face = '/storage/v1/object/public/avatars/u/1.webp'
const cover = '/storage/v1/object/public/banners/u/1.webp'
const id = '00000000-0000-4000-8000-000000000001'

const mara: ProfileRow = {
  id,
  name: 'Mara',
  username: 'mara',
  bio: null,
  website_url: null,
  links: [],
  avatar_url: face,
  cover_url: null,
  is_private: false,
  is_creator: false,
  is_indexed: true,
  followers_count: 1,
  total_posts: 2,
  created_at: new Date(0),
  updated_at: new Date(0),
}
const post = {
  id,
  title: 'The pier',
  content: '',
  is_locked: false,
  ppv_price: null,
  media_urls: [] as string[],
  media_types: ['image'],
  media_previews: [] as object[],
  cover_path: 'u/1.webp',
  created_at: new Date(0),
  name: 'Mara',
  username: 'mara',
  avatar_url: face,
  plan_name: null,
}
const read = (path: string, row: object | undefined) => {
  const address = findAddress(path)
  const db = { rows: async () => (row ? [row] : []) }
  return address ? readPage(db as never, address) : null
}

it.each([
  ['/post', undefined],
  [`/post/${id}`, { kind: 'post', id }],
  [`/post/${id.toUpperCase()}/`, { kind: 'post', id }],
  ['/post/1', undefined],
  ['/profile/Mara', { kind: 'profile', name: 'mara' }],
  [`/profile/${id}`, { kind: 'profile', name: id }],
  ['/profile', undefined],
  ['/profile/mara/feed.xml', undefined],
  ["/profile/'%20or%201=1", undefined],
  [`/profile/${'a'.repeat(31)}`, undefined],
])('finds at %s: %j', (path, address) => {
  expect(findAddress(path)).toEqual(address)
})

it.each([
  ['its cover', cover, '/storage/v1/render/image/public/banners/u/1.webp'],
  ['its face, without a cover', null, '/storage/v1/render/image/public/avatars/u/1.webp'],
  [
    'no cover of another site',
    'https://elsewhere.example/pixel.gif',
    '/storage/v1/render/image/public/avatars/u/1.webp',
  ],
  ['no script as a cover', 'javascript:ran()', '/storage/v1/render/image/public/avatars/u/1.webp'],
  [
    'no other path of this site',
    `${cover}/../../../../../rest/v1/`,
    '/storage/v1/render/image/public/avatars/u/1.webp',
  ],
])('shows of a profile %s', async (_what, cover_url, path) => {
  expect(await read('/profile/mara', { ...mara, cover_url })).toMatchObject({ picture: { path } })
})

it('shows nothing of a private profile, and nothing of nobody', async () => {
  expect(await read('/profile/mara', { ...mara, is_private: true })).toBeNull()
  expect(await read('/profile/mara', undefined)).toBeNull()
})

it.each([
  ['its picture', { media_urls: ['u/a b.jpg'] }, '/storage/v1/render/image/authenticated/posts/u/a%20b.jpg'],
  [
    'the poster of its video',
    { media_urls: ['u/v.mp4'], media_types: ['video'], media_previews: [{ width: 1280, height: 720 }] },
    '/storage/v1/render/image/authenticated/posts/u/v.mp4',
  ],
  [
    'its author, for a video without a poster',
    { media_urls: ['u/v.mp4'], media_types: ['video'], media_previews: [{}] },
    '/storage/v1/render/image/public/avatars/u/1.webp',
  ],
  ['the free cover of a locked one', { is_locked: true }, '/storage/v1/render/image/public/covers/u/1.webp'],
  ['its author, for one without a picture', {}, '/storage/v1/render/image/public/avatars/u/1.webp'],
])('shows of a post %s [LOOP-14]', async (_what, over, path) => {
  expect(await read(`/post/${id}`, { ...post, ...over })).toMatchObject({ picture: { path } })
})

it('names a creator whose name is nothing but marks by the username', async () => {
  expect(await read('/profile/mara', { ...mara, name: '\u202e\u200f' })).toMatchObject({ creator: { name: 'mara' } })
})
