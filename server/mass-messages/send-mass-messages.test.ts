import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { followCreator, signUpCrowd } from '../testing/crowd.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { killMidway } from '../testing/kill-midway.ts'
import { buildCreator } from '../testing/people.ts'

/** `MASS_MESSAGE_KILLS=20` kills more often. */
const kills = Number(process.env.MASS_MESSAGE_KILLS ?? 5)
const fansPerKill = 2500
const everyone = { include: [{ condition: 'everyone' }], exclude: [] }

it('reaches everyone once, however often it is killed midway (kill -9) [MASS-06]', {
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const database = await createTestDatabase()
  try {
    const id = await buildAudience(database, fansPerKill * kills)
    await killMidway(database, {
      statement: 'select private.send_mass_messages() as more',
      workers: 1,
      kills,
      progress: () => countSent(database, id),
      stride: 2000,
      expectEnd: async () =>
        expect(
          await database.query('select status, sent_count, recipients_count from public.mass_messages where id = $1', [
            id,
          ]),
        ).toEqual([{ status: 'sent', sent_count: fansPerKill * kills, recipients_count: fansPerKill * kills }]),
    })
    expect(
      await database.query(
        `select count(*)::int as copies, count(distinct recipient_id)::int as recipients from private.messages where mass_message_id = $1`,
        [id],
      ),
    ).toEqual([{ copies: fansPerKill * kills, recipients: fansPerKill * kills }])
    expect(await database.query('select * from private.verify_counters()')).toEqual([])
    expect(await database.query('select * from private.verify_conversations()')).toEqual([])
    const [bells] = await database.query<{ count: number }>(
      `select count(*)::int as count from public.notifications where type = 'message'`,
    )
    expect(bells?.count).toBe(fansPerKill * kills)
  } finally {
    await database.drop()
  }
})

async function countSent(database: TestDatabase, id: string): Promise<number> {
  const [row] = await database.query<{ sent_count: number }>(
    'select sent_count from public.mass_messages where id = $1',
    [id],
  )
  return row?.sent_count ?? 0
}

/** A creator with so many followers, and a mass message for all of them that is being sent. @returns its id. */
async function buildAudience(database: TestDatabase, followers: number): Promise<string> {
  const creator = await signUpCrowd(database, followers)
  await followCreator(database, creator)
  const [saved] = await database.as<{ id: string }>(
    creator.caller,
    'select public.save_mass_message($1, null, null, null, $2, false, null, null) as id',
    ['Hello', JSON.stringify(everyone)],
  )
  await database.as(creator.caller, 'select public.send_mass_message($1)', [saved?.id])
  return String(saved?.id)
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway?.close())

async function compose(creator: Person, price: number | null): Promise<string> {
  const { data } = await creator.client
    .rpc('save_mass_message', {
      content: 'Hello',
      price_cents: price,
      file_ids: [],
      preview_index: null,
      audience: everyone,
      skip_owners: false,
      skip_recent_hours: null,
      ends_at: null,
    })
    .throwOnError()
  return String(data)
}

it('begins at once, at a scheduled moment, and ends at another one, without a minute’s wait [MASS-02, MASS-04]', async () => {
  const [creator, fan] = [await buildCreator(gateway), await gateway.signUp()]
  await fan.client
    .from('follows')
    .insert({ follower_id: fan.profileId, following_id: creator.profileId })
    .throwOnError()
  const copies = async () => (await fan.client.from('messages').select('price').order('price').throwOnError()).data
  await creator.client.rpc('send_mass_message', { mass_message_id: await compose(creator, null) }).throwOnError()
  await eventually(async () => expect(await copies()).toEqual([{ price: 0 }]))
  const scheduled = await compose(creator, 500)
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  await creator.client.rpc('send_mass_message', { mass_message_id: scheduled, send_at: at(2) }).throwOnError()
  expect(await copies()).toEqual([{ price: 0 }])
  await eventually(async () => expect(await copies()).toEqual([{ price: 0 }, { price: 500 }]))
  await creator.client.rpc('set_mass_message_end', { mass_message_id: scheduled, ends_at: at(2) }).throwOnError()
  await eventually(async () => expect(await copies()).toEqual([{ price: 0 }]))
  const { data } = await creator.client.rpc('get_mass_message', { mass_message_id: scheduled }).throwOnError()
  expect(data).toMatchObject({ status: 'ended', delivered: 0 })
})
