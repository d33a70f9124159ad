import { authTexts } from '@ovation/contract/texts/auth'
import { supabase } from '../../lib/api/supabase.ts'

/**
 * Whether a profile has the username (API-REST-06), or it is kept for another user, who had it before (PAGE-02). Checked before the form is
 * sent, so that the error shows on its field. The unique constraint has the last word: {@link meansUsernameTaken} recognizes its error.
 */
export async function isUsernameTaken(username: string, signal: AbortSignal): Promise<boolean> {
  const [{ data: owners }, { data: isReserved }] = await Promise.all([
    supabase.from('profiles').select('id').eq('username', username).limit(1).abortSignal(signal).throwOnError(),
    supabase.rpc('is_username_reserved', { candidate: username }, { get: true }).abortSignal(signal).throwOnError(),
  ])
  return owners.length > 0 || isReserved
}

/** True for the database's message and for the bare unique violation (AUTH-10). */
export const meansUsernameTaken = (message: string): boolean =>
  message === authTexts.usernameTaken.message || message.includes('profiles_username_key')
