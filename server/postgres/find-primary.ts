import pg from 'pg'
import { hostsOf } from '../database-hosts.ts'

/** A host that is off answers nothing, and holds up the ones after it. */
const answerMs = 3_000

/**
 * The URL with only the first of its hosts that takes writes. It queries all at once. If two take writes, because nothing stopped an old
 * primary, every connection of every node goes to the same one.
 * @throws an Error that says of each host why not.
 */
export async function findPrimary(url: string): Promise<string> {
  const hosts = hostsOf(url)
  if (hosts.length === 1) return url
  const answers = hosts.map((host) => whyNot(host))
  const reasons: string[] = []
  for (const [index, host] of hosts.entries()) {
    const reason = await answers[index]
    if (reason === undefined) return host
    reasons.push(reason)
  }
  throw new Error(`no host takes writes: ${reasons.join('; ')}`)
}

/** Why this host isn't the primary; undefined: it is. */
async function whyNot(url: string): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'ovation',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  client.on('error', () => undefined) // the query reports it
  const name = `${client.host}:${client.port}`
  try {
    await client.connect()
    // On for a standby too. Not a startup parameter, because poolers pass none on.
    const { rows } = await client.query<{ refuses: boolean }>(
      `select current_setting('transaction_read_only')::bool as refuses`,
    )
    return rows[0]?.refuses ? `${name} is a replica, or takes no writes` : undefined
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    // Not awaited: a host that is off wouldn't confirm it.
    client.end().catch(() => undefined)
  }
}
