import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { password } from './people.ts'
import { photo } from './pictures.ts'
import { readSecrets } from './start-product.ts'

/** A user of the API, for steps that need no screen. */
export type ApiUser = { readonly client: SupabaseClient; readonly userId: string; readonly profileId: string }

/** An anonymous client. */
export const open = (): SupabaseClient => clientWith(readSecrets().anonKey)
/** A client with the service role, like an operator's. */
export const service = (): SupabaseClient => clientWith(readSecrets().serviceRoleKey)

function clientWith(key: string): SupabaseClient {
  return createClient(process.env.E2E_URL ?? '', key, { auth: { persistSession: false, autoRefreshToken: false } })
}

/** Signs in an existing user. */
export async function signIn(email: string, secret: string): Promise<ApiUser> {
  const client = open()
  const { data, error } = await client.auth.signInWithPassword({ email, password: secret })
  if (error) throw error
  return withProfile(client, data.user.id)
}

/** Signs up a new user, with the address `USERNAME@example.com`. */
export async function signUp(username: string, displayName: string): Promise<ApiUser> {
  const client = open()
  const { data, error } = await client.auth.signUp({
    email: `${username}@example.com`,
    password,
    options: { data: { username, display_name: displayName, terms_accepted: true } },
  })
  if (error) throw error
  return withProfile(client, data.user?.id ?? '')
}

async function withProfile(client: SupabaseClient, userId: string): Promise<ApiUser> {
  const { data } = await client.from('profiles').select('id').eq('user_id', userId).single().throwOnError()
  return { client, userId, profileId: data.id as string }
}

/** Applies to become a creator, with both sides of an ID. */
export async function apply(
  { client, userId }: ApiUser,
  name: string,
  address = 'Prinzregentenstraße 1234, Hinterhaus, 3. Obergeschoss links\n80538 München\nDeutschland',
) {
  const sides = ['front', 'back'].map((side) => `${userId}/id_${side}_1.jpg`)
  for (const [index, path] of sides.entries()) {
    const { error } = await client.storage
      .from('verification')
      .upload(path, await photo(index * 180, 856, 540), { contentType: 'image/jpeg' })
    if (error) throw error
  }
  await client
    .from('creator_applications')
    .insert({
      user_id: userId,
      full_name: name,
      address,
      full_ssn: '900-11-2222',
      id_front_url: sides[0],
      id_back_url: sides[1],
    })
    .throwOnError()
}
