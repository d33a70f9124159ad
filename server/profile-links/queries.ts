import type { ServiceDb } from '../postgres/caller-db.ts'
import { fragment, sql } from '../postgres/sql.ts'

/** A link of a creator, with the usernames and the domain under which the profile can be found. */
export type ProfileLink = {
  readonly id: string
  readonly url: string
  readonly usernames: readonly string[]
  readonly domain: string | null
}

/** `confirmed`: the other site links back. `missing`: its page doesn't. `unreachable`: its page couldn't be read. */
export type LinkOutcome = 'confirmed' | 'missing' | 'unreachable'

/** How often a verified link is checked again. */
const daysBetweenChecks = 7
/** How long a mark stays while the other site's page can't be read: until the second check in a row. */
const daysOfMark = 14

const columns = fragment`l.id, l.url, p.username || array(
    select f.username from public.former_usernames f
    where f.profile_id = p.id and private.is_username_kept(f.released_at)
  ) as usernames, (
    select d.domain from public.custom_domains d where d.creator_id = p.id and d.verified_at is not null
  ) as domain`

/** One link of this creator. Needs the service's permissions, because it reads former usernames and domains. */
export async function findLink(db: ServiceDb, creatorId: string, id: string): Promise<ProfileLink | undefined> {
  const [link] = await db.rows<ProfileLink>(sql`
    select ${columns} from public.profile_links l join private.profiles p on p.id = l.creator_id
    where l.id = ${id} and l.creator_id = ${creatorId}`)
  return link
}

/** Verified links whose last check is a week ago, longest first. Needs the service's permissions, because it reads every creator's. */
export function listDueLinks(db: ServiceDb, most: number): Promise<ProfileLink[]> {
  return db.rows<ProfileLink>(sql`
    select ${columns} from public.profile_links l join private.profiles p on p.id = l.creator_id
    where l.verified_at is not null and l.checked_at <= now() - make_interval(days => ${daysBetweenChecks})
    order by l.checked_at limit ${most}`)
}

/** Stores the outcome of a check. Needs the service's permissions: no user may write it. @returns whether the link is verified now. */
export async function noteCheck(db: ServiceDb, id: string, outcome: LinkOutcome): Promise<boolean> {
  const [link] = await db.rows<{ verified: boolean }>(sql`
    update public.profile_links l set checked_at = now(), verified_at = case ${outcome}
      when 'confirmed' then now()
      when 'unreachable' then case when l.verified_at > now() - make_interval(days => ${daysOfMark}) then l.verified_at end
    end
    where l.id = ${id} returning l.verified_at is not null as verified`)
  return link?.verified === true
}
