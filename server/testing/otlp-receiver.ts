import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Value = { stringValue?: string; intValue?: number; doubleValue?: number }
type Attributes = { key: string; value: Value }[]
type Resource = { attributes: Attributes }

export type ReceivedSpan = {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly status: { code: number }
  readonly attributes: Readonly<Record<string, unknown>>
  readonly resource: Readonly<Record<string, unknown>>
}

export type ReceivedMetric = {
  readonly name: string
  readonly sum?: { isMonotonic: boolean; dataPoints: { attributes: Attributes; asDouble: number }[] }
  readonly gauge?: { dataPoints: { attributes: Attributes; asDouble: number }[] }
  readonly histogram?: {
    dataPoints: {
      attributes: Attributes
      count: number
      sum: number
      bucketCounts: number[]
      explicitBounds: number[]
    }[]
  }
  readonly resource: Readonly<Record<string, unknown>>
}

export type OtlpReceiver = {
  readonly url: string
  spans(): ReceivedSpan[]
  /** The figures of the latest request. */
  metrics(): ReceivedMetric[]
  /** Everything that was received, as it was sent. */
  text(): string
  close(): Promise<void>
}

/** What a collector of OpenTelemetry is to the product: it takes traces and metrics (OTLP in JSON). */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: { path: string; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString() })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const received = (path: string) => bodies.filter((one) => one.path === path).map(({ body }) => JSON.parse(body))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      received('/v1/traces')
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ resource, scopeSpans }: { resource: Resource; scopeSpans: { spans: ReceivedSpan[] }[] }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({ ...span, resource: toObject(resource.attributes) })),
          ),
        )
        .map((span) => ({ ...span, attributes: toObject(span.attributes as unknown as Attributes) })),
    metrics: () =>
      (received('/v1/metrics').at(-1)?.resourceMetrics ?? []).flatMap(
        ({ resource, scopeMetrics }: { resource: Resource; scopeMetrics: { metrics: ReceivedMetric[] }[] }) =>
          scopeMetrics.flatMap(({ metrics }) =>
            metrics.map((one) => ({ ...one, resource: toObject(resource.attributes) })),
          ),
      ),
    text: () => bodies.map(({ body }) => body).join('\n'),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const toObject = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
