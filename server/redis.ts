import { hkdfSync } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { Redis, type RedisOptions } from 'ioredis'
import { ConfigError } from './environment.ts'

/** What nodes tell each other: counts of limits, broadcasts, presence. Nothing is in it that may not be lost. */
export type RedisService = {
  /** For single commands. While the server is away they fail at once instead of waiting: the caller decides what then. */
  readonly commands: Redis
  /** The name of a key or channel. Two installations may share a server, where channels know no databases: theirs never meet. */
  name(...parts: readonly string[]): string
  /** A connection of its own for `subscribe`. It subscribes again by itself after an outage, and is closed with the service. */
  openSubscriber(): Redis
  close(): Promise<void>
}

type RedisSecrets = { readonly jwtSecret: string }

type RedisConfig = {
  readonly url: string
  readonly secrets: RedisSecrets
  readonly log: FastifyBaseLogger
}

const answersWithinMs = 500

/** For ever, and soon: the server comes back at the same address, and until then each node stands alone. */
const retryStrategy = (attempt: number) => Math.min(100 * 2 ** Math.min(attempt, 5), 2000)

/**
 * Connects to the Redis of `REDIS_URL`.
 * A server that can't be reached is tried again for ever, and until then the node is alone, which the log and `/health/ready` say.
 * @throws ConfigError when it answers and refuses us, e.g. a password.
 */
export async function openRedis({ url, secrets, log }: RedisConfig): Promise<RedisService> {
  const commands = new Redis(url, {
    retryStrategy,
    lazyConnect: true,
    connectTimeout: 5000,
    commandTimeout: answersWithinMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  })
  const prefix = `ovation:${installationOf(secrets)}`
  const subscribers: Redis[] = []
  let closing = false
  let reason: string | undefined
  let isAway = false
  commands.on('error', (err) => {
    reason = err.message // says more than the failed connect, which is told "Connection is closed."
  })
  try {
    await commands.connect()
    await commands.ping()
  } catch (error) {
    if (commands.status === 'reconnecting' && reason !== undefined && isUnreachable.test(reason)) {
      isAway = true
      log.error({ reason }, away)
    } else {
      commands.disconnect()
      // The address is not repeated: it may hold a password.
      const said = reason ?? (error instanceof Error ? error.message : String(error))
      throw new ConfigError(
        `REDIS_URL names a Redis server that can not be used (${said}): start it, or unset REDIS_URL.`,
      )
    }
  }
  announceOutages(commands, log, () => closing, isAway)
  return {
    commands,
    name: (...parts) => [prefix, ...parts].join(':'),
    openSubscriber() {
      const options: Partial<RedisOptions> = {
        lazyConnect: false,
        commandTimeout: undefined,
        enableOfflineQueue: true,
        maxRetriesPerRequest: null,
      }
      const subscriber = commands.duplicate(options)
      subscriber.on('error', () => undefined) // told once, by the connection of the commands
      subscribers.push(subscriber)
      return subscriber
    },
    async close() {
      closing = true
      for (const connection of [...subscribers, commands]) connection.disconnect()
    },
  }
}

const isUnreachable = /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN/
const away = 'Redis is away: limits are counted by each node alone, and broadcasts do not reach other nodes'

/** Known to every node of one installation and to no other: they share the secret that signs tokens. */
function installationOf({ jwtSecret }: RedisSecrets): string {
  return Buffer.from(hkdfSync('sha256', jwtSecret, '', 'ovation redis names', 9)).toString('base64url')
}

/** One line when it goes and one when it comes back, however long and often it is tried in between. */
function announceOutages(redis: Redis, log: FastifyBaseLogger, isClosing: () => boolean, isAway: boolean) {
  let gone = isAway
  redis.on('close', () => {
    if (gone || isClosing()) return
    gone = true
    log.error(away)
  })
  redis.on('ready', () => {
    if (gone) log.info('Redis is back')
    gone = false
  })
}
