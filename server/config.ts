import { resolve } from 'node:path'
import { type AuthSettings, readAuthSettings } from './auth/settings.ts'
import { type CallSettings, readCallSettings } from './calls/settings.ts'
import { type Environment, EnvironmentReader } from './environment.ts'
import { type NotificationSettings, readNotificationSettings } from './notifications/settings.ts'

export { ConfigError } from './environment.ts'

/** The environment, parsed once. Everything that depends on how the product is run reads it from here (DESIGN §2). */
export type Config = {
  readonly environment: 'development' | 'test' | 'production'
  readonly host: string
  readonly port: number
  /** Origin that browsers use, without a trailing slash; undefined: the address the server listens on. */
  readonly siteUrl: string | undefined
  readonly dataDir: string
  readonly logLevel: string
  /** An outside PostgreSQL; undefined: the embedded one. */
  readonly databaseUrl: string | undefined
  /** Where several nodes count and speak together; undefined: this node is the only one. */
  readonly redisUrl: string | undefined
  /** Processes that serve, this one included. */
  readonly workers: number
  /** Whether others listen at the same port: the workers of one machine. */
  readonly sharesPort: boolean
  /** What whoever reads `/metrics` has to show; undefined: outside production nothing, in production nobody may. */
  readonly metricsToken: string | undefined
  readonly migrate: boolean
  readonly demo: boolean
  readonly apiSchemas: readonly string[]
  readonly apiMaxRows: number
  readonly apiExtraSearchPath: readonly string[]
  readonly apiAggregates: boolean
  readonly apiPlan: boolean
  readonly apiTxOverride: boolean
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
  /** Bounds of this node's live updates; a connection's own are in server/realtime/limits.ts. */
  readonly realtime: {
    readonly maxConnections: number
    readonly maxJoinsPerSecond: number
    readonly maxEventsPerSecond: number
  }
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
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** @throws ConfigError naming every variable that is wrong, in one sentence. */
export function parseConfig(env: Environment): Config {
  const read = new EnvironmentReader(env)
  const environment = read.choice('NODE_ENV', ['development', 'test', 'production'], 'development')
  const production = environment === 'production'
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const smtpUrl = read.url('SMTP_URL', ['smtp:', 'smtps:'])
  const workers = read.integer('WORKERS', 1, 1, 64)
  const config: Config = {
    environment,
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8000, 0, 65_535),
    siteUrl: read.url('SITE_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    dataDir: resolve(read.text('DATA_DIR', './data')),
    logLevel: read.choice('LOG_LEVEL', logLevels, production ? 'info' : 'warn'),
    databaseUrl,
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    workers,
    sharesPort: workers > 1,
    metricsToken: read.secret('METRICS_TOKEN', 16),
    migrate: read.flag('MIGRATE', true),
    demo: read.flag('DEMO', true) && !production && databaseUrl === undefined,
    apiSchemas: read.list('API_SCHEMAS', ['public']),
    apiMaxRows: read.integer('API_MAX_ROWS', 1000, 1, 1_000_000),
    apiExtraSearchPath: read.list('API_EXTRA_SEARCH_PATH', ['public', 'extensions']),
    apiAggregates: read.flag('API_AGGREGATES', !production),
    apiPlan: read.flag('API_PLAN', !production),
    apiTxOverride: read.flag('API_TX_OVERRIDE', !production),
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
    realtime: {
      maxConnections: read.integer('REALTIME_MAX_CONNECTIONS', 20_000, 1, 1_000_000),
      maxJoinsPerSecond: read.integer('REALTIME_MAX_JOINS_PER_SECOND', 5_000, 1, 1_000_000),
      maxEventsPerSecond: read.integer('REALTIME_MAX_EVENTS_PER_SECOND', 20_000, 1, 1_000_000),
    },
    adminEmail: read.optional('ADMIN_EMAIL')?.toLowerCase(),
    platformFeePercent: read.integer('PLATFORM_FEE_PERCENT', 10, 0, 99),
    notifications: readNotificationSettings(read),
    calls: readCallSettings(read),
    smtpUrl,
    stripe: {
      secretKey: read.optional('STRIPE_SECRET_KEY'),
      webhookSecret: read.optional('STRIPE_WEBHOOK_SECRET'),
      clientId: read.optional('STRIPE_CLIENT_ID'),
      apiBase: read.url('STRIPE_API_BASE', ['http:', 'https:']),
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
    config.workers === 1 || config.redisUrl,
    'REDIS_URL is needed when WORKERS is more than 1: it is how they speak to one another',
  )
  read.finish()
  return config
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
  }
  read.require(accessKeyId || !secretAccessKey, 'S3_ACCESS_KEY_ID is needed when S3_SECRET_ACCESS_KEY is set')
  read.require(secretAccessKey || !accessKeyId, 'S3_SECRET_ACCESS_KEY is needed when S3_ACCESS_KEY_ID is set')
  read.require(bucket || !(endpoint || accessKeyId), 'S3_BUCKET is needed when S3_ENDPOINT or S3_ACCESS_KEY_ID is set')
  return bucket === undefined ? undefined : { ...settings, bucket }
}
