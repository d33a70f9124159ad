import type { Database } from '@ovation/contract/database'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { AppConfig } from './config.ts'

/** The one way to the server. Set by {@link connect} before anything renders. */
export let supabase: SupabaseClient<Database>

/** Session storage, refresh 90 s before expiry, refresh on becoming visible, and back-off are the client's own (AUTH-25..28). */
export function connect(config: Pick<AppConfig, 'supabaseUrl' | 'anonKey'>): void {
  supabase = createClient<Database>(config.supabaseUrl || window.location.origin, config.anonKey)
}
