import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port without a listener, below the range for outgoing connections, so that no other program gets it while its server is down. */
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
