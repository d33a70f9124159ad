import { canonicalPath } from '@ovation/contract/canonical-path'
import { paths } from '@ovation/contract/paths'
import type { FastifyReply } from 'fastify'
import { anonymous } from '../postgres/caller.ts'
import { sql } from '../postgres/sql.ts'
import type { Services } from './services.ts'

type Redirect = {
  /** A path of this site. */
  readonly to: string
  readonly status: 302 | 308
  readonly cacheControl: string
}

const profilePath = /^\/profile\/([\w-]{3,30})\/*$/

/**
 * Where a path leads that stands for a profile's canonical one (PAGE-02); `undefined` for every other path, and if the database doesn't
 * respond: the app then finds out itself.
 */
export async function findProfileRedirect(services: Services, path: string): Promise<Redirect | undefined> {
  const canonical = canonicalPath(path)
  // 308, which caches may keep: `/@mara` always stands for `/profile/mara`.
  if (canonical !== undefined) return { to: canonical, status: 308, cacheControl: 'public, max-age=86400' }
  const username = profilePath.exec(path)?.[1]
  if (username === undefined || !services.hasProductSchema) return undefined
  const present = await readPresentUsername(services, username).catch((error: unknown) => {
    services.log.warn({ err: error }, 'former username could not be read')
    return null
  })
  // 302 and not 301, which browsers keep: the user may take the name back, which would lead them in a circle; the profile may become
  // private; and after 90 days, the name may be another user's.
  return present === null ? undefined : { to: paths.profile(present), status: 302, cacheControl: 'no-cache' }
}

/** The username of the profile that had this one before, if a visitor may know: one probe of an index, for each profile that is opened. */
export async function readPresentUsername(
  { database }: Pick<Services, 'database'>,
  former: string,
): Promise<string | null> {
  const [row] = await database
    .as(anonymous)
    .rows<{ username: string | null }>(sql`select public.get_present_username(${former}) as username`)
  return row?.username ?? null
}

/** The query stays: it may hold a referral code, or the tab. */
export function sendRedirect(reply: FastifyReply, { to, status, cacheControl }: Redirect) {
  const query = URL.parse(reply.request.url, 'http://localhost')?.search ?? ''
  return reply.header('Cache-Control', cacheControl).redirect(to + query, status)
}
