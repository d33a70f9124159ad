import { type HrTime, ValueType } from '@opentelemetry/api'
import { hrTime } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import { productVersion } from './product-version.ts'
import type { Figure } from './telemetry.ts'

type Values = Figure['values']

const startTime = hrTime(0) // when this process started: Node's clock begins there

/** The figures of `/metrics` with the same names, so that one dashboard serves both. */
export function toOtlp(figures: readonly Figure[], resource: Resource): ResourceMetrics {
  const endTime = hrTime()
  const metrics = figures.filter(({ values }) => values.length > 0).map((figure) => toMetric(figure, endTime))
  return { resource, scopeMetrics: [{ scope: { name: 'ovation', version: productVersion }, metrics }] }
}

function toMetric({ name, help, type, values }: Figure, endTime: HrTime): MetricData {
  const base = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const times = { startTime, endTime }
  if (type === 'histogram') {
    const dataPoints = toHistograms(name, values).map((point) => ({ ...times, ...point }))
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints }
  }
  const dataPoints = values.map(({ value, labels }) => ({ ...times, attributes: { ...labels }, value }))
  return type === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Prometheus counts a value in every bucket above it, OpenTelemetry only in the first. */
function toHistograms(name: string, values: Values): Pick<DataPoint<Histogram>, 'attributes' | 'value'>[] {
  const byLabels = Map.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  return [...byLabels].map(([labels, own]) => {
    const total = (part: string) => own.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0
    const buckets = own
      .filter(({ metricName, labels: { le } }) => metricName === `${name}_bucket` && le !== '+Inf')
      .map(({ value, labels: { le } }) => ({ bound: Number(le), below: value }))
      .toSorted((one, other) => one.bound - other.bound)
    const count = total('count')
    const upTo = [...buckets.map(({ below }) => below), count]
    const counts = upTo.map((below, index) => below - (upTo[index - 1] ?? 0))
    const boundaries = buckets.map(({ bound }) => bound)
    return { attributes: JSON.parse(labels), value: { buckets: { boundaries, counts }, sum: total('sum'), count } }
  })
}
