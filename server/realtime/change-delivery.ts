import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Exchange } from '../exchange/exchange.ts'
import type { Caller } from '../postgres/caller.ts'
import type { Database } from '../postgres/database.ts'
import type { Change, ChangeSource, ReaderState } from './change.ts'
import { ChangeReader } from './change-reader.ts'
import { ChangeSubscribers } from './change-subscribers.ts'
import { asLogged, narrowChange, writeChange } from './change-view.ts'
import type { Channel, NumberedBinding } from './channel.ts'
import { CommitVisibility } from './commit-visibility.ts'
import { limits } from './connection-limits.ts'
import { DeletionWitness } from './deletion-witness.ts'
import type { FilterKey } from './filter-key.ts'
import type { Hub } from './hub.ts'
import { type Binding, JoinRefused } from './join-config.ts'
import { type Answer, queryInHalves } from './query-in-halves.ts'
import type { RealtimeStatus } from './realtime-status.ts'
import type { Relation } from './relation.ts'
import { exposedSchema, Relations } from './relations.ts'
import { roomOf } from './room.ts'
import { fits, isPattern, keyOf, meets, type RowFilter } from './row-filter.ts'
import { SharedLog } from './shared-log.ts'
import { readLogged } from './stored-broadcasts.ts'
import { Visibility } from './visibility.ts'

/** Channels that read as the same user, each with the bindings that the change may match. */
type Audience = {
  readonly identity: string
  readonly caller: Caller
  readonly relation: Relation
  readonly members: Member[]
}
type Member = { readonly channel: Channel; readonly bindings: readonly NumberedBinding[] }
type Expected = { readonly change: Change; readonly audiences: readonly Audience[] }

/** The maximum of undelivered changes. Above it the reader pauses the log, so that the memory doesn't fill. */
const mostWaiting = 5_000
/** Changes whose receivers are queried together. */
const batchSize = 500
const sendsPerTurn = 256

type Options = {
  readonly database: Database
  readonly hub: Hub
  readonly log: FastifyBaseLogger
  /** With other processes, one reads the log for all. */
  readonly exchange?: Exchange | undefined
  /** Gets the table of every change, whether or not a channel follows it. */
  readonly status?: Pick<RealtimeStatus, 'tell'>
}

/** Delivers row changes from the log to the channels that follow them, each with the permissions of its user. */
export class ChangeDelivery {
  readonly #database: Database
  readonly #hub: Hub
  readonly #log: FastifyBaseLogger
  readonly #status: Pick<RealtimeStatus, 'tell'> | undefined
  readonly #relations: Relations
  readonly #source: ChangeSource
  readonly #visibility: Visibility
  readonly #witness: DeletionWitness
  readonly #commits: CommitVisibility
  readonly #followers = new ChangeSubscribers()
  #waiting: Change[] = []
  #sent = 0
  #delivering: Promise<void> | undefined

  constructor({ database, hub, log, exchange, status }: Options) {
    this.#database = database
    this.#hub = hub
    this.#log = log
    this.#status = status
    this.#visibility = new Visibility(database.sessionUrl)
    this.#relations = new Relations(this.#visibility)
    this.#witness = new DeletionWitness(database.ownerUrl, log)
    this.#commits = new CommitVisibility(this.#visibility)
    const { ownerUrl } = database
    const handlers = {
      onChange: (change: Change) => this.#take(change),
      onTable: () => this.#relations.forget(),
      onLost: () => this.#failAll(),
    }
    this.#source = exchange
      ? new SharedLog({ ...handlers, ownerUrl, log, exchange })
      : new ChangeReader({ ...handlers, ownerUrl, log })
  }

  get state(): ReaderState {
    return this.#source.state
  }

  get followerCount(): number {
    return this.#followers.size
  }

  /**
   * Returns the lookup key of each binding, after checking that this role may follow it.
   * @throws JoinRefused when a table isn't followed, or a filter needs a column that the role may not read or has an invalid value.
   */
  async prepare(bindings: readonly Binding[], { role }: Caller): Promise<(FilterKey | undefined)[]> {
    const lookUps: (FilterKey | undefined)[] = []
    for (const binding of bindings) lookUps.push(await this.#prepareOne(binding, role))
    return lookUps
  }

  async #prepareOne({ schema, table, filters }: Binding, role: string): Promise<FilterKey | undefined> {
    const asked = `[schema: ${schema}, table: ${table ?? '*'}, filters: ${filters.map(({ column }) => column).join(', ') || '[]'}]`
    if (!(await this.#relations.isExposed(schema, role))) {
      throw new JoinRefused(`Unable to subscribe to changes: Schema ${schema} is not exposed to role ${role}. ${asked}`)
    }
    const refusal = `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${asked}`
    if (table === undefined) {
      if (!(await this.#relations.hasFollowedTables(schema))) throw new JoinRefused(refusal)
      return undefined
    }
    const relation = await this.#relations.findForJoin(schema, table, role)
    if (!relation) throw new JoinRefused(refusal)
    for (const filter of filters) {
      const type = typeOf(relation, filter)
      if (type === undefined) throw new JoinRefused(refusal)
      if (!fits(filter, type) || !(await this.#isSoundPattern(filter))) {
        throw new JoinRefused(`Error parsing filter params: ${filter.column} can't be compared with this value`)
      }
    }
    return lookUpOf(filters, relation)
  }

  async #isSoundPattern(filter: RowFilter): Promise<boolean> {
    if (!isPattern(filter)) return true
    const [pattern = ''] = filter.values
    if (pattern.length > limits.maxPatternLength) return false
    return this.#visibility.matches('', pattern, false).then(
      () => true,
      (error: unknown) => {
        if (error instanceof pg.DatabaseError) return false
        throw error
      },
    )
  }

  /** Resolves once every later change will be seen. @throws JoinRefused when the database can't be followed. */
  async requireLive() {
    if (await this.#source.isLive(limits.joinWaitMs)) return
    throw new JoinRefused("DatabaseNotAvailable: row changes can't be followed at the moment")
  }

  /** Starts following the log without waiting for it: broadcasts of the database come from there. */
  start() {
    this.#source.start()
  }

  follow(channel: Channel) {
    this.#followers.add(channel)
  }

  unfollow(channel: Channel) {
    this.#followers.remove(channel)
  }

  async stop() {
    this.#waiting = []
    await this.#source.stop()
    await this.#delivering
    await Promise.all([this.#visibility.stop(), this.#witness.stop()])
  }

  /** While one query runs, the next changes gather and are queried together. */
  async #take(change: Change) {
    if (change.schema === 'realtime') return this.#relay(change) // the log waits until it is sent, so that the memory doesn't fill
    if (!this.#database.hasReplicas) this.#status?.tell(change.table)
    this.#waiting.push(change)
    this.#delivering ??= this.#deliverWaiting().finally(() => {
      this.#delivering = undefined
    })
    if (this.#waiting.length >= mostWaiting) await this.#delivering
  }

  /** `realtime.send`: every node reads it in its own log and sends it to its own channels. */
  async #relay({ row }: Change) {
    const sent = readLogged(row)
    if (sent) await this.#hub.deliver(roomOf(`realtime:${sent.topic}`, sent.isPrivate), sent.broadcast)
  }

  async #deliverWaiting() {
    while (this.#waiting.length > 0) {
      const changes = this.#waiting.splice(0, batchSize)
      try {
        await this.#deliver(changes)
      } catch (err) {
        // Without the permissions nobody can be shown the changes, so every follower must learn that some are missing.
        this.#log.error({ err }, 'realtime: changes could not be delivered')
        for (const change of changes) for (const channel of this.#candidates(change)) failed(channel)
      }
    }
  }

  async #deliver(changes: readonly Change[]) {
    const expected: Expected[] = []
    for (const change of changes) {
      const audiences = await this.#audiencesOf(change)
      if (audiences.length > 0) expected.push({ change, audiences })
    }
    const { hasReplicas } = this.#database
    const awaited = hasReplicas ? changes : expected.map(({ change }) => change)
    if (awaited.length === 0) return
    await this.#commits.wait(awaited.map(({ xid }) => xid))
    if (hasReplicas) {
      // Clients that read again because of a change find it.
      await this.#database.catchUpReplicas()
      for (const { table } of changes) this.#status?.tell(table)
    }
    const views = await this.#ask(expected)
    for (const { change, audiences } of expected) {
      for (const audience of audiences) {
        const answer = views.get(audience)
        if (answer && 'error' in answer) this.#report(answer.error, change, audience)
        else if (answer && answer.value !== null) await this.#send(change, audience, answer.value)
      }
    }
  }

  #candidates({ schema, table, row }: Change): Set<Channel> {
    return this.#followers.of(exposedSchema(schema), table, row, keyOf)
  }

  /** Receivers of a change, grouped by user: the database is queried once for each. */
  async #audiencesOf(change: Change): Promise<Audience[]> {
    const audiences = new Map<string, Audience>()
    for (const channel of this.#candidates(change)) {
      const { caller } = channel
      const relation = await this.#relations.find(exposedSchema(change.schema), change.table, caller.role)
      const bindings = relation ? channel.bindings.filter((binding) => mayWant(binding, change, relation)) : []
      if (!relation || bindings.length === 0 || !isReadable(relation)) continue
      // Where a role sees all rows alike, all its users form one group.
      const identity = relation.isGuarded ? identityOf(caller) : caller.role
      const audience = audiences.get(identity) ?? { identity, caller, relation, members: [] }
      audiences.set(identity, audience)
      audience.members.push({ channel, bindings })
    }
    return [...audiences.values()]
  }

  /** For each audience the row as they see it, as JSON: an empty text for a deletion they may see, null for a row they may not. */
  async #ask(expected: readonly Expected[]): Promise<Map<Audience, Answer<string | null>>> {
    const views = new Map<Audience, Answer<string | null>>()
    const together = new Map<Relation, { audience: Audience; change: Change }[]>()
    for (const { change, audiences } of expected) {
      if (change.type === 'DELETE') {
        const sawIt = await this.#witnesses(change, audiences)
        audiences.forEach((audience, index) => void views.set(audience, sawIt[index] ?? { value: null }))
        continue
      }
      for (const audience of audiences) {
        const questions = together.get(audience.relation) ?? []
        together.set(audience.relation, questions)
        questions.push({ audience, change })
      }
    }
    for (const [relation, wanted] of together) {
      // For a row that changes repeatedly, e.g. the likes of a post, a batch has one query for each user.
      const numbers = new Map<string, number>()
      const questions: typeof wanted = []
      const numbered = wanted.map((question) => {
        const { audience, change } = question
        const name = JSON.stringify([...relation.key.map((key) => change.row[key]), audience.identity])
        const number = numbers.get(name) ?? questions.push(question) - 1
        numbers.set(name, number)
        return { audience, number }
      })
      const answers = await queryInHalves(questions, (some) =>
        this.#visibility.see(
          relation,
          some.map(({ audience: { caller }, change: { row } }) => ({ row, caller })),
        ),
      )
      for (const { audience, number } of numbered) views.set(audience, answers[number] ?? { value: null })
    }
    return views
  }

  async #witnesses(change: Change, audiences: readonly Audience[]): Promise<Answer<string | null>[]> {
    const byRole = new Map<Relation, Audience[]>()
    for (const audience of audiences)
      byRole.set(audience.relation, [...(byRole.get(audience.relation) ?? []), audience])
    const answers = new Map<Audience, Answer<string | null>>()
    for (const [relation, asked] of byRole) {
      const saw = relation.isGuarded
        ? await queryInHalves(asked, (some) => this.#witness.whoSaw(change, relation, some))
        : asked.map(() => ({ value: true }))
      asked.forEach((audience, index) => {
        const answer = saw[index] ?? { value: false }
        answers.set(audience, 'error' in answer ? answer : { value: answer.value ? '' : null })
      })
    }
    return audiences.map((audience) => answers.get(audience) ?? { value: null })
  }

  async #send(change: Change, { caller, relation, members }: Audience, record: string) {
    const written = writeChange(change, relation, change.type === 'DELETE' ? undefined : record)
    let parsed: Readonly<Record<string, unknown>> | undefined
    for (const { channel, bindings } of members) {
      // During the query the channel may have left, or its token may now belong to another user.
      if (!this.#followers.has(channel) || channel.caller.role !== caller.role) continue
      if (relation.isGuarded && identityOf(channel.caller) !== identityOf(caller)) continue
      const met: NumberedBinding[] = []
      for (const binding of bindings) {
        const open = openFilters(binding, change, relation)
        if (open.length > 0)
          parsed ??= change.type === 'DELETE' ? change.row : (JSON.parse(record) as Record<string, unknown>)
        if (open.length === 0 || (await this.#meetsAll(open, parsed ?? {}, relation, channel))) met.push(binding)
      }
      send(channel, met, written)
      // Thousands may follow one table, and other work waits for this process too.
      this.#sent += 1
      if (this.#sent % sendsPerTurn === 0) await nextTurn()
    }
  }

  /** Filters that only the visible row can answer. */
  async #meetsAll(
    filters: readonly RowFilter[],
    record: Record<string, unknown>,
    relation: Relation,
    channel: Channel,
  ) {
    for (const filter of filters) {
      const value = asLogged(record[filter.column])
      if (!isPattern(filter)) {
        if (!meets(filter, value, typeOf(relation, filter) ?? 'text')) return false
      } else if (value === null || (await this.#matches(filter, value, channel)) === filter.isNegated) return false
    }
    return true
  }

  async #matches({ operator, values }: RowFilter, value: string, channel: Channel): Promise<boolean | undefined> {
    try {
      return await this.#visibility.matches(value, values[0] ?? '', operator === 'imatch')
    } catch (err) {
      if (!(err instanceof pg.DatabaseError)) throw err
      channel.shutDown('Error parsing filter params: the pattern takes too long')
      return undefined
    }
  }

  #report(err: unknown, { table }: Change, { members }: Audience) {
    this.#log.error({ err, table }, 'realtime: a change could not be delivered')
    for (const { channel } of members) failed(channel)
  }

  #failAll() {
    for (const channel of [...this.#followers]) channel.fail('Changes may have been missed. Join again.')
  }
}

function failed(channel: Channel) {
  channel.fail('A change could not be delivered. Join again.')
}

function send(channel: Channel, bindings: readonly NumberedBinding[], written: string) {
  const whole = bindings.filter(({ select }) => !select)
  if (whole.length > 0) {
    channel.sendChange(
      whole.map(({ id }) => id),
      written,
    )
  }
  for (const { id, select } of bindings) if (select) channel.sendChange([id], narrowChange(written, select))
}

/** Without a readable column, or a key for the query, there is nothing to deliver. */
function isReadable({ columns, key }: Relation): boolean {
  return columns.length > 0 && key.length > 0
}

function typeOf({ columns }: Relation, { column }: RowFilter): string | undefined {
  return columns.find(({ name }) => name === column)?.type
}

/** Whether a binding may match a change, as far as the log shows; the visible row decides the rest. */
function mayWant(binding: NumberedBinding, change: Change, relation: Relation): boolean {
  const { event, schema, table, filters } = binding
  if (event !== '*' && event !== change.type) return false
  if (schema !== relation.schema || (table !== undefined && table !== relation.table)) return false
  // Once the row is gone, a masked column can't be read any more.
  if (change.type === 'DELETE' && filters.some((filter) => !isPlain(filter, change, relation))) return false
  return filters.every((filter) => {
    const type = typeOf(relation, filter)
    if (type === undefined) return false
    return isOpen(filter, change, relation) || meets(filter, change.row[filter.column] ?? null, type)
  })
}

function openFilters({ filters }: Binding, change: Change, relation: Relation): RowFilter[] {
  return filters.filter((filter) => isOpen(filter, change, relation))
}

/** A masked column is compared as the receiver sees it, so that a filter reveals nothing that the row hides. */
function isOpen(filter: RowFilter, change: Change, relation: Relation): boolean {
  return isPattern(filter) || !isPlain(filter, change, relation)
}

function isPlain({ column }: RowFilter, { row }: Change, { plainColumns }: Relation): boolean {
  return plainColumns.includes(column) && row[column] !== undefined
}

function lookUpOf(filters: readonly RowFilter[], relation: Relation): FilterKey | undefined {
  for (const filter of filters) {
    const { column, operator, isNegated, values } = filter
    const type = typeOf(relation, filter)
    if (isNegated || (operator !== 'eq' && operator !== 'in') || !type || !relation.plainColumns.includes(column))
      continue
    const keys = values.map((value) => keyOf(value, type))
    if (keys.every((key) => key !== undefined)) return { column, type, keys }
  }
  return undefined
}

const identities = new WeakMap<Caller, string>()

/** Two callers with the same role and claims are the same user to every policy. */
function identityOf(caller: Caller): string {
  const known = identities.get(caller)
  if (known !== undefined) return known
  const identity = JSON.stringify([caller.role, caller.claims])
  identities.set(caller, identity)
  return identity
}
