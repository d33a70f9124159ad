import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from './world.ts'

const ours = `('auth', 'private', 'public', 'realtime', 'storage')`
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const names = async (text: string) => (await world.query(text)).map(({ name }) => name)

describe('conventions of the schema', () => {
  it('has row-level security on every table [GEN-35, API-REST-42]', async () => {
    const open = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${ours} and c.relkind in ('r', 'p') and not c.relrowsecurity`
    expect(await names(open)).toEqual([])
  })

  it('has a comment on every table, view and function', async () => {
    const bare = `
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${ours} and c.relkind in ('r', 'v', 'p') and obj_description(c.oid, 'pg_class') is null
      union all
      select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ${ours} and obj_description(p.oid, 'pg_proc') is null`
    expect(await names(bare)).toEqual([])
  })

  it('pins the search path of every security definer function', async () => {
    const loose = `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ${ours} and p.prosecdef and not ('search_path=""' = any(coalesce(p.proconfig, '{}')))`
    expect(await names(loose)).toEqual([])
  })

  it('lets nobody execute a function by default', async () => {
    const open = `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace,
        aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where n.nspname in ${ours} and a.grantee = 0`
    expect(await names(open)).toEqual([])
  })

  it('has an index for every foreign key, so that a deleted account does not scan tables', async () => {
    const bare = `select k.conrelid::regclass || '.' || k.conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
        join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${ours} and k.contype = 'f' and k.conrelid not in ('storage.objects'::regclass)
        and not exists (select from pg_index i where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1])`
    expect(await names(bare)).toEqual([])
  })

  it('has no generated column in a unique key, or each update would lock its row against all foreign keys', async () => {
    const locking = `select c.oid::regclass || '.' || a.attname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_index i on i.indrelid = c.oid and i.indisunique and i.indpred is null
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey) and a.attgenerated <> ''
      where n.nspname in ${ours}`
    expect(await names(locking)).toEqual([])
  })

  it('keeps clients out of the schemas that are not theirs', async () => {
    const reachable = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace,
        unnest(array['anon', 'authenticated']) as role
      where n.nspname in ('private', 'auth') and c.relkind in ('r', 'v', 'p') and has_any_column_privilege(role, c.oid, 'select, insert, update, references')`
    expect(await names(reachable)).toEqual([])
    expect(await world.query(`select has_schema_privilege('authenticated', 'private', 'usage') as usage`)).toEqual([
      { usage: false },
    ])
  })
})

/** Each right a client role has on an exposed table or view. Whoever adds one adds it here, and says why in the migration. */
const rights: Record<string, { anon: string; authenticated: string }> = {
  'public.audit_log': { anon: '', authenticated: 'select' },
  'public.blocks': { anon: '', authenticated: 'select insert(blocked_id,blocker_id) delete' },
  'public.bookmarks': { anon: '', authenticated: 'select insert(post_id,user_id) delete' },
  'public.comments': { anon: 'select', authenticated: 'select insert(content,post_id,user_id) delete' },
  'public.creator_applications': {
    anon: '',
    authenticated:
      'select insert(address,full_name,full_ssn,id,id_back_url,id_front_url,user_id) update(rejection_reason,reviewed_at,status)',
  },
  'public.follows': { anon: 'select', authenticated: 'select insert(follower_id,following_id) delete' },
  'public.media_settings': {
    anon: '',
    authenticated: 'select insert(profile_id,watermark) update(profile_id,watermark)',
  },
  'public.message_unlocks': { anon: '', authenticated: 'select' },
  'public.messages': {
    anon: '',
    authenticated:
      'select insert(content,id,is_paid,media_types,media_urls,price,recipient_id,sender_id) update(is_read)',
  },
  'public.notifications': { anon: '', authenticated: 'select update(is_read) delete' },
  'public.poll_votes': { anon: '', authenticated: 'select insert(option_index,poll_id,user_id)' },
  'public.polls': { anon: '', authenticated: 'select insert(description,expires_at,options,title) update(is_active)' },
  'public.post_likes': { anon: '', authenticated: 'select insert(post_id,user_id) delete' },
  'public.post_views': { anon: '', authenticated: '' },
  'public.posts': {
    anon: 'select',
    authenticated:
      'select insert(content,creator_id,id,media_types,media_urls,post_type,ppv_price,required_tier_id,title) update(admin_note,admin_note_is_public,content,is_pinned,title) delete',
  },
  'public.profile_views': { anon: '', authenticated: '' },
  'public.profiles': {
    anon: 'select',
    authenticated:
      'select insert(display_name,user_id,username) update(avatar_url,bio,categories,cover_url,display_name,is_creator,is_private,tiered_access,username,website_url)',
  },
  'public.purchases': { anon: '', authenticated: 'select' },
  'public.referrals': { anon: '', authenticated: 'select' },
  'public.reports': {
    anon: '',
    authenticated: 'select insert(details,reason,reporter_id,target_id,target_type) update(resolution,status)',
  },
  'public.session_bookings': { anon: '', authenticated: 'select' },
  'public.session_offers': {
    anon: '',
    authenticated:
      'select insert(creator_id,description,duration_minutes,is_active,price_cents,title) update(description,duration_minutes,is_active,price_cents,title)',
  },
  'public.session_slots': { anon: '', authenticated: 'select insert(offer_id,starts_at) delete' },
  'public.subscription_products': { anon: 'select', authenticated: 'select update(is_active)' },
  'public.subscription_tiers': { anon: 'select', authenticated: 'select' },
  'public.subscriptions': { anon: '', authenticated: 'select' },
  'public.support_requests': {
    anon: 'insert(category,email,message,name,priority,subject,user_id)',
    authenticated: 'select insert(category,email,message,name,priority,subject,user_id) update(status,updated_at)',
  },
  'public.transactions': { anon: '', authenticated: 'select' },
  'public.user_roles': { anon: '', authenticated: 'select' },
  'public.user_settings': { anon: '', authenticated: 'select update(notifications,privacy,security)' },
  'storage.buckets': { anon: '', authenticated: '' },
  'storage.objects': { anon: 'select', authenticated: 'select insert update delete' },
}

describe('rights of the client roles', () => {
  const verbs = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']

  async function rightsOf(role: string): Promise<Record<string, string>> {
    const rows = await world.query(
      `select n.nspname || '.' || c.relname as name, verb,
         has_table_privilege($1, c.oid, verb) as whole,
         case when verb in ('select', 'insert', 'update', 'references') then (
           select string_agg(a.attname, ',' order by a.attname) from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and has_column_privilege($1, c.oid, a.attnum, verb)
         ) end as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace, unnest($2::text[]) as verb
       where n.nspname in ('public', 'storage') and c.relkind in ('r', 'v')`,
      [role, verbs],
    )
    const found: Record<string, string[]> = {}
    for (const { name, verb, whole, columns } of rows) {
      const list = found[String(name)] ?? []
      found[String(name)] = list
      if (whole) list.push(String(verb))
      else if (columns) list.push(`${verb}(${columns})`)
    }
    return Object.fromEntries(
      Object.entries(found).map(([name, list]) => [name, list.toSorted((a, b) => order(a) - order(b)).join(' ')]),
    )
  }
  const order = (right: string) => verbs.indexOf(right.replace(/\(.*/, ''))

  it.each(['anon', 'authenticated'] as const)(
    'gives %s what the list says and nothing more [GEN-35, API-REST-42]',
    async (role) => {
      const expected = Object.fromEntries(Object.entries(rights).map(([name, granted]) => [name, granted[role]]))
      expect(await rightsOf(role)).toEqual(expected)
    },
  )

  it('lets a visitor discover creators and a signed-in person call the rest', async () => {
    const callable = (role: string) =>
      names(`select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
        and p.prorettype <> 'trigger'::regtype and has_function_privilege('${role}', p.oid, 'execute') order by 1`)
    expect(await callable('anon')).toEqual(['count_creators', 'discover_creators', 'search_profiles'])
    expect(await callable('authenticated')).toEqual([
      'accept_booking',
      'accept_terms',
      'book_session',
      'broadcast_notification_to_all_users',
      'can_message',
      'cancel_booking',
      'complete_booking',
      'count_creators',
      'count_users',
      'decline_booking',
      'discover_creators',
      'end_own_session',
      'export_own_data',
      'get_conversations',
      'get_creator_growth',
      'get_creator_stats',
      'get_earnings_series',
      'get_feed',
      'get_my_referrer',
      'get_own_subscriptions',
      'get_poll_results',
      'get_referral_stats',
      'get_revenue_split',
      'get_subscription_status',
      'get_thread',
      'get_top_posts',
      'get_unread_counts',
      'get_users_with_emails',
      'get_views_series',
      'has_role',
      'list_own_sessions',
      'list_push_subscriptions',
      'record_post_views',
      'record_presence',
      'record_profile_view',
      'remove_push_subscription',
      'reveal_ssn',
      'save_push_subscription',
      'search_profiles',
    ])
  })
})
