import { sql } from '../postgres/sql.ts'
import { hasDomainRecord } from './domain-record.ts'
import type { Services } from './services.ts'

type CustomDomain = { readonly creatorId: string; readonly domain: string; readonly record: string }

/** Of one run. The others have their turn the next time. */
const mostAtOnce = 500

/** As the service: only the server writes what came of a check. */
export async function findDomain({ database }: Services, creatorId: string): Promise<CustomDomain | undefined> {
  const [domain] = await database.service.rows<CustomDomain>(
    sql`select d.creator_id as "creatorId", d.domain, d.record from public.custom_domains d where d.creator_id = ${creatorId}`,
  )
  return domain
}

/**
 * Looks the domain's record up and stores what came of it.
 * @returns whether the domain leads to the creator's profile now.
 * @throws if no name server answers; then nothing is stored.
 */
export async function checkDomain({ config, database }: Services, domain: CustomDomain): Promise<boolean> {
  const { creatorId, record } = domain
  if (await hasDomainRecord(domain.domain, record, config.dnsServers)) {
    const [row] = await database.service.rows<{ confirmed: boolean }>(
      sql`select private.confirm_custom_domain(${creatorId}, ${record}) as confirmed`,
    )
    return row?.confirmed ?? false
  }
  await database.service.rows(sql`select private.miss_custom_domain(${creatorId}, ${record})`)
  return false
}

/** Looks up the records of all verified domains, each once a day. */
export async function checkVerifiedDomains(services: Services): Promise<void> {
  const due = await services.database.service.rows<CustomDomain>(
    sql`select d.creator_id as "creatorId", d.domain, d.record from public.custom_domains d
      where d.verified_at is not null and d.checked_at < now() - interval '20 hours' order by d.checked_at limit ${mostAtOnce}`,
  )
  for (const domain of due) {
    await checkDomain(services, domain).catch((err: unknown) => {
      // It says nothing about the domain, which is checked again the next time.
      services.log.warn({ err, domain: domain.domain }, 'the record of a domain could not be looked up')
    })
  }
}
