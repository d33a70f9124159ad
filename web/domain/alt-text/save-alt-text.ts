import { supabase } from '../../lib/api/supabase.ts'

/** Stores the alt text of a picture; an empty one removes it. @param picture its path in bucket `posts`. */
export async function saveAltText(picture: string, text: string): Promise<void> {
  await supabase.rpc('set_alt_text', { picture, alt_text: text }).throwOnError()
}
