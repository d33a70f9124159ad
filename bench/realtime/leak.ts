import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '@ovation/server/postgres/migrate'
import { Client, forEach } from './clients.ts'
import { type BenchPerson, makePeople } from './people.ts'
import { withServer } from './with-server.ts'

/**
 * `npm run proof:realtime [times]`: connects and leaves a hundred thousand times, in every way there is, and demands that nothing of it
 * stays: no memory, no socket, no slot. Exits with 1 when something does.
 */
const [, , times = '100000'] = process.argv
const rounds = 10
const perRound = Math.ceil(Number(times) / rounds)
if (!(perRound > 0)) fail(`How often? npm run proof:realtime [times], not ${times}`)
/** What the garbage collector, the pools and the engine's own tables may add between the second round and the last. */
const mostGrowthMb = 6

await withServer({ collectsGarbage: true }, async (server, ownerUrl) => {
  const people = await withClient(ownerUrl, (client) => makePeople(client, 200, server.secrets.jwtSecret))
  const heaps: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await forEach(Array.from({ length: perRound }), 100, async (_, index) => {
      const { profileId, token } = people[index % people.length] as BenchPerson
      const client = await Client.open(server.url, server.secrets.anonKey)
      const changes = [{ event: '*', schema: 'public', table: 'notifications', filter: `user_id=eq.${profileId}` }]
      const hall = `realtime:hall-${index % 7}`
      await client.ask(hall, 'phx_join', { config: { presence: { key: `${index}`, enabled: true } } })
      if (index % 3 > 0)
        await client.ask(`realtime:own-${index}`, 'phx_join', {
          access_token: token,
          config: { postgres_changes: changes },
        })
      if (index % 50 === 0) await client.ask(hall, 'presence', { type: 'presence', event: 'track', payload: { index } })
      if (index % 3 === 1) await client.ask(hall, 'phx_leave', {})
      client.close()
    })
    await sleep(1_000)
    const { heap, sockets } = await server.usage()
    heaps.push(heap / 2 ** 20)
    console.log(`${round * perRound} times: ${(heap / 2 ** 20).toFixed(1)} MB in use, ${sockets} sockets`)
    if (sockets > 0) fail(`${sockets} sockets stayed`)
  }
  const growth = (heaps.at(-1) ?? 0) - (heaps[1] ?? 0)
  if (growth > mostGrowthMb) fail(`the memory in use grew by ${growth.toFixed(1)} MB`)
  await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query('select 1 from pg_replication_slots')
    if (rows.length !== 1) fail(`${rows.length} slots`)
  })
  console.log(`nothing stays: ${growth.toFixed(1)} MB more than after the second round, one slot, no sockets`)
})

function fail(message: string): never {
  throw new Error(message)
}
