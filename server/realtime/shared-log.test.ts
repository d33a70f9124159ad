import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import type { Exchange, Stream } from '../exchange/exchange.ts'
import { LocalExchange } from '../exchange/local-exchange.ts'
import { RedisExchange } from '../exchange/redis-exchange.ts'
import { WorkerExchange } from '../exchange/worker-exchange.ts'
import { openRedis } from '../redis.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { ChangeReader } from './change-reader.ts'
import { SharedLog, type SharedLogTimes } from './shared-log.ts'

let database: TestDatabase
let redis: TestRedis
const log = pino({ level: 'silent' })

beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())
beforeEach(async () => {
  database = await createTestDatabase()
  await database.query('create table public.words (n int primary key, word text)')
  await database.query('alter publication supabase_realtime add table public.words')
})
/** What to stop after a test, the last one first, before its database goes. */
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await database.drop()
})

/** What one process hears. */
type Process = { readonly source: SharedLog; readonly heard: string[]; lost: number }

const quick: SharedLogTimes = { aliveEveryMs: 50, silentAfterMs: 300, endAfterMs: 1_000 }

function openProcess(exchange: Exchange): Process {
  const heard: string[] = []
  const source = new SharedLog({
    ownerUrl: database.ownerUrl,
    exchange,
    log,
    times: quick,
    onChange: async ({ table, row }) => {
      if (table === 'words') heard.push(String(row.word))
    },
    onTable: () => undefined,
    onLost: () => {
      process.lost += 1
    },
  })
  const process: Process = { source, heard, lost: 0 }
  stops.push(() => source.stop())
  return process
}

async function openMachine(): Promise<Exchange> {
  const service = await openRedis({ url: redis.url, secrets: { jwtSecret: database.ownerUrl }, log })
  stops.push(() => service.close())
  return new RedisExchange(service, log)
}
const openMachines = () => Promise.all([openMachine(), openMachine(), openMachine()])

function openWorkers(): Exchange[] {
  const first: LocalExchange = new LocalExchange((...message) => {
    for (const worker of workers) worker.deliver(...message)
  })
  const workers = [new WorkerExchange(first), new WorkerExchange(first)]
  return [first, ...workers]
}

let number = 0
const write = (word: string) => database.query('insert into public.words values ($1, $2)', [++number, word])
const slots = () =>
  database.query<{ temporary: boolean; active_pid: number | null }>(
    'select temporary, active_pid from pg_replication_slots where database = current_database()',
  )
const readers = async () => (await slots()).map(({ active_pid }) => active_pid)
const allLive = async (processes: readonly Process[]) => {
  expect(await Promise.all(processes.map(({ source }) => source.isLive(20_000)))).toEqual(processes.map(() => true))
  for (const process of processes) process.lost = 0
}
/** The reader has ended its connection a moment before PostgreSQL frees its slot. */
const untilFree = () => eventually(async () => expect(await readers()).toEqual([null]))

describe('several machines', () => {
  it('read the log through one slot, and each hears each change once [SCALE-04]', async () => {
    const processes = (await openMachines()).map(openProcess)
    await allLive(processes)
    for (const word of ['a', 'b', 'c']) await write(word)
    await database.query(`insert into public.words select -n, 'many' from generate_series(1, 1200) n`)
    await write('last')
    for (const { heard } of processes) {
      await eventually(() => expect(heard.at(-1)).toBe('last'))
      expect(heard).toEqual(['a', 'b', 'c', ...Array.from({ length: 1200 }, () => 'many'), 'last'])
    }
    expect(await slots()).toMatchObject([{ temporary: false }])
  })

  it('cost the database one connection, even if they are fifty [SCALE-04]', async () => {
    const exchange = await openMachine()
    const processes = Array.from({ length: 50 }, () => openProcess(exchange))
    await allLive(processes)
    await write('one')
    for (const { heard } of processes) await eventually(() => expect(heard).toEqual(['one']))
    // All tried at first.
    await eventually(async () =>
      expect(
        await database.query(
          `select backend_type from pg_stat_activity where datname = current_database() and application_name like 'ovation%'`,
        ),
      ).toEqual([{ backend_type: 'walsender' }]),
    )
  })

  it('miss nothing and hear nothing twice when the reader stops, while others write [SCALE-04]', async () => {
    const [first, ...others] = (await openMachines()).map(openProcess) as [Process, Process, Process]
    await allLive([first])
    await allLive(others)
    const written: string[] = []
    let isWriting = true
    const writing = (async () => {
      for (; isWriting; ) {
        written.push(`word ${written.length}`)
        await write(written.at(-1) ?? '')
      }
    })()
    const [reader] = await readers()
    await eventually(() => expect(others[0].heard.length).toBeGreaterThan(20))
    await first.source.stop()
    await eventually(async () => expect((await readers())[0]).not.toBeOneOf([reader, null]))
    const sofar = written.length
    await eventually(() => expect(written.length).toBeGreaterThan(sofar + 20))
    isWriting = false
    await writing
    for (const { heard } of others) {
      await eventually(() => expect(heard.at(-1)).toBe(written.at(-1)))
      expect(heard).toEqual(written)
    }
    expect(others.map(({ lost }) => lost)).toEqual([0, 0])
  })

  it('go on after the connection of the reader is lost, without a gap [SCALE-04]', async () => {
    const processes = (await openMachines()).map(openProcess)
    await allLive(processes)
    await write('before')
    const [pid] = await readers()
    await database.query('select pg_terminate_backend($1)', [pid])
    await write('meanwhile')
    await write('after')
    for (const { heard } of processes) {
      await eventually(() => expect(heard.at(-1)).toBe('after'))
      expect(heard).toEqual(['before', 'meanwhile', 'after'])
    }
    expect(processes.map(({ lost }) => lost)).toEqual([0, 0, 0])
  })

  it('replace a reader that is frozen, and take nothing from it once it wakes up [SCALE-04]', async () => {
    const [exchange, other] = await openMachines()
    let isFrozen = false
    const wake = Promise.withResolvers<void>()
    const refused: boolean[] = []
    const stream = exchange.stream('changes')
    const freezing: Stream = {
      ...stream,
      takeOver: (writer) => stream.takeOver(writer),
      last: () => stream.last(),
      follow: (onEntry) => stream.follow(onEntry),
      async append(writer, entries) {
        if (!isFrozen) return stream.append(writer, entries)
        await wake.promise
        const isAppended = await stream.append(writer, entries)
        refused.push(!isAppended)
        return isAppended
      },
    }
    const frozen = openProcess({ ...exchange, spansMachines: true, stream: () => freezing } as Exchange)
    await allLive([frozen])
    const next = openProcess(other)
    await allLive([next])
    const [reader] = await readers()
    isFrozen = true
    await write('one')
    await eventually(async () => expect((await readers())[0]).not.toBeOneOf([reader, null]))
    await write('two')
    await eventually(() => expect(next.heard).toEqual(['one', 'two']))
    wake.resolve()
    await eventually(() => expect(refused).toContain(true))
    isFrozen = false
    await write('three')
    await eventually(() => expect(next.heard).toEqual(['one', 'two', 'three']))
    expect(next.lost).toBe(0)
  })

  it('miss nothing when Redis loses the stream [SCALE-04]', async () => {
    const processes = (await openMachines()).map(openProcess)
    await allLive(processes)
    await write('before')
    for (const { heard } of processes) await eventually(() => expect(heard).toEqual(['before']))
    await redis.stop()
    await write('meanwhile')
    await redis.start()
    await write('after')
    for (const process of processes) {
      await eventually(() => expect(process.heard.at(-1)).toBe('after'))
      expect(process.heard).toEqual(['before', 'meanwhile', 'after'])
      expect(process.lost).toBe(0)
    }
  })

  it('learn that changes may be missing when they have missed an entry [SCALE-04]', async () => {
    const [exchange, other] = await openMachines()
    const stream = other.stream('changes')
    let isDeaf = false
    const losing: Stream = {
      takeOver: (writer) => stream.takeOver(writer),
      append: (...entries) => stream.append(...entries),
      last: () => stream.last(),
      follow: (onEntry) => stream.follow((entry) => (isDeaf ? undefined : onEntry(entry))),
    }
    const reader = openProcess(exchange)
    await allLive([reader])
    const follower = openProcess({ ...other, spansMachines: true, stream: () => losing } as Exchange)
    await allLive([follower])
    isDeaf = true
    await write('unheard')
    await eventually(() => expect(reader.heard).toEqual(['unheard']))
    expect(follower.lost).toBe(0)
    isDeaf = false
    await eventually(() => expect(follower.lost).toBe(1))
    await write('after')
    await eventually(() => expect(follower.heard).toEqual(['after']))
    expect(follower.lost).toBe(1)
  })

  it('learn that changes may be missing when the slot is gone, as on a promoted replica [SCALE-04]', async () => {
    const [first, other] = await openMachines()
    const reader = openProcess(first)
    await allLive([reader])
    const follower = openProcess(other)
    await allLive([follower])
    await reader.source.stop()
    await eventually(async () => {
      // The process that reads by now is ended again, until the slot could be dropped.
      await database.query(`select pg_terminate_backend(active_pid) from pg_replication_slots where active`)
      await database.query(
        `select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = current_database()`,
      )
    })
    await eventually(() => expect(follower.lost).toBeGreaterThan(0))
    await allLive([follower])
    await write('after')
    await eventually(() => expect(follower.heard).toEqual(['after']))
  })

  it('keep no slot when the installation becomes a single process [SCALE-04]', async () => {
    const { source } = openProcess(await openMachine())
    expect(await source.isLive(20_000)).toBe(true)
    await source.stop()
    await untilFree()
    const nothing = { onChange: async () => undefined, onTable: () => undefined, onLost: () => undefined }
    const alone = new ChangeReader({ ...nothing, ownerUrl: database.ownerUrl, log })
    expect(await alone.isLive(20_000)).toBe(true)
    expect(await slots()).toMatchObject([{ temporary: true }])
    await alone.stop()
  })
})

describe('the processes of one machine', () => {
  it('read the log through one slot, which ends with them [SCALE-04, SCALE-08]', async () => {
    const processes = openWorkers().map(openProcess)
    await allLive(processes)
    for (const word of ['a', 'b']) await write(word)
    for (const { heard } of processes) await eventually(() => expect(heard).toEqual(['a', 'b']))
    expect(await slots()).toMatchObject([{ temporary: true }])
    await Promise.all(processes.map(({ source }) => source.stop()))
    await eventually(async () => expect(await slots()).toEqual([]))
  })

  it('learn that changes may be missing when another one begins to read [SCALE-04, SCALE-08]', async () => {
    const [first, second] = openWorkers().map(openProcess) as [Process, Process]
    await allLive([first])
    await allLive([second])
    await first.source.stop()
    await eventually(() => expect(second.lost).toBeGreaterThan(0))
    await allLive([second])
    await write('after')
    await eventually(() => expect(second.heard).toEqual(['after']))
  })
})
