import type { SupportCategory, SupportPriority } from '@ovation/contract/limits'
import { supabase } from '../../lib/api/supabase.ts'

export type SupportRequestValues = {
  name: string
  email: string
  subject: string
  /** Empty when none was chosen (SUPP-07). */
  category: SupportCategory | ''
  priority: SupportPriority
  message: string
}

/** Submits a request; a visitor's has no user id (SUPP-13, API-REST-34). Doesn't select the row, which visitors can't read. */
export async function submitRequest(values: SupportRequestValues, userId: string | null): Promise<void> {
  const { name, email, subject, category, priority, message } = values
  await supabase
    .from('support_requests')
    .insert({
      name: name.trim(),
      email: email.trim(),
      subject: subject.trim(),
      category: category || null,
      message: message.trim(),
      priority,
      user_id: userId,
    })
    .throwOnError()
}
