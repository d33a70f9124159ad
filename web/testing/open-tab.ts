import { connect } from '../lib/api/supabase.ts'
import { authClient } from '../lib/auth/auth-client.ts'

/** A tab that has just been opened: nothing but what is stored tells who is signed in. The one before has been closed. */
export async function openTab(): Promise<void> {
  const before = await authClient()
  await before.initialize()
  await before.dispose()
  connect()
}
