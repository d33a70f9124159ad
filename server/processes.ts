import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** The figures of one process, as processes exchange them. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

/** The processes of this node: any of them can report the figures of all. */
export class Processes {
  readonly #askOthers: () => Promise<ProcessMetrics[]>
  #own: () => Promise<ProcessMetrics> = async () => []

  /** @param askOthers the figures of every process but this one. */
  constructor(askOthers: () => Promise<ProcessMetrics[]> = async () => []) {
    this.#askOthers = askOthers
  }

  answerWith(own: () => Promise<ProcessMetrics>) {
    this.#own = own
  }

  own(): Promise<ProcessMetrics> {
    return this.#own()
  }

  async gather(): Promise<ProcessMetrics[]> {
    const [own, others] = await Promise.all([this.#own(), this.#askOthers()])
    return [own, ...others]
  }
}
