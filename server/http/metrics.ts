import fastifyPlugin from 'fastify-plugin'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isSameText } from '../same-text.ts'
import type { DoorOptions } from '../services.ts'
import { onAnswered } from './answered.ts'

/** Seconds. From a row by key to a video of a gigabyte. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const doors = new Set(['auth', 'rest', 'storage', 'realtime', 'functions'])

/**
 * `GET /metrics` in Prometheus' text format: this process, its requests by door, the connections to the database, and the jobs of the
 * installation by state. With `METRICS_TOKEN` it wants `Authorization: Bearer …`; without one it is not there in production. Labels
 * name doors and never paths: those hold people's names.
 */
export const metrics = fastifyPlugin<DoorOptions>(async (app, { services }) => {
  const { config, database, isOurs, log } = services
  if (config.environment === 'production' && config.metricsToken === undefined) return
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'ovation_http_request_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['door', 'method', 'status'],
    buckets,
    registers: [registry],
  })
  onAnswered(app, ({ method, url, status, ms }) =>
    requests.observe({ door: doorOf(url), method, status: `${Math.floor(status / 100)}xx` }, ms / 1000),
  )
  const connections = new Gauge({
    name: 'ovation_database_connections',
    help: 'Connections of this process that serve requests, and the requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
  })
  const jobs = new Gauge({
    name: 'ovation_jobs',
    help: 'Background work of the whole installation, by state: failed ones need a look.',
    labelNames: ['queue', 'state'],
    registers: [registry],
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request.headers.authorization, config.metricsToken)) {
      return reply.status(401).header('WWW-Authenticate', 'Bearer').send({ message: 'METRICS_TOKEN is wanted' })
    }
    for (const [state, count] of Object.entries(database.connections())) connections.set({ state }, count)
    if (isOurs) await countJobs()
    return reply.type(registry.contentType).send(await registry.metrics())
  })

  async function countJobs() {
    try {
      const rows = await services.jobs.countOpen()
      jobs.reset()
      for (const { queue, state, count } of rows) jobs.set({ queue, state }, count)
    } catch (err) {
      // The other figures matter most when the database is away.
      log.warn({ err }, 'jobs could not be counted')
    }
  }
})

function doorOf(url: string): string {
  const door = url.slice(1, url.indexOf('/', 1))
  return doors.has(door) ? door : 'web'
}

function mayRead(authorization: string | undefined, token: string | undefined): boolean {
  return token === undefined || isSameText(authorization ?? '', `Bearer ${token}`)
}
