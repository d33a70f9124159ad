import { once } from 'node:events'
import { createServer } from 'node:net'
import { ConfigError } from '../environment-reader.ts'

const complaints: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `PORT ${port} on ${host} is taken by another program: set another PORT`,
  EACCES: (host, port) => `PORT ${port} on ${host} needs more permissions than this user has: set another PORT`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is no address of this machine: set 127.0.0.1, 0.0.0.0, or one that it has`,
  ENOTFOUND: (host) =>
    `HOST ${host} is no address and no name that is known: set 127.0.0.1, 0.0.0.0, or one that it has`,
}

/**
 * Takes the port for a moment, before the start creates anything that would be useless without it.
 * @throws ConfigError naming HOST or PORT.
 */
export async function probePort(host: string, port: number): Promise<void> {
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw describeListening(error, host, port) ?? error
  } finally {
    probe.close()
  }
}

/** @returns undefined for a failure that isn't about the address. */
export function describeListening(error: unknown, host: string, port: number): ConfigError | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  const complaint = syscall === 'listen' || code === 'ENOTFOUND' ? complaints[code ?? ''] : undefined
  return complaint && new ConfigError(`${complaint(host, port)}.`)
}
