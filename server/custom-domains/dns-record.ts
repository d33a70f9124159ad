import { Resolver } from 'node:dns/promises'
import { domainRecordName } from '@ovation/contract/custom-domains'

/** For the whole lookup, however many name servers there are and however late they answer. */
const timeoutMs = 5_000
/** A record that doesn't exist, and a name that doesn't. */
const absent = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * Whether the TXT record stands at the domain.
 * @param servers name servers as `address` or `address:port`; the machine's own if empty.
 * @throws if no name server answers in time: that says nothing about the record.
 */
export async function hasDomainRecord(domain: string, record: string, servers: readonly string[]): Promise<boolean> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  try {
    const records = await resolver.resolveTxt(domainRecordName(domain))
    // A long text comes in parts.
    return records.some((parts) => parts.join('').trim() === record)
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  } finally {
    clearTimeout(timer)
  }
}
