import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { followCreator, signUpCrowd } from '../testing/crowd.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { killMidway } from '../testing/kill-midway.ts'

/** `FLOW_KILLS=20` kills more often. */
const kills = Number(process.env.FLOW_KILLS ?? 5)
const fansPerKill = 100
// As many as a fan may get in a day.
const contents = ['Welcome', 'Good to have you here']

it('takes each fan through each step once, although both of its workers are killed (kill -9) [AUTO-03]', {
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const database = await createTestDatabase()
  try {
    const fans = fansPerKill * kills
    const flow = await buildRuns(database, fans)
    await killMidway(database, {
      statement: 'select private.advance_flow() as more',
      workers: 2,
      kills,
      progress: async () => (await database.query('select from private.messages')).length,
      stride: fansPerKill,
      expectEnd: async () =>
        expect(
          await database.query(
            'select state, count(*)::int as runs from public.flow_runs where flow_id = $1 group by 1',
            [flow],
          ),
        ).toEqual([{ state: 'done', runs: fans }]),
    })
    // Each message once for each fan, in order, and each fan once at each step.
    expect(
      await database.query(
        `select contents, count(*)::int as fans from (
           select array_agg(m.body order by m.created_at, m.id) as contents from private.messages m group by m.recipient_id
         ) r group by 1`,
      ),
    ).toEqual([{ contents, fans }])
    expect(
      await database.query(
        `select s.entered, s.waiting, (select count(*)::int from public.flow_entries e where e.step_id = s.id) as entries
         from public.flow_steps s where s.flow_id = $1`,
        [flow],
      ),
    ).toEqual(contents.map(() => ({ entered: fans, waiting: 0, entries: fans })))
    expect(await database.query('select * from private.verify_counters()')).toEqual([])
    expect(await database.query('select * from private.verify_conversations()')).toEqual([])
  } finally {
    await database.drop()
  }
})

/** A creator whose flow so many fans begin by following. @returns the flow's id. */
async function buildRuns(database: TestDatabase, fans: number): Promise<string> {
  const creator = await signUpCrowd(database, fans)
  const steps = contents.map((content) => ({
    id: randomUUID(),
    kind: 'send',
    content,
    price_cents: null,
    file_ids: [],
    preview_index: null,
  }))
  const [flow] = await database.as<{ id: string }>(
    creator.caller,
    `select public.save_flow(name => 'Welcome', trigger => '{"trigger": "follow"}', steps => $1) as id`,
    [JSON.stringify(steps)],
  )
  await database.as(creator.caller, `select public.set_flow_status($1, 'active')`, [flow?.id])
  await followCreator(database, creator)
  return String(flow?.id)
}
