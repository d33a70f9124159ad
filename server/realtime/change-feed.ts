import type { FastifyBaseLogger } from 'fastify'
import type { Caller } from '../postgres/caller.ts'
import type { Database } from '../postgres/database.ts'
import { type Change, ChangeReader } from './change-reader.ts'
import { type ChangeView, viewDeletion, viewRow } from './change-view.ts'
import { type Channel, type NumberedBinding, roomOf } from './channel.ts'
import { CommitVisibility } from './commit-visibility.ts'
import { DeletionWitness } from './deletion-witness.ts'
import type { Hub } from './hub.ts'
import { type Binding, JoinRefused } from './join-config.ts'
import { limits } from './limits.ts'
import { exposedSchema, type Relation, Relations } from './relations.ts'
import { meets } from './row-filter.ts'
import { readLogged } from './stored-broadcasts.ts'

/** What one channel wants of one change: the bindings it meets. */
type Match = { readonly channel: Channel; readonly bindings: readonly NumberedBinding[] }
type Group = { readonly caller: Caller; readonly relation: Relation; readonly matches: Match[] }

/** How many people are asked about at once: the pool serves requests as well. */
const checksAtOnce = 4

/** Takes row changes from the log to the channels that follow them, each as its own person. */
export class ChangeFeed {
  readonly #database: Database
  readonly #hub: Hub
  readonly #log: FastifyBaseLogger
  readonly #relations: Relations
  readonly #reader: ChangeReader
  readonly #witness: DeletionWitness
  readonly #commits: CommitVisibility
  /** By `schema.table`, or `schema.` for all tables of a schema. */
  readonly #followers = new Map<string, Set<Channel>>()

  constructor({ database, hub, log }: { database: Database; hub: Hub; log: FastifyBaseLogger }) {
    this.#database = database
    this.#hub = hub
    this.#log = log
    this.#relations = new Relations(database.service)
    this.#witness = new DeletionWitness(database.ownerUrl, log)
    this.#commits = new CommitVisibility(database.service)
    this.#reader = new ChangeReader({
      ownerUrl: database.ownerUrl,
      log,
      onChange: (change) => this.#deliver(change),
      onTable: () => this.#relations.forget(),
      onLost: () => this.#failAll('Changes may have been missed. Join again.'),
    })
  }

  get followerCount(): number {
    return new Set([...this.#followers.values()].flatMap((channels) => [...channels])).size
  }

  /** @throws JoinRefused when a table is not followed, or a filter needs what the caller may not read. */
  async requireFollowable(bindings: readonly Binding[], { role }: Caller) {
    for (const { schema, table, filter } of bindings) {
      const asked = `[schema: ${schema}, table: ${table ?? '*'}, filters: ${filter ? filter.column : '[]'}]`
      const refusal = `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${asked}`
      if (table === undefined) {
        if (!(await this.#relations.hasFollowedTables(schema))) throw new JoinRefused(refusal)
        continue
      }
      const relation = await this.#relations.find(schema, table, role)
      if (!relation) throw new JoinRefused(refusal)
      if (filter && !relation.columns.some(({ name }) => name === filter.column)) throw new JoinRefused(refusal)
    }
  }

  /** Resolves when every change from now on will be seen. @throws JoinRefused when the database can't be followed. */
  async requireLive() {
    if (await this.#reader.isLive(limits.joinWaitMs)) return
    throw new JoinRefused('DatabaseNotAvailable: row changes can not be followed at the moment')
  }

  /** Has the log followed from now on, without waiting for it: broadcasts of the database come from there. */
  start() {
    this.#reader.start()
  }

  follow(channel: Channel) {
    for (const key of keysOf(channel)) {
      const channels = this.#followers.get(key) ?? new Set()
      this.#followers.set(key, channels.add(channel))
    }
  }

  unfollow(channel: Channel) {
    for (const key of keysOf(channel)) {
      const channels = this.#followers.get(key)
      channels?.delete(channel)
      if (channels?.size === 0) this.#followers.delete(key)
    }
  }

  async stop() {
    await Promise.all([this.#reader.stop(), this.#witness.stop()])
  }

  async #deliver(change: Change) {
    if (change.schema === 'realtime') return this.#relay(change)
    const schema = exposedSchema(change.schema)
    const channels = new Set([
      ...(this.#followers.get(`${schema}.${change.table}`) ?? []),
      ...(this.#followers.get(`${schema}.`) ?? []),
    ])
    if (channels.size === 0) return
    try {
      await this.#commits.wait(change.xid)
      const groups = [...(await this.#group(change, schema, channels)).values()]
      if (change.type === 'DELETE') await this.#deliverDeletion(groups, change)
      else await this.#deliverRow(groups, change)
    } catch (error) {
      this.#failed(error, change, channels)
    }
  }

  /** `realtime.send`: every node reads it in its own log, and tells its own channels. */
  #relay({ row }: Change) {
    const sent = readLogged(row)
    if (sent) this.#hub.broadcast(roomOf(`realtime:${sent.topic}`, sent.isPrivate), sent.broadcast)
  }

  /** Not knowing who may see it, nobody is shown it; but nobody is left to believe that nothing happened. */
  #failed(err: unknown, { table }: Change, channels: Iterable<Channel>) {
    this.#log.error({ err, table }, 'realtime: a change could not be delivered')
    for (const channel of channels) channel.fail('A change could not be delivered. Join again.')
  }

  /** Receivers of a change, those who read as the same person together: the database is asked once for each. */
  async #group(change: Change, schema: string, channels: ReadonlySet<Channel>): Promise<Map<string, Group>> {
    const groups = new Map<string, Group>()
    for (const channel of channels) {
      const { caller } = channel
      const relation = await this.#relations.find(schema, change.table, caller.role)
      const bindings = relation ? channel.bindings.filter((binding) => wants(binding, change, relation)) : []
      if (!relation || bindings.length === 0 || !isReadable(relation)) continue
      const identity = identityOf(caller)
      const group = groups.get(identity) ?? { caller, relation, matches: [] }
      groups.set(identity, group)
      group.matches.push({ channel, bindings })
    }
    return groups
  }

  async #deliverRow(groups: readonly Group[], change: Change) {
    for (let first = 0; first < groups.length; first += checksAtOnce) {
      await Promise.all(groups.slice(first, first + checksAtOnce).map((group) => this.#deliverRowTo(group, change)))
    }
  }

  async #deliverRowTo(group: Group, change: Change) {
    try {
      const view = await viewRow(this.#database.as(group.caller), change, group.relation)
      if (view) this.#send(group, view)
    } catch (error) {
      // One person's trouble, e.g. a statement that took too long, is not the others'.
      const channels = group.matches.map(({ channel }) => channel)
      this.#failed(error, change, channels)
    }
  }

  async #deliverDeletion(groups: readonly Group[], change: Change) {
    const sawIt = await this.#witness.whoSaw(change, groups)
    for (const group of sawIt) this.#send(group, viewDeletion(change, group.relation))
  }

  #send({ caller, relation, matches }: Group, view: ChangeView) {
    for (const { channel, bindings } of matches) {
      // While the database was asked, the channel may have left, or become someone else's.
      const follows = this.#followers.get(keyOf(relation.schema, bindings[0]?.table))?.has(channel)
      if (follows && identityOf(channel.caller) === identityOf(caller)) send(channel, bindings, view)
    }
  }

  #failAll(message: string) {
    const channels = new Set([...this.#followers.values()].flatMap((followers) => [...followers]))
    for (const channel of channels) channel.fail(message)
  }
}

function send(channel: Channel, bindings: readonly NumberedBinding[], view: ChangeView) {
  const whole = bindings.filter(({ select }) => !select)
  if (whole.length > 0) channel.send('postgres_changes', { ids: whole.map(({ id }) => id), data: view })
  for (const { id, select } of bindings) {
    if (select) channel.send('postgres_changes', { ids: [id], data: narrow(view, select) })
  }
}

function narrow(view: ChangeView, select: readonly string[]): ChangeView {
  const pick = (row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => select.includes(name)))
  return {
    ...view,
    columns: view.columns.filter(({ name }) => select.includes(name)),
    ...(view.record && { record: pick(view.record) }),
  }
}

/** Without a right to any column, or a key to ask by, there is nothing to tell. */
function isReadable({ columns, key }: Relation): boolean {
  return columns.length > 0 && key.length > 0
}

function wants({ event, schema, table, filter }: Binding, change: Change, relation: Relation): boolean {
  if (event !== '*' && event !== change.type) return false
  if (schema !== relation.schema || (table !== undefined && table !== relation.table)) return false
  const column = filter && relation.columns.find(({ name }) => name === filter.column)
  return !filter || (column !== undefined && meets(filter, change.row, column.type))
}

function keysOf({ bindings }: Channel): Set<string> {
  return new Set(bindings.map(({ schema, table }) => keyOf(schema, table)))
}

function keyOf(schema: string, table: string | undefined): string {
  return `${schema}.${table ?? ''}`
}

const identities = new WeakMap<Caller, string>()

/** Two callers with the same role and claims are the same person to every policy. */
function identityOf(caller: Caller): string {
  const known = identities.get(caller)
  if (known !== undefined) return known
  const identity = JSON.stringify([caller.role, caller.claims])
  identities.set(caller, identity)
  return identity
}
