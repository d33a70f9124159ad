import type { EnvironmentReader } from '../environment-reader.ts'

/** Limits in rest/v1 for one request, one client, and all visitors together. None of them applies to the service key. */
export type ApiLimits = {
  readonly maxEmbedDepth: number
  readonly maxEmbeds: number
  readonly maxResponseBytes: number
  /** For visitors; a `statement_timeout` of the database role `anon` takes precedence. */
  readonly anonStatementTimeoutMs: number
  /** The share of the pool that visitors may hold at once. */
  readonly anonConnectionsPercent: number
  /** How many of the pool's connections one address may hold at once. */
  readonly connectionsPerAddress: number
  /** Database time of one account, or of one visitor's address. */
  readonly databaseSecondsPerMinute: number
}

export function readApiLimits(read: EnvironmentReader): ApiLimits {
  return {
    maxEmbedDepth: read.integer('API_MAX_EMBED_DEPTH', 5, 1, 40),
    maxEmbeds: read.integer('API_MAX_EMBEDS', 15, 1, 1000),
    maxResponseBytes: read.integer('API_MAX_RESPONSE_BYTES', 10_000_000, 10_000, 1_000_000_000),
    anonStatementTimeoutMs: read.integer('API_ANON_STATEMENT_TIMEOUT_MS', 3000, 10, 600_000),
    anonConnectionsPercent: read.integer('API_ANON_CONNECTIONS_PERCENT', 50, 1, 100),
    connectionsPerAddress: read.integer('API_CONNECTIONS_PER_ADDRESS', 2, 1, 200),
    databaseSecondsPerMinute: read.integer('API_DATABASE_SECONDS_PER_MINUTE', 30, 1, 10_000),
  }
}
