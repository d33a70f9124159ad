import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { Jobs, onDemand } from './index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const buildJobs = () => new Jobs({ ownerUrl: database.ownerUrl, log: pino({ level: 'silent' }) })

describe('Jobs', () => {
  it('runs jobs right away, one after the other', async () => {
    const jobs = buildJobs()
    const done: number[] = []
    jobs.add<{ n: number }>({ name: 'count', run: async ({ n }) => void done.push(n) })
    await jobs.start()
    try {
      const startedAt = performance.now()
      for (let n = 1; n <= 20; n++) await jobs.send<{ n: number }>({ name: 'count' }, { n })
      await expect.poll(() => done.length, { timeout: 20_000 }).toBe(20)
      expect(done).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      // Polling for each would take twice as long.
      expect(performance.now() - startedAt).toBeLessThan(10_000)
    } finally {
      await jobs.stop()
    }
  })

  it('considers a job lost after half a minute without a heartbeat', async () => {
    const jobs = buildJobs()
    let finish: () => void = () => undefined
    jobs.add({ name: 'long', run: () => new Promise<void>((done) => (finish = done)) })
    await jobs.start()
    try {
      await jobs.send({ name: 'long' }, {})
      await expect
        .poll(() =>
          database.query(
            `select heartbeat_seconds as seconds, heartbeat_on > now() - interval '1 minute' as heard
             from pgboss.job where name = 'long' and state = 'active'`,
          ),
        )
        .toEqual([{ seconds: 30, heard: true }])
    } finally {
      finish()
      await jobs.stop()
    }
  })

  it('retries a failed job', async () => {
    const jobs = buildJobs()
    let attempts = 0
    jobs.add({
      name: 'stumble',
      queue: { retryLimit: 3, retryDelay: 1 },
      run: async () => {
        attempts += 1
        if (attempts < 2) throw new Error('not yet')
      },
    })
    await jobs.start()
    try {
      await jobs.send({ name: 'stumble' }, {})
      await expect.poll(() => attempts, { timeout: 20_000 }).toBe(2)
    } finally {
      await jobs.stop()
    }
  })

  it('keeps a job that never succeeds where an operator finds it', async () => {
    const jobs = buildJobs()
    jobs.add({ name: 'fail', queue: { retryLimit: 0 }, run: () => Promise.reject(new Error('the reason')) })
    await jobs.start()
    try {
      await jobs.send({ name: 'fail' }, {})
      await expect
        .poll(async () =>
          database.query(`select state, output ->> 'message' as reason from pgboss.job where name = 'fail'`),
        )
        .toEqual([{ state: 'failed', reason: 'the reason' }])
    } finally {
      await jobs.stop()
    }
  })

  it('keeps two jobs with one key as one while the first waits, if the queue is exclusive', async () => {
    const jobs = buildJobs()
    let runs = 0
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    jobs.add({
      name: 'once',
      queue: { policy: 'exclusive' },
      run: async () => {
        runs += 1
        await gate
      },
    })
    await jobs.start()
    try {
      for (const key of ['a', 'a', 'a']) await jobs.send({ name: 'once' }, {}, key)
      open()
      await expect
        .poll(async () => database.query(`select state from pgboss.job where name = 'once'`))
        .toEqual([{ state: 'completed' }])
      expect(runs).toBe(1)
    } finally {
      await jobs.stop()
    }
  })

  it('runs once more for work found during a run, if the queue runs on demand', async () => {
    const jobs = buildJobs()
    let runs = 0
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const job = {
      name: 'noticed',
      queue: { policy: onDemand },
      run: async () => {
        runs += 1
        await gate
      },
    }
    jobs.add(job)
    await jobs.start()
    try {
      await jobs.send(job, {})
      await expect.poll(() => runs).toBe(1)
      for (const _ of [1, 2, 3]) await jobs.send(job, {}) // the job is running and may have looked already
      open()
      await expect
        .poll(async () => database.query(`select state from pgboss.job where name = 'noticed'`))
        .toEqual([{ state: 'completed' }, { state: 'completed' }])
      expect(runs).toBe(2)
    } finally {
      await jobs.stop()
    }
  })

  it('runs once more soon, although pg-boss has noted that the first run takes long', async () => {
    const jobs = buildJobs()
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const job = { name: 'slow', queue: { policy: onDemand }, run: () => gate }
    jobs.add(job)
    await jobs.start()
    try {
      await jobs.send(job, {})
      // From then on, no worker looks for a job of this queue until pg-boss notes otherwise.
      await expect
        .poll(() => database.query(`select singletons_active from pgboss.queue where name = 'slow'`))
        .toEqual([{ singletons_active: [null] }])
      await jobs.send(job, {})
      open()
      await expect
        .poll(async () => database.query(`select state from pgboss.job where name = 'slow'`))
        .toEqual([{ state: 'completed' }, { state: 'completed' }])
    } finally {
      await jobs.stop()
    }
  })

  it('runs the jobs left from before a restart', async () => {
    const before = buildJobs()
    before.add({ name: 'later', run: async () => undefined })
    await before.start()
    await before.stop()
    const sender = buildJobs()
    await sender.start() // knows the queue but doesn't work on it
    await sender.send({ name: 'later' }, { left: true })
    await sender.stop()

    const after = buildJobs()
    const done: object[] = []
    after.add({ name: 'later', run: async (data) => void done.push(data) })
    await after.start()
    try {
      await expect.poll(() => done, { timeout: 20_000 }).toEqual([{ left: true }])
    } finally {
      await after.stop()
    }
  })
})
