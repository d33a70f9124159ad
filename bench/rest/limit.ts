import { Pipeline } from '@ovation/server/postgres/pipeline'
import pg from 'pg'
import type { Latencies, Target } from './load.ts'
import type { Workload } from './workloads.ts'

export type Limit = {
  body(workload: Workload, n: number, callerId: string): Promise<string>
  open(workload: Workload, callerIds: readonly string[], concurrency: number): Target
  close(): Promise<void>
}

/**
 * What PostgreSQL and `pg` do when nobody speaks HTTP: the statement by hand, prepared, with role and claims set for it in the same
 * round trip, on as many connections as the gateway has.
 */
export function openLimit(ownerUrl: string, connections: number): Limit {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: connections, idleTimeoutMillis: 0 })
  const callers = new Map<string, { role: string; claims: Record<string, string> }>()

  function callerOf(id: string) {
    const caller = callers.get(id) ?? { role: 'authenticated', claims: { role: 'authenticated', sub: id } }
    callers.set(id, caller)
    return caller
  }

  async function run({ sql }: Workload, n: number, callerId: string): Promise<string> {
    const client = await pool.connect()
    try {
      const statement = { text: sql.text, values: sql.values(n, callerId) }
      const { rows } = await client.query(new Pipeline(callerOf(callerId), statement)).result
      return String(rows[0]?.body)
    } finally {
      client.release()
    }
  }

  return {
    body: run,
    open(workload, callerIds, concurrency) {
      let n = 0
      async function loop(end: number, latencies: Latencies) {
        for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
          n += 1
          await run(workload, n, callerIds[n % callerIds.length] as string)
          latencies.add(performance.now() - sentAt)
        }
      }
      return {
        async run(seconds, latencies) {
          const end = performance.now() + seconds * 1000
          await Promise.all(Array.from({ length: concurrency }, () => loop(end, latencies)))
        },
        close: () => undefined,
      }
    },
    close: () => pool.end(),
  }
}
