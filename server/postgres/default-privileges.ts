/**
 * The default privileges of new tables, sequences, and functions in `public`. Ovation grants none: each migration says what it opens.
 * A migration written for Supabase relies on Supabase's defaults, which grant everything to the roles of requests and leave the rest to
 * row-level security.
 */
const kinds = ['tables', 'sequences', 'functions'] as const

export const supabaseDefaults = [
  'alter default privileges grant execute on functions to public',
  ...kinds.map((kind) => `alter default privileges in schema public grant all on ${kind} to anon, authenticated`),
].join(';\n')

/** Also undoes changes that a migration may have made itself: `supabase db dump` writes its defaults into the file. */
export const ownDefaults = [
  'alter default privileges revoke execute on functions from public',
  'alter default privileges in schema public revoke execute on functions from public',
  ...kinds.map((kind) => `alter default privileges in schema public revoke all on ${kind} from anon, authenticated`),
].join(';\n')
