import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Gateway } from '../gateway.ts'
import { demoPassword } from './content/fans.ts'

/** What the demo needs of the gateway. */
export type DemoGateway = Pick<Gateway, 'url' | 'services'>

export type DemoPerson = {
  readonly client: SupabaseClient
  readonly username: string
  readonly userId: string
  readonly profileId: string
  readonly email: string
}

export const demoEmail = (username: string) => `${username}@ovation.example`

export function openClient({ url, services }: DemoGateway, key = services.secrets.anonKey): SupabaseClient {
  return createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false } })
}

/** Signs the user up, unless an interrupted start already did, and in. */
export async function enter(
  gateway: DemoGateway,
  service: SupabaseClient,
  username: string,
  displayName: string,
): Promise<DemoPerson> {
  const email = demoEmail(username)
  const created = await service.auth.admin.createUser({
    email,
    password: demoPassword,
    email_confirm: true,
    user_metadata: { username, display_name: displayName, terms_accepted: true },
  })
  if (created.error && created.error.code !== 'email_exists') throw created.error
  const client = openClient(gateway)
  const { data, error } = await client.auth.signInWithPassword({ email, password: demoPassword })
  if (error) throw error
  const { data: profile } = await client
    .from('profiles')
    .select('id')
    .eq('user_id', data.user.id)
    .single()
    .throwOnError()
  return { client, username, userId: data.user.id, profileId: profile.id, email }
}

/** Calls a function and returns its result. Errors have the server's message. */
export async function invoke<Answer>(
  client: SupabaseClient,
  name: string,
  body?: Record<string, unknown>,
): Promise<Answer> {
  const { data, error } = await client.functions.invoke(name, body ? { body } : {})
  if (!error) return data as Answer
  const words = 'context' in error && error.context instanceof Response ? await error.context.text() : error.message
  throw new Error(`${name}: ${words}`)
}
