import { type WebSocketHandlerConnection, ws } from 'msw'

type Client = WebSocketHandlerConnection['client']
type Joined = { client: Client; topic: string; id: number; table: string; filter: string }

const socket = ws.link('*/realtime/v1/websocket*')
const joined = new Set<Joined>()

/** The server's limit (server/realtime/connection-limits.ts). */
const maxTopicLength = 255

/** The websocket's server: accepts every channel whose name isn't too long, and records the subscriptions (Phoenix protocol, version 2.0.0). */
export const realtimeHandler = socket.addEventListener('connection', ({ client }) => {
  client.addEventListener('message', ({ data }) => {
    const [joinRef, ref, topic, event, payload] = JSON.parse(String(data))
    const reply = (response: unknown) =>
      client.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response }]))
    if (event === 'phx_join' && topic.length > maxTopicLength) {
      const refused = { status: 'error', response: { reason: 'unmatched topic' } }
      client.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', refused]))
    } else if (event === 'phx_join') {
      const asked: { table: string; filter: string }[] = payload.config?.postgres_changes ?? []
      // From 1, because the client rejects 0.
      const changes = asked.map((change, index) => ({ ...change, id: index + 1 }))
      reply({ postgres_changes: changes })
      for (const { id, table, filter } of changes) joined.add({ client, topic, id, table, filter })
    } else reply({})
    if (event === 'phx_leave') for (const entry of joined) if (entry.topic === topic) joined.delete(entry)
  })
  client.addEventListener('close', () => {
    for (const entry of joined) if (entry.client === client) joined.delete(entry)
  })
})

export const listensTo = (table: string): string[] =>
  [...joined].filter((entry) => entry.table === table).map((entry) => entry.filter)

/** Sends the insert of a row to every listener of its table, in the server's format. The test makes sure that their filters match. */
export function pushInsert(table: string, record: Record<string, unknown>): void {
  for (const entry of joined) {
    if (entry.table !== table) continue
    const data = {
      schema: 'public',
      table,
      type: 'INSERT',
      commit_timestamp: new Date().toISOString(),
      columns: [],
      record,
      errors: null,
    }
    entry.client.send(JSON.stringify([null, null, entry.topic, 'postgres_changes', { ids: [entry.id], data }]))
  }
}
