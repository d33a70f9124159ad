import fastifyPlugin from 'fastify-plugin'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ApiOptions } from '../http/api.ts'
import { apiOf } from '../http/counters.ts'
import type { ResponseObservers } from '../http/response-observers.ts'
import { productVersion } from '../product-version.ts'
import { timingSafeEqualText } from '../timing-safe-equal.ts'
import { buildInstallationMetrics } from './installation-metrics.ts'
import type { Services } from './services.ts'

/** Seconds. From a row by key to a one-gigabyte video. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

type MetricsOptions = ApiOptions<Services> & { readonly observers: ResponseObservers }

/**
 * `GET /metrics` in Prometheus' text format: all processes of this node together, and the installation. With `METRICS_TOKEN` it requires
 * `Authorization: Bearer …`; without one it doesn't exist in production. Labels name APIs and patterns, never paths, which contain users'
 * names.
 */
export const metrics = fastifyPlugin<MetricsOptions>(async (app, { services, observers }) => {
  const { config, database, counters, processes, telemetry } = services
  const isOpen = config.environment !== 'production' || config.metricsToken !== undefined
  if (!isOpen && !config.telemetry.metrics) return
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'ovation_http_request_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['api', 'method', 'status'],
    buckets,
    registers: [registry],
  })
  observers.add((response) => {
    const { method, url, route, status, ms } = response
    const api = apiOf(url)
    requests.observe({ api, method, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
    counters.countAnswer(response, api)
    if (status >= 500) counters.countError(route, status)
  })
  const connections = new Gauge({
    name: 'ovation_database_connections',
    help: 'Database connections for requests, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
  })
  const replicaBehind = new Gauge({
    name: 'ovation_replica_behind_seconds',
    help: 'For how long commits may be missing on each server of DATABASE_REPLICA_URLS, by its number.',
    labelNames: ['replica'],
    aggregator: 'max',
    registers: [registry],
  })
  new Counter({
    name: 'ovation_replica_reads_total',
    help: 'Reads that a replica has answered while there was a primary.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(database.replicaReads)
    },
  })
  const realtime = new Gauge({
    name: 'ovation_realtime',
    help: 'Open live connections, and channels with members.',
    labelNames: ['what'],
    registers: [registry],
  })
  new Gauge({
    name: 'ovation_build_info',
    help: 'The running versions; the value is always 1.',
    labelNames: ['version', 'node'],
    aggregator: 'max',
    registers: [registry],
  }).set({ version: productVersion, node: process.version }, 1)
  const installation = buildInstallationMetrics(services)

  processes.answerWith(async () => {
    for (const [state, count] of Object.entries(database.connections())) connections.set({ state }, count)
    database.replicasBehindMs().forEach((ms, index) => {
      // Infinite before the first look.
      if (Number.isFinite(ms)) replicaBehind.set({ replica: index + 1 }, ms / 1000)
    })
    for (const [what, count] of Object.entries(services.realtime.counts)) realtime.set({ what }, count)
    return [...(await registry.getMetricsAsJSON()), ...(await counters.registry.getMetricsAsJSON())]
  })

  const readAll = async () => {
    const [all, own] = await Promise.all([processes.gather(), installation.read()])
    return [AggregatorRegistry.aggregate([...all]), own]
  }
  const readFigures = async () => Promise.all((await readAll()).map((part) => part.getMetricsAsJSON()))
  let stopExport: (() => Promise<void>) | undefined
  // Not before everything that is counted has started.
  app.addHook('onListen', async () => {
    stopExport = telemetry?.exportFigures(async () => (await readFigures()).flat())
  })
  app.addHook('onClose', () => stopExport?.())
  if (!isOpen) return

  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request.headers.authorization, config.metricsToken)) {
      return reply.status(401).header('WWW-Authenticate', 'Bearer').send({ message: 'METRICS_TOKEN is required' })
    }
    const texts = await Promise.all((await readAll()).map((part) => part.metrics()))
    return reply.type(registry.contentType).send(texts.join('\n'))
  })
})

function mayRead(authorization: string | undefined, token: string | undefined): boolean {
  return token === undefined || timingSafeEqualText(authorization ?? '', `Bearer ${token}`)
}
