import pMap from 'p-map'
import { sql } from '../postgres/sql.ts'
import { hasDomainRecord } from './dns-record.ts'
import type { Services } from './services.ts'

type CustomDomain = { readonly creatorId: string; readonly domain: string; readonly record: string }

/** `verified`: the domain leads to the profile now. `missing`: its record isn't there. `unreadable`: no name server answered. */
export type DomainOutcome = 'verified' | 'missing' | 'unreadable'

/** Limits a run to a few minutes, even if every name server is late. With a run each hour, that is more than 4,000 domains a day. */
const mostAtOnce = 200
const concurrency = 5

/** As the service: only the server writes what came of a check. */
export async function findDomain({ database }: Services, creatorId: string): Promise<CustomDomain | undefined> {
  const [domain] = await database.service.rows<CustomDomain>(
    sql`select d.creator_id as "creatorId", d.domain, d.record from public.custom_domains d where d.creator_id = ${creatorId}`,
  )
  return domain
}

/** Looks the domain's record up and stores what came of it. What can't be read says nothing about the domain, and changes nothing. */
export async function checkDomain(
  services: Services,
  { creatorId, domain, record }: CustomDomain,
): Promise<DomainOutcome> {
  const { config, database, log } = services
  const isThere = await hasDomainRecord(domain, record, config.dnsServers).catch((err: unknown) => {
    log.warn({ err, domain }, 'the record of a domain could not be looked up')
    return undefined
  })
  if (isThere === undefined) return 'unreadable'
  if (isThere) {
    const [row] = await database.service.rows<{ confirmed: boolean }>(
      sql`select private.confirm_custom_domain(${creatorId}, ${record}) as confirmed`,
    )
    return row?.confirmed ? 'verified' : 'missing'
  }
  await database.service.rows(sql`select private.miss_custom_domain(${creatorId}, ${record})`)
  return 'missing'
}

/** Looks up the records of all verified domains, each once a day. */
export async function checkVerifiedDomains(services: Services): Promise<void> {
  const due = await services.database.service.rows<CustomDomain>(
    sql`select d.creator_id as "creatorId", d.domain, d.record from public.custom_domains d
      where d.verified_at is not null and d.checked_at < now() - interval '20 hours' order by d.checked_at limit ${mostAtOnce}`,
  )
  await pMap(due, (domain) => checkInTurn(services, domain), { concurrency, stopOnError: false })
}

/** A domain that no name server answers for waits a day, too: such domains would otherwise be the first of every run, and soon the only ones. */
async function checkInTurn(services: Services, domain: CustomDomain): Promise<void> {
  if ((await checkDomain(services, domain)) !== 'unreadable') return
  await services.database.service.rows(
    sql`update public.custom_domains set checked_at = now() where creator_id = ${domain.creatorId} and record = ${domain.record}`,
  )
}
