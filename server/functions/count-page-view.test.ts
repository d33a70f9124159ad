import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildSeller } from '../public-pages/testing/creators.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { forgetMediaProgress, rollUpFunnel } from '../visitors/roll-up-funnel.ts'

let gateway: TestGateway
let mara: Person
let fan: Person
beforeAll(async () => {
  gateway = await startGateway()
})
beforeEach(async () => {
  mara = await buildSeller(gateway)
  fan = await gateway.signUp()
})
afterAll(() => gateway?.close())

const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
  'accept-language': 'en-US,en;q=0.5',
}
async function see(
  about: unknown,
  headers: Record<string, string> = browser,
  token = gateway.services.secrets.anonKey,
) {
  const response = await fetch(`${gateway.url}/functions/v1/count-page-view`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      apikey: gateway.services.secrets.anonKey,
      authorization: `Bearer ${token}`,
      ...headers,
    },
    body: JSON.stringify(about),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}
const tokenOf = async (person: Person) => (await person.client.auth.getSession()).data.session?.access_token ?? ''
async function views(creator = mara): Promise<[number, number]> {
  await rollUpFunnel(gateway.services.database.service)
  const [row] = await gateway.query<{ profile: number; plans: number }>(
    `select coalesce(sum(profile_views), 0)::int as profile, coalesce(sum(plan_views), 0)::int as plans
     from private.funnel_quarters where creator_id = $1`,
    [creator.profileId],
  )
  return [row?.profile ?? 0, row?.plans ?? 0]
}

describe('a view of a page', () => {
  it('counts once a day for each visitor and each account, and leaves no trace of either [STATX-02]', async () => {
    const profile = { page: 'profile', id: mara.profileId }
    for (let n = 0; n < 2; n += 1) {
      expect(await see(profile)).toEqual({ status: 200, body: {} })
      await see(profile, browser, await tokenOf(fan))
      await see({ page: 'plans', id: mara.profileId }, browser, await tokenOf(fan))
    }
    await see(profile, { ...browser, 'user-agent': 'Mozilla/5.0 (Macintosh) Safari/605.1.15' })
    expect(await views()).toEqual([3, 1])
    const stored = await gateway.query<{ row: string }>(
      'select row_to_json(v)::text as row from private.page_viewers v where creator_id = $1',
      [mara.profileId],
    )
    expect(stored).toHaveLength(4)
    for (const { row } of stored)
      for (const trace of ['127.0.0.1', 'Firefox', fan.userId, fan.profileId]) expect(row).not.toContain(trace)
  })

  it('doesn’t count for the creator, for keys, and for bots, which get the same answer [STATX-02]', async () => {
    const profile = { page: 'profile', id: mara.profileId }
    const calls = [
      see(profile, browser, await tokenOf(mara)),
      see(profile, browser, gateway.services.secrets.serviceRoleKey),
      see(profile, { ...browser, 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }),
      see(profile, { ...browser, 'user-agent': 'curl/8.5.0' }),
      see(profile, { 'user-agent': browser['user-agent'] }),
      see({ page: 'profile', id: randomUUID() }),
      see({ page: 'profile', id: fan.profileId }),
    ]
    for (const answer of await Promise.all(calls)) expect(answer).toEqual({ status: 200, body: {} })
    expect(await views()).toEqual([0, 0])
  })

  it.each([
    [{ id: randomUUID() }, 'page'],
    [{ page: 'posts', id: randomUUID() }, 'page'],
    [{ page: 'profile' }, 'id'],
    [{ page: 'profile', id: `' or true --` }, 'id'],
  ])('is refused if it isn’t one: %j [STATX-02]', async (about, field) => {
    expect(await see(about)).toMatchObject({ status: 400, body: { code: 'invalid_field', field } })
  })

  it('is taken 120 times a minute from one account [STATX-02]', async () => {
    const token = await tokenOf(await gateway.signUp())
    const many = await Promise.all(
      Array.from({ length: 125 }, () => see({ page: 'plans', id: mara.profileId }, browser, token)),
    )
    expect(many.every(({ status }) => status === 200)).toBe(true)
    const [waiting] = await gateway.query<{ count: number }>(
      'select count(*)::int from private.page_views where creator_id = $1',
      [mara.profileId],
    )
    expect(waiting?.count).toBe(120)
    expect(await views()).toEqual([0, 1])
  })

  it('is forgotten with its day, and who watched how far after 180 days [STATX-02]', async () => {
    await gateway.query(
      `insert into private.page_viewers (day, creator_id, page, visitor, at) values (current_date - 2, $1, 'profile', 'old', now() - interval '2 days')`,
      [mara.profileId],
    )
    await gateway.query(
      `insert into private.media_progress (file, viewer_id, curve, step, counted_step, moved_at) values ('posts/old', $1, 'posts/old', 3, 3, now() - interval '181 days')`,
      [fan.profileId],
    )
    await rollUpFunnel(gateway.services.database.service)
    await forgetMediaProgress(gateway.services.database.service)
    expect(await gateway.query('select from private.page_viewers where creator_id = $1', [mara.profileId])).toEqual([])
    expect(await gateway.query('select from private.media_progress where viewer_id = $1', [fan.profileId])).toEqual([])
  })
})
