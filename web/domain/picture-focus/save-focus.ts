import { supabase } from '../../lib/api/supabase.ts'
import type { Focus } from '../posts/queries.ts'

/** Stores the focus point of a picture. @param picture its path in bucket `posts`. */
export async function saveFocus(picture: string, { x, y }: Focus): Promise<void> {
  await supabase.rpc('set_picture_focus', { picture, x, y }).throwOnError()
}
