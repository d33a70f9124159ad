import { type ApiClient, askOnce } from './api-client.ts'
import type { ApiProbe, Attempt } from './attempt.ts'
import { says } from './says.ts'
import type { Scene, Secret } from './scene.ts'
import { showsPicture } from './upload-picture.ts'

/** Accepted types: other formats may be behind the same address. */
const types = ['text/html', 'application/json']
const phone = 'Mozilla/5.0 (Linux; Android 15) Mobile'

/**
 * Pages that the server renders itself: screens with their heads, on phones and on wide windows, cards, oEmbed, and the sitemap; and the
 * pictures that other sites show beside a link.
 */
export const pagesApi: ApiProbe = async (scene, visitor) => {
  const ask = askOnce(visitor)
  return scene.secrets.flatMap((secret) => {
    const attempt = (action: string, run: Attempt['run']): Attempt => ({ api: 'pages', secret, action, run })
    const get = (path: string, headers: Readonly<Record<string, string>>, how: string) =>
      attempt(`GET ${path} ${how}`, async () => says(secret)(await ask(path, { headers })))
    const screens = screensFor(scene, secret)
    return [
      ...[...screens, ...otherPages(scene, secret, visitor)].flatMap((path) =>
        types.map((accept) => get(path, { accept }, accept)),
      ),
      ...screens.map((path) => get(path, { accept: 'text/html', 'user-agent': phone }, 'on a phone')),
      ...picturesFor(scene, secret).map((path) => attempt(`GET ${path}`, async () => showsPicture(await ask(path)))),
    ]
  })
}

const screensFor = ({ creators }: Scene, { id }: Secret): string[] => [
  `/post/${id}`,
  `/product/${id}`,
  ...creators.flatMap(({ username }) => [
    `/profile/${username}`,
    `/profile/${username}?tab=media`,
    `/profile/${username}?tab=subscribe`,
  ]),
  '/',
  '/explore',
]

function otherPages({ creators }: Scene, { id }: Secret, { url }: ApiClient): string[] {
  const shared = [`/post/${id}`, ...creators.map(({ username }) => `/profile/${username}`)]
  return [
    `/post/${id}?format=json`,
    ...shared.flatMap((path) => [
      `/embed${path}`,
      ...['json', 'xml'].map((format) => `/oembed?${new URLSearchParams({ url: `${url}${path}`, format })}`),
    ]),
    '/sitemap.xml',
    ...['screens', 'posts', 'profiles'].map((part) => `/sitemaps/${part}-1.xml`),
    `/protected-content/${id}`,
    `/messages/${id}`,
    '/app-config.json',
    '/dev/outbox',
    '/metrics',
  ]
}

const picturesFor = ({ creators }: Scene, { id }: Secret): string[] => [
  `/card/post/${id}.jpg`,
  ...creators.map(({ username }) => `/card/profile/${username}.jpg`),
]
