import type { CallerDb } from '../../postgres/caller-db.ts'
import { fragment, sql } from '../../postgres/sql.ts'

/** What the sitemap lists, beside the fixed screens. */
export type Kind = 'profiles' | 'posts' | 'products'

/** A place in the order of the sitemap, in which new pages come last. The time is PostgreSQL's text, which is exact. */
export type Position = { readonly created_at: string; readonly id: string }

/** At or before all pages, and behind them. */
export const start: Position = { created_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
export const end: Position = { created_at: 'infinity', id: '00000000-0000-0000-0000-000000000000' }

export type Listed = {
  /** The last part of its path: a username, or the id of a post or product. */
  readonly name: string
  /** The date of its last change. */
  readonly day: string
}

/** The creators in Explore, their posts, and their products for sale, unless they have opted out. Each is read in the order of an index. */
const sources = {
  profiles: {
    pages: fragment`
      select p.username as name, to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD') as day
      from public.profiles p where p.is_listed and p.is_indexed`,
    positions: fragment`select p.created_at::text as created_at, p.id from public.profiles p where p.is_listed and p.is_indexed`,
  },
  posts: {
    pages: fragment`
      select p.id::text as name, to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD') as day
      from public.posts p join public.profiles c on c.id = p.creator_id where c.is_listed and c.is_indexed`,
    // With those of creators who have opted out: they leave gaps in the parts, which are no harm.
    positions: fragment`select p.created_at::text as created_at, p.id from public.posts p where true`,
  },
  products: {
    pages: fragment`
      select p.id::text as name, to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD') as day
      from public.products p join public.profiles c on c.id = p.creator_id
      where p.status = 'published' and c.is_listed and c.is_indexed`,
    positions: fragment`select p.created_at::text as created_at, p.id from public.products p where p.status = 'published'`,
  },
}

/** The pages at `from` and behind it, but before `to`: at most as many as a file may list (sitemaps.org). */
export function listPages(db: CallerDb, kind: Kind, from: Position, to: Position): Promise<Listed[]> {
  return db.rows<Listed>(sql`
    ${sources[kind].pages}
      and (p.created_at, p.id) >= (${from.created_at}::timestamptz, ${from.id}::uuid)
      and (p.created_at, p.id) < (${to.created_at}::timestamptz, ${to.id}::uuid)
    order by p.created_at, p.id limit 50000`)
}

/** The position of the page that `count` others precede, from `from` on. Undefined if there is none. */
export async function findPosition(
  db: CallerDb,
  kind: Kind,
  from: Position,
  count: number,
): Promise<Position | undefined> {
  const [found] = await db.rows<Position>(sql`
    ${sources[kind].positions}
      and (p.created_at, p.id) >= (${from.created_at}::timestamptz, ${from.id}::uuid)
    order by p.created_at, p.id offset ${count} limit 1`)
  return found
}
