import type { RequestListener } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'

/** Traces and metrics for a collector, by OpenTelemetry's protocol (OTLP). Undefined everywhere unless `OTEL_*` turns it on. */
export type Telemetry = {
  /**
   * Gives each request a span, and what the request does its place below it.
   * @param trustsPeer whether the peer may name the trace to continue: anyone else could have all their requests recorded.
   */
  traceRequests(handle: RequestListener, trustsPeer: (address: string) => boolean): RequestListener
  /** Completes the span of the request that was responded to. Call it within the request. */
  describeRequest(response: DescribedResponse): void
  traceStatement<Result>(statement: { readonly text: string }, run: () => Promise<Result>): Promise<Result>
  traceJob<Result>(name: string, id: string, run: () => Promise<Result>): Promise<Result>
  /** The fields that lead from a log line to its trace. */
  logFields(): Readonly<Record<string, string>>
  /**
   * Sends these figures from time to time, if metrics are turned on.
   * @returns sends them once more, and ends that.
   */
  exportFigures(read: () => Promise<readonly Figure[]>): () => Promise<void>
  /** Where to say that the collector doesn't take what is sent. */
  reportTo(log: FastifyBaseLogger): void
  /** Sends what is left, for a few seconds at most. */
  stop(): Promise<void>
}

export type DescribedResponse = {
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly status: number
}

/** A metric as prom-client's registries return it. A histogram's values have the names `…_bucket`, `…_sum`, and `…_count`. */
export type Figure = {
  readonly name: string
  readonly help: string
  readonly type: unknown
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Partial<Record<string, string | number>>>
    readonly metricName?: string
  }[]
}
