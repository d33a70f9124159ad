import { limits } from './connection-limits.ts'
import { field } from './frame.ts'
import { parseFilters, type RowFilter } from './row-filter.ts'

export type ChangeEvent = 'INSERT' | 'UPDATE' | 'DELETE' | '*'

/** One `on('postgres_changes', …)` of a client. It compares the server's answer with what it sent, so both are kept. */
export type Binding = {
  readonly event: ChangeEvent
  readonly schema: string
  /** Undefined: every table of the schema. */
  readonly table: string | undefined
  /** All of them must match; none: every row. */
  readonly filters: readonly RowFilter[]
  readonly select: readonly string[] | undefined
  readonly asSent: Readonly<Record<string, unknown>>
}

export type JoinConfig = {
  readonly accessToken: string | undefined
  readonly isPrivate: boolean
  readonly broadcast: {
    readonly self: boolean
    readonly ack: boolean
    /** Replays stored broadcasts since this time (milliseconds of the epoch). */
    readonly replay: { readonly since: number; readonly limit: number } | undefined
    /** Whether the client wants a message once broadcasts of the database arrive. */
    readonly tellsReady: boolean
  }
  readonly presence: { readonly key: string; readonly enabled: boolean }
  readonly bindings: readonly Binding[]
}

/** The options of a join are malformed: the reason goes back to the client. */
export class JoinRefused extends Error {}

/** @throws JoinRefused. */
export function parseJoin(payload: unknown): JoinConfig {
  if ((JSON.stringify(payload)?.length ?? 0) > limits.maxJoinLength)
    throw new JoinRefused('InvalidJoinPayload: too large')
  const config = field(payload, 'config')
  const token = field(payload, 'access_token') ?? field(payload, 'user_token')
  const broadcast = field(config, 'broadcast')
  const presence = field(config, 'presence')
  const key = field(presence, 'key')
  const isPrivate = field(config, 'private') === true
  const changes = field(config, 'postgres_changes') ?? []
  if (!Array.isArray(changes) || changes.length > limits.maxBindingsPerChannel) {
    throw new JoinRefused(`postgres_changes is a list of at most ${limits.maxBindingsPerChannel}`)
  }
  return {
    accessToken: typeof token === 'string' && token !== '' ? token : undefined,
    isPrivate,
    broadcast: {
      self: field(broadcast, 'self') === true,
      ack: field(broadcast, 'ack') === true,
      replay: parseReplay(field(broadcast, 'replay'), isPrivate),
      tellsReady: field(broadcast, 'replication_ready') === true,
    },
    presence: {
      key: typeof key === 'string' ? key.slice(0, limits.maxTopicLength) : '',
      enabled: presence !== undefined && field(presence, 'enabled') !== false,
    },
    bindings: changes.map(parseBinding),
  }
}

function parseReplay(replay: unknown, isPrivate: boolean): JoinConfig['broadcast']['replay'] {
  if (replay === undefined || replay === null) return undefined
  if (!isPrivate) throw new JoinRefused('UnableToReplayMessages: Replay is not allowed for public channels')
  const [since, limit] = [field(replay, 'since'), field(replay, 'limit') ?? 25]
  if (typeof since !== 'number' || typeof limit !== 'number' || !(since >= 0 && limit >= 1)) {
    throw new JoinRefused('UnableToReplayMessages: Replay params are not valid')
  }
  return { since, limit: Math.floor(limit) }
}

function parseBinding(asSent: unknown): Binding {
  const event = String(field(asSent, 'event')).toUpperCase()
  const schema = field(asSent, 'schema') ?? 'public'
  const table = field(asSent, 'table')
  const filter = field(asSent, 'filter')
  const select = field(asSent, 'select')
  if (event !== 'INSERT' && event !== 'UPDATE' && event !== 'DELETE' && event !== '*') {
    throw new JoinRefused('The event of postgres_changes is one of INSERT, UPDATE, DELETE and *')
  }
  if (typeof schema !== 'string' || (table !== undefined && table !== null && typeof table !== 'string')) {
    throw new JoinRefused('The schema and table of postgres_changes are texts')
  }
  const parsed = typeof filter === 'string' && filter !== '' ? parseFilters(filter) : []
  const named = typeof table === 'string' && table !== '*' ? table : undefined
  if (filter !== undefined && filter !== null && filter !== '' && (!parsed || !named)) {
    throw new JoinRefused(`Error parsing filter params: ${JSON.stringify(filter)}`)
  }
  return {
    event,
    schema,
    table: named,
    filters: parsed ?? [],
    select: Array.isArray(select) && select.every((name) => typeof name === 'string') ? select : undefined,
    asSent: asSent as Record<string, unknown>,
  }
}
