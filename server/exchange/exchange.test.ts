import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { RateLimiter } from '../http/rate-limiter.ts'
import { openRedis, type RedisService } from '../redis.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import type { Exchange, Stream } from './exchange.ts'
import { LocalExchange } from './local-exchange.ts'
import { RedisExchange } from './redis-exchange.ts'
import { WorkerExchange } from './worker-exchange.ts'

/** The first process of a machine and one of its workers, without the channel between them. */
function openMachine(): [Exchange, Exchange] {
  const first: LocalExchange = new LocalExchange((...message) => worker.deliver(...message))
  const worker = new WorkerExchange(first)
  return [first, worker]
}

describe.each(['through Redis', 'on one machine'])('two processes %s', (where) => {
  const log = pino({ level: 'silent' })
  const nodes: RedisService[] = []
  let redis: TestRedis

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    for (const node of nodes) await node.close()
    await redis.stop()
  })

  async function openNode(): Promise<Exchange> {
    const node = await openRedis({ url: redis.url, secrets: { jwtSecret: 'the secret of both' }, log })
    nodes.push(node)
    return new RedisExchange(node, log)
  }
  const openBoth = async () => (where === 'through Redis' ? [await openNode(), await openNode()] : openMachine())
  const limitBoth = async (name: string, uses: number) => {
    const both = (await openBoth()).map((exchange) => new RateLimiter({ name, uses, windowSeconds: 600 }, exchange))
    return both as [RateLimiter, RateLimiter]
  }

  it('count one limit together, exactly, however many requests come at once [SCALE-08]', async () => {
    const [first, second] = await limitBoth('together', 10)
    const answers = await Promise.all(Array.from({ length: 30 }, (_, turn) => (turn % 2 ? first : second).take('a')))
    expect(answers.filter((wait) => wait === 0)).toHaveLength(10)
    expect(Math.max(...answers)).toBe(60)
    expect(await second.wait('a')).toBe(60)
    expect(await second.take('b')).toBe(0)
  })

  it("count several uses as one, or none of them if there isn't room for all", async () => {
    const [first, second] = await limitBoth('rows', 10)
    expect([await first.take('a', 8), await second.take('a', 3), await second.take('a', 2)]).toEqual([0, 60, 0])
    expect([await first.take('a'), await second.take('a')]).toEqual([60, 60])
    expect([await first.take('b', 11), await second.take('b', 10)]).toEqual([60, 0])
  })

  it('remember a key together, for as long as one of them recalls it in time [SCALE-02]', async () => {
    const [first, second] = await openBoth()
    expect(await second?.recall('key', 1_000)).toBe(false)
    expect(await first?.remember('key', 100)).toBe(true)
    expect(await second?.recall('key', 60_000)).toBe(true)
    await delay(200)
    expect(await first?.recall('key', 1)).toBe(true)
    expect(await first?.remember('another', 1)).toBe(true)
    await eventually(async () => expect(await second?.recall('another', 1)).toBe(false))
    expect(await second?.recall('key', 1)).toBe(true)
  })

  it("give back a use that didn't count, but never more than were taken", async () => {
    const [first, second] = await limitBoth('back', 1)
    for (let turn = 0; turn < 3; turn++) {
      expect(await first.take('a')).toBe(0)
      expect(await second.take('a')).toBeGreaterThan(0)
      await first.giveBack('a')
    }
    await first.giveBack('a')
    expect([await second.take('a'), await second.take('a')]).toEqual([0, 600])
  })

  describe('with a stream', () => {
    const openStreams = async (name: string) =>
      (await openBoth()).map((exchange) => exchange.stream(name)) as [Stream, Stream]
    const follow = async (stream: Stream, onEntry: () => Promise<void> | void = () => undefined) => {
      const heard: string[] = []
      const subscription = stream.follow((entry) => {
        heard.push(entry.toString())
        return onEntry()
      })
      onTestFinished(() => subscription.end())
      await subscription.started
      return heard
    }
    const append = (stream: Stream, writer: string, ...texts: string[]) =>
      stream.append(
        writer,
        texts.map((text) => Buffer.from(text)),
      )

    it('get each entry once, in order, from when they follow it [SCALE-04]', async () => {
      const [first, second] = await openStreams('words')
      expect(await first.last()).toBeUndefined()
      expect(await first.takeOver('a')).toBeUndefined()
      await append(first, 'a', 'before')
      const followers = [await follow(first), await follow(second)]
      expect(await append(first, 'a', 'one', 'two')).toBe(true)
      expect(await append(first, 'a', 'three')).toBe(true)
      for (const heard of followers) await eventually(() => expect(heard).toEqual(['one', 'two', 'three']))
      const last = await second.last()
      expect(last?.entry.toString()).toBe('three')
      expect(last?.ageMs).toBeLessThan(60_000)
    })

    it('have one writer: the one that took over last [SCALE-04]', async () => {
      const [first, second] = await openStreams('writers')
      expect(await append(first, 'a', 'nobody’s')).toBe(false)
      await first.takeOver('a')
      expect(await append(first, 'a', 'one')).toBe(true)
      expect((await second.takeOver('b'))?.toString()).toBe('one')
      expect(await append(first, 'a', 'late')).toBe(false)
      expect(await append(second, 'b', 'two')).toBe(true)
      expect((await first.last())?.entry.toString()).toBe('two')
    })

    it('miss entries when they are far behind, and get the latest [SCALE-04]', async () => {
      const [first, second] = await openStreams('far behind')
      await first.takeOver('a')
      const { promise: goOn, resolve } = Promise.withResolvers<void>()
      const heard = await follow(second, () => goOn)
      for (let round = 0; round < 50; round++) {
        await append(first, 'a', ...Array.from({ length: 100 }, (_, index) => `${round} ${index}`))
      }
      await eventually(() => expect(heard).toEqual(['0 0']))
      resolve()
      await append(first, 'a', 'now')
      await eventually(() => expect(heard.at(-1)).toBe('now'))
      expect(heard.length).toBeLessThan(5_000)
    })
  })

  it('get each other’s messages, and their own, in order and byte for byte, until they unsubscribe', async () => {
    const both = (await openBoth()) as [Exchange, Exchange]
    const heard = await Promise.all(
      both.map(async (exchange) => {
        const messages: string[] = []
        const subscription = exchange.subscribe(
          'news',
          (message) => messages.push(message.toString('hex')),
          () => {},
        )
        onTestFinished(() => subscription.end())
        await subscription.started
        return messages
      }),
    )
    for (const [byte, exchange] of [...both, ...both].entries()) await exchange.publish('news', Buffer.from([0, byte]))
    await both[0].publish('other', Buffer.from([9]))
    for (const messages of heard) await expect.poll(() => messages).toEqual(['0000', '0001', '0002', '0003'])
  })
})
