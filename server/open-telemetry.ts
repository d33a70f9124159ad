import diagnostics from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage, RequestListener } from 'node:http'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  context,
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import { toOtlp } from './otlp-figures.ts'
import { productVersion } from './product-version.ts'
import type { DescribedResponse, Figure, Telemetry } from './telemetry.ts'

/** A collector that doesn't answer must not hold up a stop. */
const stopWithinMs = 3_000
/** Of a statement's text. The longest ones, of feeds, have several thousand characters. */
const maxTextLength = 2_000
/** What monitoring requests every few seconds would hide the rest. */
const untraced = /^\/(health\/|metrics)/

/**
 * OpenTelemetry's SDK behind the few places that all work passes: the request handler, `Database`, `Jobs`, and Node's own channels for
 * outgoing requests. Its instrumentation packages would replace functions of those modules while they load instead. A span never has
 * a path, a query, a header, a body, an address, or a value of a statement: they hold names, keys, and messages.
 */
export class OpenTelemetry implements Telemetry {
  readonly #config: Config['telemetry']
  readonly #resource: Resource
  readonly #provider: BasicTracerProvider | undefined
  readonly #tracer: Tracer
  readonly #propagator = new W3CTraceContextPropagator()
  readonly #outgoing = new WeakMap<object, Span>()

  constructor({ telemetry, port }: Pick<Config, 'telemetry' | 'port'>) {
    this.#config = telemetry
    this.#resource = resourceFromAttributes({
      'service.name': 'ovation',
      'service.version': productVersion,
      'service.instance.id': `${hostname()}:${port}`,
      'process.pid': process.pid,
    }).merge(detectResources({ detectors: [envDetector] }))
    const manager = new AsyncLocalStorageContextManager()
    if (context.setGlobalContextManager(manager)) manager.enable()
    if (telemetry.traces) {
      const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())]
      this.#provider = new BasicTracerProvider({ resource: this.#resource, spanProcessors })
    }
    this.#tracer = (this.#provider ?? trace.getTracerProvider()).getTracer('ovation', productVersion)
    for (const [channel, listener] of this.#channels) diagnostics.subscribe(channel, listener)
  }

  traceRequests(handle: RequestListener, trustsPeer: (address: string) => boolean): RequestListener {
    return (request, response) => {
      if (untraced.test(request.url ?? '')) return handle(request, response)
      const { method = '', headers, socket } = request
      const carrier = trustsPeer(socket?.remoteAddress ?? '') ? headers : {}
      const parent = this.#propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter)
      const attributes = { 'http.request.method': method }
      const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
      const active = trace.setSpan(parent, span)
      // Their events come from the socket, which serves many requests.
      context.bind(active, request)
      context.bind(active, response)
      response.once('close', () => {
        if (!response.writableFinished) span.setAttribute('error.type', 'closed by the client')
        span.end()
      })
      context.with(active, () => handle(request, response))
    }
  }

  describeRequest({ requestId, method, route, status }: DescribedResponse): void {
    const span = activeSpan()
    if (!span) return
    span.updateName(`${method} ${route}`)
    span.setAttributes({
      'http.route': route,
      'http.response.status_code': status,
      'ovation.request_id': requestId,
    })
    if (status >= 500) fail(span, `${status}`)
  }

  async traceStatement<Result>({ text }: { readonly text: string }, run: () => Promise<Result>): Promise<Result> {
    if (!activeSpan()) return run() // the clockwork: queues that look for work, the log, health
    const [operation = 'statement'] = /\b(?:select|insert|update|delete|merge|call)\b/i.exec(text) ?? []
    const name = operation.toUpperCase()
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': name,
      'db.query.text': text.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextLength),
    }
    return this.#within(name, SpanKind.CLIENT, attributes, run)
  }

  async traceJob<Result>(name: string, id: string, run: () => Promise<Result>): Promise<Result> {
    const attributes = {
      'messaging.system': 'pg-boss',
      'messaging.operation.type': 'process',
      'messaging.destination.name': name,
      'messaging.message.id': id,
    }
    return context.with(ROOT_CONTEXT, () => this.#within(`job ${name}`, SpanKind.CONSUMER, attributes, run))
  }

  logFields(): Readonly<Record<string, string>> {
    const { traceId, spanId } = trace.getSpanContext(context.active()) ?? {}
    return traceId && spanId ? { trace_id: traceId, span_id: spanId } : {}
  }

  exportFigures(read: () => Promise<readonly Figure[]>): () => Promise<void> {
    const { metrics, metricsIntervalMs } = this.#config
    if (!metrics) return async () => undefined
    const collect = async () => ({ resourceMetrics: toOtlp(await read(), this.#resource), errors: [] })
    const reader = new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter(),
      exportIntervalMillis: metricsIntervalMs,
      exportTimeoutMillis: metricsIntervalMs,
      metricProducers: [{ collect }],
    })
    const meters = new MeterProvider({ resource: this.#resource, readers: [reader] })
    return () => inTime(meters.shutdown())
  }

  reportTo(log: FastifyBaseLogger): void {
    const report = (reason: string) => log.warn({ reason }, 'traces or metrics could not be sent')
    const nothing = () => undefined
    const logger = { error: report, warn: nothing, info: nothing, debug: nothing, verbose: nothing }
    diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true })
  }

  async stop(): Promise<void> {
    for (const [channel, listener] of this.#channels) diagnostics.unsubscribe(channel, listener)
    if (this.#provider) await inTime(this.#provider.shutdown())
  }

  async #within<Result>(
    name: string,
    kind: SpanKind,
    attributes: Record<string, string>,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const span = this.#tracer.startSpan(name, { kind, attributes }, context.active())
    try {
      return await context.with(trace.setSpan(context.active(), span), run)
    } catch (error) {
      // Its message may repeat a value. The code is PostgreSQL's, or Node's.
      const { code, name: type } = error as { code?: unknown; name?: unknown }
      fail(span, String(code ?? type ?? 'error'))
      throw error
    } finally {
      span.end()
    }
  }

  /** Node reports every outgoing request, whatever package sends it: `http` and `https`, and `fetch` (undici). They carry no trace on. */
  readonly #channels: readonly [string, (message: unknown) => void][] = [
    [
      'http.client.request.created',
      (message) => {
        const { request } = message as { request: ClientRequest }
        this.#begin(request, request.method, request.host)
      },
    ],
    [
      'http.client.response.finish',
      (message) => {
        const { request, response } = message as { request: ClientRequest; response: IncomingMessage }
        this.#end(request, response.statusCode)
      },
    ],
    [
      'http.client.request.error',
      (message) => {
        const { request, error } = message as { request: ClientRequest; error: NodeJS.ErrnoException }
        this.#end(request, undefined, error)
      },
    ],
    [
      'undici:request:create',
      (message) => {
        const { request } = message as { request: { method: string; origin: string } }
        this.#begin(request, request.method, new URL(request.origin).hostname)
      },
    ],
    [
      'undici:request:headers',
      (message) => {
        const { request, response } = message as { request: object; response: { statusCode: number } }
        this.#end(request, response.statusCode)
      },
    ],
    [
      'undici:request:error',
      (message) => {
        const { request, error } = message as { request: object; error: NodeJS.ErrnoException }
        this.#end(request, undefined, error)
      },
    ],
  ]

  #begin(request: object, method: string, host: string) {
    if (!activeSpan()) return
    const attributes = { 'http.request.method': method, 'server.address': host }
    const span = this.#tracer.startSpan(`${method} ${host}`, { kind: SpanKind.CLIENT, attributes }, context.active())
    this.#outgoing.set(request, span)
  }

  #end(request: object, status: number | undefined, error?: NodeJS.ErrnoException) {
    const span = this.#outgoing.get(request)
    if (!span) return
    this.#outgoing.delete(request)
    if (status !== undefined) span.setAttribute('http.response.status_code', status)
    if (error) fail(span, error.code ?? error.name)
    else if (status !== undefined && status >= 400) fail(span, `${status}`)
    span.end()
  }
}

/** A failure was reported by the SDK itself. */
async function inTime(sent: Promise<void>): Promise<void> {
  const failed = () => undefined
  await Promise.race([sent.catch(failed), sleep(stopWithinMs, undefined, { ref: false })])
}

/** The span of what is being done, if it is recorded and hasn't ended. */
function activeSpan(): Span | undefined {
  const span = trace.getActiveSpan()
  return span?.isRecording() ? span : undefined
}

function fail(span: Span, type: string) {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
