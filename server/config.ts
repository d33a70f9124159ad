import { resolve } from 'node:path'

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
  }
  readonly auth: {
    readonly passwordMinLength: number
    readonly mailerAutoconfirm: boolean
    /** Lifetime of an access token in seconds. */
    readonly jwtExp: number
    readonly refreshReuseIntervalSeconds: number
    readonly uriAllowList: readonly string[]
    readonly disableSignup: boolean
    /** How long a code or link from an e-mail is good for. */
    readonly otpExpSeconds: number
    /** Pause between two e-mails to one address. */
    readonly mailPauseSeconds: number
    /** Uses in five minutes, but e-mails in an hour. Counted for each client address unless said otherwise. */
    readonly rateLimits: {
      readonly signUp: number
      readonly signIn: number
      /** Wrong passwords for one account. */
      readonly failedSignIn: number
      readonly tokenRefresh: number
      /** Tries of codes and links; the same number again for each e-mail address. */
      readonly verify: number
      readonly emailSent: number
    }
  }
  readonly mail: { readonly from: string; readonly senderName: string }
  readonly adminEmail: string | undefined
  readonly platformFeePercent: number
  readonly smtpUrl: string | undefined
  readonly stripe: {
    readonly secretKey: string | undefined
    readonly webhookSecret: string | undefined
    readonly clientId: string | undefined
    readonly apiBase: string | undefined
  }
  readonly operator: {
    readonly productName: string
    readonly name: string
    readonly address: string
    readonly jurisdiction: string
    readonly supportEmail: string
  }
}

/** Bad configuration: the start stops with this one sentence. */
export class ConfigError extends Error {}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

type Environment = Readonly<Record<string, string | undefined>>

/** @throws ConfigError naming every variable that is wrong, in one sentence. */
export function parseConfig(env: Environment): Config {
  const read = new Reader(env)
  const environment = read.choice('NODE_ENV', ['development', 'test', 'production'], 'development')
  const production = environment === 'production'
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const smtpUrl = read.url('SMTP_URL', ['smtp:', 'smtps:'])
  const config: Config = {
    environment,
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8000, 0, 65_535),
    siteUrl: read.url('SITE_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    dataDir: resolve(read.text('DATA_DIR', './data')),
    logLevel: read.choice('LOG_LEVEL', logLevels, production ? 'info' : 'warn'),
    databaseUrl,
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
    },
    auth: {
      passwordMinLength: read.integer('AUTH_PASSWORD_MIN_LENGTH', 8, 6, 72),
      mailerAutoconfirm: read.flag('AUTH_MAILER_AUTOCONFIRM', smtpUrl === undefined),
      jwtExp: read.integer('AUTH_JWT_EXP', 3600, 30, 604_800),
      refreshReuseIntervalSeconds: read.integer('AUTH_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL', 10, 0, 300),
      uriAllowList: read.list('AUTH_URI_ALLOW_LIST', []),
      disableSignup: read.flag('AUTH_DISABLE_SIGNUP', false),
      otpExpSeconds: read.integer('AUTH_MAILER_OTP_EXP', 3600, 1, 604_800),
      mailPauseSeconds: read.integer('AUTH_SMTP_MAX_FREQUENCY', 60, 0, 86_400),
      rateLimits: {
        signUp: read.integer('AUTH_RATE_LIMIT_SIGN_UP', 300, 1, 1_000_000),
        signIn: read.integer('AUTH_RATE_LIMIT_SIGN_IN', 600, 1, 1_000_000),
        failedSignIn: read.integer('AUTH_RATE_LIMIT_FAILED_SIGN_IN', 20, 1, 1_000_000),
        tokenRefresh: read.integer('AUTH_RATE_LIMIT_TOKEN_REFRESH', 1800, 1, 1_000_000),
        verify: read.integer('AUTH_RATE_LIMIT_VERIFY', 30, 1, 1_000_000),
        emailSent: read.integer('AUTH_RATE_LIMIT_EMAIL_SENT', 60, 1, 1_000_000),
      },
    },
    mail: {
      from: read.text('AUTH_SMTP_ADMIN_EMAIL', read.text('SUPPORT_EMAIL', 'support@localhost')),
      senderName: read.text('AUTH_SMTP_SENDER_NAME', read.text('PRODUCT_NAME', 'Ovation')),
    },
    adminEmail: read.optional('ADMIN_EMAIL')?.toLowerCase(),
    platformFeePercent: read.integer('PLATFORM_FEE_PERCENT', 10, 0, 99),
    smtpUrl,
    stripe: {
      secretKey: read.optional('STRIPE_SECRET_KEY'),
      webhookSecret: read.optional('STRIPE_WEBHOOK_SECRET'),
      clientId: read.optional('STRIPE_CLIENT_ID'),
      apiBase: read.url('STRIPE_API_BASE', ['http:', 'https:']),
    },
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
  read.finish()
  return config
}

/** Collects every complaint, so that one start tells all of them. */
class Reader {
  readonly #env: Environment
  readonly #complaints: string[] = []

  constructor(env: Environment) {
    this.#env = env
  }

  optional(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback
  }

  secret(name: string, minLength: number): string | undefined {
    const value = this.optional(name)
    if (value && value.length < minLength) this.#complaints.push(`${name} must have at least ${minLength} characters`)
    return value
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.optional(name)
    if (text === undefined) return fallback
    const value = Number(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    this.#complaints.push(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
    return fallback
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.optional(name)?.toLowerCase()
    if (text === undefined) return fallback
    if (['1', 'true', 'yes', 'on'].includes(text)) return true
    if (['0', 'false', 'no', 'off'].includes(text)) return false
    this.#complaints.push(`${name} must be 1 or 0, not "${text}"`)
    return fallback
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const text = this.optional(name)
    if (text === undefined) return fallback
    const found = choices.find((choice) => choice === text)
    if (found) return found
    this.#complaints.push(`${name} must be one of ${choices.join(', ')}, not "${text}"`)
    return fallback
  }

  list(name: string, fallback: readonly string[]): readonly string[] {
    const text = this.optional(name)
    if (text === undefined) return fallback
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const text = this.optional(name)
    if (text === undefined) return undefined
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      // The value is not repeated: it may hold a password.
      this.#complaints.push(`${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
      return undefined
    }
    return text
  }

  require(condition: unknown, complaint: string) {
    if (!condition) this.#complaints.push(complaint)
  }

  finish() {
    if (this.#complaints.length > 0) throw new ConfigError(`${this.#complaints.join('; ')}.`)
  }
}
