import { supabase } from '../../lib/api/supabase.ts'

/** Whether the box of AUTH-07 was ever ticked for this account. Where that can't be read nobody is kept here: the next sign-in asks again. */
export async function hasAcceptedTerms(userId: string): Promise<boolean> {
  const { data, error } = await supabase
    .from('profiles')
    .select('terms_accepted_at')
    .eq('user_id', userId)
    .maybeSingle()
  return error !== null || data === null || data.terms_accepted_at !== null
}
