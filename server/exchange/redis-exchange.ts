import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { RedisService } from '../redis.ts'
import type { Exchange, SharedLimit, Stream, Subscription } from './exchange.ts'
import { RedisStream } from './redis-stream.ts'

/** The same arithmetic as `TokenBuckets`, atomic and by Redis's clock: two nodes can't both get the last use. */
const script = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local uses, windowMs, spent = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('hmget', KEYS[1], 'tokens', 'filled_at')
local tokens = uses
if known[1] then
  tokens = math.min(uses, known[1] + math.max(0, now - known[2]) * uses / windowMs)
end
local needed = math.max(1, spent)
if tokens < needed and spent >= 0 then
  return math.max(1, math.ceil((needed - tokens) * windowMs / uses / 1000))
end
if spent ~= 0 then
  redis.call('hset', KEYS[1], 'tokens', math.min(uses, tokens - spent), 'filled_at', now)
  redis.call('pexpire', KEYS[1], windowMs)
end
return 0`

const recall = `
local left = redis.call('pttl', KEYS[1])
if left < 0 then return 0 end
if left < tonumber(ARGV[1]) then redis.call('pexpire', KEYS[1], ARGV[1]) end
return 1`

/** The exchange of several machines. While Redis is down, each process works alone; `redis.ts` logs each outage once. */
export class RedisExchange implements Exchange {
  readonly spansMachines = true
  readonly #redis: RedisService
  readonly #log: FastifyBaseLogger

  constructor(redis: RedisService, log: FastifyBaseLogger) {
    this.#redis = redis
    this.#log = log
  }

  async spend({ name, uses, windowSeconds }: SharedLimit, key: string, spent: number): Promise<number | undefined> {
    // Client addresses are never stored in Redis in the clear.
    const hashed = createHash('sha256').update(key).digest('base64url')
    const bucket = this.#redis.name('limit', name, hashed)
    try {
      return Number(await this.#redis.commands.eval(script, 1, bucket, uses, windowSeconds * 1000, spent))
    } catch {
      return undefined
    }
  }

  async remember(key: string, forMs: number): Promise<boolean> {
    const set = this.#redis.commands.set(this.#redis.name('known', key), '', 'PX', forMs)
    return set.then(
      () => true,
      () => false,
    )
  }

  async recall(key: string, forMs: number): Promise<boolean | undefined> {
    return this.#redis.commands.eval(recall, 1, this.#redis.name('known', key), forMs).then(
      (found) => found === 1,
      () => undefined,
    )
  }

  async publish(channel: string, message: Buffer) {
    await this.#redis.commands.publish(this.#redis.name(channel), message).catch(() => undefined)
  }

  subscribe(channel: string, onMessage: (message: Buffer) => void, onBack: () => void): Subscription {
    const subscriber = this.#redis.openSubscriber()
    let hasEnded = false
    subscriber.on('messageBuffer', (_channel: Buffer, message: Buffer) => onMessage(message))
    subscriber.on('ready', onBack)
    const subscribed = subscriber.subscribe(this.#redis.name(channel)).then(() => undefined)
    const isUp = this.#redis.commands.status === 'ready'
    if (!isUp)
      subscribed.catch((err: unknown) => {
        if (!hasEnded) this.#log.warn({ err, channel }, "can't receive messages from other nodes")
      })
    return {
      started: isUp ? subscribed : Promise.resolve(),
      end() {
        hasEnded = true
        subscriber.disconnect()
      },
    }
  }

  stream(name: string): Stream {
    return new RedisStream(this.#redis, this.#redis.name('stream', name))
  }
}
