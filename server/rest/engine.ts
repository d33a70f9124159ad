import type { Config } from '../config.ts'
import type { RateLimits } from '../http/rate-limiter.ts'
import type { PlainResponse } from '../http/response-writer.ts'
import { limitOf, takeWrites } from '../http/write-limits.ts'
import { laggingReads } from '../lagging-reads.ts'
import type { Caller, RequestSettings } from '../postgres/caller.ts'
import type { Database } from '../postgres/database.ts'
import { searchPathOf } from '../postgres/sql.ts'
import { CatalogCache } from './catalog/catalog-cache.ts'
import type { Catalog } from './catalog/types.ts'
import { compileRequest } from './compile/statement.ts'
import { mentionsTimezone } from './parse/preferences.ts'
import { header, type ParsedRequest, parseRequest, type RestRequest } from './parse/request.ts'
import { buildRequestHeadCache } from './parse/request-head-cache.ts'
import { PlanCache, type Prepared } from './plan-cache.ts'
import { requireFewEmbeds } from './require-few-embeds.ts'
import { listSources } from './resolve/list-sources.ts'
import type { RequestPlan } from './resolve/plan.ts'
import { resolveRequest } from './resolve/resolve.ts'
import { respond, respondWithPlan } from './respond/respond.ts'
import { estimateRows, type ResultRow, type Run, runRequest } from './run.ts'
import type { Services } from './services.ts'
import { Timezones } from './timezones.ts'

const noTimezones: ReadonlySet<string> = new Set()

/** rest/v1 without HTTP: parse -> resolve -> compile -> run -> respond (DESIGN §5). */
export class RestEngine {
  readonly catalog: CatalogCache
  readonly #config: Config
  readonly #rateLimits: RateLimits
  readonly #database: Database
  readonly #heads = buildRequestHeadCache()
  readonly #plans = new PlanCache()
  readonly #timezones: Timezones
  /** Undefined: the same timeout as everyone. */
  readonly #anonTimeout: string | undefined
  /** For every exposed schema but the first, which is in every connection's search path. */
  readonly #searchPaths: ReadonlyMap<string, string>

  constructor({ config, database, log, rateLimits }: Pick<Services, 'config' | 'database' | 'log' | 'rateLimits'>) {
    this.#config = config
    this.#rateLimits = rateLimits
    this.#database = database
    this.#timezones = new Timezones(database.service)
    this.catalog = new CatalogCache({ ownerUrl: database.ownerUrl, schemas: config.apiSchemas, log })
    const { anonStatementTimeoutMs } = config.apiLimits
    this.#anonTimeout = anonStatementTimeoutMs < config.statementTimeoutMs ? `${anonStatementTimeoutMs}ms` : undefined
    const [, ...others] = config.apiSchemas
    this.#searchPaths = new Map(others.map((schema) => [schema, searchPathOf(schema, config.apiExtraSearchPath)]))
  }

  /**
   * @param client key of the client's address, if it identifies one client.
   * @throws GatewayError with PostgREST's codes.
   */
  async respond(
    request: RestRequest,
    caller: Caller,
    settings: RequestSettings,
    client?: string,
  ): Promise<PlainResponse> {
    const { apiSchemas: schemas, apiTxOverride: allowTransaction } = this.#config
    const timezones = mentionsTimezone(header(request.headers, 'prefer')) ? await this.#timezones.get() : noTimezones
    const parsed = parseRequest(request, { schemas, allowTransaction, timezones }, this.#heads)
    const isService = caller.role === 'service_role'
    if (!isService) requireFewEmbeds(parsed, this.#config.apiLimits)
    if (!isService) await this.#takeWrites(parsed, caller, client)
    const catalog = this.catalog.loaded ?? (await this.catalog.get())
    const prepared = this.#prepare(parsed, catalog)
    const { plan, compiled, mayLag } = prepared
    const run: Run = {
      caller,
      settings: {
        ...settings,
        searchPath: this.#searchPaths.get(parsed.schema),
        timezone: parsed.preferences.timezone,
        readOnly: isReadOnly(plan),
        statementTimeout: catalog.roleTimeouts.get(caller.role) ?? this.#statementTimeout(caller),
      },
      bounds: { client, maxBytes: isService ? undefined : this.#config.apiLimits.maxResponseBytes, mayLag },
    }
    const rows = await runRequest(this.#database, plan, compiled, parsed.values, run)
    if (plan.media.plan) return respondWithPlan(plan, rows)
    const row = rows[0] as ResultRow
    const counts = plan.preferences.count !== undefined
    const total = counts ? await this.#total(prepared, row, parsed.values, run) : undefined
    return respond(plan, row, total, parsed.canonicalQuery)
  }

  /** @throws GatewayError PGRST1xx and PGRST2xx. */
  #prepare(parsed: ParsedRequest, catalog: Catalog): Prepared {
    const cached = this.#plans.get(catalog, parsed.shape)
    if (cached) return cached
    const plan = resolveRequest(parsed, catalog, {
      maxRows: this.#config.apiMaxRows,
      aggregates: this.#config.apiAggregates,
      plan: this.#config.apiPlan,
    })
    const prepared = {
      plan,
      compiled: compileRequest(plan),
      mayLag: isReadOnly(plan) && listSources(plan).every(({ schema, name }) => laggingReads.has(`${schema}.${name}`)),
    }
    this.#plans.set(catalog, parsed.shape, prepared)
    return prepared
  }

  /** Charges the account, or a visitor's address. @throws GatewayError 429. */
  async #takeWrites(
    { action, schema, name, payload, values }: ParsedRequest,
    { claims }: Caller,
    client: string | undefined,
  ) {
    const limit = limitOf(name)
    const key = typeof claims.sub === 'string' ? claims.sub : client
    if ((action !== 'insert' && action !== 'put') || schema !== 'public' || !limit || key === undefined) return
    const rows = payload?.kind === 'json' ? countRows(values[payload.value] ?? '') : 1
    await takeWrites(this.#rateLimits, this.#config.writeLimits, limit, key, rows)
  }

  #statementTimeout({ role }: Caller): string | undefined {
    return role === 'anon' ? this.#anonTimeout : undefined
  }

  /** The total number of rows: counted, estimated, or counted up to the row limit and estimated beyond. */
  async #total({ plan, compiled }: Prepared, row: ResultRow, values: Parameters<typeof estimateRows>[2], run: Run) {
    const counted = row.total === null ? undefined : Number(row.total)
    const { count } = plan.preferences
    const guess = compiled.estimate && (count === 'planned' || (counted ?? 0) > plan.maxRows)
    if (!guess || !compiled.estimate) return counted
    return Math.max(counted ?? 0, await estimateRows(this.#database, compiled.estimate, values, run))
  }
}

function isReadOnly({ action, call }: RequestPlan): boolean {
  return action === 'read' || call?.readOnly === true
}

/** PostgreSQL rejects a body that isn't JSON, and it counts as one try. */
function countRows(body: string): number {
  try {
    const parsed: unknown = JSON.parse(body)
    return Array.isArray(parsed) ? Math.max(1, parsed.length) : 1
  } catch {
    return 1
  }
}
