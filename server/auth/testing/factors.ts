import type { SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { Person, TestGateway } from '../../testing/gateway.ts'

/** The code of an app `steps` half-minutes from now; each code works once. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

export async function enroll(client: Pick<SupabaseClient, 'auth'>, friendlyName = 'App') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { factorId: data.id, ...data.totp }
}

/** A new user with an authenticator app, verified in this session. */
export async function signUpWithTotp(gateway: TestGateway) {
  const person = await gateway.signUp()
  const { factorId, secret } = await enroll(person.client)
  const { error } = await person.client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -1) })
  expect(error).toBeNull()
  return { ...person, factorId, secret }
}

/** A separate session with only the password. */
export async function signIn(gateway: TestGateway, { email, password }: Pick<Person, 'email' | 'password'>) {
  const client = gateway.client()
  await client.auth.signInWithPassword({ email, password })
  return client
}

export const claimsOf = async (client: SupabaseClient) =>
  decodeJwt((await client.auth.getSession()).data.session?.access_token ?? '')
