import { supabase } from '../api/supabase.ts'
import { forgetOpenedLinks, openedLinks } from './opened-links.ts'

/** Hands the links that this browser has opened over to the viewer's account, so that they count on every device (LINK-02). */
export async function claimOpenedLinks(): Promise<void> {
  const visits = openedLinks()
  if (visits === '') return
  const { error } = await supabase.rpc('claim_link_visits', { visits })
  // After an error, the next visit tries again. A link that was opened in the meantime is handed over then, too.
  if (!error && openedLinks() === visits) forgetOpenedLinks()
}
