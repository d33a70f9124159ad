import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { codeOf, enroll, signUpWithTotp } from '../testing/factors.ts'
import { patient } from '../testing/mailbox.ts'

let gateway: TestGateway
beforeAll(async () => {
  const env = { ...patient, AUTH_MAILER_AUTOCONFIRM: '1', ADMIN_EMAIL: 'boss@example.com' }
  gateway = await startGateway({ env: { ...env, AUTH_MFA_REQUIRED_FOR_ADMINS: '1' } })
})
afterAll(() => gateway.close())

describe('AUTH_MFA_REQUIRED_FOR_ADMINS', () => {
  it("gives an admin an admin's permissions only in a session with a verified second factor [AUTH-19]", async () => {
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

    const { factorId, secret } = await enroll(client)
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
    expect(await rights()).toEqual({ requests: 1, mayChangeAddresses: true })
  })

  it('is undone with the setting', async () => {
    const before = await gateway.query(`select private.setting('admin_needs_second_factor') as value`)
    await gateway.query(`select private.apply_settings('{"admin_needs_second_factor": null}')`)
    const after = await gateway.query(`select private.setting('admin_needs_second_factor') as value`)
    expect([before, after]).toEqual([[{ value: 'true' }], [{ value: null }]])
  })
})

describe('policies', () => {
  it('can require a second factor of everyone, or of users who have one', async () => {
    await gateway.query(`
      create table public.strongroom (asks text);
      insert into public.strongroom values ('everybody'), ('who has one');
      alter table public.strongroom enable row level security;
      create policy select_all on public.strongroom for select to authenticated using (true);
      create policy proved on public.strongroom as restrictive for select to authenticated
        using (case asks when 'everybody' then (select auth.aal()) = 'aal2' else (select private.has_proved_factors()) end);
      grant select on public.strongroom to authenticated`)
    const open = (claims: Record<string, unknown>) =>
      gateway.database.as({ role: 'authenticated', claims }, 'select asks from public.strongroom order by asks')
    const { userId: guarded } = await signUpWithTotp(gateway)
    const { userId: plain } = await gateway.signUp()
    expect([
      await open({ sub: guarded, aal: 'aal1' }),
      await open({ sub: guarded, aal: 'aal2' }),
      await open({ sub: plain, aal: 'aal1' }),
    ]).toEqual([[], [{ asks: 'everybody' }, { asks: 'who has one' }], [{ asks: 'who has one' }]])
  })
})
