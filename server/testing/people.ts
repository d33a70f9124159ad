import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Person, TestGateway } from './gateway.ts'
import { onePixel } from './one-pixel.ts'

/** An approved creator, who may publish (D25). There is no payout account, so nothing can be charged. */
export async function buildCreator(gateway: TestGateway): Promise<Person> {
  const creator = await gateway.signUp()
  await gateway.query('update private.profiles set is_creator = true, is_verified = true where id = $1', [
    creator.profileId,
  ])
  return creator
}

/** A new user who applies to become a creator. */
export async function buildApplicant(gateway: TestGateway): Promise<Person> {
  const person = await gateway.signUp()
  const paths = ['front', 'back'].map((side) => `${person.userId}/id_${side}_1.png`)
  for (const path of paths) {
    const bucket = person.client.storage.from('verification')
    const { error } = await bucket.upload(path, onePixel, { contentType: 'image/png' })
    if (error) throw error
  }
  await person.client
    .from('creator_applications')
    .insert({
      user_id: person.userId,
      full_name: 'Ada',
      address: '1 Street',
      full_ssn: '900-11-2222',
      id_front_url: paths[0],
      id_back_url: paths[1],
    })
    .throwOnError()
  return person
}

/** A user with the admin role. */
export async function buildAdmin(gateway: TestGateway): Promise<Person> {
  const admin = await gateway.signUp()
  await gateway.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [admin.userId])
  return admin
}

/** The official client with a token without a session: it stays valid whatever happens to the user's sessions. */
export async function sessionless(gateway: TestGateway, { userId, email }: Person): Promise<SupabaseClient> {
  const claims = { sub: userId, role: 'authenticated', aud: 'authenticated', aal: 'aal1', email }
  const token = await gateway.services.tokens.sign(claims, 3600)
  const client = createClient(gateway.url, gateway.secrets.anonKey, { accessToken: async () => token })
  await client.realtime.setAuth()
  return client
}
