import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'
import { RedisExchange } from './exchange/redis-exchange.ts'
import { RateLimiter } from './http/rate-limiter.ts'
import { measureHealth } from './operations/measure-health.ts'
import { openRedis, type RedisService, redisIsDown } from './redis.ts'
import { startGateway, type TestGateway } from './testing/gateway.ts'
import { startRedis, type TestRedis } from './testing/redis.ts'

const log = pino({ level: 'silent' })
const secrets = { jwtSecret: 'the secret that both nodes share, long enough' }

describe('several nodes with REDIS_URL', () => {
  let redis: TestRedis
  const nodes: RedisService[] = []

  async function node(jwtSecret = secrets.jwtSecret): Promise<RedisService> {
    const opened = await openRedis({ url: redis.url, secrets: { jwtSecret }, log })
    nodes.push(opened)
    return opened
  }

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    for (const opened of nodes) await opened.close()
    await redis.stop()
  })

  it('store no address in Redis, and nothing forever', async () => {
    const opened = await node()
    await new RateLimiter({ name: 'names', uses: 3, windowSeconds: 50 }, new RedisExchange(opened, log)).take(
      'ada@example.com',
    )
    const [key] = await opened.commands.keys('*:names:*')
    expect(key).not.toContain('ada')
    expect(await opened.commands.pttl(key ?? '')).toBeGreaterThan(0)
  })

  it("don't share counts with another installation", async () => {
    const limit = { name: 'apart', uses: 1, windowSeconds: 600 }
    const ours = new RateLimiter(limit, new RedisExchange(await node(), log))
    const other = await node('the secret of another installation, long enough')
    const theirs = new RateLimiter(limit, new RedisExchange(other, log))
    expect([await ours.take('a'), await theirs.take('a'), await ours.take('a')]).toEqual([0, 0, 600])
  })

  it('count alone from what they knew while Redis is down, and together again afterwards', async () => {
    const limit = { name: 'outage', uses: 3, windowSeconds: 600 }
    const both = [await node(), await node()] as const
    const limiters = both.map((opened) => new RateLimiter(limit, new RedisExchange(opened, log)))
    const [first, second] = limiters as [RateLimiter, RateLimiter]
    expect([await first.take('a'), await first.take('a')]).toEqual([0, 0])
    await redis.stop()
    // The first has one left by its own count. The second doesn't know the others' counts, but still has no more than the limit.
    expect([await first.take('a'), await first.take('a')]).toEqual([0, 200])
    const alone = []
    for (let turn = 0; turn < 4; turn++) alone.push(await second.take('a'))
    expect(alone).toEqual([0, 0, 0, 200])
    await redis.start()
    for (const { commands } of both) await until(async () => (await commands.ping().catch(() => '')) === 'PONG')
    const together = []
    for (const limiter of [first, second, first, second]) together.push(await limiter.take('b'))
    expect(together).toEqual([0, 0, 0, 200])
  })

  it('resubscribe automatically after an outage', async () => {
    const [speaker, hearer] = [await node(), await node()]
    const heard: string[] = []
    const subscriber = hearer.openSubscriber()
    await subscriber.subscribe(hearer.name('news'))
    subscriber.on('message', (_channel, text) => void heard.push(text))
    await redis.stop()
    await redis.start()
    await until(async () => (await speaker.commands.publish(speaker.name('news'), 'back').catch(() => 0)) === 1)
    await until(async () => heard.length > 0)
    expect(heard[0]).toBe('back')
  })
})

describe('the gateway with REDIS_URL', () => {
  let redis: TestRedis
  let first: TestGateway
  let second: TestGateway

  beforeAll(async () => {
    redis = await startRedis({ password: 'hunter2' })
    const env = {
      REDIS_URL: redis.url,
      JWT_SECRET: 'the secret that both nodes share, long enough',
      AUTH_RATE_LIMIT_FAILED_SIGN_IN: '4',
    }
    ;[first, second] = await Promise.all([startGateway({ env }), startGateway({ env })])
  })
  afterAll(async () => {
    await Promise.all([first.close(), second.close()])
    await redis.stop()
  })

  it('rejects the next password guess on any node', async () => {
    const guess = async (gateway: TestGateway) =>
      (await gateway.client().auth.signInWithPassword({ email: 'ada@example.com', password: 'a wrong password' })).error
        ?.code
    const codes = []
    for (const gateway of [first, second, first, second, first, second]) codes.push(await guess(gateway))
    expect(codes.slice(0, 4)).toEqual(Array(4).fill('invalid_credentials'))
    expect(codes.slice(4)).toEqual(Array(2).fill('over_request_rate_limit'))
  })

  it('rate-limits emails to one address across nodes', async () => {
    const ask = (gateway: TestGateway) => gateway.client().auth.resetPasswordForEmail('grace@example.com')
    expect((await ask(first)).error).toBeNull()
    expect((await ask(second)).error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
  })

  it('reports in its health that Redis is down, still signs users in, and recovers', async () => {
    const health = async () => {
      const answer = await fetch(`${first.url}/health/ready`)
      return { status: answer.status, body: (await answer.json()) as { status: string } }
    }
    expect(await health()).toEqual({ status: 200, body: { status: 'ok' } })
    await redis.stop()
    expect(await health()).toEqual({ status: 200, body: { status: 'degraded', failing: ['redis'] } })
    const person = await first.signUp()
    const { error } = await first.client().auth.signInWithPassword({ email: person.email, password: person.password })
    expect(error).toBeNull()
    await redis.start()
    await until(async () => (await health()).body.status === 'ok')
  })
})

describe('the start with REDIS_URL', () => {
  it('stops with one sentence if the password is wrong, and never shows the password', async () => {
    const redis = await startRedis({ password: 'right' })
    const wrong = redis.url.replace('right', 'hunter2')
    const refused = openRedis({ url: wrong, secrets, log })
    await expect(refused).rejects.toThrow(ConfigError)
    await expect(refused).rejects.toThrow(/^REDIS_URL names a Redis server that can't be used \(.*WRONGPASS.*\)/)
    await redis.stop()
    await expect(refused).rejects.not.toThrow(/hunter2/)
  })

  it('serves while Redis is down, reports it, and connects once Redis is up', async () => {
    const redis = await startRedis()
    await redis.stop()
    const gateway = await startGateway({ env: { REDIS_URL: redis.url }, sandboxUrl: 'http://127.0.0.1:1' })
    const ready = async () => (await (await fetch(`${gateway.url}/health/ready`)).json()) as unknown
    try {
      expect(await ready()).toEqual({ status: 'degraded', failing: ['redis'] })
      const { parts } = await measureHealth(gateway.services)
      expect(parts).toContainEqual(expect.objectContaining({ part: 'redis', state: 'failed', seen: redisIsDown }))
      await gateway.signUp()
      await redis.start()
      await expect.poll(ready, { timeout: 10_000 }).toEqual({ status: 'ok' })
    } finally {
      await gateway.close()
      await redis.stop()
    }
  }, 60_000)

  it('accepts only redis and rediss URLs', () => {
    expect(() => parseConfig({ REDIS_URL: 'http://:hunter2@cache' })).toThrow(/^REDIS_URL must be a URL that begins/)
    expect(parseConfig({ REDIS_URL: 'rediss://cache:6380' }).redisUrl).toBe('rediss://cache:6380')
    expect(parseConfig({}).redisUrl).toBeUndefined()
  })
})

async function until(condition: () => Promise<boolean>) {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) if (await condition()) return
  throw new Error('the condition was not met within 10 s')
}
