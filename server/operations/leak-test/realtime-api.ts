import { RealtimeClient } from '@supabase/realtime-js'
import type { ApiProbe, Attempt } from './attempt.ts'
import type { Scene } from './scene.ts'
import type { Visitor } from './visitor.ts'

const tables = ['posts', 'messages', 'creator_applications', 'purchases', 'notifications']
/** Rows are on their way to those who may see them well before this. */
const listeningMs = 2500
const joiningMs = 15_000

/** `/realtime/v1`: every table and each row by its id, listened to while the rows change; all rows that come are looked through. */
export const realtimeApi: ApiProbe = async (scene) => {
  const heard = new Map<string, Promise<string>>()
  const listenOnce = (visitor: Visitor) => {
    const known = heard.get(visitor.name) ?? listen(scene, visitor)
    heard.set(visitor.name, known)
    return known
  }
  return scene.secrets.map(
    (secret): Attempt => ({
      api: 'realtime',
      secret,
      deed: `listening to ${secret.table}`,
      run: async (visitor) => (await listenOnce(visitor)).includes(secret.canary),
    }),
  )
}

type Listening = { readonly table: string; readonly filter?: string; readonly tells?: string }

async function listen(scene: Scene, visitor: Visitor): Promise<string> {
  const said: string[] = []
  const client = new RealtimeClient(`${visitor.url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: visitor.anonKey },
    accessToken: async () => visitor.token ?? visitor.anonKey,
  })
  try {
    await client.setAuth() // or the first join goes out as nobody
    const filters = [
      ...tables.map((table) => ({ table })),
      ...scene.secrets.map(({ table, id }) => ({ table, filter: `id=eq.${id}` })),
      // A change that comes through this one tells that the guess was right.
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
            // A refusal is an answer as well, unless it means too many joins: then the client tries again by itself.
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
