import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import type { TestDatabase } from './database.ts'

type Work = {
  /** A statement whose only row says as `more` whether there is more to do. */
  readonly statement: string
  readonly workers: number
  readonly kills: number
  /** How much has been done. */
  readonly progress: () => Promise<number>
  /** How much more is done before each kill. */
  readonly stride: number
  /** Passes when all is done. */
  readonly expectEnd: () => Promise<void>
}

/**
 * Runs the statement again and again in processes that are killed (SIGKILL) when so much of the work has been done, and lets the last ones
 * finish. Counted in work, not in time: a slow machine is killed at the same points.
 */
export async function killMidway(database: TestDatabase, work: Work): Promise<void> {
  for (let killed = 0; killed < work.kills; killed += 1) {
    const running = start(database, work)
    await eventually(async () => expect(await work.progress()).toBeGreaterThanOrEqual(killed * work.stride))
    await sleep(Math.random() * 200)
    // A backend goes on until it notices. Every other time it is gone, too, in the middle of its statement.
    await stop(running)
    if (killed % 2 === 0)
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'repeated' and datname = current_database()`,
      )
  }
  const last = start(database, work)
  try {
    await eventually(work.expectEnd)
  } finally {
    await stop(last)
  }
}

const script = fileURLToPath(new URL('repeat-statement.ts', import.meta.url))

const start = ({ ownerUrl }: TestDatabase, { statement, workers }: Work): ChildProcess[] =>
  Array.from({ length: workers }, () =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ownerUrl, statement], {
      stdio: 'inherit',
    }),
  )

async function stop(running: readonly ChildProcess[]): Promise<void> {
  const exits = running.map((each) => once(each, 'exit'))
  for (const each of running) each.kill('SIGKILL')
  await Promise.all(exits)
}
