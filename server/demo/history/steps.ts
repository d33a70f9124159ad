import type pg from 'pg'
import { inTransaction } from './in-transaction.ts'

/** Steps of the demo's past, in their order. The seed has created the `users` (seed.ts). */
export type Step =
  | 'users'
  | 'crowd'
  | 'reactions'
  | 'inboxes'
  | 'applicant'
  | 'desk'
  | 'sessions'
  | 'payments'
  | 'books'
  | 'funnel'

/** Where private.settings says that a step is done. */
export const settingOf = (step: Step | 'year') => `demo_step_${step}`

export type Steps = {
  /** Does a step that finds what a stopped start has left of it, and adds the rest. */
  resume(step: Step, work: () => Promise<unknown>): Promise<void>
  /** Does a step that would repeat itself: its rows are committed together with the note that it is done. */
  doAtOnce(step: Step, work: () => Promise<unknown>): Promise<void>
}

/** Each step is done once, whenever a start is stopped. Between two steps, `signal` ends it. */
export function openSteps(client: pg.Client, signal: AbortSignal): Steps {
  async function isDone(step: Step): Promise<boolean> {
    signal.throwIfAborted()
    const { rowCount } = await client.query('select from private.settings where key = $1', [settingOf(step)])
    return rowCount !== 0
  }
  async function finish(step: Step, work: () => Promise<unknown>): Promise<void> {
    await work()
    await client.query(`insert into private.settings (key, value) values ($1, 'true')`, [settingOf(step)])
  }
  return {
    async resume(step, work) {
      if (!(await isDone(step))) await finish(step, work)
    },
    async doAtOnce(step, work) {
      if (!(await isDone(step))) await inTransaction(client, () => finish(step, work))
    },
  }
}
