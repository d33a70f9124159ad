import type { EnvironmentReader } from '../environment-reader.ts'
import { errors } from './errors.ts'
import type { RateLimits } from './rate-limiter.ts'

/**
 * How much a user may write or try in an hour, counted for each account, or for a visitor's address. Named for the table whose rows
 * count; codes have none. The database counts new conversations, because it knows who has messaged whom.
 */
const limits = {
  support_requests: { what: 'support requests', uses: 5, setting: 'API_LIMIT_SUPPORT_REQUESTS' },
  reports: { what: 'reports', uses: 20, setting: 'API_LIMIT_REPORTS' },
  messages: { what: 'messages', uses: 1000, setting: 'API_LIMIT_MESSAGES' },
  comments: { what: 'comments', uses: 300, setting: 'API_LIMIT_COMMENTS' },
  follows: { what: 'follows', uses: 500, setting: 'API_LIMIT_FOLLOWS' },
  posts: { what: 'posts', uses: 200, setting: 'API_LIMIT_POSTS' },
  promotion_codes: { what: 'promotion code attempts', uses: 20, setting: 'API_LIMIT_PROMOTION_CODES' },
} as const

export type LimitedWrite = keyof typeof limits
export type WriteLimitSettings = Readonly<Record<LimitedWrite, number>> & {
  readonly newConversations: number
  readonly massMessagesPerDay: number
}

const names = Object.keys(limits) as LimitedWrite[]
const windowSeconds = 3600

export function readWriteLimits(read: EnvironmentReader): WriteLimitSettings {
  const uses = names.map((name) => [name, read.integer(limits[name].setting, limits[name].uses, 1, 1_000_000)] as const)
  return {
    ...(Object.fromEntries(uses) as Record<LimitedWrite, number>),
    newConversations: read.integer('API_LIMIT_NEW_CONVERSATIONS', 30, 1, 1_000_000),
    massMessagesPerDay: read.integer('MASS_MESSAGES_PER_DAY', 6, 1, 10_000),
  }
}

/** The limit under which a table's rows count. A scheduled post is a post: it can be published at once. */
export function limitOf(table: string): LimitedWrite | undefined {
  return table === 'scheduled_posts' ? 'posts' : names.find((name) => name === table)
}

/**
 * Counts written rows.
 * @param key the account, or a visitor's address.
 * @throws GatewayError 429 `rate_limited`, which names what was exceeded; in that case nothing was counted.
 */
export async function takeWrites(
  rateLimits: RateLimits,
  settings: WriteLimitSettings,
  name: LimitedWrite,
  key: string,
  count = 1,
): Promise<void> {
  const uses = settings[name]
  const seconds = await rateLimits.named(`write ${name}`, { uses, windowSeconds }).take(key, count)
  if (seconds > 0) throw errors.tooManyWrites(limits[name].what, uses, seconds)
}
