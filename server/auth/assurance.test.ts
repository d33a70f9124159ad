import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { patient } from './testing/mailbox.ts'

let gateway: TestGateway
beforeAll(async () => {
  const env = { ...patient, AUTH_MAILER_AUTOCONFIRM: '1', ADMIN_EMAIL: 'boss@example.com' }
  gateway = await startGateway({ env: { ...env, AUTH_MFA_REQUIRED_FOR_ADMINS: '1' } })
})
afterAll(() => gateway.close())

describe('AUTH_MFA_REQUIRED_FOR_ADMINS', () => {
  it("gives an admin an admin's rights only in a session that has shown a second factor [AUTH-19]", async () => {
    const { client } = await gateway.signUp({ email: 'boss@example.com' })
    const fan = await gateway.signUp()
    await fan.client
      .from('support_requests')
      .insert({ name: 'Fan', email: fan.email, subject: 'Help', message: 'Please help me.' })
    const rights = async () => {
      const { data: requests } = await client.from('support_requests').select('subject')
      const { error } = await client.functions.invoke('update-user-email', {
        body: { userId: fan.userId, newEmail: `${Date.now()}@example.com` },
      })
      return { requests: requests?.length ?? 0, mayChangeAddresses: error === null }
    }
    const [role] = (await client.from('user_roles').select('role')).data ?? []
    expect(role).toEqual({ role: 'admin' })
    expect(await rights()).toEqual({ requests: 0, mayChangeAddresses: false })

    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' })
    const code = new TOTP({ secret: Secret.fromBase32(factor?.totp.secret ?? '') }).generate()
    await client.auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code })
    expect(await rights()).toEqual({ requests: 1, mayChangeAddresses: true })
  })

  it('is taken back with the setting', async () => {
    const before = await gateway.query(`select private.setting('admin_needs_second_factor') as value`)
    await gateway.query(`select private.apply_settings('{"admin_needs_second_factor": null}')`)
    const after = await gateway.query(`select private.setting('admin_needs_second_factor') as value`)
    expect([before, after]).toEqual([[{ value: 'true' }], [{ value: null }]])
  })
})
