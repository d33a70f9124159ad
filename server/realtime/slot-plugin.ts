import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Pgoutput, PgoutputPlugin } from 'pg-logical-replication'
import { broadcasts, publications } from './relations.ts'

/**
 * Who reads through a replication slot. `process`: this one alone. `machine`: one process for all of the machine; the slot still ends with
 * its connection, so a machine that is gone keeps no log. `installation`: one process for all machines; the slot stays when the process
 * dies, and the next one goes on where that stopped. A slot has one reader at a time, so it also says who that is.
 */
export type SlotScope = 'process' | 'machine' | 'installation'

type Options = {
  readonly scope: SlotScope
  /** Begin with a new slot, because the one that is there can't be read any more. */
  readonly renews: boolean
  onConnected(client: pg.Client): void
  /** A message has arrived. */
  onMessage(): void
}

/** Prepares the slot on a new connection, and reads it with values as PostgreSQL's text. */
export class SlotPlugin extends PgoutputPlugin {
  readonly #options: Options
  /** A promoted server begins a new timeline. */
  timeline = ''
  /** The slot begins with this connection: earlier changes aren't in it. */
  isNew = true

  constructor(options: Options) {
    super({ protoVersion: 1, publicationNames: [...publications, broadcasts] })
    this.#options = options
  }

  override async start(client: pg.Client, _slotName: string, lastLsn: string) {
    const { scope, renews, onConnected } = this.#options
    onConnected(client)
    await createMissing(client)
    const shared = await sharedSlot(client)
    const kept = await findKept(client, shared)
    const isUsable = scope === 'installation' && kept?.wal_status !== 'lost' && !renews
    // One of an installation that has become smaller would keep the log until the disk is full.
    if (kept && !isUsable && !kept.active) await client.query(`select pg_drop_replication_slot('${shared}')`)
    this.isNew = !(kept && isUsable)
    const name = scope === 'process' ? `ovation_${randomBytes(8).toString('hex')}` : shared
    if (this.isNew) {
      // Replication commands have a separate grammar: capitals only.
      const temporary = scope === 'installation' ? '' : 'TEMPORARY '
      await client.query(`CREATE_REPLICATION_SLOT "${name}" ${temporary}LOGICAL pgoutput NOEXPORT_SNAPSHOT`)
    }
    const { rows } = await client.query<{ timeline: number }>('IDENTIFY_SYSTEM')
    this.timeline = String(rows[0]?.timeline)
    return super.start(client, name, lastLsn)
  }

  override parse(buffer: Buffer): Pgoutput.Message {
    const message = super.parse(buffer)
    if (message.tag === 'relation') for (const column of message.columns) column.parser = (text: string) => text
    this.#options.onMessage()
    return message
  }
}

/** Whether the slot has another reader: it is active, or, if temporary, exists. */
export const isTaken = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '55006' || error.code === '42710')

/** Whether the slot begins before its publications, as when an operator dropped and recreated them: it can't be read any more. */
export const isUnreadable = (error: unknown) => error instanceof pg.DatabaseError && error.code === '42704'

/** The name of the slot that several processes share. A cluster of databases has one list of slots, so the name has the database's number. */
async function sharedSlot(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select 'ovation_changes_' || oid as name from pg_database where datname = current_database()`,
  )
  return rows[0]?.name ?? ''
}

/** The slot, unless it ends with a connection. */
async function findKept(client: pg.Client, name: string) {
  const { rows } = await client.query<{ active: boolean; wal_status: string }>(
    `select active, wal_status from pg_replication_slots where slot_name = '${name}' and not temporary`,
  )
  return rows[0]
}

/** Ends the connection that reads through the shared slot: its process is frozen, or cut off from the others. */
export async function endSharedReader(client: pg.Client): Promise<void> {
  await client.query(
    'select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1 and active_pid is not null',
    [await sharedSlot(client)],
  )
}

/** PostgreSQL before 18 reads nothing when a publication is missing, and operators drop and recreate theirs. */
async function createMissing(client: pg.Client) {
  const { rows } = await client.query<{ pubname: string }>('select pubname from pg_publication')
  const known = new Set(rows.map(({ pubname }) => pubname))
  for (const name of publications) if (!known.has(name)) await client.query(`create publication ${name}`)
}
