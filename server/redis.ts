import { hkdfSync } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Redis, RedisOptions } from 'ioredis'
import { ConfigError } from './environment-reader.ts'

/** The connection to the Redis that nodes share; `RedisExchange` uses it. */
export type RedisService = {
  /** For single commands. While the server is down they fail at once instead of waiting, and the caller decides what to do. */
  readonly commands: Redis
  /** The name of a key or channel. Installations may share a server, and channels ignore database numbers, so the name tells them apart. */
  name(...parts: readonly string[]): string
  /** A separate connection for `subscribe`. It resubscribes automatically after an outage, and closes with the service. */
  openSubscriber(): Redis
  /** A separate connection for commands that block, for up to `blockingMs`. They fail with the connection. */
  openBlocking(): Redis
  close(): Promise<void>
}

type RedisSecrets = { readonly jwtSecret: string }

type RedisConfig = {
  readonly url: string
  readonly secrets: RedisSecrets
  readonly log: FastifyBaseLogger
}

const answersWithinMs = 500
/** A machine without power answers nothing and ends no connection: after this silence, a new connection is opened. */
const silentMs = 3_000
export const blockingMs = 5_000

/** Retries forever and often: the server will come back at the same address, and until then each node works alone. */
const retryStrategy = (attempt: number) => Math.min(100 * 2 ** Math.min(attempt, 5), 2000)

/**
 * Connects to the Redis of `REDIS_URL`.
 * Retries forever if the server can't be reached. Until then the node works alone, and the log and `/health/ready` say so.
 * @throws ConfigError if the server rejects us, for example because of a password.
 */
export async function openRedis({ url, secrets, log }: RedisConfig): Promise<RedisService> {
  const { Redis } = await import('ioredis') // most installations have one node, and no Redis
  const commands = new Redis(url, {
    retryStrategy,
    lazyConnect: true,
    connectTimeout: 5000,
    commandTimeout: answersWithinMs,
    socketTimeout: silentMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  })
  const prefix = `ovation:${installationOf(secrets)}`
  const others: Redis[] = []
  const open = (options: Partial<RedisOptions>) => {
    const connection = commands.duplicate({
      lazyConnect: false,
      enableOfflineQueue: true,
      commandTimeout: undefined,
      ...options,
    })
    connection.on('error', () => undefined) // the command connection reports it once
    others.push(connection)
    return connection
  }
  let closing = false
  let reason: string | undefined
  let isAway = false
  commands.on('error', (err) => {
    reason = err.message // says more than the failed connect, whose error is only "Connection is closed."
  })
  try {
    await commands.connect()
    await commands.ping()
  } catch (error) {
    if (commands.status === 'reconnecting' && reason !== undefined && isUnreachable.test(reason)) {
      isAway = true
      log.error({ reason }, redisIsDown)
    } else {
      commands.disconnect()
      // The URL isn't repeated: it may hold a password.
      const said = reason ?? (error instanceof Error ? error.message : String(error))
      throw new ConfigError(
        `REDIS_URL names a Redis server that can't be used (${said}): start it, or unset REDIS_URL.`,
      )
    }
  }
  announceOutages(commands, log, () => closing, isAway)
  return {
    commands,
    name: (...parts) => [prefix, ...parts].join(':'),
    openSubscriber() {
      const subscriber = open({ maxRetriesPerRequest: null, socketTimeout: undefined })
      // It sends nothing, so it wouldn't notice that the machine is silent.
      commands.on('close', () => void (!closing && subscriber.status === 'ready' && subscriber.disconnect(true)))
      return subscriber
    },
    openBlocking: () => open({ maxRetriesPerRequest: 0, socketTimeout: blockingMs + silentMs }),
    async close() {
      closing = true
      for (const connection of [...others, commands]) connection.disconnect()
    },
  }
}

const isUnreachable = /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN/
/** What an outage means, for operators. */
export const redisIsDown =
  'Redis is down: each node counts limits alone, broadcasts do not reach other nodes, and row changes wait'

/** Prefixes names with a value that only nodes of this installation know: they share the secret that signs tokens. */
function installationOf({ jwtSecret }: RedisSecrets): string {
  return Buffer.from(hkdfSync('sha256', jwtSecret, '', 'ovation redis names', 9)).toString('base64url')
}

/** Logs one line per outage and one per recovery, however many retries come in between. */
function announceOutages(redis: Redis, log: FastifyBaseLogger, isClosing: () => boolean, isAway: boolean) {
  let gone = isAway
  redis.on('close', () => {
    if (gone || isClosing()) return
    gone = true
    log.error(redisIsDown)
  })
  redis.on('ready', () => {
    if (gone) log.info('Redis is up again')
    gone = false
  })
}
