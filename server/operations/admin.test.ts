import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildAdmin } from '../testing/people.ts'

let gateway: TestGateway
let person: Person
beforeAll(async () => {
  gateway = await startGateway()
  person = await gateway.signUp()
})
afterAll(() => gateway?.close())

/** The command as an operator runs it, beside the running product. */
async function run(...args: string[]) {
  const command = fileURLToPath(new URL('admin.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', command, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: gateway.dataDir, DATABASE_URL: gateway.database.ownerUrl },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const [code] = await once(child, 'close')
  return { code, said: said.trim() }
}

const log = async (subject: string) =>
  gateway.query(
    'select action, actor_id, before, details from public.audit_log where subject_id = $1 order by created_at',
    [subject],
  )
const isAdmin = async () => (await person.client.rpc('has_role', { _user_id: person.userId, _role: 'admin' })).data

describe('npm run admin', () => {
  it('makes an admin, lists them, and takes the role away, each with a line in the audit log [GEN-34, GEN-44]', async () => {
    expect(await run('list')).toEqual({ code: 0, said: expect.stringContaining('Nobody is an admin.') })
    const made = await run('make', person.email.toUpperCase())
    expect(made).toEqual({ code: 0, said: `${person.email} (@${person.username}) is an admin.` })
    expect(await isAdmin()).toBe(true)
    expect(await run('list')).toEqual({ code: 0, said: `${person.email} (@${person.username}), second factors: 0` })
    expect((await run('unmake', person.username)).said).toBe(`${person.email} (@${person.username}) is no admin.`)
    expect(await isAdmin()).toBe(false)
    expect(await log(person.userId)).toMatchObject([
      { action: 'grant_role', actor_id: null },
      { action: 'revoke_role', actor_id: null },
    ])
  })

  it('rejects an account with an unconfirmed address [GEN-43]', async () => {
    await gateway.query('update auth.users set email_confirmed_at = null where id = $1', [person.userId])
    expect(await run('make', person.email)).toEqual({ code: 1, said: expect.stringContaining('is not confirmed') })
    await gateway.query('update auth.users set email_confirmed_at = now() where id = $1', [person.userId])
    expect(await isAdmin()).toBe(false)
  })

  it('warns that ADMIN_EMAIL makes the account an admin again', async () => {
    const admin = await buildAdmin(gateway)
    await gateway.query(`insert into private.settings (key, value) values ('admin_email', $1)`, [admin.email])
    expect((await run('unmake', admin.email)).said).toMatch(/until the next start: ADMIN_EMAIL names it/)
  })

  it('removes second factors with their recovery codes, and ends every session', async () => {
    const { data } = await person.client.auth.mfa.enroll({ factorType: 'totp' })
    await gateway.query(`update auth.mfa_factors set status = 'verified' where id = $1`, [data?.id])
    expect((await run('reset-second-factor', person.email)).said).toMatch(/signs in without a second factor/)
    expect(await gateway.query('select from auth.mfa_factors where user_id = $1', [person.userId])).toEqual([])
    await eventually(async () => expect((await person.client.auth.getUser()).error).not.toBeNull())
    expect(await log(person.userId)).toContainEqual(
      expect.objectContaining({
        action: 'reset_second_factor',
        before: { second_factors: 1 },
        details: { by: 'operator' },
      }),
    )
    await person.client.auth.signInWithPassword(person)
  })

  it('signs out everywhere', async () => {
    const other = gateway.client()
    await other.auth.signInWithPassword(person)
    expect(await run('sign-out', person.email)).toMatchObject({ code: 0 })
    await eventually(async () => expect((await other.auth.getUser()).error).not.toBeNull())
    expect(await log(person.userId)).toContainEqual(expect.objectContaining({ action: 'sign_out_everywhere' }))
  })

  it('suspends for a reason and reinstates, and repeats the reason when the database rejects it [GEN-05]', async () => {
    expect(await run('suspend', person.email)).toEqual({ code: 1, said: expect.stringContaining('Usage:') })
    expect(await run('suspend', person.email, 'Stolen', 'account')).toMatchObject({ code: 0 })
    expect((await gateway.anon.auth.signInWithPassword(person)).error?.code).toBe('user_banned')
    expect(await run('suspend', person.email, 'Again')).toEqual({ code: 1, said: 'This account is already suspended' })
    expect(await run('make', person.email)).toEqual({ code: 1, said: expect.stringContaining('reinstate it first') })
    expect(await run('reinstate', person.email)).toMatchObject({ code: 0 })
    expect((await gateway.anon.auth.signInWithPassword(person)).error).toBeNull()
    expect((await log(person.profileId)).map(({ action }) => action)).toEqual(['suspend_user', 'reinstate_user'])
  })

  it('reports a missing account, and prints its usage', async () => {
    expect(await run('make', 'nobody@example.com')).toEqual({
      code: 1,
      said: 'No account is called nobody@example.com: give its email address or its username.',
    })
    for (const args of [[], ['make'], ['list-all'], ['make', 'a', 'b']])
      expect(await run(...args)).toEqual({ code: 1, said: expect.stringContaining('Usage: npm run admin -- list') })
  })
})
