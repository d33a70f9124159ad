import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { codeOf, enroll, signIn, signUpWithTotp } from '../auth/testing/factors.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
/** A second node on the same database, which hears of events at the first one only through the database. */
let other: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
  const { jwtSecret, anonKey, serviceRoleKey } = gateway.secrets
  const env = { JWT_SECRET: jwtSecret, ANON_KEY: anonKey, SERVICE_ROLE_KEY: serviceRoleKey }
  other = await startGateway({ database: gateway.database, env })
})
afterAll(async () => {
  await other.close()
  await gateway.close()
})

async function tokenOf({ client }: Pick<Person, 'client'>): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? ''
}

const asks = [
  ['rest', '/rest/v1/profiles?select=id&limit=1', { method: 'GET' }],
  ['rest rpc', '/rest/v1/rpc/search_profiles', { method: 'POST', body: '{"query":"a"}' }],
  ['storage', '/storage/v1/object/list/posts', { method: 'POST', body: '{"prefix":""}' }],
  ['functions', '/functions/v1/get-payout-balance', { method: 'POST', body: '{}' }],
  ['realtime', '/realtime/v1/api/broadcast', { method: 'POST', body: '{"messages":[]}' }],
] as const

/** The APIs that reject the token because its session has ended. */
async function rejections(token: string, at = gateway) {
  const answers = await Promise.all(
    asks.map(async ([name, path, init]) => {
      const headers = { apikey: gateway.secrets.anonKey, authorization: `Bearer ${token}` }
      const answer = await fetch(at.url + path, {
        ...init,
        headers: { ...headers, 'content-type': 'application/json' },
      })
      const isRejected = answer.status === 401 && (await answer.text()).includes('This session has ended')
      return [name, isRejected] as const
    }),
  )
  return answers.filter(([, isRejected]) => isRejected).map(([name]) => name)
}

const everywhere = asks.map(([name]) => name)

async function expectRejected(token: string) {
  for (const node of [gateway, other])
    await eventually(async () => expect(await rejections(token, node)).toEqual(everywhere))
}

describe('an access token', () => {
  it('is rejected by every API of every node once its session is signed out', async () => {
    const person = await gateway.signUp()
    const token = await tokenOf(person)
    expect([...(await rejections(token)), ...(await rejections(token, other))]).toEqual([])
    await person.client.auth.signOut({ scope: 'local' })
    await expectRejected(token)
  })

  it('is rejected after the reuse of a refresh token revoked its session', async () => {
    const person = await gateway.signUp()
    const { refresh_token: stolen = '' } = (await person.client.auth.getSession()).data.session ?? {}
    await person.client.auth.refreshSession()
    const token = await tokenOf(person)
    await gateway.query(
      `update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' where user_id = $1`,
      [person.userId],
    )
    expect((await gateway.client().auth.refreshSession({ refresh_token: stolen })).error).not.toBeNull()
    await expectRejected(token)
  })

  it('is rejected after a new password, a ban, and the deletion of the account', async () => {
    const [changing, banned, deleted] = [await gateway.signUp(), await gateway.signUp(), await gateway.signUp()]
    const elsewhere = await signIn(gateway, changing)
    const tokens = [await tokenOf({ client: elsewhere }), await tokenOf(banned), await tokenOf(deleted)]
    await changing.client.auth.updateUser({ password: 'another horse battery' })
    await gateway.service.auth.admin.updateUserById(banned.userId, { ban_duration: '1h' })
    await gateway.service.auth.admin.deleteUser(deleted.userId)
    for (const token of tokens) await expectRejected(token)
    expect(await rejections(await tokenOf(changing))).toEqual([])
  })

  it('from before the enrollment of a second factor is rejected, in this session and in others [AUTH-19]', async () => {
    const person = await gateway.signUp()
    const elsewhere = await tokenOf({ client: await signIn(gateway, person) })
    const before = await tokenOf(person)
    const { factorId, secret } = await enroll(person.client)
    await person.client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
    await expectRejected(elsewhere)
    await expectRejected(before)
    const after = await tokenOf(person)
    expect(await rejections(after)).toEqual([])
    await person.client.auth.mfa.unenroll({ factorId })
    await person.client.auth.refreshSession()
    expect([...(await rejections(after)), ...(await rejections(await tokenOf(person)))]).toEqual([])
  })

  it('of a session that ended before a node started is rejected by it', async () => {
    const person = await gateway.signUp()
    const token = await tokenOf(person)
    await person.client.auth.signOut({ scope: 'global' })
    const { jwtSecret, anonKey } = gateway.secrets
    const late = await startGateway({ database: gateway.database, env: { JWT_SECRET: jwtSecret, ANON_KEY: anonKey } })
    expect(await rejections(token, late)).toEqual(everywhere)
    await late.close()
  })
})

it('ends joined channels and rejects new ones when their session has ended', async () => {
  const person = await gateway.signUp()
  const token = await tokenOf(person)
  const listener = createClient(other.url, gateway.secrets.anonKey, { accessToken: async () => token })
  await listener.realtime.setAuth()
  const states: string[] = []
  const join = (topic: string) =>
    listener.channel(topic).subscribe((state, error) => states.push(`${topic} ${state}: ${error?.message ?? ''}`))
  const channel = join('open')
  const ended: unknown[] = []
  channel.on('system', {}, ({ message }) => ended.push(message))
  await eventually(() => expect(states).toContain('open SUBSCRIBED: '))
  await person.client.auth.signOut()
  await eventually(() => expect(ended).toContain('This session has ended. Sign in again.'))
  join('later')
  await eventually(() => expect(states.join()).toContain('InvalidJWTToken: This session has ended'))
  await listener.removeAllChannels()
  listener.realtime.disconnect()
})

describe('a session that has verified only the password, for an account with a second factor', () => {
  it('can sign out only itself, neither others nor all [AUTH-19]', async () => {
    const owner = await signUpWithTotp(gateway)
    const pending = await signIn(gateway, owner)
    // The official client ignores a 403 here.
    const answer = await fetch(`${gateway.url}/auth/v1/logout?scope=others`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf({ client: pending })}` },
    })
    expect([answer.status, await answer.json()]).toMatchObject([403, { error_code: 'insufficient_aal' }])
    await pending.auth.signOut({ scope: 'global' })
    const left = await gateway.query<{ aal: string }>('select aal from auth.sessions where user_id = $1', [
      owner.userId,
    ])
    expect(left).toEqual([{ aal: 'aal2' }])
    expect(await rejections(await tokenOf(owner))).toEqual([])
  })

  it("can't change the user's metadata [AUTH-19]", async () => {
    const owner = await signUpWithTotp(gateway)
    const pending = await signIn(gateway, owner)
    const { error } = await pending.auth.updateUser({ data: { display_name: 'Somebody else' } })
    expect(error).toMatchObject({ status: 401, code: 'insufficient_aal' })
    expect((await owner.client.auth.updateUser({ data: { pronouns: 'they' } })).error).toBeNull()
  })
})
