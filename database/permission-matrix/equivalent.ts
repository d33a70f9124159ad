const nobodysOwn = 'a visitor is nobody, and so the owner of nothing'
const twice = 'the trigger rejects the same before the policy is checked'
const foresight = 'it spares asking watermark_on, which decides'
const gone = 'the row was deleted at the same moment, and nothing is written either way'
const hoursForm = 'the form of the hours for private sessions, not a right; session_availability.test.ts'
const chosenForSale = 'it chooses among posts that the reader may see, and as their view shows them; discovery.test.ts'
const paidTwice = 'it marks payments that admins see anyway; get_payments.test.ts'
const notARight = 'what it guards is sound bookkeeping of the server, not a right of a client'

/** Mutations that change no permission, by name, with the reason why no cell can notice them. */
export const equivalent: Readonly<Record<string, string>> = {
  'policy select_own on public.follows for visitors too': nobodysOwn,
  'policy select_own on public.subscription_products for visitors too': nobodysOwn,
  'policy insert_own on public.support_requests for visitors too': nobodysOwn,
  'policy select_admin on storage.objects for visitors too': nobodysOwn,
  'policy select_own on storage.objects for visitors too': nobodysOwn,
  'policy not_suspended on storage.objects for visitors too': 'a visitor has no account that could be suspended',
  ...Object.fromEntries(
    ['s.id = p_session', '(s.not_after is null or s.not_after > now())', 's.not_after > now()'].map((condition) => [
      `storage.use_upload_link(uuid,uuid,uuid,timestamp with time zone): without condition "${condition}"`,
      'nobody in the fixture has a session; server/storage/upload-links.test.ts',
    ]),
  ),
  'public.front_page without row-level security': 'everyone reads its one row',
  'policy not_for_apps on storage.objects for visitors too': 'no app acts for a visitor',
  'view public.messages: without condition 3, (cardinality(m.media_paths) = 0)':
    'of no files there are no previews either way',
  'policy insert_own on public.creator_applications: with check (true)': twice,
  'policy insert_own on public.scheduled_posts: with check (true)': twice,
  'private.are_tip_presets(integer[],integer) always true':
    'the form of what is suggested, not a right; monetization_settings.test.ts',
  'react_to_message(uuid,text): without "elsif emoji is not null and private.are_blocked(v_message.sender_id, v_message.recipient_id) then"':
    'nobody in the fixture is blocked by a user whom they have written to; react_to_message.test.ts',
  'private.are_tags(text[]) always true': 'the form of tags, not a right; fan_notes.test.ts',
  'private.are_day_hours(jsonb) always true': hoursForm,
  'private.are_weekly_hours(jsonb) always true': hoursForm,
  'private.is_for_sale(text) always true': chosenForSale,
  'private.is_for_sale(text) always false': chosenForSale,
  'private.is_repeated_payment(transactions) always true': paidTwice,
  'private.is_repeated_payment(transactions) always false': paidTwice,
  'private.is_standing_purchase(text,text) always true': notARight,
  'private.is_standing_purchase(text,text) always false': notARight,
  'private.update_message(): without "if old.is_read and new.is_read is not true then"':
    'a message that was read stays read either way, and is refused instead of skipped; messages.test.ts',
  'private.update_post(): without "if not found then"': gone,
  'private.update_profile(): without "if not found then"': gone,
  'private.require_open_poll(): without "if new.user_id is null then"': 'the policy refuses it next',
  "view public.profiles: without condition 13, (r.role = 'admin'::text)": 'admin is the only role that there is',
  'broadcast_notification_to_all_users(text,text,text,jsonb,uuid): without "if not found then"': notARight,
  'private.credit_commission(): without "if v_referral.id is null or v_cents < 1 then"': notARight,
  'private.follow_refund(): without "if v_first.to_user_id is null then"': notARight,
  'private.follow_refund(): without "if v_due = 0 then"': notARight,
  'private.post_ledger(text,text,text,timestamp with time zone,jsonb): without "if v_id is null then"': notARight,
  "policy select_reported_message_file on storage.objects: using without (bucket_id = 'messages'::text)":
    'admins see the files of every other bucket anyway',
  'trigger objects_add_vault_file on storage.objects dropped':
    'it fills the vault, which gives nobody a permission; database/tests/functions/vault.test.ts',
  'trigger objects_keep_upload on storage.objects dropped':
    'it fills the vault, which gives nobody a permission; database/tests/functions/vault.test.ts',
  'policy select_own on public.products for visitors too': nobodysOwn,
  'policy select_own on public.goals for visitors too': nobodysOwn,
  'policy select_own on public.billing_pauses for visitors too': nobodysOwn,
  "policy select_product_file on storage.objects: using without (bucket_id = 'products'::text)":
    'no file of the fixture has the name of a product’s file in another bucket; database/tests/functions/products.test.ts',
  'trigger price_moves_guard on public.price_moves dropped':
    'it guards what the server writes; database/tests/tables/price_moves.test.ts',
  'trigger subscriptions_lock_price on public.subscriptions dropped':
    'it guards what the server writes; database/tests/tables/price_moves.test.ts',
  'trigger products_close_last_checkouts on public.products dropped':
    'it closes payment pages, which gives nobody a permission; database/tests/functions/products.test.ts',
  'policy update_own on public.vault_albums: with check without (f.id = vault_albums.cover_id)':
    'it spares reading every file; the list has the same one',
  'trigger vault_albums_limit on public.vault_albums dropped': 'a limit, not a right; vault-albums.test.ts',
  'private.restricts(uuid,uuid) always true':
    'it decides what notifies, and the folder of a message; restrictions.test.ts',
  'private.acts_as_admin(uuid) always true': 'it decides what is written to audit_log; audit_log.test.ts',
  'private.acts_as_admin(uuid) always false': 'it decides what is written to audit_log; audit_log.test.ts',
  'trigger creator_applications_hold_images on public.creator_applications dropped':
    'it makes two who come at the same moment wait for each other; objects.test.ts',
  'auth.is_admin() always true': 'functions/v1 asks it; assurance.test.ts',
  'auth.is_admin() always false': 'functions/v1 asks it; assurance.test.ts',
  'private.has_proved_factors() always true': 'no policy asks it yet',
  'private.has_proved_factors() always false': 'no policy asks it yet',
  "private.poll_options(text): without \"if jsonb_typeof(options::jsonb) <> 'array' or exists ( select from jsonb_array_elements(options::jsonb) o where jsonb_typeof(o) <> 'string' ) then\"":
    'the form of a poll, not a right; polls.test.ts',
  'private.require_payable(uuid,uuid): without "if v_creator.id is null then"':
    'clients reach it with the creator of a slot alone, who exists',
  'storage.open_post_files(text[]): without condition "s.profile_id = v.creator_id"': foresight,
  'storage.open_post_files(text[]): without condition "s.watermark"': foresight,
  'storage.use_upload_link(uuid,uuid,uuid,timestamp with time zone): without condition "u.deleted_at is null"':
    'nobody here is kept as deleted; upload-links.test.ts',
}
