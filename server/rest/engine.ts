import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Caller, RequestSettings } from '../postgres/caller.ts'
import type { Database } from '../postgres/database.ts'
import { searchPathOf } from '../postgres/sql.ts'
import { CatalogueCache } from './catalogue/catalogue-cache.ts'
import { compileRequest } from './compile/statement.ts'
import { HeadCache } from './parse/head-cache.ts'
import { mentionsTimezone } from './parse/preferences.ts'
import { header, parseRequest, type RestRequest } from './parse/request.ts'
import { PlanCache, type Prepared } from './plan-cache.ts'
import { resolveRequest } from './resolve/resolve.ts'
import { type Answer, respond, respondWithPlan } from './respond/respond.ts'
import { estimateRows, type ResultRow, type Run, runRequest } from './run.ts'
import { Timezones } from './timezones.ts'

const noTimezones: ReadonlySet<string> = new Set()

/** rest/v1 without HTTP: parse -> resolve -> compile -> run -> respond (DESIGN §5). */
export class RestEngine {
  readonly catalogue: CatalogueCache
  readonly #config: Config
  readonly #database: Database
  readonly #heads = new HeadCache()
  readonly #plans = new PlanCache()
  readonly #timezones: Timezones
  /** Of every exposed schema but the first, whose search path every connection has. */
  readonly #searchPaths: ReadonlyMap<string, string>

  constructor({ config, database, log }: { config: Config; database: Database; log: FastifyBaseLogger }) {
    this.#config = config
    this.#database = database
    this.#timezones = new Timezones(database.service)
    this.catalogue = new CatalogueCache({ ownerUrl: database.ownerUrl, schemas: config.apiSchemas, log })
    const [, ...others] = config.apiSchemas
    this.#searchPaths = new Map(others.map((schema) => [schema, searchPathOf(schema, config.apiExtraSearchPath)]))
  }

  /** @throws GatewayError in PostgREST's codes. */
  async answer(request: RestRequest, caller: Caller, settings: RequestSettings): Promise<Answer> {
    const { apiSchemas: schemas, apiTxOverride: allowTransaction } = this.#config
    const timezones = mentionsTimezone(header(request.headers, 'prefer')) ? await this.#timezones.get() : noTimezones
    const parsed = parseRequest(request, { schemas, allowTransaction, timezones }, this.#heads)
    const catalogue = this.catalogue.loaded ?? (await this.catalogue.get())
    const prepared = this.#plans.take(catalogue, parsed.shape, (): Prepared => {
      const plan = resolveRequest(parsed, catalogue, {
        maxRows: this.#config.apiMaxRows,
        aggregates: this.#config.apiAggregates,
        plan: this.#config.apiPlan,
      })
      return { plan, compiled: compileRequest(plan) }
    })
    const { plan, compiled } = prepared
    const run: Run = {
      caller,
      settings: {
        ...settings,
        searchPath: this.#searchPaths.get(parsed.schema),
        timezone: parsed.preferences.timezone,
        readOnly: plan.action === 'read' || plan.call?.readOnly === true,
        statementTimeout: catalogue.roleTimeouts.get(caller.role),
      },
    }
    const rows = await runRequest(this.#database, plan, compiled, parsed.values, run)
    if (plan.media.plan) return respondWithPlan(plan, rows)
    const row = rows[0] as ResultRow
    const counts = plan.preferences.count !== undefined
    const total = counts ? await this.#total(prepared, row, parsed.values, run) : undefined
    return respond(plan, row, total, parsed.canonicalQuery)
  }

  /** How many rows there are in all: counted, guessed, or counted up to the row limit and guessed beyond. */
  async #total({ plan, compiled }: Prepared, row: ResultRow, values: Parameters<typeof estimateRows>[2], run: Run) {
    const counted = row.total === null ? undefined : Number(row.total)
    const { count } = plan.preferences
    const guess = compiled.estimate && (count === 'planned' || (counted ?? 0) > plan.maxRows)
    if (!guess || !compiled.estimate) return counted
    return Math.max(counted ?? 0, await estimateRows(this.#database, compiled.estimate, values, run))
  }
}
