import { authTexts } from '@ovation/contract/texts/auth'
import { supabase } from '../../lib/api/supabase.ts'

/**
 * Asks before sending the form (API-REST-06), so that the answer lands on its field. It can be outdated a moment later:
 * the unique constraint decides, and {@link meansUsernameTaken} reads its answer. A failure to ask is no answer.
 */
export async function isUsernameTaken(username: string): Promise<boolean> {
  const { data } = await supabase.from('profiles').select('id').eq('username', username).limit(1)
  return (data?.length ?? 0) > 0
}

/** True for the database's sentence and for the bare unique violation (AUTH-10). */
export const meansUsernameTaken = (message: string): boolean =>
  message === authTexts.usernameTaken.message || message.includes('profiles_username_key')
