import { type Answer, ask, askOnce, type Question } from './api-client.ts'
import type { ApiProbe, Attempt } from './attempt.ts'
import type { Scene, Secret } from './scene.ts'

type Schema = {
  readonly definitions: Readonly<Record<string, { properties: Readonly<Record<string, { format?: string }>> }>>
  readonly paths: Readonly<
    Record<
      string,
      {
        post?: {
          parameters: readonly {
            schema?: { properties?: Readonly<Record<string, { format?: string; type?: string }>> }
          }[]
        }
      }
    >
  >
}

/** `/rest/v1`: the row itself, conditions on its words, every relation that could lead to it, and every function. */
export const restApi: ApiProbe = async (scene, visitor) => {
  const schema: Schema = JSON.parse((await ask(visitor, '/rest/v1/')).text)
  const pages = [...relationPages(schema, scene), ...procedurePages(schema, scene)]
  const askPage = askOnce(visitor)
  return scene.secrets.flatMap((secret) => [
    ...readings(secret),
    ...guesses(secret),
    ...writings(secret),
    ...pages.map((path) => ({
      api: 'rest',
      secret,
      action: `GET ${path}`,
      run: async () => says(secret)(await askPage(`/rest/v1${path}`)),
    })),
  ])
}

function attempt(secret: Secret, path: string, found: (answer: Answer) => boolean, question: Question = {}): Attempt {
  return {
    api: 'rest',
    secret,
    action: [
      question.method ?? (question.body ? 'POST' : 'GET'),
      path,
      question.headers?.accept,
      question.headers?.prefer,
    ]
      .filter(Boolean)
      .join(' '),
    run: async (visitor) => found(await ask(visitor, `/rest/v1${path}`, question)),
  }
}

const says =
  ({ canary, file }: Secret) =>
  ({ text }: Answer) =>
    text.includes(canary) || (file !== undefined && text.includes(file.path))

function readings(secret: Secret): Attempt[] {
  const { table, id, column } = secret
  const one = `/${table}?id=eq.${id}`
  return [
    attempt(secret, one, says(secret)),
    ...['text/csv', 'application/vnd.pgrst.object+json', 'application/vnd.pgrst.plan+json'].map((accept) =>
      attempt(secret, one, says(secret), { headers: { accept } }),
    ),
    attempt(secret, `${one}&select=${column}`, says(secret)),
    attempt(secret, `${one}&select=other:${column}::text`, says(secret)),
    attempt(secret, `${one}&select=${column}.max(),${column}.min()`, says(secret)),
    attempt(secret, `/${table}?select=${column}&order=${column}.desc&limit=1000`, says(secret)),
    attempt(secret, `/${table}?or=(id.eq.${id},and(id.eq.${id},${column}.not.is.null))`, says(secret)),
    attempt(secret, `${one}&select=${column}::int`, says(secret)),
    attempt(secret, one, says(secret), { headers: { 'accept-profile': 'private' } }),
  ]
}

/** A hidden text could still be guessed if a condition on it were answered. */
function guesses(secret: Secret): Attempt[] {
  const { table, id, column, canary } = secret
  const rows = ({ ok, text }: Answer) => ok && text.trimStart().startsWith('[') && JSON.parse(text).length > 0
  const counted = ({ ok, headers }: Answer) => ok && !/\/(0|\*)$/.test(headers.get('content-range') ?? '/0')
  return [
    `ilike.*${canary}*`,
    `like.*${canary}*`,
    `match.${canary}`,
    `imatch.${canary.slice(0, 12)}`,
    `fts.${canary}`,
    `plfts(simple).${canary}`,
    `not.not.like.*${canary}*`,
  ].flatMap((filter) => {
    const path = `/${table}?select=id&id=eq.${id}&${column}=${filter}`
    return [
      attempt(secret, path, rows),
      attempt(secret, path, counted, { method: 'HEAD', headers: { prefer: 'count=exact' } }),
    ]
  })
}

/** A write that returns the row. It is rolled back, and never allowed in the first place. */
function writings(secret: Secret): Attempt[] {
  const { table, id, column } = secret
  const headers = { prefer: 'return=representation, tx=rollback' }
  const one = `/${table}?id=eq.${id}`
  return [
    attempt(secret, one, says(secret), { method: 'PATCH', headers, body: { [column]: 'x' } }),
    attempt(secret, one, says(secret), { method: 'DELETE', headers }),
    attempt(secret, `/${table}?on_conflict=id`, says(secret), {
      headers: { prefer: `resolution=merge-duplicates, ${headers.prefer}` },
      body: [{ id }],
    }),
    ...['bookmarks', 'post_likes', 'comments', 'post_views'].map((about) =>
      attempt(secret, `/${about}?select=*,posts(*)`, says(secret), { headers, body: { post_id: id, content: 'x' } }),
    ),
  ]
}

const everyId = ({ secrets, creator }: Scene) =>
  [...secrets.map(({ id }) => id), creator.profileId, creator.userId].filter((id) => id !== undefined)

/** Every table and view, by every column that holds an id, and with the locked rows embedded. */
function relationPages({ definitions }: Schema, scene: Scene): string[] {
  const tables = new Set(scene.secrets.map(({ table }) => table))
  return Object.entries(definitions).flatMap(([name, { properties }]) => [
    ...Object.entries(properties)
      .filter(([, { format }]) => format === 'uuid')
      .map(([column]) => `/${name}?${column}=in.(${everyId(scene).join(',')})&limit=1000`),
    ...[...tables].map((table) => `/${name}?select=*,${table}(*)&limit=100`),
  ])
}

/** Every function, read-only (GET), with the ids that an attacker would pass. */
function procedurePages({ paths }: Schema, scene: Scene): string[] {
  const pages = Object.entries(paths).flatMap(([path, { post }]) => {
    const properties = Object.entries(post?.parameters[0]?.schema?.properties ?? {})
    return everyId(scene).map((id) => {
      const values = properties.map(([name, { format, type }]) => [name, fitting(scene, id, format, type)])
      return `${path}?${new URLSearchParams(values.filter((pair): pair is [string, string] => pair[1] !== undefined))}`
    })
  })
  return [...new Set(pages)]
}

/** An argument of a function from the scene; undefined where its default is more useful. */
function fitting({ creatorUsername }: Scene, id: string, format = '', type = ''): string | undefined {
  if (format === 'uuid') return id
  if (type === 'integer' || type === 'number') return '50'
  if (type === 'boolean') return 'true'
  if (type === 'array') return `{${id}}`
  if (format.startsWith('json')) return '{}'
  if (format.startsWith('timestamp') || format === 'date') return undefined
  return creatorUsername
}
