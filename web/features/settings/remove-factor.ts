import { supabase } from '../../lib/supabase.ts'

/** Takes a second factor away. The token still says that one was shown, so it is renewed. */
export async function removeFactor(factorId: string): Promise<void> {
  const { error } = await supabase.auth.mfa.unenroll({ factorId })
  if (error) throw error
  await supabase.auth.refreshSession()
}
