import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'
import { publishDuePosts } from './publish-due-posts.ts'

let gateway: TestGateway
let creator: Person
beforeAll(async () => {
  gateway = await startGateway()
  creator = await buildCreator(gateway)
})
afterAll(() => gateway?.close())

const schedule = async (columns: Record<string, unknown>) => {
  const { data } = await creator.client
    .from('scheduled_posts')
    .insert({ creator_id: creator.profileId, publish_at: new Date(Date.now() + 86_400_000).toISOString(), ...columns })
    .select('id')
    .single()
    .throwOnError()
  return String(data.id)
}
const isDue = (id: string) =>
  gateway.query(`update public.scheduled_posts set publish_at = now() - interval '1 second' where id = $1`, [id])

it('publishes due posts even if another one fails, and leaves the others [GEN-41, NOTI-16]', async () => {
  const poll = { title: 'North or south?', options: ['North', 'South'], days: 7 }
  const [due, refused, later] = [
    await schedule({ content: 'Due', poll }),
    await schedule({ content: 'Refused' }),
    await schedule({ content: 'Later' }),
  ]
  await isDue(refused)
  await isDue(due)
  // A constraint that was added in the meantime.
  await gateway.query(`update public.scheduled_posts set post_type = 'ppv', ppv_price = 200 where id = $1`, [refused])
  await gateway.query('alter table private.posts add constraint posts_none_for_sale check (ppv_price is null)')
  await publishDuePosts(gateway.services)
  await gateway.query('alter table private.posts drop constraint posts_none_for_sale')

  const { data: posts } = await gateway.anon
    .from('posts')
    .select('id, content, poll:polls(title, options)')
    .in('id', [due, refused, later])
    .throwOnError()
  expect(posts).toEqual([{ id: due, content: 'Due', poll: { title: poll.title, options: '["North","South"]' } }])
  const { data: waiting } = await creator.client
    .from('scheduled_posts')
    .select('id, failure')
    .order('content')
    .throwOnError()
  expect(waiting).toEqual([
    { id: later, failure: null },
    { id: refused, failure: expect.stringContaining('posts_none_for_sale') },
  ])
  const { data: told } = await creator.client.from('notifications').select('title').throwOnError()
  expect(told).toContainEqual({ title: "A scheduled post wasn't published" })
})
