import { createHook } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { withClient } from '../postgres/migrate.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { patient } from './testing/mailbox.ts'

let gateway: TestGateway
const known = 'known@example.com'
const unknown = 'unknown@example.com'
const knownPhone = '+15550001111'
const unknownPhone = '+15550002222'

beforeAll(async () => {
  gateway = await startGateway({ env: { ...patient, AUTH_EXTERNAL_PHONE_ENABLED: '1' } })
  const { createUser } = gateway.service.auth.admin
  const account = { password: 'correct horse battery', email_confirm: true, phone_confirm: true }
  await createUser.call(gateway.service.auth.admin, { ...account, email: known })
  await createUser.call(gateway.service.auth.admin, { ...account, phone: knownPhone })
})
afterAll(() => gateway.close())

/** Records what a request makes auth/v1 do: password hashes, single statements, and transactions. It observes without replacing. */
async function workOf(ask: () => Promise<unknown>) {
  let hashes = 0
  const hook = createHook({
    init(_id, type) {
      if (/^ARGON2/i.test(type)) hashes += 1
    },
  }).enable()
  const { database } = gateway.services
  const spies = [vi.spyOn(database.service, 'rows'), vi.spyOn(database, 'transaction')]
  await ask()
  hook.disable()
  const [statements, transactions] = spies.map(({ mock }) => mock.calls.length)
  for (const spy of spies) spy.mockRestore()
  return { hashes, statements, transactions }
}

describe('whether an address or a number has an account', () => {
  it("doesn't show in the work of a failed sign-in", async () => {
    const signIn = (login: { email: string } | { phone: string }) => async () => {
      const { error } = await gateway.client().auth.signInWithPassword({ ...login, password: 'a wrong password' })
      expect(error).toMatchObject({ status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' })
    }
    await signIn({ email: known })() // opens the connection and prepares the statements
    const byEmail = await workOf(signIn({ email: known }))
    expect(byEmail).toEqual({ hashes: 1, statements: 2, transactions: 0 })
    expect(await workOf(signIn({ email: unknown }))).toEqual(byEmail)
    const byPhone = await workOf(signIn({ phone: knownPhone }))
    expect(await workOf(signIn({ phone: unknownPhone }))).toEqual(byPhone)
  })

  it("doesn't show in whether a code is rejected at once", async () => {
    const verify = (email: string) => async () => {
      const { error } = await gateway.client().auth.verifyOtp({ email, token: '000000', type: 'email' })
      expect(error?.code).toBe('otp_expired')
    }
    await verify(known)()
    expect(await workOf(verify(unknown))).toEqual(await workOf(verify(known)))
  })

  it("can't show in requests that send messages: the response comes before the lookup", async () => {
    const ask = (email: string, phone: string) => {
      const { auth } = gateway.client()
      return Promise.all([
        auth.resetPasswordForEmail(email),
        auth.signInWithOtp({ email }),
        auth.signInWithOtp({ email, options: { shouldCreateUser: false } }),
        auth.signInWithOtp({ phone }),
        auth.resend({ type: 'signup', email }),
        auth.resend({ type: 'email_change', email }),
        auth.resend({ type: 'sms', phone }),
        auth.resend({ type: 'phone_change', phone }),
      ])
    }
    // While another transaction locks the accounts table, every lookup waits.
    await withClient(gateway.database.ownerUrl, async (client) => {
      await client.query('begin')
      await client.query('lock table auth.users in access exclusive mode')
      const answers = [await ask(known, knownPhone), await ask(unknown, unknownPhone)]
      await client.query('rollback')
      for (const { error } of answers.flat()) expect(error).toBeNull()
      expect(answers[0]).toEqual(answers[1])
    })
  })
})
