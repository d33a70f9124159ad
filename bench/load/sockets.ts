import { Client, forEach } from '../realtime/clients.ts'
import type { Results } from './results.ts'
import type { PoolUser, UserPool } from './user-pool.ts'

/** As the official client does. */
const heartbeatMs = 25_000

/** Every user with the web app open: one socket, and what its shell and its feed listen to. */
export class Sockets {
  readonly #clients: Client[] = []
  readonly #timers: NodeJS.Timeout[] = []
  /** How soon messages arrive goes here. */
  results: Results
  /** Heartbeats that the server did not answer well. */
  unanswered = 0

  private constructor(results: Results) {
    this.results = results
  }

  static async open({ product, users }: UserPool, results: Results): Promise<Sockets> {
    const sockets = new Sockets(results)
    await forEach(users, 20, async (user, index) => {
      const client = await Client.open(product.url, product.secrets.anonKey, user.address)
      sockets.#clients.push(client)
      await join(client, user)
      client.listener = ([, , , event, payload], at) => {
        if (event === 'postgres_changes') sockets.#hear(payload as Told, user, at)
      }
      // One after the other, as people came.
      const offset = (heartbeatMs * index) / users.length
      sockets.#timers.push(setTimeout(() => sockets.#keepAlive(client), offset))
    })
    return sockets
  }

  get open(): number {
    return this.#clients.filter(({ isOpen }) => isOpen).length
  }

  /** Whether each of them is answered. @returns how many are not. */
  async countSilent(): Promise<number> {
    let silent = 0
    await forEach(this.#clients, 50, async (client) => {
      if (client.isOpen) await client.ask('phoenix', 'heartbeat', {}).catch(() => void silent++)
      else silent += 1
    })
    return silent
  }

  #keepAlive(client: Client) {
    const beat = () => {
      if (client.isOpen) client.ask('phoenix', 'heartbeat', {}).catch(() => void this.unanswered++)
    }
    beat()
    this.#timers.push(setInterval(beat, heartbeatMs))
  }

  #hear({ data }: Told, { profileId }: PoolUser, at: number) {
    const sentAt = /^sent ([\d.]+)$/.exec(data.record?.content ?? '')?.[1]
    if (data.type !== 'INSERT' || data.record?.recipient_id !== profileId || !sentAt) return
    this.results.add('message heard live', 'answered', at - Number(sentAt))
  }

  close() {
    for (const timer of this.#timers) clearInterval(timer)
    for (const client of this.#clients) client.close()
  }
}

type Told = { readonly data: { readonly type: string; readonly record?: { content?: string; recipient_id?: string } } }

async function join(client: Client, { profileId, token, follows }: PoolUser) {
  const listened = [
    ['notifications', '*', `user_id=eq.${profileId}`],
    ['messages', '*', `recipient_id=eq.${profileId}`],
    ['messages', '*', `sender_id=eq.${profileId}`],
    ...(follows.length > 0 ? [['posts', 'INSERT', `creator_id=in.(${follows.join(',')})`]] : []),
  ]
  for (const [index, [table, event, filter]] of listened.entries()) {
    await client.ask(`realtime:${table}:${index}`, 'phx_join', {
      access_token: token,
      config: { postgres_changes: [{ event, schema: 'public', table, filter }] },
    })
  }
  const room = `realtime:user:${profileId}`
  const presence = { key: profileId, enabled: true }
  await client.ask(room, 'phx_join', { access_token: token, config: { private: true, presence } })
  // Who hides being online is not let in: the app takes that for an answer.
  await client.ask(room, 'presence', { type: 'presence', event: 'track', payload: {} }).catch(() => undefined)
}
