import { parseArgs } from 'node:util'

/** How much to create. Equal plans with equal `seed` and `until` give equal rows. */
export type SeedPlan = {
  readonly creators: number
  readonly fans: number
  readonly posts: number
  readonly follows: number
  readonly subscriptions: number
  readonly messages: number
  readonly likes: number
  readonly comments: number
  readonly seed: number
  /** The latest time in the data. */
  readonly until: Date
}
export type SeedArguments = {
  readonly plan: SeedPlan
  readonly databaseUrl: string | undefined
  readonly password: string | undefined
}

/** Invalid arguments, explained in one sentence. */
export class ArgumentError extends Error {}

const mostRows = 100_000_000
const counts = {
  creators: 50,
  fans: 1_000,
  posts: 2_000,
  follows: 10_000,
  subscriptions: 1_000,
  messages: 5_000,
  likes: 10_000,
  comments: 2_000,
} as const
type Count = keyof typeof counts

export const usage = `Fills a database with believable people, posts, follows, subscriptions and messages.

  npm run seed -- [--creators N] [--fans N] [--posts N] [--follows N] [--subscriptions N] [--messages N]
                  [--likes N] [--comments N] [--seed N] [--until YYYY-MM-DD] [--password TEXT] [--database-url URL]

Without --database-url it fills the embedded database of DATA_DIR (default ./data), while the product is not running.
Defaults: ${Object.entries(counts)
  .map(([name, count]) => `${count} ${name}`)
  .join(', ')}, --seed 1, --until today.
`

/** @throws ArgumentError that names the argument. */
export function parseArguments(args: readonly string[], now: Date): SeedArguments {
  const values = readOptions(args)
  const plan: SeedPlan = {
    creators: readCount(values, 'creators'),
    fans: readCount(values, 'fans'),
    posts: readCount(values, 'posts'),
    follows: readCount(values, 'follows'),
    subscriptions: readCount(values, 'subscriptions'),
    messages: readCount(values, 'messages'),
    likes: readCount(values, 'likes'),
    comments: readCount(values, 'comments'),
    seed: readWhole('--seed', values.seed, 1, 0xffff_ffff),
    until: readDay(values.until, now),
  }
  if (values.password !== undefined && values.password.length < 8) {
    throw new ArgumentError('--password must have at least 8 characters.')
  }
  return { plan: fitIn(plan, values), databaseUrl: readUrl(values['database-url']), password: values.password }
}

type Options = Partial<Record<Count | 'seed' | 'until' | 'password' | 'database-url', string>>

function readOptions(args: readonly string[]): Options {
  const names = [...Object.keys(counts), 'seed', 'until', 'password', 'database-url']
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new ArgumentError(`${(error as Error).message.split('. ')[0]}. The arguments are --${names.join(', --')}.`)
  }
}

function readCount(values: Options, name: Count): number {
  return readWhole(`--${name}`, values[name], counts[name], mostRows)
}

function readWhole(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value <= most) return value
  throw new ArgumentError(`${name} must be a whole number from 0 to ${most}, not "${text}".`)
}

function readDay(text: string | undefined, now: Date): Date {
  const day = text ?? now.toISOString().slice(0, 10)
  const date = new Date(`${day}T00:00:00Z`)
  if (/^\d{4}-\d\d-\d\d$/.test(day) && date.toJSON()?.startsWith(day)) return date
  throw new ArgumentError(`--until must be a day such as 2026-01-31, not "${text}".`)
}

function readUrl(text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol))) return text
  // The value is not repeated: it may contain a password.
  throw new ArgumentError('--database-url must be a URL that begins with postgres:// or postgresql://.')
}

/**
 * A user follows, subscribes to, and likes each item once, which limits the numbers. A quarter of the limit keeps the result realistic.
 * A requested number that doesn't fit is an error; a default is reduced.
 */
function fitIn(plan: SeedPlan, values: Options): SeedPlan {
  const { creators, fans } = plan
  const people = creators + fans
  const posts = creators > 0 ? plan.posts : 0
  const rooms = [
    ['posts', creators > 0 ? mostRows : 0, 'posts need --creators'],
    ['follows', Math.floor((people * Math.max(creators - 1, 0)) / 4), 'a quarter of people × creators'],
    ['subscriptions', Math.floor((fans * creators) / 4), 'a quarter of fans × creators'],
    ['messages', creators * fans > 0 ? mostRows : 0, 'messages need --creators and --fans'],
    ['likes', Math.floor((posts * people) / 10), 'a tenth of posts × people'],
    ['comments', posts > 0 ? mostRows : 0, 'comments need --posts'],
  ] as const
  const fitted: Partial<Record<Count, number>> = {}
  for (const [name, most, reason] of rooms) {
    if (values[name] !== undefined && plan[name] > most) {
      throw new ArgumentError(`--${name} can be at most ${most} here, not ${plan[name]}: ${reason}.`)
    }
    fitted[name] = Math.min(plan[name], most)
  }
  return { ...plan, ...fitted }
}
