import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { printTable } from '../report.ts'
import type { Order, Outcomes } from './attackers.ts'
import type { Target } from './attacks.ts'

/** Attackers in a process of their own, so that what they cost does not count as the product's or the visitors'. */
export class Attackers {
  // Shares the server's machine, so it runs at the lowest priority; `nice` covers all threads.
  readonly #child = fork(fileURLToPath(new URL('attackers.ts', import.meta.url)), {
    execPath: 'nice',
    execArgv: ['-n', '19', process.execPath, ...process.execArgv],
  })
  readonly #target: Target
  readonly #names: readonly string[]
  readonly #totals: Record<string, Record<string, number>> = {}

  constructor(target: Target, names: readonly string[]) {
    this.#target = target
    this.#names = names
  }

  /** They attack as long as the work takes. Resolves when they have stopped. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const answered = once(this.#child, 'message')
    this.#say({ target: this.#target, names: this.#names })
    try {
      return await work()
    } finally {
      this.#say('stop')
      const [outcomes] = (await answered) as [Outcomes]
      this.#add(outcomes)
    }
  }

  print() {
    const rows = Object.entries(this.#totals).map(([name, counts]) => {
      const answers = Object.entries(counts).toSorted(([, one], [, other]) => other - one)
      return [name, answers.map(([answer, times]) => `${times} × ${answer}`).join(', ') || 'no answer']
    })
    printTable(['attack', 'how it was answered'], rows)
  }

  get totals(): Outcomes {
    return this.#totals
  }

  close() {
    this.#child.kill()
  }

  #say(order: Order) {
    this.#child.send(order)
  }

  #add(outcomes: Outcomes) {
    for (const [name, counts] of Object.entries(outcomes)) {
      const total = this.#totals[name] ?? {}
      this.#totals[name] = total
      for (const [answer, times] of Object.entries(counts)) total[answer] = (total[answer] ?? 0) + times
    }
  }
}
