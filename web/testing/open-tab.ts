import { connect } from '../lib/api/supabase.ts'
import { authClient } from '../lib/auth/auth-client.ts'

/** Opens a new tab and closes the one before: only stored data says who is signed in. */
export async function openTab(): Promise<void> {
  const before = await authClient()
  await before.initialize()
  await before.dispose()
  connect()
}
