import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let rival: Creator
let domain: string
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  rival = await world.buildCreator()
  domain = `d${randomUUID().slice(0, 12)}.example`
})

const add = async (who = creator, name = domain) =>
  (
    await world.as(who, 'insert into public.custom_domains (creator_id, domain) values ($1, $2) returning record', [
      who.profileId,
      name,
    ])
  )[0]?.record as string
const confirm = async (who: Creator, record: string) =>
  (await world.query('select private.confirm_custom_domain($1, $2) as confirmed', [who.profileId, record]))[0]
    ?.confirmed
const usernameAt = async (name = domain) =>
  (await world.query('select private.find_domain_username($1) as username', [name]))[0]?.username
const usernameOf = async (who: Creator) =>
  (await world.query('select username from private.profiles where id = $1', [who.profileId]))[0]?.username

describe('a custom domain', () => {
  it('is confirmed for the row that was checked, not for its successor [PAGE-02]', async () => {
    const record = await add()
    await world.as(creator, 'delete from public.custom_domains where creator_id = $1', [creator.profileId])
    await add(creator, `other-${domain}`)
    expect(await confirm(creator, record)).toBe(false)
    expect(await usernameAt(`other-${domain}`)).toBeNull()
  })

  it('leads to one profile: the one that was confirmed last [PAGE-02]', async () => {
    const [first, second] = [await add(creator), await add(rival)]
    expect(first).not.toBe(second)
    expect(await confirm(creator, first)).toBe(true)
    expect(await usernameAt()).toBe(await usernameOf(creator))
    expect(await confirm(rival, second)).toBe(true)
    expect(await usernameAt()).toBe(await usernameOf(rival))
  })

  it('can be verified by the server alone [PAGE-02]', async () => {
    await add()
    const verified = world.as(creator, 'update public.custom_domains set verified_at = now() where creator_id = $1', [
      creator.profileId,
    ])
    await expect(verified).rejects.toMatchObject(refused)
  })

  it.each([
    'Mara.example',
    'mara',
    'mara..example',
    '-mara.example',
    'mara-.example',
    '203.0.113.7',
    'mara.example/about',
    'mara.example:81',
    'bücher.example',
    `${'a.'.repeat(125)}example`,
    '',
  ])('rejects %j [PAGE-02]', async (name) => {
    await expect(add(creator, name)).rejects.toMatchObject({ constraint: 'custom_domains_domain_format' })
  })
})
