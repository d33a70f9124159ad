import { authTexts } from '@ovation/contract/texts/auth'
import { supabase } from '../../lib/api/supabase.ts'

/**
 * Checked before the form is sent (API-REST-06), so that the error shows on its field. The unique constraint has the last word: {@link
 * meansUsernameTaken} recognizes its error. A failed check counts as available.
 */
export async function isUsernameTaken(username: string): Promise<boolean> {
  const { data } = await supabase.from('profiles').select('id').eq('username', username).limit(1)
  return (data?.length ?? 0) > 0
}

/** True for the database's message and for the bare unique violation (AUTH-10). */
export const meansUsernameTaken = (message: string): boolean =>
  message === authTexts.usernameTaken.message || message.includes('profiles_username_key')
