import { followCounts, type People, type Person } from './people.ts'

export type Case = {
  readonly name: string
  /** Who asks; of several, the mean counts. */
  readonly callers: readonly Person[]
  readonly sql: string
  readonly values: readonly unknown[]
  /** Smaller scales at which it cannot be asked: nobody there follows so many. */
  readonly from?: number
}

const postColumns = `p.id, p.creator_id, p.title, p.content, p.post_type, p.media_urls, p.media_types, p.required_tier_id, p.ppv_price,
  p.likes_count, p.comments_count, p.is_pinned, p.is_locked, p.created_at, c.user_id, c.username, c.display_name, c.avatar_url, c.is_verified`

const searchSql = 'select * from public.search_profiles($1)'

/** What each screen asks for first, in the shape that rest/v1 gives it. */
export function buildCases({ followers, star, fan, partner, rare }: People): Case[] {
  const feeds = followCounts.flatMap((count): Case[] => {
    const callers = followers.get(count) ?? []
    const sql = `select ${postColumns} from public.get_feed(page_size => $1) p left join public.profiles c on c.id = p.creator_id`
    return [{ name: `home feed, ${count} followed`, callers, sql, values: [20], from: count === 5_000 ? 10 : 1 }]
  })
  const discovery = ['popular', 'newest', 'price_low', 'price_high'].map((sort) => ({
    name: `discovery, ${sort}`,
    callers: [fan],
    sql: 'select * from public.discover_creators(sort => $1, page_size => $2)',
    values: [sort, 24],
  }))
  const ofFan = { callers: [fan], values: [] as unknown[] }
  return [
    ...feeds,
    {
      name: 'profile page: profile',
      callers: [fan],
      sql: 'select * from public.profiles p where p.username = $1 limit 1',
      values: [star.username],
    },
    {
      name: 'profile page: posts',
      callers: [fan],
      sql: `select ${postColumns} from public.posts p left join public.profiles c on c.id = p.creator_id
        where p.creator_id = $1 order by p.created_at desc, p.id desc limit 20`,
      values: [star.profileId],
    },
    {
      name: 'profile page: plans',
      callers: [fan],
      sql: 'select * from public.subscription_products p where p.creator_id = $1 and p.is_active order by p.price_cents',
      values: [star.profileId],
    },
    ...discovery,
    {
      name: 'discovery, one category',
      callers: [fan],
      sql: 'select * from public.discover_creators(category => $1, page_size => $2)',
      values: ['Art', 24],
    },
    {
      name: 'discovery, the rails',
      callers: [fan],
      sql: 'select * from public.explore_rails()',
      values: [],
    },
    {
      name: 'discovery, posts for sale',
      callers: [fan],
      sql: 'select * from public.posts_for_sale()',
      values: [],
    },
    { name: 'search, a first name', callers: [fan], sql: searchSql, values: ['mateo'] },
    { name: 'search, a whole name', callers: [fan], sql: searchSql, values: [rare.username] },
    { name: 'search, two letters', callers: [fan], sql: searchSql, values: ['ma'] },
    { name: 'search, nobody', callers: [fan], sql: searchSql, values: ['xylophone'] },
    { name: 'search, a category', callers: [fan], sql: searchSql, values: ['photography'] },
    { name: 'search, posts', callers: [fan], sql: 'select * from public.search_posts($1)', values: ['light'] },
    { name: 'search, no posts', callers: [fan], sql: 'select * from public.search_posts($1)', values: ['xylophone'] },
    { name: 'conversations', ...ofFan, sql: 'select * from public.get_conversations()' },
    {
      name: 'conversations, the busiest',
      callers: [star],
      values: [],
      sql: 'select * from public.get_conversations()',
    },
    ...['unread', 'unanswered', 'subscribers', 'archived'].map((filter) => ({
      name: `conversations, the busiest, ${filter}`,
      callers: [star],
      values: [filter],
      sql: 'select * from public.get_conversations(filter => $1)',
    })),
    ...['waiting', 'spending'].map((sort) => ({
      name: `conversations, the busiest, by ${sort}`,
      callers: [star],
      values: [sort],
      sql: 'select * from public.get_conversations(sort => $1)',
    })),
    ...['ma', 'mateo', 'xylophone'].map((name) => ({
      name: `conversations, the busiest, named ${name}`,
      callers: [star],
      values: [name],
      sql: 'select * from public.get_conversations(search => $1)',
    })),
    {
      name: 'thread',
      callers: [fan],
      sql: `select m.* from public.messages m
        where (m.sender_id = $1 and m.recipient_id = $2) or (m.sender_id = $2 and m.recipient_id = $1)
        order by m.created_at desc limit 50`,
      values: [fan.profileId, partner.profileId],
    },
    ...['light', 'xylophone'].map((words) => ({
      name: `messages of the busiest with "${words}"`,
      callers: [star],
      values: [words],
      sql: 'select * from public.search_messages($1)',
    })),
    { name: 'vault', callers: [star], values: [], sql: 'select * from public.get_vault_files()' },
    ...[
      { kind: 'video' },
      { usage: 'unused' },
      { usage: 'posts' },
      { sort: 'largest' },
      { sort: 'earnings' },
      { search: 'light' },
      { search: 'xylophone' },
    ].flatMap((choice) =>
      Object.entries(choice).map(([field, value]) => ({
        name: `vault, ${field} ${value}`,
        callers: [star],
        values: [value],
        sql: `select * from public.get_vault_files(${field} => $1)`,
      })),
    ),
    { name: 'unread counts', ...ofFan, sql: 'select * from public.get_unread_counts()' },
    {
      name: 'notifications',
      callers: [star],
      sql: `select n.id, n.type, n.title, n.message, n.is_read, n.created_at from public.notifications n
        order by n.created_at desc limit 100`,
      values: [],
    },
  ]
}
