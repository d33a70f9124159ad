import { resolve } from 'node:path'
import { type AuthSettings, readAuthSettings } from './auth/settings.ts'
import { type Environment, EnvironmentReader } from './environment-reader.ts'
import { findInvalidProxy, type TrustedProxies } from './http/client-address.ts'
import { isLoopback } from './http/loopback.ts'
import { readWriteLimits, type WriteLimitSettings } from './http/write-limits.ts'
import { isProgram } from './is-program.ts'
import { type NotificationSettings, readNotificationSettings } from './notifications/settings.ts'
import { type RealtimeSettings, readRealtimeSettings } from './realtime/settings.ts'
import { type ApiLimits, readApiLimits } from './rest/api-limits.ts'
import { readStorageSettings, type StorageSettings } from './storage/settings.ts'
import { usualWorkers } from './usual-workers.ts'
import { type CallSettings, readCallSettings } from './video-calls/settings.ts'

export { ConfigError } from './environment-reader.ts'

/** The environment, parsed once. Everything that depends on how the product is deployed reads it from here (DESIGN §2). */
export type Config = {
  /** Variables that are set but unknown, with the setting that was probably meant. */
  readonly unknownVariables: readonly { readonly name: string; readonly meant: string | undefined }[]
  readonly environment: 'development' | 'test' | 'production'
  readonly host: string
  readonly port: number
  /** The origin that browsers use, without a trailing slash. If undefined, the address the server listens on. */
  readonly siteUrl: string | undefined
  /** The origin of a CDN in front of the site, without a trailing slash, from which browsers load files. If undefined, the site itself. */
  readonly filesUrl: string | undefined
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: TrustedProxies
  readonly dataDir: string
  readonly logLevel: string
  /** An external PostgreSQL. If undefined, the embedded one. */
  readonly databaseUrl: string | undefined
  /** Its replicas, for reads. */
  readonly databaseReplicaUrls: readonly string[]
  /** The same database without the pooler in `databaseUrl`, for migrations, jobs, LISTEN, and the replication log. */
  readonly databaseDirectUrl: string | undefined
  /** How long a connection to `databaseUrl` keeps a session of PostgreSQL: for its whole life, or only until a transaction ends. */
  readonly databasePooling: 'session' | 'transaction'
  /** Whether requests reuse prepared statements. */
  readonly databasePreparedStatements: boolean
  /** Where several nodes share counts and messages. If undefined, this is the only node. */
  readonly redisUrl: string | undefined
  /** The number of serving processes, including this one. */
  readonly workers: number
  /** Whether other processes listen on the same port: the workers of this machine. */
  readonly sharesPort: boolean
  /** The token required by `/metrics`. If undefined, `/metrics` is open outside production and closed in production. */
  readonly metricsToken: string | undefined
  /** What OpenTelemetry sends to a collector. The packages read the rest of `OTEL_*` themselves. */
  readonly telemetry: { readonly traces: boolean; readonly metrics: boolean; readonly metricsIntervalMs: number }
  /** Limits on what one client may hold open. */
  readonly http: {
    /** From a request's headers to the last byte of a parsed body. File uploads are exempt. */
    readonly bodyTimeoutMs: number
    readonly headersTimeoutMs: number
    /** How long a connection may be silent in both directions. */
    readonly idleTimeoutMs: number
    readonly maxRequestsPerAddress: number
    readonly maxConnectionsPerAddress: number
    /** For requests without a signed-in user or the service key. */
    readonly anonymousBodyBytes: number
    /** Memory for the parsed bodies of one address, and of all. */
    readonly bodyBytesPerAddress: number
    readonly bodyBytes: number
    /** Responses of this size and above are compressed; 0 turns compression off. */
    readonly compressMinBytes: number
  }
  /** How long `/health/ready` returns 503 before a shutdown begins. */
  readonly drainMs: number
  /** How long open requests may take during a shutdown. */
  readonly shutdownGraceMs: number
  /** The installation is unhealthy if the disk of `DATA_DIR` has less free space than this. */
  readonly minFreeBytes: number
  /** How long `/health/ready` caches checks that open a connection. */
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
  /** How much users may write in an hour. */
  readonly writeLimits: WriteLimitSettings
  /** Who may read the API description at `/rest/v1/`. */
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
    /** The audience that tokens must name, if they name one. */
    readonly jwtAudience: string | undefined
  }
  readonly auth: AuthSettings
  readonly mail: { readonly from: string; readonly senderName: string }
  /** FFmpeg's program. If undefined, it is searched for. */
  readonly ffmpegPath: string | undefined
  /** The space on this node's disk for resized pictures. */
  readonly pictureCacheBytes: number
  readonly storage: StorageSettings
  /** Limits on this node's live updates; the limits of one connection are in server/realtime/connection-limits.ts. */
  readonly realtime: RealtimeSettings
  readonly adminEmail: string | undefined
  /** Whether creators may use domains of their own (PAGE-02), and the name servers that confirm them; none for the machine's own. */
  readonly customDomains: boolean
  readonly dnsServers: readonly string[]
  readonly platformFeePercent: number
  readonly notifications: NotificationSettings
  readonly calls: CallSettings
  readonly smtpUrl: string | undefined
  readonly stripe: {
    readonly secretKey: string | undefined
    readonly webhookSecret: string | undefined
    readonly clientId: string | undefined
    readonly apiBase: string | undefined
    /** The sandbox's port on loopback; 0 picks a free one. */
    readonly sandboxPort: number
  }
  /** Where files are stored. If undefined, on disk in `dataDir`. */
  readonly s3: S3Settings | undefined
  readonly operator: {
    readonly productName: string
    readonly name: string
    readonly address: string
    readonly jurisdiction: string
    /** Empty if it isn't set: then no screen names an address. */
    readonly supportEmail: string
  }
}

export type S3Settings = {
  /** If undefined, Amazon's endpoint for the region. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  /** If undefined, found as the AWS SDK finds them, for example from the machine's role. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** Uses `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  readonly forcePathStyle: boolean
  /** Whether downloads redirect to presigned URLs of the store. */
  readonly redirects: boolean
  /** How long the store may take to answer one request; ten times as long for a copy within the store. */
  readonly timeoutMs: number
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** @throws ConfigError naming every invalid variable, in one sentence. */
export function parseConfig(env: Environment): Config {
  const read = new EnvironmentReader(env)
  const environment = read.choice('NODE_ENV', ['development', 'test', 'production'], 'development')
  const production = environment === 'production'
  const databaseUrl = read.databaseUrl('DATABASE_URL')
  const databaseDirectUrl = read.databaseUrl('DATABASE_DIRECT_URL')
  const databaseReplicaUrls = read.databaseUrls('DATABASE_REPLICA_URLS')
  const databasePooling = read.choice('DATABASE_POOLING', ['session', 'transaction'], 'session')
  const smtpUrl = read.url('SMTP_URL', ['smtp:', 'smtps:'])
  const secretKey = read.matching(
    'STRIPE_SECRET_KEY',
    /^[sr]k_/,
    "begin with sk_ or rk_: a publishable key (pk_) can't take payments",
  )
  const stripeApiBase = read.url('STRIPE_API_BASE', ['http:', 'https:'])
  const workers = read.integer('WORKERS', usualWorkers(), 1, 64)
  const allowDemo = read.flag('ALLOW_DEMO_ON_NETWORK', false)
  const trustedProxies = read.list('TRUSTED_PROXIES', ['loopback'])
  const invalidProxy = findInvalidProxy(trustedProxies)
  const config: Omit<Config, 'unknownVariables'> = {
    environment,
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8000, 0, 65_535),
    siteUrl: read.origin('SITE_URL', ['http:', 'https:']),
    filesUrl: read.origin('FILES_URL', ['http:', 'https:']),
    trustedProxies,
    dataDir: resolve(read.text('DATA_DIR', './data')),
    logLevel: read.choice('LOG_LEVEL', logLevels, production ? 'info' : 'warn'),
    databaseUrl,
    databaseReplicaUrls,
    databaseDirectUrl,
    databasePooling,
    databasePreparedStatements: read.flag('DATABASE_PREPARED_STATEMENTS', true),
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    workers,
    sharesPort: workers > 1,
    metricsToken: read.secret('METRICS_TOKEN', 16),
    telemetry: readTelemetry(read),
    http: {
      bodyTimeoutMs: read.integer('HTTP_BODY_TIMEOUT_SECONDS', 30, 1, 3600) * 1000,
      headersTimeoutMs: read.integer('HTTP_HEADERS_TIMEOUT_SECONDS', 15, 1, 3600) * 1000,
      idleTimeoutMs: read.integer('HTTP_IDLE_TIMEOUT_SECONDS', 120, 1, 3600) * 1000,
      maxRequestsPerAddress: read.integer('HTTP_MAX_REQUESTS_PER_ADDRESS', 200, 1, 1_000_000),
      maxConnectionsPerAddress: read.integer('HTTP_MAX_CONNECTIONS_PER_ADDRESS', 500, 1, 1_000_000),
      anonymousBodyBytes: read.integer('HTTP_ANONYMOUS_BODY_KB', 256, 1, 4096) * 1024,
      bodyBytesPerAddress: read.integer('HTTP_BODY_MB_PER_ADDRESS', 16, 1, 10_000) * 1024 * 1024,
      bodyBytes: read.integer('HTTP_BODY_MB', 128, 4, 100_000) * 1024 * 1024,
      compressMinBytes: read.integer('HTTP_COMPRESS_MIN_BYTES', 4096, 0, 1_000_000_000),
    },
    drainMs: read.integer('DRAIN_SECONDS', 0, 0, 600) * 1000,
    shutdownGraceMs: read.integer('SHUTDOWN_GRACE_SECONDS', 5, 0, 3600) * 1000,
    minFreeBytes: read.integer('HEALTH_MIN_FREE_MB', 500, 0, 1_000_000_000) * 1024 ** 2,
    healthCacheSeconds: read.integer('HEALTH_CACHE_SECONDS', 10, 0, 600),
    migrate: read.flag('MIGRATE', true),
    // The demo uses the sandbox's hosted pages, so it needs the sandbox.
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
    adminEmail: read.matching('ADMIN_EMAIL', /^[^\s@]+@[^\s@]+$/, 'be an email address')?.toLowerCase(),
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
      supportEmail: read.text('SUPPORT_EMAIL', ''),
    },
    customDomains: read.flag('CUSTOM_DOMAINS', false),
    dnsServers: read.list('DNS_SERVERS', []),
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
  read.require(
    !config.filesUrl?.startsWith('http:') || !config.siteUrl?.startsWith('https:'),
    "FILES_URL must begin with https:// like SITE_URL: browsers don't load anything else on its pages",
  )
  read.require(
    !config.filesUrl || !config.s3?.redirects,
    "S3_REDIRECTS must be 0 when FILES_URL is set: a CDN can't keep what it is redirected for",
  )
  read.require(databaseUrl || !databaseDirectUrl, 'DATABASE_URL is needed when DATABASE_DIRECT_URL is set')
  read.require(
    databaseUrl || databaseReplicaUrls.length === 0,
    'DATABASE_URL is needed when DATABASE_REPLICA_URLS is set: it names the primary',
  )
  read.require(
    databasePooling === 'session' || databaseDirectUrl,
    'DATABASE_DIRECT_URL is needed when DATABASE_POOLING is transaction: migrations, jobs, and live updates use it',
  )
  read.require(
    config.ffmpegPath === undefined || isProgram(config.ffmpegPath),
    `FFMPEG_PATH ${config.ffmpegPath} isn't a program that this user may run`,
  )
  read.finish()
  return { ...config, unknownVariables: read.unknown() }
}

/** `OTEL_*`, with OpenTelemetry's own names: an address turns it on, or naming the exporter, whose usual address is this machine. */
function readTelemetry(read: EnvironmentReader): Config['telemetry'] {
  const disabled = read.flag('OTEL_SDK_DISABLED', false)
  const address = (name: string) => read.url(name, ['http:', 'https:'])
  const both = address('OTEL_EXPORTER_OTLP_ENDPOINT')
  const exports = (exporter: string, own: string | undefined) =>
    read.choice(exporter, ['otlp', 'none'], (both ?? own) ? 'otlp' : 'none') === 'otlp' && !disabled
  read.choice('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json'], 'http/json')
  return {
    traces: exports('OTEL_TRACES_EXPORTER', address('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')),
    metrics: exports('OTEL_METRICS_EXPORTER', address('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT')),
    metricsIntervalMs: read.integer('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 100, 3_600_000),
  }
}

/** `S3_*`: a bucket turns S3 on. Other variables without a bucket would have no effect, so the start rejects them. */
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
