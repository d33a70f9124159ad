import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { findPrimary } from './find-primary.ts'

/** How often to query the hosts of a URL for the one that takes writes. */
const everyMs = 5_000

/** The open connections of each URL with several hosts, and the host of each. */
const watched = new Map<string, Map<Duplex, string>>()

/**
 * Ends a connection to `primary`, one of the hosts of `url`, when another host takes writes instead. A host that is frozen, cut off, or without
 * power doesn't end its connections, and a request that uses one would wait for a quarter of an hour: the network's own limit.
 */
export function endWithPrimary(client: pg.Client, url: string, primary: string): void {
  if (url === primary) return
  const stream = client.connection.stream as Duplex // pg's types know only that it can be written to
  const open = watched.get(url)
  if (open) {
    open.set(stream, primary)
    return
  }
  watched.set(url, new Map([[stream, primary]]))
  checkLater(url)
}

function checkLater(url: string) {
  setTimeout(() => void check(url), everyMs).unref()
}

async function check(url: string) {
  const open = watched.get(url)
  if (!open) return
  for (const stream of open.keys()) if (stream.destroyed) open.delete(stream)
  if (open.size === 0) {
    watched.delete(url)
    return
  }
  // While no host takes writes, nothing says that the connections are lost.
  const primary = await findPrimary(url).catch(() => undefined)
  if (primary !== undefined) for (const [stream, host] of open) if (host !== primary) stream.destroy()
  checkLater(url)
}
