import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that nothing listens at, below those that the system gives to connections: while its server is dead, nobody else is given it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const candidate = randomInt(10_000, 30_000)
    const server = createServer().listen(candidate, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return candidate
  }
}
