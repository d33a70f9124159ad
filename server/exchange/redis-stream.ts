import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { blockingMs, type RedisService } from '../redis.ts'
import type { OnEntry, Stream, Subscription } from './exchange.ts'

/** About how many entries Redis keeps, and for how long: a follower that is further behind misses some. */
const kept = 2_000
const keptMs = 300_000
const entriesAtOnce = 100
const retryMs = 250

/** One script, so that no other writer comes between the check and the entries. */
const append = `
if redis.call('get', KEYS[2]) ~= ARGV[1] then return 0 end
for i = 4, #ARGV do
  redis.call('xadd', KEYS[1], 'maxlen', '~', ARGV[2], '*', 'entry', ARGV[i])
end
local oldest = redis.call('time')[1] * 1000 - ARGV[3]
redis.call('xtrim', KEYS[1], 'minid', '~', string.format('%d', oldest))
redis.call('pexpire', KEYS[1], ARGV[3])
redis.call('pexpire', KEYS[2], ARGV[3])
return 1`

const takeOver = `
redis.call('set', KEYS[2], ARGV[1])
local last = redis.call('xrevrange', KEYS[1], '+', '-', 'count', 1)[1]
return last and last[2][2] or false`

type Entry = { readonly id: string; readonly entry: Buffer }
/** As Redis sends it: the id, and names and values in turn. */
type Sent = [id: Buffer, fields: Buffer[]]

/** A stream in Redis. */
export class RedisStream implements Stream {
  readonly #redis: RedisService
  readonly #key: string
  readonly #writerKey: string

  constructor(redis: RedisService, key: string) {
    this.#redis = redis
    this.#key = key
    this.#writerKey = `${key}:writer`
  }

  async takeOver(writer: string): Promise<Buffer | undefined> {
    const last = await this.#redis.commands.callBuffer('eval', takeOver, 2, this.#key, this.#writerKey, writer)
    return Buffer.isBuffer(last) ? last : undefined
  }

  async append(writer: string, entries: readonly Buffer[]): Promise<boolean> {
    const { commands } = this.#redis
    const added = await commands.eval(append, 2, this.#key, this.#writerKey, writer, kept, keptMs, ...entries)
    return added === 1
  }

  async last() {
    const [newest, [seconds, microseconds]] = await Promise.all([
      readNewest(this.#redis.commands, this.#key),
      this.#redis.commands.time(),
    ])
    if (!newest) return undefined
    const now = Number(seconds) * 1000 + Number(microseconds) / 1000
    return { entry: newest.entry, ageMs: now - Number(newest.id.split('-')[0]) }
  }

  follow(onEntry: OnEntry): Subscription {
    const connection = this.#redis.openBlocking()
    const { promise: started, resolve } = Promise.withResolvers<void>()
    let hasEnded = false
    const read = async () => {
      let last: string | undefined
      while (!hasEnded) {
        try {
          last ??= (await readNewest(connection, this.#key))?.id ?? ''
          resolve()
          for (const { id, entry } of await this.#readAfter(connection, last)) {
            last = id
            await onEntry(entry)
          }
        } catch {
          // `redis.ts` logs an outage once.
          if (!hasEnded) await delay(retryMs, undefined, { ref: false })
        }
      }
    }
    void read()
    return {
      started: this.#redis.commands.status === 'ready' ? started : Promise.resolve(),
      end() {
        hasEnded = true
        connection.disconnect()
      },
    }
  }

  async #readAfter(connection: Redis, id: string): Promise<Entry[]> {
    const after = id === '' ? '0' : id
    const streams = await connection.xreadBuffer(
      'COUNT',
      entriesAtOnce,
      'BLOCK',
      blockingMs,
      'STREAMS',
      this.#key,
      after,
    )
    const sent = (streams as [Buffer, Sent[]][] | null)?.[0]?.[1] ?? []
    return sent.map(asEntry)
  }
}

async function readNewest(connection: Redis, key: string): Promise<Entry | undefined> {
  const [newest] = (await connection.xrevrangeBuffer(key, '+', '-', 'COUNT', 1)) as Sent[]
  return newest && asEntry(newest)
}

function asEntry([id, [, entry]]: Sent): Entry {
  return { id: id.toString(), entry: entry ?? Buffer.alloc(0) }
}
