import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../run.ts'

/** Migrations whose objects belong to another area than their own name. */
const areaOfMigration: Readonly<Record<string, string>> = {
  schemas_and_roles: 'shared',
  accounts: 'auth',
  feeds: 'private-feeds',
  factors_and_sessions: 'auth',
  providers_and_sso: 'auth',
  account_lifecycle: 'account-deletion-and-export',
  admins: 'admin',
  operations: 'admin',
  admin_overview: 'admin',
  admin_queues_and_posts_for_sale: 'admin',
  tip_notes_and_decided_applications: 'admin',
  application_country: 'creator-applications',
  discovery_and_feed: 'discovery',
  explore_rails: 'discovery',
  subscribers_follow: 'follows-and-blocks',
  buyers_follow: 'follows-and-blocks',
  picture_focus: 'media',
  away_messages: 'messages',
  locked_messages_are_read: 'messages',
  unsend_messages: 'messages',
  vault_albums: 'vault',
  vault_uploads: 'vault',
  inbox: 'messages',
  message_contents: 'messages',
  message_search: 'messages',
  message_authors: 'messages',
  shown_posts_and_ended_subscriptions: 'fans',
  fan_notes: 'fans',
  fans_and_lists: 'fans',
  changes_at_the_same_moment: 'fans',
  many_fans: 'mass-messages',
  subscriber_groups: 'messages',
  new_post_delivery: 'new-posts',
  notification_delivery: 'notifications',
  notification_texts: 'notifications',
  payouts_in_any_order: 'payouts-and-reconciliation',
  polls_and_scheduled_posts: 'polls',
  front_page: 'posts',
  front_page_settings: 'front-page',
  plan_benefits_and_covers: 'posts',
  former_usernames: 'profiles',
  custom_domains: 'profiles',
  profile_layouts: 'profiles',
  replaced_accounts: 'payments',
  session_availability: 'private-sessions',
  files: 'storage',
  renewals_and_payment_emails: 'subscriptions',
  trial_emails: 'payment-emails',
  what_payments_were_for: 'payments',
}

/** Objects that belong to another area than their migration's. */
const objectsOfArea: Readonly<Record<string, readonly string[]>> = {
  'account-deletion-and-export': ['auth.open_message_authors'],
  auth: ['private.rotate_refresh_token'],
  'audit-log': [
    'private.audit_note',
    'private.audit_poll',
    'private.audit_settled_report',
    'private.audit_support_status',
    'private.audited_profile',
    'public.audit_line',
    'public.get_audit_log',
  ],
  dashboard: [
    'private.uncount_post_views',
    'private.verify_counters',
    'private.verify_profile_counters',
    'public.creator_balance',
    'public.get_creator_balance',
    'public.get_post_figures',
    'public.post_figures',
  ],
  discovery: ['private.is_for_sale', 'public.posts_for_sale', 'public.suggest_creators'],
  'home-feed': ['private.feed_by_creator', 'private.feed_by_time', 'public.get_feed'],
  'follows-and-blocks': ['private.count_follows', 'private.ring_for_follows'],
  ledger: ['private.lock_books', 'private.lock_books_first'],
  messages: ['private.limit_new_conversations', 'private.lock_pair'],
  notifications: ['private.notification_kind', 'private.wants', 'public.get_unread_counts', 'public.unread_counts'],
  'payment-emails': [
    'private.email_to_send',
    'private.emails_to_send',
    'private.payment_emails',
    'private.write_dunning',
    'private.write_receipt',
    'private.write_reminders',
  ],
  payments: [
    'private.announce_payment_task',
    'private.close_checkouts',
    'private.close_checkouts_of_block',
    'private.close_checkouts_of_plan',
    'private.close_checkouts_of_profile',
    'private.close_late_checkout',
    'private.is_standing_purchase',
    'private.recount_post_purchase',
    'private.statement_lines',
    'public.purchases',
  ],
  'payouts-and-reconciliation': [
    'private.verify_money',
    'public.get_payment_differences',
    'public.payment_difference',
    'public.settle_payment_difference',
  ],
  plans: ['public.arrange_plans', 'public.mark_popular_plan', 'public.trial_days'],
  posts: ['private.remove_post_file'],
  'private-sessions': ['private.cancel_bookings'],
  profiles: ['private.name_of', 'public.profiles'],
  reactions: ['private.may_react'],
  referrals: ['private.referral_code'],
  'reports-and-support': ['private.reject_many_support_requests'],
  'scheduled-posts': [
    'private.publish',
    'private.publish_at_once',
    'private.publish_due_post',
    'private.receive_scheduled_cover',
    'private.receive_scheduled_post',
    'private.remove_scheduled_cover',
    'private.remove_scheduled_files',
    'private.require_publishable',
    'public.publish_scheduled_post',
    'public.scheduled_posts',
  ],
  search: ['private.like_pattern', 'public.search_profiles'],
  shared: ['private.apply_settings', 'private.changes_of', 'private.today'],
  storage: ['private.storage_removals'],
  subscriptions: ['public.get_subscribers', 'public.subscriber'],
  'user-settings': [
    'private.create_settings',
    'private.require_settings_shape',
    'private.update_settings',
    'private.user_settings',
    'public.user_settings',
  ],
  vault: ['private.copy_vault_files', 'private.verify_vault', 'public.get_vault_history', 'public.vault_history'],
}
const areaOfObject = new Map(
  Object.entries(objectsOfArea).flatMap(([area, objects]) => objects.map((object) => [object, area] as const)),
)

/** The folder of an object: its area, which is by default the name of the first migration that has it. */
export function areaOf(object: string, [first]: readonly string[]): string {
  if (first === undefined) throw new Error(`no migration creates ${object}`)
  const migration = first.slice('0000_'.length, -'.sql'.length)
  return areaOfObject.get(object) ?? areaOfMigration[migration] ?? migration.replaceAll('_', '-')
}

/** The migrations that create or change each object, policies and triggers included, in order. */
export function readMigrations(): Map<string, string[]> {
  const migrations = new Map<string, string[]>()
  for (const path of globSync('database/migrations/*.sql', { cwd: root }).sort()) {
    const statements = readFileSync(join(root, path), 'utf8').matchAll(
      /^(?:create|alter|drop)\b[^;(]*?\b((?:auth|private|public|realtime|storage)\.\w+)/gim,
    )
    for (const [, object = ''] of statements) {
      const known = migrations.get(object) ?? []
      if (!known.includes(basename(path))) migrations.set(object, [...known, basename(path)])
    }
  }
  return migrations
}
