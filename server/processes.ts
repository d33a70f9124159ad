import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** The figures of one process, as processes exchange them. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

/** How long a process may take to report its figures; a slower one is left out. */
const timeoutMs = 2_000

/** The processes of this node (`WORKERS`): any of them can report the figures of all. */
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

type Channel = {
  send(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): void
}
type Question = { readonly ask: 'own' | 'others'; readonly id: number }
type Answer = { readonly answer: number; readonly figures: ProcessMetrics[] }

/** Requests figures from the process at the other end of a channel, and answers its requests. */
export class Line {
  readonly #channel: Channel
  readonly #waiting = new Map<number, (figures: ProcessMetrics[]) => void>()
  #next = 0

  /** @param answers what the other end may request. */
  constructor(channel: Channel, answers: Readonly<Partial<Record<Question['ask'], () => Promise<ProcessMetrics[]>>>>) {
    this.#channel = channel
    channel.on('message', (message) => {
      if (isAnswer(message)) {
        this.#waiting.get(message.answer)?.(message.figures)
      } else if (isQuestion(message)) {
        const work = answers[message.ask]?.() ?? Promise.resolve([])
        work.then(
          (figures) => channel.send({ answer: message.id, figures } satisfies Answer),
          () => channel.send({ answer: message.id, figures: [] } satisfies Answer), // left out, like a process that is gone
        )
      }
    })
  }

  ask(ask: Question['ask']): Promise<ProcessMetrics[]> {
    const id = this.#next++
    return new Promise((done) => {
      const finish = (figures: ProcessMetrics[]) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        done(figures)
      }
      const timer = setTimeout(() => finish([]), timeoutMs)
      this.#waiting.set(id, finish)
      this.#channel.send({ ask, id } satisfies Question)
    })
  }
}

const isAnswer = (message: unknown): message is Answer => typeof (message as Answer | null)?.answer === 'number'
const isQuestion = (message: unknown): message is Question => typeof (message as Question | null)?.ask === 'string'
