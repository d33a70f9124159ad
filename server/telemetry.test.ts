import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@supabase/supabase-js'
import { Histogram, Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { parseConfig } from './config.ts'
import { startTelemetry } from './start-telemetry.ts'
import type { Telemetry } from './telemetry.ts'
import { freePort } from './testing/free-port.ts'
import { type OtlpReceiver, startOtlpReceiver, toObject } from './testing/otlp-receiver.ts'
import { type Product, startProduct } from './testing/product.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let receiver: OtlpReceiver
beforeAll(async () => {
  receiver = await startOtlpReceiver()
})
afterAll(() => receiver.close())

describe('without OTEL_*', () => {
  // prom-client loads the API, which does nothing by itself.
  it('loads nothing of OpenTelemetry’s SDK [SCALE-07]', () => {
    const script = `import { createRequire } from 'node:module'
      const load = async () => Object.keys(createRequire('/').cache).filter((file) => /@opentelemetry.(?!api.build)/.test(file))
      await import('./server/start.ts')
      await import('./server/worker.ts')
      const { startTelemetry } = await import('./server/start-telemetry.ts')
      const { parseConfig } = await import('./server/config.ts')
      const [off, none] = [await startTelemetry(parseConfig(process.env)), await load()]
      await startTelemetry(parseConfig({ OTEL_TRACES_EXPORTER: 'otlp' }))
      console.log(JSON.stringify({ off: off === undefined, none, some: (await load()).length > 0 }))
      process.exit()`
    const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
    const env = { PATH: process.env.PATH }
    const said = execFileSync(process.execPath, options, { cwd: root, encoding: 'utf8', env })
    expect(JSON.parse(said)).toEqual({ off: true, none: [], some: true })
  })

  it.each([
    [{}, false, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, true, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_METRICS_EXPORTER: 'none' }, true, false],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:4318/v1/metrics' }, false, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, true, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }, false, false],
  ])('%j: traces %s, metrics %s [SCALE-07]', (env, traces, metrics) => {
    expect(parseConfig(env).telemetry).toMatchObject({ traces, metrics })
  })

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/json'],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be one of otlp, none'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL'],
  ])('rejects %j at the start', (env, complaint) => {
    expect(() => parseConfig(env)).toThrow(complaint)
  })
})

describe('a unit of work', () => {
  let telemetry: Telemetry
  beforeEach(async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url)
    telemetry = (await startTelemetry(parseConfig({ OTEL_TRACES_EXPORTER: 'otlp' }))) as Telemetry
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  const spansOf = (job: string) => {
    const spans = receiver.spans()
    const { traceId } = spans.find(({ name }) => name === `job ${job}`) ?? {}
    return spans.filter((span) => span.traceId === traceId)
  }

  it('has spans for its statements and outgoing requests, by host, without what they hold [SCALE-07]', async () => {
    const paths: string[] = []
    const outside = createServer((request, response) => {
      paths.push(request.url ?? '')
      expect(request.headers.traceparent).toBeUndefined()
      response.writeHead(request.url?.startsWith('/gone') ? 404 : 200).end('ok')
    }).listen(0, '127.0.0.1')
    await once(outside, 'listening')
    const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
    await telemetry.traceJob('pay', 'job-1', async () => {
      await telemetry.traceStatement({ text: 'with a as (\n  select $1::text as b\n) select b from a' }, async () => 1)
      await (await fetch(`${url}/gone/secret-path?key=secret-query`)).text()
      const [response] = await once(get(`${url}/secret-path`), 'response')
      await once(response.resume(), 'end')
      const { port } = outside.address() as AddressInfo
      outside.close()
      outside.closeAllConnections()
      await once(get({ host: '127.0.0.1', port, path: '/refused', agent: false }), 'error')
    })
    await telemetry.stop()
    expect(paths).toHaveLength(2)
    const [statement, first, second, refused, job] = spansOf('pay')
    expect(job).toMatchObject({
      kind: 5,
      attributes: { 'messaging.destination.name': 'pay', 'messaging.message.id': 'job-1' },
    })
    expect(statement).toMatchObject({
      name: 'SELECT',
      parentSpanId: job?.spanId,
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.text': 'with a as ( select $1::text as b ) select b from a',
      },
    })
    expect(first).toMatchObject({
      name: 'GET 127.0.0.1',
      status: { code: 2 },
      attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 404, 'error.type': '404' },
    })
    expect(second?.attributes).toMatchObject({ 'http.request.method': 'GET', 'http.response.status_code': 200 })
    expect(refused?.attributes).toMatchObject({ 'error.type': 'ECONNREFUSED' })
    expect(receiver.text()).not.toMatch(/secret-(path|query)/)
  })

  it('that fails is marked with the code, and never with the message, which may repeat a value [SCALE-07]', async () => {
    const failure = Object.assign(new Error('Key (email)=(ada@example.com) already exists'), { code: '23505' })
    const run = () => telemetry.traceStatement({ text: 'insert into t values ($1)' }, () => Promise.reject(failure))
    await expect(telemetry.traceJob('fail', 'job-2', run)).rejects.toBe(failure)
    await telemetry.stop()
    const spans = spansOf('fail')
    expect(spans.map(({ name }) => name)).toEqual(['INSERT', 'job fail'])
    for (const span of spans) expect(span).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '23505' } })
    expect(receiver.text()).not.toContain('ada@example.com')
  })

  it('that nothing asked for has no span: what looks for work every second [SCALE-07]', async () => {
    await telemetry.traceStatement({ text: 'delete from clockwork' }, async () => 1)
    await telemetry.stop()
    expect(receiver.text()).not.toContain('clockwork')
  })
})

it('begins a trace of its own for a request that names one without being a trusted proxy [SCALE-07]', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url)
  const telemetry = await startTelemetry(parseConfig({ OTEL_TRACES_EXPORTER: 'otlp' }))
  const traceId = 'b'.repeat(32)
  const server = createServer(
    telemetry?.traceRequests(
      (_, response) => response.end(),
      () => false,
    ),
  ).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}/`, {
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, connection: 'close' },
  })
  server.close()
  await telemetry?.stop()
  vi.unstubAllEnvs()
  expect(receiver.spans().at(-1)).toMatchObject({ name: 'GET', kind: 2 })
  expect(receiver.text()).not.toContain(traceId)
})

it('sends histograms with the buckets of OpenTelemetry, which count each value once [SCALE-07]', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url)
  const telemetry = await startTelemetry(parseConfig({ OTEL_METRICS_EXPORTER: 'otlp' }))
  const registry = new Registry()
  const seconds = new Histogram({ name: 's', help: 'h', labelNames: ['api'], buckets: [1, 2], registers: [registry] })
  for (const value of [0.5, 0.5, 1.5, 9]) seconds.observe({ api: 'rest' }, value)
  seconds.observe({ api: 'auth' }, 2)
  await telemetry?.exportFigures(() => registry.getMetricsAsJSON())()
  vi.unstubAllEnvs()
  const [rest, auth] = receiver.metrics().find(({ name }) => name === 's')?.histogram?.dataPoints ?? []
  expect(toObject(rest?.attributes ?? [])).toEqual({ api: 'rest' })
  expect(rest).toMatchObject({ count: 4, sum: 11.5, explicitBounds: [1, 2], bucketCounts: [2, 1, 1] })
  expect(auth).toMatchObject({ count: 1, bucketCounts: [0, 1, 0] })
})

describe('the whole product with a collector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-telemetry-'))
  let product: Product
  beforeAll(async () => {
    product = await startProduct(folder, await freePort(), {
      NODE_ENV: 'test',
      WORKERS: '2',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_SERVICE_NAME: 'creators',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=proof',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
    })
  }, 120_000)
  afterAll(async () => {
    await product?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const spanOf = (requestId: string | null) =>
    eventually(() => {
      const found = receiver.spans().find(({ attributes }) => attributes['ovation.request_id'] === requestId)
      if (!found) throw new Error(`no span of request ${requestId}`)
      return found
    })
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${product.url}${path}`, { headers: { connection: 'close', apikey: product.secrets.anonKey, ...headers } })

  it('traces a request of rest/v1 by its route, with its statement and its line in the log [SCALE-07]', async () => {
    const response = await ask('/rest/v1/profiles?select=username&username=eq.secret-name', {
      'x-forwarded-for': '203.0.113.7',
    })
    expect(response.status).toBe(200)
    const requestId = response.headers.get('x-request-id')
    const span = await spanOf(requestId)
    expect(span).toMatchObject({
      name: 'GET /rest/v1/:name',
      kind: 2,
      attributes: { 'http.request.method': 'GET', 'http.route': '/rest/v1/:name', 'http.response.status_code': 200 },
      resource: { 'service.name': 'creators', 'deployment.environment.name': 'proof' },
    })
    const statement = receiver.spans().find(({ parentSpanId }) => parentSpanId === span.spanId)
    expect(statement?.attributes).toMatchObject({ 'db.operation.name': 'SELECT' })
    const line = await eventually(() => {
      const found = product.logged().find((text) => text.includes(`"requestId":"${requestId}"`))
      if (!found) throw new Error('the log has no line')
      return JSON.parse(found)
    })
    expect(line).toMatchObject({ trace_id: span.traceId, span_id: span.spanId, msg: 'request' })
  })

  it('continues the trace of a proxy [SCALE-07]', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const response = await ask('/auth/v1/settings', { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
    const span = await spanOf(response.headers.get('x-request-id'))
    expect(span).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', name: 'GET /auth/v1/settings' })
    const unsampled = await ask('/auth/v1/settings', { traceparent: `00-${'a'.repeat(32)}-00f067aa0ba902b7-00` })
    expect(unsampled.status).toBe(200)
    await spanOf((await ask('/auth/v1/settings')).headers.get('x-request-id'))
    expect(receiver.text()).not.toContain('a'.repeat(32))
  })

  it('traces requests with a body, jobs, and outgoing requests, and sends nothing secret or personal [SCALE-07]', async () => {
    const client = createClient(product.url, product.secrets.anonKey, { auth: { persistSession: false } })
    const email = 'ada.secret@example.com'
    const password = 'secret correct horse'
    const options = { data: { username: 'secret_ada', display_name: 'Secret Ada', terms_accepted: true } }
    const { data, error } = await client.auth.signUp({ email, password, options })
    expect(error).toBeNull()
    await client
      .from('profiles')
      .update({ bio: 'secret bio' })
      .eq('user_id', data.user?.id ?? '')
    await client.functions.invoke('save-card', { body: { returnPath: '/secret-place' } })
    await ask('/profile/secret_ada?token=secret-token')
    await ask('/feeds/secret-feed.xml')
    await eventually(() => {
      const names = receiver.spans().map(({ name }) => name)
      for (const name of ['POST /auth/v1/signup', 'PATCH /rest/v1/:name', 'GET /feeds/:file', 'POST 127.0.0.1'])
        expect(names).toContain(name)
      expect(names.some((name) => name.startsWith('job '))).toBe(true)
    })
    const { access_token: accessToken = '', refresh_token: refreshToken = '' } = data.session ?? {}
    const { anonKey, serviceRoleKey, jwtSecret } = product.secrets
    expect(accessToken).not.toBe('')
    for (const secret of [email, password, accessToken, refreshToken, anonKey, serviceRoleKey, jwtSecret])
      expect(receiver.text()).not.toContain(secret)
    expect(receiver.text()).not.toMatch(/secret|ada@|203\.0\.113\.7|postgres:\/\//i)
  }, 90_000)

  it('traces what a worker answers, too, and reports health to no one [SCALE-07]', async () => {
    await eventually(async () => {
      await Promise.all(Array.from({ length: 20 }, () => ask('/auth/v1/settings')))
      expect(new Set(receiver.spans().map(({ resource }) => resource['process.pid'])).size).toBeGreaterThanOrEqual(2)
    })
    await ask('/health/ready')
    await ask('/metrics')
    await spanOf((await ask('/auth/v1/settings')).headers.get('x-request-id'))
    expect(
      receiver
        .spans()
        .map(({ name }) => name)
        .join(),
    ).not.toMatch(/health|metrics/)
  }, 40_000)

  it('sends the figures of /metrics, those of all processes together [SCALE-07]', async () => {
    const shown = await (await ask('/metrics')).text()
    const names = [...shown.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    await eventually(() => {
      const metrics = receiver.metrics()
      expect(metrics.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'ovation_http_request_seconds',
          'ovation_disk_free_bytes',
          'process_cpu_user_seconds_total',
        ]),
      )
      for (const { name, resource } of metrics) {
        expect(names).toContain(name)
        expect(resource['service.name']).toBe('creators')
      }
      const requests = metrics.find(({ name }) => name === 'ovation_http_request_seconds')?.histogram?.dataPoints ?? []
      const auth = requests.find(({ attributes }) => toObject(attributes).api === 'auth')
      expect(auth?.count).toBeGreaterThan(20)
      expect(metrics.find(({ name }) => name === 'process_cpu_user_seconds_total')?.sum?.isMonotonic).toBe(true)
    })
  })
})
