import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[creator, fan, admin] = [await world.buildCreator(), await world.buildPerson(), await world.buildAdmin()]
})
afterAll(() => world.close())

async function report(caller: Person, type: string, target: string, reporter: Person = caller, reason = 'spam') {
  const [row] = await world.as(
    caller,
    'insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, $2, $3, $4) returning *',
    [reporter.profileId, type, target, reason],
  )
  return { ...row, id: String(row?.id), excerpt: row?.excerpt }
}
async function buildMessage(isPaid = false) {
  const [row] = await world.as(
    creator,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'rude words', $3, $4) returning id`,
    [creator.profileId, fan.profileId, isPaid, isPaid ? 500 : 0],
  )
  return String(row?.id)
}

describe('a report', () => {
  it('stores the reported user and an excerpt of a post, comment, message, or profile [D43, SUPP-20]', async () => {
    const post = await world.buildPost(creator, { content: 'rude post' })
    const [comment] = await world.as(
      creator,
      `insert into public.comments (post_id, user_id, content) values ($1, $2, 'rude comment') returning id`,
      [post.id, creator.profileId],
    )
    const about = { reported_id: creator.profileId, status: 'open', resolved_at: null }
    expect(await report(fan, 'post', post.id)).toMatchObject({ ...about, excerpt: 'A title: rude post' })
    expect(await report(fan, 'comment', String(comment?.id))).toMatchObject({ ...about, excerpt: 'rude comment' })
    expect(await report(fan, 'message', await buildMessage())).toMatchObject({ ...about, excerpt: 'rude words' })
    expect(await report(fan, 'profile', creator.profileId)).toMatchObject({ ...about })
  })

  it('of a product quotes its title and description, for those who see it [D43, OFFER-05]', async () => {
    const [product] = await world.query(
      `insert into public.products (creator_id, title, description, price_cents, status)
       values ($1, 'Brushes', 'rude words', 1000, 'published') returning id`,
      [creator.profileId],
    )
    const id = String(product?.id)
    const about = { reported_id: creator.profileId, excerpt: 'Brushes: rude words' }
    expect(await report(fan, 'product', id)).toMatchObject(about)
    await expect(report(fan, 'product', id)).rejects.toMatchObject({ constraint: 'reports_one_open' })
    await expect(report(creator, 'product', id)).rejects.toMatchObject({ constraint: 'reports_not_self' })
    await world.query(`update public.products set status = 'archived' where id = $1`, [id])
    await expect(report(await world.buildPerson(), 'product', id)).rejects.toMatchObject({ code: 'PT404' })
    const buyer = await world.buildPerson()
    await world.query('insert into public.product_purchases (buyer_id, product_id, known_version) values ($1, $2, 1)', [
      buyer.profileId,
      id,
    ])
    expect(await report(buyer, 'product', id)).toMatchObject(about)
  })

  it('contains no locked text and reveals nothing hidden [MSG-09, POST-46]', async () => {
    const locked = await world.buildPost(creator, { type: 'subscription' })
    expect(String((await report(fan, 'post', locked.id)).excerpt)).not.toContain('secret')
    expect((await report(fan, 'message', await buildMessage(true))).excerpt).toBeNull()
    const [filed] = await world.as(
      'service_role',
      `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'post', $2, 'spam') returning excerpt`,
      [(await world.buildPerson()).profileId, locked.id],
    )
    expect(filed).toEqual({ excerpt: null })
    const hidden = await world.buildPost(await world.buildCreator({ isPrivate: true }))
    const nothing = { code: 'PT404', message: 'The content to report was not found' }
    await expect(report(fan, 'post', hidden.id)).rejects.toMatchObject(nothing)
    await expect(report(await world.buildPerson(), 'message', await buildMessage())).rejects.toMatchObject(nothing)
    await expect(report(admin, 'message', await buildMessage())).rejects.toMatchObject(nothing)
    await expect(report(fan, 'profile', fan.userId)).rejects.toMatchObject(nothing)
  })

  it('quotes no comment that a block hides from the reporter [D43]', async () => {
    const [author, kept, other] = [await world.buildPerson(), await world.buildPerson(), await world.buildPerson()]
    const post = await world.buildPost(creator)
    const [comment] = await world.as(
      author,
      `insert into public.comments (post_id, user_id, content) values ($1, $2, 'rude words') returning id`,
      [post.id, author.profileId],
    )
    await world.as(author, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      author.profileId,
      kept.profileId,
    ])
    await expect(report(kept, 'comment', String(comment?.id))).rejects.toMatchObject({ code: 'PT404' })
    expect(await report(other, 'comment', String(comment?.id))).toMatchObject({ excerpt: 'rude words' })
  })

  it("is made in the reporter's own name, about others, with a known reason, once while it is open [GEN-35]", async () => {
    const person = await world.buildPerson()
    await expect(report(fan, 'profile', creator.profileId, person)).rejects.toMatchObject(refused)
    await expect(report(person, 'profile', person.profileId)).rejects.toMatchObject({ constraint: 'reports_not_self' })
    await expect(report(person, 'profile', creator.profileId, person, 'boredom')).rejects.toMatchObject({
      constraint: 'reports_reason_known',
    })
    await expect(report(person, 'wallet', creator.profileId)).rejects.toMatchObject({ code: 'PT404' })
    const { id } = await report(person, 'profile', creator.profileId)
    await expect(report(person, 'profile', creator.profileId)).rejects.toMatchObject({ constraint: 'reports_one_open' })
    await world.as(admin, `update public.reports set status = 'dismissed' where id = $1`, [id])
    await report(person, 'profile', creator.profileId)
    await expect(world.as('anon', `insert into public.reports (reason) values ('spam')`)).rejects.toMatchObject(refused)
  })

  it('is visible to the reporter and admins, not to the reported user [D43, GEN-35]', async () => {
    const person = await world.buildPerson()
    const { id } = await report(person, 'profile', creator.profileId)
    const see = async (caller: Caller) =>
      (await world.as(caller, 'select from public.reports where id = $1', [id])).length
    expect([await see(person), await see(admin), await see(creator), await see(fan)]).toEqual([1, 1, 0, 0])
    await expect(see('anon')).rejects.toMatchObject(refused)
  })

  it('is settled once by an admin, and the server records when and by whom [D43]', async () => {
    const person = await world.buildPerson()
    const { id } = await report(person, 'profile', creator.profileId)
    const settle = (caller: Person, status: string) =>
      world.as(caller, `update public.reports set status = $2, resolution = ' Warned ' where id = $1 returning *`, [
        id,
        status,
      ])
    expect(await settle(person, 'dismissed')).toEqual([])
    expect(await settle(creator, 'dismissed')).toEqual([])
    expect(await settle(admin, 'resolved')).toMatchObject([
      { status: 'resolved', resolution: 'Warned', resolved_by: admin.userId, resolved_at: expect.any(Date) },
    ])
    await expect(settle(admin, 'open')).rejects.toMatchObject({ code: 'PT409' })
    await expect(world.as(admin, `update public.reports set excerpt = ''`)).rejects.toMatchObject(refused)
    await expect(world.as(admin, 'delete from public.reports')).rejects.toMatchObject(refused)
  })

  it('stays when the users and the content are deleted', async () => {
    const [person, seller] = [await world.buildPerson(), await world.buildCreator()]
    const post = await world.buildPost(seller, { content: 'gone soon' })
    const { id } = await report(person, 'post', post.id)
    await world.query('delete from private.posts where id = $1', [post.id])
    await world.query('delete from auth.users where id = any($1)', [[person.userId, seller.userId]])
    expect(
      await world.as(admin, 'select reporter_id, reported_id, excerpt, status from public.reports where id = $1', [id]),
    ).toEqual([{ reporter_id: null, reported_id: null, excerpt: 'A title: gone soon', status: 'open' }])
  })
})
