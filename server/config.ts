import { resolve } from 'node:path'
import { type AuthSettings, readAuthSettings } from './auth/settings.ts'
import { type CallSettings, readCallSettings } from './calls/settings.ts'
import { type Environment, EnvironmentReader } from './environment.ts'
import { findInvalidProxy, type TrustedProxies } from './http/client-address.ts'
import { isLoopback } from './http/loopback.ts'
import { readWriteLimits, type WriteLimitSettings } from './http/write-limits.ts'
import { isProgram } from './is-program.ts'
import { type NotificationSettings, readNotificationSettings } from './notifications/settings.ts'
import { type RealtimeSettings, readRealtimeSettings } from './realtime/settings.ts'
import { type ApiLimits, readApiLimits } from './rest/api-limits.ts'
import { readStorageSettings, type StorageSettings } from './storage/settings.ts'

export { ConfigError } from './environment.ts'

/** The environment, parsed once. Everything that depends on how the product is run reads it from here (DESIGN §2). */
export type Config = {
  /** Set, and no setting of ours, with the one that was probably meant. */
  readonly unknownVariables: readonly { readonly name: string; readonly meant: string | undefined }[]
  readonly environment: 'development' | 'test' | 'production'
  readonly host: string
  readonly port: number
  /** Origin that browsers use, without a trailing slash; undefined: the address the server listens on. */
  readonly siteUrl: string | undefined
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: TrustedProxies
  readonly dataDir: string
  readonly logLevel: string
  /** An outside PostgreSQL; undefined: the embedded one. */
  readonly databaseUrl: string | undefined
  /** The same database without the pooler that `databaseUrl` leads through: migrations, jobs, LISTEN, the log. */
  readonly databaseDirectUrl: string | undefined
  /** Where several nodes count and speak together; undefined: this node is the only one. */
  readonly redisUrl: string | undefined
  /** Processes that serve, this one included. */
  readonly workers: number
  /** Whether others listen at the same port: the workers of one machine. */
  readonly sharesPort: boolean
  /** What whoever reads `/metrics` has to show; undefined: outside production nothing, in production nobody may. */
  readonly metricsToken: string | undefined
  /** Bounds of what one client may hold open. */
  readonly http: {
    /** From a request's headers to the last byte of a body that is parsed; uploads of files are not bound by it. */
    readonly bodyTimeoutMs: number
    readonly headersTimeoutMs: number
    /** How long a connection may be silent in both directions. */
    readonly idleTimeoutMs: number
    readonly maxRequestsPerAddress: number
    readonly maxConnectionsPerAddress: number
    /** Of a request without a signed-in person or the service key. */
    readonly anonymousBodyBytes: number
    /** Answers of this size and above are compressed; 0: none is. */
    readonly compressMinBytes: number
  }
  /** How long `/health/ready` says 503 before a stop begins. */
  readonly drainMs: number
  /** How long requests that are open at a stop may take. */
  readonly shutdownGraceMs: number
  /** With less room than this on the disk of `DATA_DIR` the installation is no longer well. */
  readonly minFreeBytes: number
  /** How long `/health/ready` remembers checks that open a connection. */
  readonly healthCacheSeconds: number
  readonly migrate: boolean
  readonly demo: boolean
  readonly apiSchemas: readonly string[]
  readonly apiMaxRows: number
  readonly apiExtraSearchPath: readonly string[]
  readonly apiAggregates: boolean
  readonly apiPlan: boolean
  readonly apiTxOverride: boolean
  readonly apiLimits: ApiLimits
  /** What people may write in an hour. */
  readonly writeLimits: WriteLimitSettings
  /** Who is given the description of the API at `/rest/v1/`. */
  readonly apiOpenApi: 'everyone' | 'service' | 'disabled'
  readonly databaseConnections: number
  readonly databaseMaxWaiting: number
  readonly statementTimeoutMs: number
  readonly keys: {
    readonly anonKey: string | undefined
    readonly serviceRoleKey: string | undefined
    readonly jwtSecret: string | undefined
    /** A JWK set as JSON text. */
    readonly jwtSigningKeys: string | undefined
    /** Who tokens must be for, where they say so. */
    readonly jwtAudience: string | undefined
  }
  readonly auth: AuthSettings
  readonly mail: { readonly from: string; readonly senderName: string }
  /** FFmpeg's program; undefined: looked for. */
  readonly ffmpegPath: string | undefined
  /** Room on this node's disk for pictures in other sizes. */
  readonly pictureCacheBytes: number
  readonly storage: StorageSettings
  /** Bounds of this node's live updates; a connection's own are in server/realtime/limits.ts. */
  readonly realtime: RealtimeSettings
  readonly adminEmail: string | undefined
  readonly platformFeePercent: number
  readonly notifications: NotificationSettings
  readonly calls: CallSettings
  readonly smtpUrl: string | undefined
  readonly stripe: {
    readonly secretKey: string | undefined
    readonly webhookSecret: string | undefined
    readonly clientId: string | undefined
    readonly apiBase: string | undefined
    /** Where the sandbox listens on loopback; 0: wherever there is room. */
    readonly sandboxPort: number
  }
  /** Where files lie; undefined: on the disk, in `dataDir`. */
  readonly s3: S3Settings | undefined
  readonly operator: {
    readonly productName: string
    readonly name: string
    readonly address: string
    readonly jurisdiction: string
    readonly supportEmail: string
  }
}

export type S3Settings = {
  /** Undefined: Amazon's own for the region. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  /** Undefined: found as the AWS SDK finds them, e.g. the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** `endpoint/bucket/key` in place of `bucket.endpoint/key`. */
  readonly forcePathStyle: boolean
  /** Whether downloads are redirected to presigned addresses of the store. */
  readonly redirects: boolean
  /** How long the store may take to answer one request; ten times as long for a copy within it. */
  readonly timeoutMs: number
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** @throws ConfigError naming every variable that is wrong, in one sentence. */
export function parseConfig(env: Environment): Config {
  const read = new EnvironmentReader(env)
  const environment = read.choice('NODE_ENV', ['development', 'test', 'production'], 'development')
  const production = environment === 'production'
  const databaseUrl = read.databaseUrl('DATABASE_URL')
  const databaseDirectUrl = read.databaseUrl('DATABASE_DIRECT_URL')
  const smtpUrl = read.url('SMTP_URL', ['smtp:', 'smtps:'])
  const secretKey = read.matching(
    'STRIPE_SECRET_KEY',
    /^[sr]k_/,
    'begin with sk_ or rk_: a publishable key (pk_) can not take payments',
  )
  const stripeApiBase = read.url('STRIPE_API_BASE', ['http:', 'https:'])
  const workers = read.integer('WORKERS', 1, 1, 64)
  const allowDemo = read.flag('ALLOW_DEMO_ON_NETWORK', false)
  const trustedProxies = read.list('TRUSTED_PROXIES', ['loopback'])
  const invalidProxy = findInvalidProxy(trustedProxies)
  const config: Omit<Config, 'unknownVariables'> = {
    environment,
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8000, 0, 65_535),
    siteUrl: read.origin('SITE_URL', ['http:', 'https:']),
    trustedProxies,
    dataDir: resolve(read.text('DATA_DIR', './data')),
    logLevel: read.choice('LOG_LEVEL', logLevels, production ? 'info' : 'warn'),
    databaseUrl,
    databaseDirectUrl,
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    workers,
    sharesPort: workers > 1,
    metricsToken: read.secret('METRICS_TOKEN', 16),
    http: {
      bodyTimeoutMs: read.integer('HTTP_BODY_TIMEOUT_SECONDS', 30, 1, 3600) * 1000,
      headersTimeoutMs: read.integer('HTTP_HEADERS_TIMEOUT_SECONDS', 15, 1, 3600) * 1000,
      idleTimeoutMs: read.integer('HTTP_IDLE_TIMEOUT_SECONDS', 120, 1, 3600) * 1000,
      maxRequestsPerAddress: read.integer('HTTP_MAX_REQUESTS_PER_ADDRESS', 200, 1, 1_000_000),
      maxConnectionsPerAddress: read.integer('HTTP_MAX_CONNECTIONS_PER_ADDRESS', 500, 1, 1_000_000),
      anonymousBodyBytes: read.integer('HTTP_ANONYMOUS_BODY_KB', 256, 1, 4096) * 1024,
      compressMinBytes: read.integer('HTTP_COMPRESS_MIN_BYTES', 4096, 0, 1_000_000_000),
    },
    drainMs: read.integer('DRAIN_SECONDS', 0, 0, 600) * 1000,
    shutdownGraceMs: read.integer('SHUTDOWN_GRACE_SECONDS', 5, 0, 3600) * 1000,
    minFreeBytes: read.integer('HEALTH_MIN_FREE_MB', 500, 0, 1_000_000_000) * 1024 ** 2,
    healthCacheSeconds: read.integer('HEALTH_CACHE_SECONDS', 10, 0, 600),
    migrate: read.flag('MIGRATE', true),
    // The demo fills in the sandbox's own pages, so it needs the sandbox.
    demo: read.flag('DEMO', databaseUrl === undefined) && !production && !secretKey && !stripeApiBase,
    apiSchemas: read.list('API_SCHEMAS', ['public']),
    apiMaxRows: read.integer('API_MAX_ROWS', 1000, 1, 1_000_000),
    apiExtraSearchPath: read.list('API_EXTRA_SEARCH_PATH', ['public', 'extensions']),
    apiAggregates: read.flag('API_AGGREGATES', !production),
    apiPlan: read.flag('API_PLAN', !production),
    apiTxOverride: read.flag('API_TX_OVERRIDE', !production),
    apiOpenApi: read.choice('API_OPENAPI', ['everyone', 'service', 'disabled'], production ? 'service' : 'everyone'),
    apiLimits: readApiLimits(read),
    writeLimits: readWriteLimits(read),
    databaseConnections: read.integer('DATABASE_CONNECTIONS', 4, 1, 200),
    databaseMaxWaiting: read.integer('DATABASE_MAX_WAITING', 1000, 1, 100_000),
    statementTimeoutMs: read.integer('DATABASE_STATEMENT_TIMEOUT_MS', 8000, 10, 600_000),
    keys: {
      anonKey: read.optional('ANON_KEY'),
      serviceRoleKey: read.optional('SERVICE_ROLE_KEY'),
      jwtSecret: read.secret('JWT_SECRET', 32),
      jwtSigningKeys: read.optional('JWT_SIGNING_KEYS'),
      jwtAudience: read.optional('JWT_AUD'),
    },
    auth: readAuthSettings(read, { hasSmtp: smtpUrl !== undefined, production }),
    mail: {
      from: read.text('AUTH_SMTP_ADMIN_EMAIL', read.text('SUPPORT_EMAIL', 'support@localhost')),
      senderName: read.text('AUTH_SMTP_SENDER_NAME', read.text('PRODUCT_NAME', 'Ovation')),
    },
    ffmpegPath: read.optional('FFMPEG_PATH'),
    pictureCacheBytes: read.integer('PICTURE_CACHE_MB', 2048, 0, 1_000_000) * 1024 ** 2,
    storage: readStorageSettings(read),
    realtime: readRealtimeSettings(read),
    adminEmail: read.matching('ADMIN_EMAIL', /^[^\s@]+@[^\s@]+$/, 'be an e-mail address')?.toLowerCase(),
    platformFeePercent: read.integer('PLATFORM_FEE_PERCENT', 10, 0, 99),
    notifications: readNotificationSettings(read),
    calls: readCallSettings(read),
    smtpUrl,
    stripe: {
      secretKey,
      webhookSecret: read.matching('STRIPE_WEBHOOK_SECRET', /^whsec_/, 'begin with whsec_'),
      clientId: read.matching('STRIPE_CLIENT_ID', /^ca_/, 'begin with ca_'),
      apiBase: stripeApiBase,
      sandboxPort: read.integer('SANDBOX_PORT', 0, 0, 65_535),
    },
    s3: readS3(read),
    operator: {
      productName: read.text('PRODUCT_NAME', 'Ovation'),
      name: read.text('OPERATOR_NAME', 'The operator of this installation'),
      address: read.text('OPERATOR_ADDRESS', 'Address on request'),
      jurisdiction: read.text('OPERATOR_JURISDICTION', 'the place where the operator is established'),
      supportEmail: read.text('SUPPORT_EMAIL', 'support@localhost'),
    },
  }
  read.require(
    !config.stripe.secretKey || config.stripe.apiBase || config.stripe.webhookSecret,
    'STRIPE_WEBHOOK_SECRET is needed when STRIPE_SECRET_KEY is set',
  )
  read.require(
    environment !== 'development' || allowDemo || isLoopback(config.host),
    `HOST ${config.host} would show the demo's logins and everybody's mail to the network: set NODE_ENV=production, or ALLOW_DEMO_ON_NETWORK=1 if you want that`,
  )
  read.require(
    invalidProxy === undefined,
    `TRUSTED_PROXIES must list addresses, networks (10.0.0.0/8), loopback, linklocal, or uniquelocal, not "${invalidProxy}"`,
  )
  read.require(
    !production || !config.auth.mailerAutoconfirm || config.adminEmail === undefined,
    'AUTH_MAILER_AUTOCONFIRM must be 0 while ADMIN_EMAIL is set in production: else anybody who signs up with that address is an admin',
  )
  read.require(databaseUrl || !databaseDirectUrl, 'DATABASE_URL is needed when DATABASE_DIRECT_URL is set')
  read.require(
    config.workers === 1 || config.redisUrl,
    'REDIS_URL is needed when WORKERS is more than 1: it is how they speak to one another',
  )
  read.require(
    config.ffmpegPath === undefined || isProgram(config.ffmpegPath),
    `FFMPEG_PATH ${config.ffmpegPath} is no program that this user may run`,
  )
  read.finish()
  return { ...config, unknownVariables: read.unknown() }
}

/** `S3_*`: a bucket turns it on; a variable that would have no effect without one is a mistake that the start tells. */
function readS3(read: EnvironmentReader): S3Settings | undefined {
  const bucket = read.optional('S3_BUCKET')
  const endpoint = read.url('S3_ENDPOINT', ['http:', 'https:'])
  const accessKeyId = read.optional('S3_ACCESS_KEY_ID')
  const secretAccessKey = read.optional('S3_SECRET_ACCESS_KEY')
  const settings = {
    endpoint,
    region: read.text('S3_REGION', 'us-east-1'),
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    forcePathStyle: read.flag('S3_FORCE_PATH_STYLE', endpoint !== undefined),
    redirects: read.flag('S3_REDIRECTS', false),
    timeoutMs: read.integer('S3_TIMEOUT_SECONDS', 20, 1, 600) * 1000,
  }
  read.require(accessKeyId || !secretAccessKey, 'S3_ACCESS_KEY_ID is needed when S3_SECRET_ACCESS_KEY is set')
  read.require(secretAccessKey || !accessKeyId, 'S3_SECRET_ACCESS_KEY is needed when S3_ACCESS_KEY_ID is set')
  read.require(bucket || !(endpoint || accessKeyId), 'S3_BUCKET is needed when S3_ENDPOINT or S3_ACCESS_KEY_ID is set')
  return bucket === undefined ? undefined : { ...settings, bucket }
}
