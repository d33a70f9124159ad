import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let admin: Person
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[admin, fan] = [await world.buildAdmin(), await world.buildPerson()]
})
afterAll(() => world.close())

/** Open, with the options Yes and No. */
async function buildPoll(): Promise<string> {
  const [row] = await world.as(
    admin,
    `insert into public.polls (title, options) values ('Tea?', '["Yes","No"]') returning id`,
  )
  return String(row?.id)
}
const vote = (person: Person, poll: string, option: number | null = 0) =>
  world.as(person, 'insert into public.poll_votes (poll_id, user_id, option_index) values ($1, $2, $3)', [
    poll,
    person.profileId,
    option,
  ])
const votesIn = async (poll: string) =>
  (await world.query('select option_index from public.poll_votes where poll_id = $1 order by created_at', [poll])).map(
    ({ option_index }) => option_index,
  )

describe('a vote', () => {
  it('counts once, and the first vote stays [NOTI-18, NOTI-19, API-REST-40]', async () => {
    const poll = await buildPoll()
    await vote(fan, poll, 1)
    await expect(vote(fan, poll, 0)).rejects.toMatchObject({ code: '23505', constraint: 'poll_votes_one_per_voter' })
    expect(await votesIn(poll)).toEqual([1])
  })

  it('counts once when it is cast ten times at the same time [NOTI-18]', async () => {
    const poll = await buildPoll()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => vote(fan, poll, index % 2)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await votesIn(poll)).toHaveLength(1)
  })

  it('is rejected with the reason if the poll has ended or was closed, the second time, and without a profile [NOTI-17, NOTI-18, NOTI-19]', async () => {
    const [ended, closed] = [await buildPoll(), await buildPoll()]
    await world.query(`update public.polls set expires_at = now() - interval '1 second' where id = $1`, [ended])
    await world.as(admin, 'update public.polls set is_active = false where id = $1', [closed])
    await expect(vote(fan, ended)).rejects.toMatchObject({
      code: 'PT409',
      message: 'Poll is closed',
      hint: 'It ended at expires_at.',
    })
    await expect(vote(fan, closed)).rejects.toMatchObject({
      code: 'PT409',
      message: 'Poll is closed',
      hint: 'An admin has closed it.',
    })
    expect([await votesIn(ended), await votesIn(closed)]).toEqual([[], []])
    const open = await buildPoll()
    await vote(fan, open)
    await expect(vote(fan, open)).rejects.toMatchObject({ constraint: 'poll_votes_one_per_voter' })
    await expect(
      world.as(fan, 'insert into public.poll_votes (poll_id, user_id, option_index) values ($1, null, 0)', [open]),
    ).rejects.toMatchObject({ ...refused, message: 'Could not find your profile' })
  })

  it('is rejected for an unknown option or poll, and without a profile [NOTI-19, ERR-01]', async () => {
    const poll = await buildPoll()
    for (const option of [2, -1, null]) {
      await expect(vote(fan, poll, option)).rejects.toMatchObject({ constraint: 'poll_votes_option_exists' })
    }
    await expect(vote(fan, fan.userId)).rejects.toMatchObject({ code: 'PT404' })
    await expect(
      world.as(fan, 'insert into public.poll_votes (poll_id, user_id, option_index) values ($1, null, 0)', [poll]),
    ).rejects.toMatchObject({ ...refused, message: 'Could not find your profile' })
  })

  it("needs the voter's own account, and can't be changed or deleted [NOTI-18, GEN-35]", async () => {
    const poll = await buildPoll()
    const other = await world.buildPerson()
    const insert = 'insert into public.poll_votes (poll_id, user_id, option_index) values ($1, $2, 0)'
    for (const caller of [other, admin, 'anon'] as const) {
      await expect(world.as(caller, insert, [poll, fan.profileId])).rejects.toMatchObject(refused)
    }
    await vote(fan, poll)
    await expect(world.as(fan, 'update public.poll_votes set option_index = 1')).rejects.toMatchObject(refused)
    await expect(world.as(fan, 'delete from public.poll_votes')).rejects.toMatchObject(refused)
  })

  it('is visible to signed-in users with its voter [API-REST-38, API-REST-39]', async () => {
    const poll = await buildPoll()
    await vote(fan, poll)
    expect(
      await world.as(
        await world.buildPerson(),
        'select v.option_index, p.username from public.poll_votes v join public.profiles p on p.id = v.user_id where v.poll_id = $1',
        [poll],
      ),
    ).toEqual([{ option_index: 0, username: fan.username }])
    await expect(world.as('anon', 'select from public.poll_votes')).rejects.toMatchObject(refused)
  })
})

describe('get_poll_results', () => {
  it("counts each option, and returns its five latest voters and the caller's own vote [ADM-38, ADM-39]", async () => {
    const poll = await buildPoll()
    const voters: Person[] = []
    for (let n = 0; n < 7; n++) {
      const voter = await world.buildPerson()
      voters.push(voter)
      await vote(voter, poll, 0)
    }
    await vote(fan, poll, 1)
    const [row] = await world.as(fan, 'select * from public.get_poll_results($1)', [poll])
    expect(row).toMatchObject({ total_votes: 8, my_option: 1, options: '["Yes","No"]' })
    const [yes, no] = (row?.results ?? []) as { option: string; votes: number; voters: { username: string }[] }[]
    expect([yes?.option, yes?.votes, no?.option, no?.votes]).toEqual(['Yes', 7, 'No', 1])
    expect(yes?.voters.map(({ username }) => username)).toEqual(
      voters
        .slice(-5)
        .reverse()
        .map(({ username }) => username),
    )
  })

  it('lists all polls in pages, newest first, with results and recent voters [ADM-38]', async () => {
    const [older, newer] = [await buildPoll(), await buildPoll()]
    await vote(fan, older, 0)
    const rows = await world.as(admin, 'select *, created_at::text as at from public.get_poll_results(page_size => 1)')
    expect(rows).toMatchObject([{ id: newer, total_votes: 0, my_option: null }])
    expect(
      await world.as(
        admin,
        'select id, total_votes, results from public.get_poll_results(page_size => 1, before => $1, before_id => $2)',
        [rows[0]?.at, newer],
      ),
    ).toMatchObject([
      { id: older, total_votes: 1, results: [{ votes: 1, voters: [{ username: fan.username }] }, { votes: 0 }] },
    ])
    await expect(world.as('anon', 'select from public.get_poll_results()')).rejects.toMatchObject(refused)
  })
})
