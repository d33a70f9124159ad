import { type Answer, askOnce } from './api-client.ts'
import type { ApiProbe, Attempt } from './attempt.ts'
import type { Scene, Secret } from './scene.ts'

const says =
  ({ canary, file }: Secret) =>
  ({ text }: Answer) =>
    text.includes(canary) || (file !== undefined && text.includes(file.path))

/** `/functions/v1`: functions about posts and money, the data export, and the statement. None of these begins a payment. */
export const functionsApi: ApiProbe = async (scene, visitor) => {
  const ask = askOnce(visitor)
  return scene.secrets.flatMap((secret) => [
    ...callsAbout(scene, secret).map(([name, body]) => ({
      api: 'functions',
      secret,
      action: `POST ${name} ${JSON.stringify(body)}`,
      run: async () => says(secret)(await ask(`/functions/v1/${name}`, { body })),
    })),
    {
      api: 'functions',
      secret,
      action: 'the export of the visitor’s own data',
      run: async () => {
        const { text } = await ask('/functions/v1/export-own-data', { body: {} })
        const link = /"url":"([^"]+)"/.exec(text)?.[1]
        if (link === undefined) return false
        const { pathname, search } = new URL(link)
        return says(secret)(await ask(`${pathname}${search}`))
      },
    },
  ])
}

function callsAbout(scene: Scene, { id }: Secret): [name: string, body: Readonly<Record<string, unknown>>][] {
  return [
    ['verify-payment', { sessionId: id, session_id: id }],
    ['verify-subscription', { sessionId: id, session_id: id }],
    ['refresh-subscription-status', { creatorId: scene.creator.profileId }],
    ['export-statement', { creatorId: scene.creator.profileId }],
    ['list-promotion-codes', { creatorId: scene.creator.profileId }],
  ]
}

/** Pages that the server renders itself: heads and cards of posts and profiles, the sitemap, and other formats at those addresses. */
export const pagesApi: ApiProbe = async (scene, visitor) => {
  const ask = askOnce(visitor)
  return scene.secrets.flatMap((secret) =>
    [
      `/post/${secret.id}`,
      `/post/${secret.id}?format=json`,
      `/profile/${scene.creatorUsername}`,
      `/embed/post/${secret.id}`,
      `/embed/profile/${scene.creatorUsername}`,
      ...['json', 'xml'].flatMap((format) =>
        [`/post/${secret.id}`, `/profile/${scene.creatorUsername}`].map(
          (path) => `/oembed?${new URLSearchParams({ url: `${visitor.url}${path}`, format })}`,
        ),
      ),
      '/sitemap.xml',
      '/sitemaps/posts-1.xml',
      '/sitemaps/profiles-1.xml',
      `/protected-content/${secret.id}`,
      `/messages/${secret.id}`,
      `/app-config.json`,
      `/dev/outbox`,
      `/metrics`,
    ].flatMap((path) =>
      ['text/html', 'application/json'].map(
        (accept): Attempt => ({
          api: 'pages',
          secret,
          action: `GET ${path} ${accept}`,
          run: async () => says(secret)(await ask(path, { headers: { accept } })),
        }),
      ),
    ),
  )
}
