import { expect, it } from 'vitest'
import { BackgroundWork } from '../background-work.ts'
import { startGateway } from '../testing/gateway.ts'

it('completes, during a shutdown, work that a response promised', async () => {
  const first = await startGateway()
  const { email, userId } = await first.signUp()
  const second = await startGateway({ database: first.database })
  expect((await second.client().auth.resetPasswordForEmail(email)).error).toBeNull()
  await second.close()
  const audited = await first.query(
    `select from auth.audit_log_entries where payload ->> 'action' = 'user_recovery_requested' and payload ->> 'actor_id' = $1`,
    [userId],
  )
  expect(audited).toHaveLength(1)
  await first.close()
})

it('delays a shutdown no longer than its grace period', async () => {
  const work = new BackgroundWork()
  const { promise, resolve } = Promise.withResolvers<void>()
  work.add(promise)
  await work.drain(1)
  resolve()
  await work.settled()
})
