import { supabase } from '../../lib/api/supabase.ts'

/** Whether the user has accepted the terms (AUTH-07). True if that can't be read: the next sign-in checks again. */
export async function hasAcceptedTerms(userId: string): Promise<boolean> {
  const { data, error } = await supabase
    .from('profiles')
    .select('terms_accepted_at')
    .eq('user_id', userId)
    .maybeSingle()
  return error !== null || data === null || data.terms_accepted_at !== null
}
