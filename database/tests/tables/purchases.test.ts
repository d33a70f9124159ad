import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, refused } from '../database-fixture.ts'

let world: DatabaseFixture
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())

it('is readable only by the buyer, and no client writes it [POST-44, D5]', async () => {
  const [creator, buyer, stranger] = [await world.buildCreator(), await world.buildPerson(), await world.buildPerson()]
  const post = await world.buildPost(creator, { type: 'ppv' })
  const insert = 'insert into public.purchases (buyer_id, post_id) values ($1, $2)'
  for (const caller of [buyer, creator, 'anon'] as const) {
    await expect(world.as(caller, insert, [buyer.profileId, post.id])).rejects.toMatchObject(refused)
  }
  await world.as('service_role', insert, [buyer.profileId, post.id])
  await expect(world.as('service_role', insert, [buyer.profileId, post.id])).rejects.toMatchObject({
    constraint: 'purchases_once',
  })
  expect(await world.as(buyer, 'select post_id from public.purchases')).toEqual([{ post_id: post.id }])
  for (const caller of [stranger, creator]) expect(await world.as(caller, 'select from public.purchases')).toEqual([])
  await expect(world.as(buyer, 'delete from public.purchases')).rejects.toMatchObject(refused)
})
