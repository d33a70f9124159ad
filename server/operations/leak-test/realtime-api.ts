import { RealtimeClient } from '@supabase/realtime-js'
import type { ApiClient } from './api-client.ts'
import type { ApiProbe, Attempt } from './attempt.ts'
import type { Scene } from './scene.ts'

const tables = ['posts', 'messages', 'creator_applications', 'purchases', 'notifications']
/** Authorized users receive rows well before this. */
const listeningMs = 2500
const joiningMs = 15_000

/** `/realtime/v1`: listens to every table and to each row by its id while the rows change, and searches all rows that arrive. */
export const realtimeApi: ApiProbe = async (scene) => {
  const heard = new Map<string, Promise<string>>()
  const listenOnce = (visitor: ApiClient) => {
    const known = heard.get(visitor.name) ?? listen(scene, visitor)
    heard.set(visitor.name, known)
    return known
  }
  return scene.secrets.map(
    (secret): Attempt => ({
      api: 'realtime',
      secret,
      action: `listening to ${secret.table}`,
      run: async (visitor) => (await listenOnce(visitor)).includes(secret.canary),
    }),
  )
}

type Listening = { readonly table: string; readonly filter?: string; readonly tells?: string }

async function listen(scene: Scene, visitor: ApiClient): Promise<string> {
  const said: string[] = []
  const client = new RealtimeClient(`${visitor.url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: visitor.anonKey },
    accessToken: async () => visitor.token ?? visitor.anonKey,
  })
  try {
    await client.setAuth() // otherwise the first join has no token
    const filters = [
      ...tables.map((table) => ({ table })),
      ...scene.secrets.map(({ table, id }) => ({ table, filter: `id=eq.${id}` })),
      // A change through this filter confirms the guess.
      ...scene.secrets.map(({ table, column, words, canary }) => ({
        table,
        filter: `${column}=eq.${words}`,
        tells: canary,
      })),
    ]
    await Promise.all(
      filters.map(
        ({ tells, ...filter }: Listening, number) =>
          new Promise<void>((resolve) => {
            const channel = client.channel(`leak-${number}`)
            channel.on('postgres_changes', { event: '*', schema: 'public', ...filter }, (change) => {
              said.push(JSON.stringify(change), tells ?? '')
            })
            // A rejection is an answer as well, unless it means too many joins: then the client retries.
            channel.subscribe((_status, error) => {
              if (!error?.message.includes('RateLimitReached')) resolve()
            }, joiningMs)
          }),
      ),
    )
    await scene.stir()
    await new Promise((resolve) => setTimeout(resolve, listeningMs))
    return said.join('\n')
  } finally {
    await client.removeAllChannels()
    client.disconnect()
  }
}
