-- Up Migration
-- Every amount of money is an integer of cents (CONST-01). Prices of posts and messages, payments, earnings and rewards were dollars, next to
-- plans, tips and sessions in cents. The columns keep their names, and what they hold is converted here. creator_listing.subscription_price
-- stays in dollars per month, as its row says (DATA-31).
-- Contract: units change under the same names, so nodes of the version before have to be stopped while this runs (docs/operations.md).

-- Views stand on the columns, and keep the type of theirs: they are made again below, with what stands on them.
drop policy insert_own on public.bookmarks;
drop policy select_party on public.message_unlocks;
drop function public.search_profiles(text, integer);
drop function public.get_feed(integer, timestamp with time zone, uuid);
drop function public.get_thread(uuid, integer, timestamp with time zone, uuid);
drop view public.subscription_tiers;
drop view public.profiles;
drop view public.posts;
drop view public.messages;
drop function private.require_publishable(uuid, text, text, text[], text[], uuid, numeric);
drop function public.message_subscribers(text, numeric, text);
drop trigger transactions_follow_refund on public.transactions;
drop trigger transactions_write_receipt on public.transactions;

alter table private.posts
  drop constraint posts_ppv_price_range,
  alter column ppv_price type integer using ppv_price * 100,
  add constraint posts_ppv_price_range check (ppv_price between 100 and 999999);
comment on column private.posts.ppv_price is 'In cents; at least 100, which is $1.00 (D26).';

alter table public.scheduled_posts
  drop constraint scheduled_posts_ppv_price_range,
  alter column ppv_price type integer using ppv_price * 100,
  add constraint scheduled_posts_ppv_price_range check (ppv_price between 100 and 999999);
comment on column public.scheduled_posts.ppv_price is 'What a pay-per-view post will cost, in cents; null for others.';

alter table private.messages
  drop constraint messages_price_range,
  alter column price drop default,
  alter column price type integer using price * 100,
  alter column price set default 0,
  add constraint messages_price_range check (case when is_paid then price between 100 and 999999 else price = 0 end);
comment on column private.messages.price is 'In cents; 0 when the message is free (D27).';

alter table private.group_messages alter column price type integer using price * 100;
comment on column private.group_messages.price is 'In cents; 0 when the message is free.';

alter table private.profiles
  alter column total_earnings drop default,
  alter column total_earnings type bigint using total_earnings * 100,
  alter column total_earnings set default 0;
comment on column private.profiles.total_earnings is 'Earned after the platform''s fee, in cents. Kept by transactions.';

alter table public.referrals
  drop constraint referrals_reward_amount_check,
  drop constraint referrals_commission_cap,
  alter column reward_amount drop default,
  alter column reward_amount type integer using reward_amount * 100,
  alter column reward_amount set default 0,
  alter column commission_amount drop default,
  alter column commission_amount type integer using commission_amount * 100,
  alter column commission_amount set default 0,
  add constraint referrals_reward_amount_check check (reward_amount >= 0),
  add constraint referrals_commission_cap check (commission_amount between 0 and 75000);
comment on column public.referrals.reward_amount is 'Share of the $10 reward that fell to this referral, in cents: a tenth each, for ten of them earn it together.';
comment on column public.referrals.commission_amount is 'Commission credited from this person''s earnings, in cents, less what was refunded; at most 75000, which is $750 (REF-20).';

alter table public.transactions
  drop constraint transactions_refund_within_payment,
  drop constraint transactions_tip_range,
  drop column net_amount; -- generated from the other two; with it goes transactions_created_at_idx
alter table public.transactions
  alter column amount type bigint using amount * 100,
  alter column fee_amount drop default,
  alter column fee_amount type bigint using fee_amount * 100,
  alter column fee_amount set default 0,
  alter column refunded_amount drop default,
  alter column refunded_amount type bigint using refunded_amount * 100,
  alter column refunded_amount set default 0,
  add constraint transactions_refund_within_payment check (refunded_amount between 0 and greatest(amount, 0)),
  add constraint transactions_tip_range check (transaction_type <> 'tip' or amount between 100 and 50000);
alter table public.transactions add column net_amount bigint not null generated always as (amount - fee_amount) stored;
create index transactions_created_at_idx on public.transactions (created_at) include (transaction_type, amount, fee_amount, net_amount);
comment on column public.transactions.amount is 'What the payer paid (gross), in cents. A refund has the parties of its payment and a negative amount, so that sums come out right.';
comment on column public.transactions.fee_amount is 'What the platform kept of it, in cents (GEN-06).';
comment on column public.transactions.net_amount is 'What the receiver earned of it, in cents.';
comment on column public.transactions.refunded_amount is 'What went back to the payer, in cents, disputes included. Kept by refunds; never more than amount.';
create trigger transactions_follow_refund after update of refunded_amount on public.transactions for each row
  when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') and new.refunded_amount <> old.refunded_amount)
  execute function private.follow_refund();
create trigger transactions_write_receipt after insert on public.transactions for each row
  when (new.from_user_id is not null and (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session')
    or (new.transaction_type = 'refund' and new.amount < 0)))
  execute function private.write_receipt();

-- What functions return.
alter type public.conversation alter attribute last_price type integer;
comment on column public.conversation.last_price is 'In cents. Never null.';
alter type public.creator_balance
  alter attribute earned type bigint, alter attribute balance type bigint, alter attribute paid_out type bigint;
comment on type public.creator_balance is 'The creator''s account in the ledger, in cents. Nothing is null.';
alter type public.creator_growth alter attribute this_month type bigint, alter attribute last_month type bigint;
comment on column public.creator_growth.this_month is 'Cents after the fee, the calendar month so far.';
comment on column public.creator_growth.last_month is 'Cents after the fee, the whole calendar month before.';
alter type public.creator_stats alter attribute total_earnings type bigint, alter attribute monthly_earnings type bigint;
comment on type public.creator_stats is 'Creator stats result (DATA-32). Earnings in cents after the fee; the month is the calendar month in UTC, the week the last seven days.';
comment on column public.creator_stats.total_earnings is 'Cents after the fee. Never null.';
comment on column public.creator_stats.monthly_earnings is 'Cents after the fee, this calendar month (UTC). Never null.';
alter type public.daily_earnings
  alter attribute subscriptions type bigint, alter attribute tips type bigint, alter attribute paid_messages type bigint,
  alter attribute ppv type bigint, alter attribute private_sessions type bigint, alter attribute referrals type bigint,
  alter attribute total type bigint;
comment on type public.daily_earnings is 'One day of earnings by source, in cents after the fee; a refund is negative on its own day. Nothing is null.';
alter type public.earnings_totals alter attribute gross type bigint, alter attribute fee type bigint, alter attribute net type bigint;
comment on type public.earnings_totals is 'Everything a creator was ever paid, in cents. Nothing is null.';
alter type public.money_day alter attribute volume type bigint, alter attribute fees type bigint, alter attribute refunds type bigint;
comment on type public.money_day is 'A day''s money of all creators together, in cents.';
alter type public.money_overview
  alter attribute volume type bigint, alter attribute fees type bigint, alter attribute creators type bigint, alter attribute refunds type bigint,
  alter attribute referral_costs type bigint, alter attribute payouts type bigint, alter attribute disputed type bigint;
comment on type public.money_overview is 'The money of a span of days, in cents, and how the books stand now.';
alter type public.platform_balances alter attribute owed_to_creators type bigint, alter attribute kept_by_platform type bigint;
comment on type public.platform_balances is 'How the books stand now, in cents.';
alter type public.post_figures alter attribute earnings type bigint;
comment on column public.post_figures.earnings is 'Cents after the fee and refunds, from purchases and tips under it.';
alter type public.referral_stats alter attribute total_earned type bigint, alter attribute pending_rewards type bigint;
comment on type public.referral_stats is 'Referral stats result (DATA-33). In cents.';
comment on column public.referral_stats.pending_rewards is 'What completed referrals add up to on the way to the next $10, in cents: 100 each. Never null.';
alter type public.revenue_share alter attribute gross_amount type bigint, alter attribute net_amount type bigint;
comment on column public.revenue_share.gross_amount is 'What was paid, in cents.';
comment on column public.revenue_share.net_amount is 'Cents after the fee and after refunds.';
alter type public.subscriber alter attribute spent type bigint;
comment on column public.subscriber.spent is 'What the person has paid this creator in all, in cents, for whatever it was, refunds taken off. Never null.';
alter type public.top_post alter attribute earnings type bigint;
comment on column public.top_post.earnings is 'Cents after the fee and refunds, from purchases and tips under it. Never null.';
alter type public.user_with_email alter attribute total_earnings type bigint;
comment on column public.user_with_email.total_earnings is 'Cents after the fee. Never null.';

create view public.subscription_tiers with (security_invoker=true) as
 SELECT id,
    creator_id,
    name,
    description,
    price_cents,
    "interval",
    trial_days,
    (round(private.monthly_cents(price_cents, "interval")))::integer AS price_monthly,
    dense_rank() OVER (PARTITION BY creator_id ORDER BY (private.monthly_cents(price_cents, "interval"))) AS tier_order
   FROM public.subscription_products s
  WHERE is_active;
comment on view public.subscription_tiers is 'A creator''s active plans by price per month, read-only (D13).';
comment on column public.subscription_tiers.price_monthly is 'Per month in cents, normalised from the interval. Never null.';
comment on column public.subscription_tiers.tier_order is '1 is the cheapest plan of the creator; equal prices share a place. Never null.';
CREATE TRIGGER subscription_tiers_read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON public.subscription_tiers FOR EACH ROW EXECUTE FUNCTION private.refuse_view_change('Plans change in subscription_products.');
grant select on public.subscription_tiers to anon;
grant select on public.subscription_tiers to authenticated;

create view public.profiles as
 SELECT p.id,
    p.user_id,
    p.username,
    p.display_name,
    p.avatar_url,
        CASE
            WHEN viewer.reads_profile THEN p.cover_url
            ELSE NULL::text
        END AS cover_url,
        CASE
            WHEN viewer.reads_profile THEN p.bio
            ELSE NULL::text
        END AS bio,
        CASE
            WHEN viewer.reads_profile THEN p.website_url
            ELSE NULL::text
        END AS website_url,
    p.is_creator,
    p.is_verified,
    p.is_private,
    p.tiered_access,
        CASE
            WHEN viewer.reads_profile THEN p.categories
            ELSE '{}'::text[]
        END AS categories,
        CASE
            WHEN (EXISTS ( SELECT
               FROM public.user_roles r
              WHERE ((r.user_id = p.user_id) AND (r.role = 'admin'::text)))) THEN 'admin'::text
            ELSE 'user'::text
        END AS role,
    p.followers_count,
    p.following_count,
    p.total_photos,
    p.total_videos,
    p.total_posts,
        CASE
            WHEN viewer.is_own THEN p.total_earnings
            ELSE NULL::bigint
        END AS total_earnings,
        CASE
            WHEN viewer.is_own THEN p.terms_accepted_at
            ELSE NULL::timestamp with time zone
        END AS terms_accepted_at,
        CASE
            WHEN viewer.is_own THEN p.stripe_account_id
            ELSE NULL::text
        END AS stripe_account_id,
        CASE
            WHEN viewer.is_own THEN p.stripe_onboarding_completed
            ELSE NULL::boolean
        END AS stripe_onboarding_completed,
        CASE
            WHEN viewer.is_own THEN p.stripe_charges_enabled
            ELSE NULL::boolean
        END AS stripe_charges_enabled,
        CASE
            WHEN viewer.is_own THEN p.stripe_payouts_enabled
            ELSE NULL::boolean
        END AS stripe_payouts_enabled,
    p.created_at,
    p.updated_at,
        CASE
            WHEN viewer.reads_profile THEN ( SELECT v.last_seen_at
               FROM (private.presence v
                 JOIN private.user_settings s ON ((s.user_id = v.profile_id)))
              WHERE ((v.profile_id = p.id) AND (s.show_online_status OR viewer.is_own)))
            ELSE NULL::timestamp with time zone
        END AS last_seen_at
   FROM (private.profiles p
     CROSS JOIN LATERAL ( SELECT own.is_own,
            (own.is_own OR ((NOT p.is_private) AND (p.id <> ALL (( SELECT private.my_blocks() AS my_blocks)::uuid[])))) AS reads_profile
           FROM ( SELECT (COALESCE((p.user_id = ( SELECT auth.uid() AS uid)), false) OR ( SELECT private.is_privileged() AS is_privileged)) AS is_own) own
         OFFSET 0) viewer);
comment on view public.profiles is 'Profiles as the viewer may see them: a private profile shows its name and counts alone, money is the owner''s.';
comment on column public.profiles.categories is 'Up to three of the eight (D36); empty for others while the profile is private, or across a block. Never null.';
comment on column public.profiles.role is 'admin or user. Derived from user_roles, which is what decides (DATA-04). Never null.';
comment on column public.profiles.total_earnings is 'Earned after the fee, in cents; null for others, like the columns after it.';
comment on column public.profiles.last_seen_at is 'When the person was last here (SET-19); null when that is hidden.';
CREATE TRIGGER profiles_delete INSTEAD OF DELETE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.refuse_view_change('A profile goes with its account: delete that.');
CREATE TRIGGER profiles_insert INSTEAD OF INSERT ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.insert_profile();
CREATE TRIGGER profiles_update INSTEAD OF UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.update_profile();
grant select on public.profiles to anon;
grant select on public.profiles to authenticated;
grant insert (user_id, username, display_name) on public.profiles to authenticated;
grant update (username, display_name, avatar_url, cover_url, bio, website_url, is_creator, is_private, tiered_access, categories) on public.profiles to authenticated;

create view public.posts as
 SELECT p.id,
    p.creator_id,
    p.title,
        CASE
            WHEN access.can_view THEN p.content
            ELSE "left"(p.content, 100)
        END AS content,
    p.post_type,
        CASE
            WHEN access.can_view THEN p.media_urls
            ELSE '{}'::text[]
        END AS media_urls,
    p.media_types,
    cardinality(p.media_urls) AS media_count,
    p.required_tier_id,
    p.ppv_price,
    p.likes_count,
    p.comments_count,
    p.is_pinned,
    (NOT access.can_view) AS is_locked,
    p.created_at,
        CASE
            WHEN (access.is_own OR p.admin_note_is_public) THEN p.admin_note
            ELSE NULL::text
        END AS admin_note,
    p.admin_note_is_public,
    p.media_previews
   FROM (private.posts p
     CROSS JOIN LATERAL ( SELECT own.is_own,
                CASE
                    WHEN own.is_own THEN true
                    WHEN (p.post_type = 'free'::text) THEN true
                    WHEN (p.post_type = 'subscription'::text) THEN (EXISTS ( SELECT
                       FROM ((public.subscriptions s
                         JOIN public.subscription_products mine ON ((mine.id = s.tier_id)))
                         JOIN public.subscription_products required ON ((required.id = p.required_tier_id)))
                      WHERE ((s.subscriber_id = ( SELECT private.my_profile_id() AS my_profile_id)) AND (s.creator_id = p.creator_id) AND (s.access_until > now()) AND ((mine.id = required.id) OR (private.monthly_cents(mine.price_cents, mine."interval") > private.monthly_cents(required.price_cents, required."interval")) OR (NOT ( SELECT c.tiered_access
                               FROM private.profiles c
                              WHERE (c.id = p.creator_id)))))))
                    ELSE (EXISTS ( SELECT
                       FROM public.purchases b
                      WHERE ((b.buyer_id = ( SELECT private.my_profile_id() AS my_profile_id)) AND (b.post_id = p.id))))
                END AS can_view
           FROM ( SELECT (( SELECT private.is_privileged() AS is_privileged) OR (p.creator_id = ( SELECT private.my_profile_id() AS my_profile_id))) AS is_own) own
         OFFSET 0) access);
alter view public.posts alter column id set default gen_random_uuid();
alter view public.posts alter column post_type set default 'free'::text;
alter view public.posts alter column media_urls set default '{}'::text[];
alter view public.posts alter column media_types set default '{}'::text[];
comment on view public.posts is 'Posts as the viewer may see them. Locked: content is its first 100 characters (POST-11), media_urls is empty, media_types and media_count stay.';
comment on column public.posts.content is 'Whole, or its first 100 characters when is_locked. Never null.';
comment on column public.posts.media_urls is 'Paths in bucket posts; empty when is_locked. Never null.';
comment on column public.posts.media_count is 'How many files the post has, locked or not. Never null.';
comment on column public.posts.ppv_price is 'What a pay-per-view post costs, in cents; null for others.';
comment on column public.posts.likes_count is 'Kept by post_likes. Never null.';
comment on column public.posts.comments_count is 'Kept by comments. Never null.';
comment on column public.posts.is_pinned is 'Shown first on the profile; up to three of a creator. Never null.';
comment on column public.posts.is_locked is 'True when the viewer has to subscribe or buy to see the whole post. Never null.';
comment on column public.posts.admin_note is 'An admin''s note (D28); null when there is none, or when it is not for this viewer.';
comment on column public.posts.admin_note_is_public is 'Whether everybody sees the note. Never null.';
comment on column public.posts.media_previews is 'For each file, locked or not: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS, captions: language tags}; a key is missing while it is not known. Never null.';
grant create on schema public to view_owner; -- asked of a new owner, and of nobody afterwards
alter view public.posts owner to view_owner;
revoke create on schema public from view_owner;
CREATE TRIGGER posts_delete INSTEAD OF DELETE ON public.posts FOR EACH ROW EXECUTE FUNCTION private.delete_post();
CREATE TRIGGER posts_insert INSTEAD OF INSERT ON public.posts FOR EACH ROW EXECUTE FUNCTION private.insert_post();
CREATE TRIGGER posts_update INSTEAD OF UPDATE ON public.posts FOR EACH ROW EXECUTE FUNCTION private.update_post();
grant select on public.posts to anon;
grant delete, select on public.posts to authenticated;
grant insert (id, creator_id, title, content, post_type, media_urls, media_types, required_tier_id, ppv_price) on public.posts to authenticated;
grant update (title, content, is_pinned, admin_note, admin_note_is_public) on public.posts to authenticated;

create view public.messages with (security_barrier=true) as
 SELECT m.id,
    m.sender_id,
    m.recipient_id,
        CASE
            WHEN access.can_read THEN m.body
            ELSE NULL::text
        END AS content,
    m.is_paid,
    m.price,
    m.is_read,
    (NOT access.can_read) AS is_locked,
    m.created_at,
        CASE
            WHEN access.can_read THEN m.media_paths
            ELSE '{}'::text[]
        END AS media_urls,
    m.media_types,
        CASE
            WHEN (cardinality(m.media_paths) = 0) THEN '[]'::jsonb
            ELSE private.message_previews(m.media_paths, (NOT access.can_read))
        END AS media_previews
   FROM (private.messages m
     CROSS JOIN LATERAL ( SELECT ((NOT m.is_paid) OR COALESCE((m.sender_id = ( SELECT private.my_profile_id() AS my_profile_id)), false) OR ( SELECT private.is_service() AS is_service) OR (EXISTS ( SELECT
                   FROM public.message_unlocks u
                  WHERE ((u.message_id = m.id) AND (u.buyer_id = ( SELECT private.my_profile_id() AS my_profile_id)))))) AS can_read
         OFFSET 0) access)
  WHERE (((( SELECT private.my_profile_id() AS my_profile_id) = m.sender_id) OR (( SELECT private.my_profile_id() AS my_profile_id) = m.recipient_id)) OR ( SELECT private.is_service() AS is_service));
alter view public.messages alter column id set default gen_random_uuid();
alter view public.messages alter column is_paid set default false;
alter view public.messages alter column price set default 0;
alter view public.messages alter column media_urls set default '{}'::text[];
alter view public.messages alter column media_types set default '{}'::text[];
comment on view public.messages is 'Messages as their two people may see them. Locked: content is null until the recipient buys it (MSG-07, MSG-09). Admins see no messages of others.';
comment on column public.messages.content is 'The text; null when is_locked.';
comment on column public.messages.price is 'What a paid message costs, in cents; 0 for a free one. Never null.';
comment on column public.messages.is_locked is 'True when the viewer has to buy the message to read it. Never null.';
comment on column public.messages.media_urls is 'Paths in bucket messages; empty when is_locked. Never null.';
comment on column public.messages.media_types is 'image or video, one for each file, also while is_locked. Never null.';
comment on column public.messages.media_previews is 'For each file: {preview: ThumbHash in base64, width, height: pixels, duration: seconds, stream: true when it plays as HLS}; a key is missing while it is not known; while is_locked duration alone. Never null.';
CREATE TRIGGER messages_delete INSTEAD OF DELETE ON public.messages FOR EACH ROW EXECUTE FUNCTION private.refuse_view_change('What was said stays with both people.');
CREATE TRIGGER messages_insert INSTEAD OF INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION private.insert_message();
CREATE TRIGGER messages_update INSTEAD OF UPDATE ON public.messages FOR EACH ROW EXECUTE FUNCTION private.update_message();
grant select on public.messages to authenticated;
grant insert (id, sender_id, recipient_id, content, is_paid, price, media_urls, media_types) on public.messages to authenticated;
grant update (is_read) on public.messages to authenticated;

create policy insert_own on public.bookmarks for insert to authenticated
  with check (((user_id = ( SELECT private.my_profile_id() AS my_profile_id)) AND (EXISTS ( SELECT
   FROM public.posts p
  WHERE (p.id = bookmarks.post_id)))));
create policy select_party on public.message_unlocks for select to authenticated
  using (((buyer_id = ( SELECT private.my_profile_id() AS my_profile_id)) OR (EXISTS ( SELECT
   FROM public.messages m
  WHERE (m.id = message_unlocks.message_id)))));

create or replace function public.search_profiles(search text, page_size integer DEFAULT 20)
returns SETOF public.profiles
language plpgsql stable security definer rows 20
set search_path = ''
 SET enable_seqscan TO 'off'
as $$
declare
  v_pattern text := private.like_pattern(search);
  v_size int := least(greatest(page_size, 0), 100);
  v_page uuid[] := '{}';
begin
  if private.trimmed(search) is null then
    return;
  end if;
  -- A thousand of the best known at a time, as long as four thousand would fill the page at that rate.
  for v_turn in 0..3 loop
    v_page := v_page || array(
      select k.id
      from (
        select p.id, p.username, p.display_name, p.reach from private.profiles p
        order by p.reach desc, p.username limit 1000 offset v_turn * 1000
      ) k
      where k.username ilike v_pattern or k.display_name ilike v_pattern
      order by k.reach desc, k.username limit v_size - cardinality(v_page)
    );
    exit when cardinality(v_page) = v_size or cardinality(v_page) * 4 < v_size * (v_turn + 1);
  end loop;
  -- One or two letters make no trigram; they stand in enough of the known names.
  if cardinality(v_page) < v_size and length(private.trimmed(search)) >= 3 then
    with found as materialized (
      select p.id, p.username, p.reach from private.profiles p where p.username ilike v_pattern or p.display_name ilike v_pattern limit 200
    )
    select array(
      select f.id from (select f.* from found f union select p.id, p.username, p.reach from private.profiles p where p.id = any (v_page)) f
      order by f.reach desc, f.username limit v_size
    ) into v_page;
  end if;
  return query
    select v.*
    from unnest(v_page) with ordinality page (id, place)
    cross join lateral (select p.* from public.profiles p where p.id = page.id offset 0) v
    order by page.place;
end;
$$;
comment on function public.search_profiles(text,integer) is 'People whose username or display name holds the text, in any letter case, the best known first (SRCH-04). Of a name that few of the best known bear, at most 200 bearers are considered; one or two letters are looked for among the best known alone.';
grant execute on function public.search_profiles(text,integer) to anon, authenticated, service_role;

create or replace function public.get_feed(page_size integer DEFAULT 20, before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
returns SETOF public.posts
language plpgsql stable security definer rows 20
set search_path = ''
as $$
declare
  v_viewer uuid := private.my_profile_id();
  v_size int := least(greatest(page_size, 0), 100);
  v_before timestamptz := coalesce(before, 'infinity');
  v_before_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_page uuid[] := '{}';
begin
  if (select count(*) from (select from public.follows f where f.follower_id = v_viewer limit 51) followed) > 50 then
    v_page := private.feed_by_time(v_viewer, v_before, v_before_id, v_size);
  end if;
  -- Few followed, or they have been silent for long.
  if cardinality(v_page) < v_size then
    v_page := private.feed_by_creator(v_viewer, v_before, v_before_id, v_size);
  end if;
  return query
    select v.*
    from unnest(v_page) with ordinality page (id, place)
    join public.posts v on v.id = page.id
    order by page.place;
end;
$$;
comment on function public.get_feed(integer,timestamp with time zone,uuid) is 'The home feed (HOME-04): posts of followed creators and one''s own, newest first. The next page: before and before_id of the last row.';
grant execute on function public.get_feed(integer,timestamp with time zone,uuid) to authenticated, service_role;

create or replace function public.get_thread(other_id uuid, page_size integer DEFAULT 30, before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
returns SETOF public.messages
language sql stable security definer
set search_path = ''
as $$
  with start as (
    select private.my_profile_id() as me, coalesce(before, 'infinity') as at,
      coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id, least(greatest(page_size, 0), 100) as size
  ), page as (
    select either.id, either.created_at
    from start
    cross join lateral (
      (
        select s.id, s.created_at from private.messages s
        where s.sender_id = start.me and s.recipient_id = get_thread.other_id and (s.created_at, s.id) < (start.at, start.id)
        order by s.created_at desc, s.id desc limit start.size
      )
      union all
      (
        select r.id, r.created_at from private.messages r
        where r.sender_id = get_thread.other_id and r.recipient_id = start.me and (r.created_at, r.id) < (start.at, start.id)
        order by r.created_at desc, r.id desc limit start.size
      )
    ) either
    order by either.created_at desc, either.id desc
    limit (select start.size from start)
  )
  select m.*
  from page
  cross join lateral (select v.* from public.messages v where v.id = page.id offset 0) m
  order by page.created_at desc, page.id desc;
$$;
comment on function public.get_thread(uuid,integer,timestamp with time zone,uuid) is 'The caller''s messages with one other person, newest first (MSG-04). The next page: before and before_id take created_at and id of the last row.';
grant execute on function public.get_thread(uuid,integer,timestamp with time zone,uuid) to authenticated, service_role;

create or replace function private.require_publishable(p_creator uuid, p_content text, p_post_type text, p_media_urls text[], p_media_types text[], p_tier uuid, p_price integer)
returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and p_creator is distinct from private.my_profile_id() then
    raise exception 'One posts as oneself only' using errcode = '42501';
  elsif not private.is_approved_creator(p_creator) then
    raise exception 'Only approved creators can publish posts' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif p_content !~ '\S' and cardinality(p_media_urls) = 0 then
    raise exception 'Please add some content or upload files' using errcode = '23514', constraint = 'posts_content_or_media';
  elsif cardinality(p_media_urls) <> cardinality(p_media_types) then
    raise exception 'media_types must have one entry for each of media_urls' using errcode = '23514', constraint = 'posts_media_pairs';
  elsif p_post_type = 'subscription' and not exists (
    select from public.subscription_products t where t.id = p_tier and t.creator_id = p_creator and t.is_active
  ) then
    raise exception 'A subscription post needs one of your active subscription products' using errcode = '23514', constraint = 'posts_subscription_has_tier';
  elsif p_post_type = 'ppv' and coalesce(p_price < 100, true) then
    raise exception 'A pay-per-view post costs at least $1.00' using errcode = '23514', constraint = 'posts_ppv_price_range';
  end if;
  perform private.require_own_media(p_creator, p_media_urls, p_media_types);
end;
$$;
comment on function private.require_publishable(uuid,text,text,text[],text[],uuid,integer) is 'Approved creators, as themselves, with their own plan and files (GEN-41, D25, POST-21, POST-22, D26).';
grant execute on function private.require_publishable(uuid,text,text,text[],text[],uuid,integer) to service_role;

create or replace function public.message_subscribers(content text, price integer DEFAULT 0, subscriber_group text DEFAULT 'current'::text)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_price int := coalesce(price, 0);
  v_group text := coalesce(subscriber_group, 'current');
begin
  -- One at a time: two windows, or two presses, are one message.
  perform from private.profiles p where p.id = v_me for no key update;
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can write to their subscribers' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif coalesce(content, '') !~ '\S' then
    raise exception 'A message cannot be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(content) > 5000 then
    raise exception 'A message has at most 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif v_price <> 0 and v_price not between 100 and 999999 then
    raise exception 'A paid message costs from $1.00 to $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif v_group not in ('all', 'current', 'ending', 'past') then
    raise exception 'subscriber_group is all, current, ending or past' using errcode = '22023';
  elsif exists (select from private.group_messages g where g.creator_id = v_me and g.finished_at is null) then
    raise sqlstate 'PT409' using message = 'Your last message to a group is still on its way', hint = 'Try again in a moment.';
  end if;
  insert into private.group_messages (creator_id, subscriber_group, body, price) values (v_me, v_group, content, v_price);
  return (select count(*)::int from private.subscribers_in_group(v_me, v_group));
end;
$$;
comment on function public.message_subscribers(text,integer,text) is 'Writes to each of the caller''s subscribers in a group, free (price 0) or to be unlocked for price in cents. It is sent within a minute, to those who take messages. Returns how many are in the group.';
grant execute on function public.message_subscribers(text,integer,text) to authenticated, service_role;

create or replace function private.count_daily_earning()
returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.daily_earnings as d (creator_id, day, source, gross_cents, net_cents, payments)
  values (new.to_user_id, (new.created_at at time zone 'UTC')::date, private.earning_source(new), new.amount, new.net_amount,
    case new.transaction_type when 'refund' then 0 else 1 end)
  on conflict (creator_id, day, source) do update set
    gross_cents = d.gross_cents + excluded.gross_cents, net_cents = d.net_cents + excluded.net_cents, payments = d.payments + excluded.payments;
  return null;
end;
$$;

create or replace function private.count_post_earning()
returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.post_earnings as e (post_id, purchases, net_cents)
  values (new.post_id, private.is_standing_purchase(new.transaction_type, new.status)::int, new.net_amount)
  on conflict (post_id) do update set purchases = e.purchases + excluded.purchases, net_cents = e.net_cents + excluded.net_cents;
  return null;
end;
$$;

create or replace function private.credit_commission()
returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_referral public.referrals;
  v_cents bigint;
  v_ledger uuid;
begin
  select * into v_referral from public.referrals r
  where r.referred_id = new.to_user_id and r.status <> 'pending' and new.created_at < r.completed_at + interval '6 months'
  for update;
  v_cents := least(round(new.net_amount * 0.05), new.fee_amount, 75000 - v_referral.commission_amount);
  if v_referral.id is null or v_cents < 1 then
    return null;
  end if;
  v_ledger := private.post_ledger('commission:' || new.id, 'referral_commission', new.currency, new.created_at,
    jsonb_build_object('platform_fees', v_cents, 'creator:' || v_referral.referrer_id, -v_cents));
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_referral.referrer_id, 'referral_commission', v_cents, new.currency, new.id, v_ledger, new.created_at);
  update public.referrals set commission_amount = commission_amount + v_cents where id = v_referral.id;
  return null;
end;
$$;

create or replace function private.credit_rewards(p_referrer uuid)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_ten uuid[];
  v_ledger uuid;
  v_id uuid;
  v_rewards int := 0;
begin
  perform private.lock_books();
  loop
    select array_agg(ten.id) into v_ten from (
      select r.id from public.referrals r where r.referrer_id = p_referrer and r.status = 'completed'
      order by r.completed_at, r.id limit 10 for update
    ) ten;
    exit when coalesce(cardinality(v_ten), 0) < 10;
    v_ledger := private.post_ledger('reward:' || v_ten[10], 'referral_reward', 'usd', now(),
      jsonb_build_object('platform_fees', 1000, 'creator:' || p_referrer, -1000));
    insert into public.transactions (to_user_id, transaction_type, amount, ledger_transaction_id, created_at)
    values (p_referrer, 'referral_reward', 1000, v_ledger, now())
    returning id into v_id;
    update public.referrals set status = 'paid', paid_at = now(), reward_amount = 100 where id = any(v_ten);
    perform private.notify(p_referrer, 'payment', 'Referral reward', 'Ten people you invited became creators. You earned $10.00.',
      jsonb_build_object('transaction_id', v_id));
    v_rewards := v_rewards + 1;
  end loop;
  return v_rewards;
end;
$$;

create or replace function private.fail_refund(p_cause text)
returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_refund public.transactions;
  v_amount text;
begin
  update public.transactions t set status = 'failed'
  where t.id = private.transaction_by_cause(p_cause) and t.transaction_type = 'refund' and t.status <> 'failed'
  returning * into v_refund;
  if v_refund.id is null then
    return false;
  end if;
  -- Where its money lies is the provider's to say and an operator's to settle: access and books stay.
  insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
  values (p_cause, 'amount', 0, -v_refund.amount) on conflict on constraint payment_differences_once do nothing;
  v_amount := private.dollars(-v_refund.amount);
  perform private.notify(p.id, 'payment', 'Refund failed',
    case p.id
      when v_refund.to_user_id then 'Your refund of ' || v_amount || ' to ' || coalesce(private.name_of(v_refund.from_user_id), 'a former member')
        || ' was turned down by the bank. We settle it; there is nothing that you need to do.'
      else 'The refund of ' || v_amount || ' from ' || coalesce(private.name_of(v_refund.to_user_id), 'a former creator')
        || ' was turned down by your bank. Write to support, so that it reaches you another way.'
    end,
    jsonb_build_object('transaction_id', v_refund.id))
  from private.profiles p where p.id in (v_refund.from_user_id, v_refund.to_user_id);
  return true;
end;
$$;

create or replace function private.follow_refund()
returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_first public.transactions;
  v_held bigint;
  v_due bigint;
  v_room bigint;
  v_ledger uuid;
begin
  select * into v_first from public.transactions t
  where t.original_transaction_id = new.id and t.transaction_type = 'referral_commission' order by t.amount desc limit 1;
  if v_first.to_user_id is null then -- no commission, or its receiver is gone: the platform bears it
    return null;
  end if;
  select sum(t.amount) into v_held from public.transactions t
  where t.original_transaction_id = new.id and t.transaction_type = 'referral_commission';
  select 75000 - r.commission_amount into v_room from public.referrals r where r.referred_id = new.to_user_id for update;
  v_due := v_first.amount
    - private.share_of(v_first.amount, new.amount, new.refunded_amount) - v_held;
  v_due := least(v_due, coalesce(v_room, v_due));
  if v_due = 0 then
    return null;
  end if;
  -- Named by what the payment has lost, so that the same step is one movement, and another step another.
  v_ledger := private.post_ledger(
    'commission:' || new.id || ':' || (select count(*) from public.transactions t where t.original_transaction_id = new.id and t.transaction_type = 'referral_commission'),
    'referral_commission', new.currency, now(), jsonb_build_object('platform_fees', v_due, 'creator:' || v_first.to_user_id, -v_due));
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_first.to_user_id, 'referral_commission', v_due, new.currency, new.id, v_ledger, now());
  update public.referrals set commission_amount = commission_amount + v_due where referred_id = new.to_user_id;
  return null;
end;
$$;

create or replace function private.insert_message()
returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_message private.messages;
begin
  new.price := coalesce(new.price, 0);
  new.is_paid := coalesce(new.is_paid, false) and new.price <> 0; -- a price of 0 sends a free message (D27)
  new.media_urls := coalesce(new.media_urls, '{}');
  new.media_types := coalesce(new.media_types, '{}');
  if not private.is_service() and new.sender_id is distinct from private.my_profile_id() then
    raise exception 'One writes as oneself only' using errcode = '42501';
  elsif new.sender_id = new.recipient_id then
    raise exception 'You cannot send a message to yourself' using errcode = '23514', constraint = 'messages_not_self';
  elsif coalesce(new.content, '') !~ '\S' and cardinality(new.media_urls) = 0 then
    raise exception 'A message cannot be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(new.content) > 5000 then
    raise exception 'A message has at most 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif cardinality(new.media_urls) <> cardinality(new.media_types) then
    raise exception 'media_types must have one entry for each of media_urls' using errcode = '23514', constraint = 'messages_media_pairs';
  elsif cardinality(new.media_urls) > 10 then
    raise exception 'A message holds up to 10 files' using errcode = '23514', constraint = 'messages_media_at_most_ten';
  elsif not new.is_paid and new.price <> 0 then
    raise exception 'Only a paid message has a price' using errcode = '23514', constraint = 'messages_price_range';
  elsif new.is_paid and not private.is_approved_creator(new.sender_id) then
    raise exception 'Only approved creators can send paid messages' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif new.is_paid and new.price not between 100 and 999999 then
    raise exception 'A paid message costs from $1.00 to $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif not exists (select from private.profiles p where p.id = new.recipient_id) then
    raise sqlstate 'PT404' using message = 'There is no such person to write to';
  elsif not private.accepts_messages(new.recipient_id, new.sender_id) then
    raise sqlstate 'PT403' using message = 'This person does not accept messages from you'; -- the same words for settings and blocks
  end if;
  perform private.require_message_media(new.sender_id, new.media_urls, new.media_types);
  insert into private.messages (id, sender_id, recipient_id, body, is_paid, price, media_paths, media_types)
  values (coalesce(new.id, gen_random_uuid()), new.sender_id, new.recipient_id, coalesce(new.content, ''), new.is_paid, new.price,
    new.media_urls, new.media_types)
  returning * into v_message;
  select v.* into new from public.messages v where v.id = v_message.id;
  return new;
end;
$$;

create or replace function private.letters_to_send()
returns SETOF private.letter_to_send
language sql stable security definer
set search_path = ''
as $$
  select l.id, l.kind,
    -- Nothing goes to an address that nobody has confirmed, or to a person who wants no mail (SET-16).
    case when u.email_confirmed_at is not null and settings.email then u.email end,
    f.username, private.name_of(coalesce(t.to_user_id, s.creator_id)), p.name, p.price_cents, p.interval,
    coalesce(original.transaction_type, t.transaction_type), abs(t.amount), t.created_at, t.reason,
    s.current_period_end, case when isfinite(s.access_until) then s.access_until end
  from private.payment_letters l
  join private.profiles f on f.id = l.profile_id
  join auth.users u on u.id = f.user_id
  join private.user_settings settings on settings.user_id = f.id
  left join public.transactions t on t.id = l.transaction_id
  left join public.transactions original on original.id = t.original_transaction_id
  left join public.subscriptions s on s.id = l.subscription_id
  left join public.subscription_products p on p.id = coalesce(s.tier_id, t.product_id)
  where l.sent_at is null and l.attempts < 10
  order by l.attempts, l.id limit 200;
$$;

create or replace function private.move_refund(p_payment public.transactions, p_refunded_cents bigint, p_cause text, p_occurred_at timestamp with time zone, p_reason text)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_gross bigint := p_payment.amount;
  v_fee bigint := p_payment.fee_amount;
  v_before bigint := p_payment.refunded_amount;
  v_back bigint := p_refunded_cents - v_before;
  v_fee_back bigint := private.share_of(v_fee, v_gross, p_refunded_cents) - private.share_of(v_fee, v_gross, v_before);
  v_creator text;
  v_ledger uuid;
  v_id uuid;
begin
  -- From the books, not from the transaction: the creator's account may be deleted, and the balance is the creator's all the same.
  select a.code into v_creator
  from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id
  where e.transaction_id = p_payment.ledger_transaction_id and a.code like 'creator:%';
  v_ledger := private.post_ledger(p_cause, 'refund', p_payment.currency, p_occurred_at, jsonb_build_object(
    'stripe', -v_back,
    'platform_fees', v_fee_back,
    v_creator, v_back - v_fee_back
  ));
  if v_ledger is null then
    return private.transaction_by_cause(p_cause);
  end if;
  insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, fee_amount, currency, product_id, post_id, message_id,
    subscription_id, original_transaction_id, ledger_transaction_id, reason, created_at)
  values (p_payment.from_user_id, p_payment.to_user_id, 'refund', -v_back, -v_fee_back, p_payment.currency,
    p_payment.product_id, p_payment.post_id, p_payment.message_id, p_payment.subscription_id, p_payment.id, v_ledger, private.trimmed(p_reason), p_occurred_at)
  returning id into v_id;
  update public.transactions set refunded_amount = p_refunded_cents where id = p_payment.id;
  return v_id;
end;
$$;

create or replace function private.owed_for_referrals(p_profile uuid)
returns bigint
language sql stable security definer
set search_path = ''
as $$
  select coalesce((
      select sum(t.amount) from public.transactions t
      where t.to_user_id = p_profile and t.transaction_type in ('referral_reward', 'referral_commission')
    ), 0)::bigint
    - coalesce((select sum(r.amount_cents) from private.referral_transfers r where r.profile_id = p_profile), 0)::bigint;
$$;

create or replace function private.post_dispute(p_dispute text, p_transaction uuid, p_amount_cents bigint, p_status text, p_occurred_at timestamp with time zone)
returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions := private.payment_to_refund(p_transaction);
  v_left bigint := v_payment.amount - v_payment.refunded_amount;
  v_dispute private.payment_disputes;
  v_returned uuid;
begin
  if coalesce(p_status not in ('open', 'won', 'lost'), true) or coalesce(p_amount_cents < 1, true) then
    raise exception 'A dispute is open, won or lost, over at least a cent' using errcode = '22023';
  end if;
  select * into v_dispute from private.payment_disputes d where d.id = p_dispute;
  if v_dispute.id is null then
    insert into private.payment_disputes (id, transaction_id, amount_cents, opened_at)
    values (p_dispute, p_transaction, least(p_amount_cents, v_left), p_occurred_at)
    returning * into v_dispute;
    if p_amount_cents > v_left then
      insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
      values (p_dispute, 'dispute', v_left, p_amount_cents) on conflict on constraint payment_differences_once do nothing;
    end if;
    if v_dispute.amount_cents > 0 then
      perform private.tell_of_return(v_payment,
        private.move_refund(v_payment, v_payment.refunded_amount + v_dispute.amount_cents, p_dispute, p_occurred_at, 'Disputed with the bank'),
        'Payment disputed', 'disputed');
      insert into private.payment_tasks (kind, target, transaction_id, amount_cents, reason)
      values ('take_back_transfer', p_dispute, p_transaction, v_dispute.amount_cents, 'The payment was disputed.')
      on conflict (kind, target) do nothing;
    end if;
    perform private.withdraw_access(v_payment, 'The payment was disputed.');
    select * into v_payment from public.transactions t where t.id = p_transaction;
  elsif v_dispute.transaction_id <> p_transaction then
    raise exception 'This dispute is about another payment' using errcode = '22023';
  end if;
  if v_dispute.status = 'open' and p_status <> 'open' then
    update private.payment_disputes set status = p_status, closed_at = greatest(p_occurred_at, opened_at) where id = p_dispute;
    if p_status = 'won' then
      if v_dispute.amount_cents > 0 then
        v_returned := private.move_refund(v_payment, v_payment.refunded_amount - v_dispute.amount_cents, p_dispute || ':won', p_occurred_at, 'Dispute won');
        insert into private.payment_tasks (kind, target, transaction_id, amount_cents, reason)
        select 'return_transfer', p_dispute, p_transaction, t.net_amount, 'The dispute was won.'
        from public.transactions t where t.id = v_returned and t.net_amount > 0
        on conflict (kind, target) do nothing;
      end if;
      perform private.notify(c.id, 'payment', 'Dispute won',
        'The bank decided for you: ' || private.dollars(v_dispute.amount_cents) || ' came back.', jsonb_build_object('transaction_id', p_transaction))
      from private.profiles c where c.id = v_payment.to_user_id;
      perform private.judge_transaction(p_transaction);
      perform private.restore_access(t) from public.transactions t where t.id = p_transaction and t.refunded_amount < t.amount;
    end if;
  end if;
  perform private.judge_transaction(p_transaction);
end;
$$;

create or replace function private.post_message_unlock(p_cause text, p_buyer uuid, p_creator uuid, p_message uuid, p_gross_cents bigint, p_fee_cents bigint, p_currency text, p_occurred_at timestamp with time zone)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
begin
  select * into v_payment from private.post_payment(
    'paid_message', p_cause, p_buyer, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  update public.transactions t set message_id = m.id from private.messages m where t.id = v_payment.transaction_id and m.id = p_message;
  if not private.open_message(p_buyer, p_message, v_payment.transaction_id) then
    -- Paid twice from two screens, or the message went while the card was being charged: there is nothing to hand out.
    perform private.request_refund(v_payment.transaction_id, 'The payment opened nothing: the message was bought already or is gone.');
    return v_payment.transaction_id;
  end if;
  perform private.notify(
    p_creator, 'payment', 'Message unlocked',
    (select coalesce(b.display_name, b.username) from private.profiles b where b.id = p_buyer)
      || ' unlocked your message. You earned ' || private.dollars(p_gross_cents - p_fee_cents) || '.',
    jsonb_build_object('profile_id', p_buyer, 'message_id', p_message, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;

create or replace function private.post_payment(p_type text, p_cause text, p_payer uuid, p_creator uuid, p_gross_cents bigint, p_fee_cents bigint, p_currency text, p_occurred_at timestamp with time zone, p_product uuid DEFAULT NULL::uuid, p_post uuid DEFAULT NULL::uuid, p_subscription uuid DEFAULT NULL::uuid)
returns TABLE(transaction_id uuid, is_new boolean)
language plpgsql security definer set search_path = ''
as $$
declare
  v_ledger uuid;
begin
  if p_gross_cents is null or p_fee_cents is null or p_gross_cents <= 0 or p_fee_cents < 0 or p_fee_cents >= p_gross_cents then
    raise exception 'A payment of % cents with a fee of % cents makes no sense', p_gross_cents, p_fee_cents using errcode = '22023';
  elsif p_type not in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') or p_creator is null then
    raise exception 'A payment goes from a fan to a creator for something that is sold' using errcode = '22023';
  end if;
  v_ledger := private.post_ledger(p_cause, p_type, p_currency, p_occurred_at, jsonb_build_object(
    'stripe', p_gross_cents,
    'platform_fees', -p_fee_cents,
    'creator:' || p_creator, p_fee_cents - p_gross_cents
  ));
  if v_ledger is null then
    return query select private.transaction_by_cause(p_cause), false;
    return;
  end if;
  return query
    insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, fee_amount, currency, product_id, post_id,
      subscription_id, ledger_transaction_id, created_at)
    values (
      (select p.id from private.profiles p where p.id = p_payer),
      (select p.id from private.profiles p where p.id = p_creator),
      p_type, p_gross_cents, p_fee_cents, p_currency, p_product,
      (select p.id from private.posts p where p.id = p_post),
      p_subscription, v_ledger, p_occurred_at
    )
    returning id, true;
end;
$$;

create or replace function private.post_payout(p_cause text, p_creator uuid, p_amount_cents bigint, p_currency text, p_occurred_at timestamp with time zone)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_balance bigint;
  v_ledger uuid;
  v_id uuid;
begin
  if coalesce(p_amount_cents < 1, true) or p_creator is null then
    raise exception 'A payout is of at least a cent, to a creator' using errcode = '22023';
  end if;
  perform private.lock_books();
  v_balance := private.balance_of(p_creator);
  v_ledger := private.post_ledger(p_cause, 'payout', p_currency, p_occurred_at,
    jsonb_build_object('creator:' || p_creator, p_amount_cents, 'stripe', -p_amount_cents));
  if v_ledger is null then
    return private.transaction_by_cause(p_cause);
  end if;
  if p_amount_cents > v_balance then -- the account may earn elsewhere as well: the money left, so it is booked, and noted
    insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
    values (p_cause, 'payout', v_balance, p_amount_cents) on conflict on constraint payment_differences_once do nothing;
  end if;
  insert into public.transactions (to_user_id, transaction_type, amount, currency, ledger_transaction_id, created_at)
  values ((select p.id from private.profiles p where p.id = p_creator), 'payout', p_amount_cents, p_currency, v_ledger, p_occurred_at)
  returning id into v_id;
  perform private.notify(p.id, 'payment', 'Payout sent', private.dollars(p_amount_cents) || ' is on its way to your bank.',
    jsonb_build_object('transaction_id', v_id))
  from private.profiles p where p.id = p_creator;
  return v_id;
end;
$$;

create or replace function private.post_payout_return(p_cause text, p_payout uuid, p_occurred_at timestamp with time zone)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payout public.transactions;
  v_account text;
  v_ledger uuid;
  v_id uuid;
begin
  perform private.lock_books();
  select * into v_payout from public.transactions t where t.id = p_payout and t.transaction_type = 'payout' and t.amount > 0 for no key update;
  if v_payout.id is null then
    raise sqlstate 'PT404' using message = 'Payout not found';
  elsif v_payout.status = 'refunded' then -- a payout comes back once, whatever the second event is called
    return (select t.id from public.transactions t where t.original_transaction_id = p_payout);
  end if;
  select a.code into v_account
  from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id
  where e.transaction_id = v_payout.ledger_transaction_id and a.code like 'creator:%';
  v_ledger := private.post_ledger(p_cause, 'payout', v_payout.currency, p_occurred_at,
    jsonb_build_object(v_account, -v_payout.amount, 'stripe', v_payout.amount));
  if v_ledger is null then
    raise exception 'This cause is another movement''s' using errcode = '22023';
  end if;
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_payout.to_user_id, 'payout', -v_payout.amount, v_payout.currency, p_payout, v_ledger, p_occurred_at)
  returning id into v_id;
  update public.transactions set status = 'refunded', refunded_amount = amount where id = p_payout;
  perform private.notify(p.id, 'payment', 'Payout returned',
    'Your bank did not take ' || private.dollars(v_payout.amount) || '. Check your bank details.', jsonb_build_object('transaction_id', v_id))
  from private.profiles p where p.id = v_payout.to_user_id;
  return v_id;
end;
$$;

create or replace function private.post_refund(p_cause text, p_transaction uuid, p_amount_cents bigint, p_occurred_at timestamp with time zone, p_reason text DEFAULT NULL::text, p_admin uuid DEFAULT NULL::uuid)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions := private.payment_to_refund(p_transaction);
  v_known uuid := private.transaction_by_cause(p_cause);
  v_left bigint := v_payment.amount - v_payment.refunded_amount;
  v_amount bigint := coalesce(p_amount_cents, v_left);
  v_id uuid;
begin
  if v_known is not null then
    return v_known;
  elsif v_amount < 1 or v_amount > v_left then
    raise exception 'A refund of % is more than the % that are left of the payment, or nothing', private.dollars(v_amount), private.dollars(v_left)
      using errcode = '22023';
  end if;
  v_id := private.move_refund(v_payment, v_payment.refunded_amount + v_amount, p_cause, p_occurred_at, p_reason);
  perform private.judge_transaction(v_payment.id);
  if v_amount = v_left then
    perform private.withdraw_access(v_payment, 'The payment was refunded.');
    insert into private.payment_tasks (kind, target, transaction_id, reason)
    select 'take_back_rest', p_cause, v_payment.id, 'The payment was refunded after its dispute was won.'
    where exists (select from private.payment_disputes d where d.transaction_id = v_payment.id and d.status = 'won')
    on conflict (kind, target) do nothing;
  end if;
  if p_admin is not null then
    perform private.write_audit('refund_payment', 'transactions', v_payment.id, jsonb_build_object('status', v_payment.status),
      jsonb_build_object('status', t.status), jsonb_build_object('reason', p_reason), p_admin)
    from public.transactions t where t.id = v_payment.id;
  end if;
  perform private.tell_of_return(v_payment, v_id, 'Refund', 'was refunded');
  return v_id;
end;
$$;

create or replace function private.quote_message(p_buyer uuid, p_message uuid)
returns private.quote
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_message private.messages;
  v_creator private.profiles;
begin
  select * into v_message from private.messages m where m.id = p_message and m.recipient_id = p_buyer and m.is_paid;
  if v_message.id is null then
    raise sqlstate 'PT404' using message = 'Message not found';
  elsif exists (select from public.message_unlocks u where u.message_id = p_message and u.buyer_id = p_buyer) then
    raise sqlstate 'PT409' using message = 'You have already unlocked this message';
  end if;
  v_creator := private.require_payable(p_buyer, v_message.sender_id);
  return (v_creator.id, v_creator.stripe_account_id, v_message.price, 'Message from ' || private.name_of(v_creator.id))::private.quote;
end;
$$;

create or replace function private.quote_purchase(p_buyer uuid, p_post uuid)
returns private.quote
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_post private.posts;
  v_creator private.profiles;
begin
  select * into v_post from private.posts p where p.id = p_post and p.post_type = 'ppv';
  if v_post.id is null then
    raise sqlstate 'PT404' using message = 'Post not found';
  elsif exists (select from public.purchases b where b.buyer_id = p_buyer and b.post_id = p_post) then
    raise sqlstate 'PT409' using message = 'You have already bought this post';
  end if;
  v_creator := private.require_payable(p_buyer, v_post.creator_id);
  return (v_creator.id, v_creator.stripe_account_id, v_post.ppv_price, coalesce(v_post.title, 'Post by ' || private.name_of(v_creator.id)))::private.quote;
end;
$$;

create or replace function private.quote_tip(p_fan uuid, p_creator uuid, p_cents bigint)
returns private.quote
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_creator private.profiles;
  v_settings public.monetization_settings;
begin
  perform private.require_tip_amount(p_cents);
  v_creator := private.require_payable(p_fan, p_creator);
  select * into v_settings from public.monetization_settings s where s.creator_id = p_creator;
  if not v_settings.takes_tips then
    raise sqlstate 'PT409' using message = 'This creator does not take tips';
  elsif p_cents < v_settings.tip_min_cents then
    raise sqlstate 'PT400' using message = 'The smallest tip to this creator is ' || private.dollars(v_settings.tip_min_cents);
  end if;
  return (v_creator.id, v_creator.stripe_account_id, p_cents::int, 'Tip for ' || private.name_of(v_creator.id))::private.quote;
end;
$$;

create or replace function private.tell_of_return(p_payment public.transactions, p_refund uuid, p_title text, p_verb text)
returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_refund public.transactions;
begin
  select * into v_refund from public.transactions t where t.id = p_refund;
  perform private.notify(p.id, 'payment', p_title,
    case p.id
      when p_payment.to_user_id then coalesce(private.name_of(p_payment.from_user_id), 'A former member') || ' ' || p_verb || ' '
        || private.dollars(-v_refund.amount) || '. Your earnings went down by ' || private.dollars(-v_refund.net_amount) || '.'
      else private.dollars(-v_refund.amount) || ' of your payment to '
        || coalesce(private.name_of(p_payment.to_user_id), 'a former creator') || ' went back to you.'
    end,
    jsonb_build_object('transaction_id', p_refund))
  from private.profiles p where p.id in (p_payment.from_user_id, p_payment.to_user_id);
end;
$$;

create or replace function private.verify_basic_counters()
returns TABLE(profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer
set search_path = ''
as $$
  select p.id, c.counter, c.kept, c.counted
  from private.profiles p
  cross join lateral (values
    ('followers_count', p.followers_count::numeric, (select count(*) from public.follows f where f.following_id = p.id)::numeric),
    ('following_count', p.following_count, (select count(*) from public.follows f where f.follower_id = p.id)),
    ('total_posts', p.total_posts, (select count(*) from private.posts o where o.creator_id = p.id)),
    ('total_photos', p.total_photos, (select count(*) from private.post_media m join private.posts o on o.id = m.post_id where o.creator_id = p.id and m.media_type = 'image')),
    ('total_videos', p.total_videos, (select count(*) from private.post_media m join private.posts o on o.id = m.post_id where o.creator_id = p.id and m.media_type = 'video')),
    ('likes_received', p.likes_received, (select count(*) from public.post_likes l join private.posts o on o.id = l.post_id where o.creator_id = p.id)),
    ('subscribers_count', p.subscribers_count, (select count(*) from public.subscriptions s where s.creator_id = p.id and s.status in ('active', 'trial', 'past_due'))),
    ('total_earnings', p.total_earnings, coalesce((select -sum(e.amount_cents) from private.ledger_entries e
      join private.ledger_accounts a on a.id = e.account_id join private.ledger_transactions t on t.id = e.transaction_id
      where a.code = 'creator:' || p.id and t.type <> 'payout'), 0)),
    ('posts.likes_count', (select sum(o.likes_count) from private.posts o where o.creator_id = p.id),
      (select count(l.id) from private.posts o left join public.post_likes l on l.post_id = o.id where o.creator_id = p.id)),
    ('posts.comments_count', (select sum(o.comments_count) from private.posts o where o.creator_id = p.id),
      (select count(k.id) from private.posts o left join public.comments k on k.post_id = o.id where o.creator_id = p.id))
  ) as c (counter, kept, counted)
  where coalesce(c.kept, 0) <> coalesce(c.counted, 0);
$$;

create or replace function private.verify_booked_money()
returns TABLE(subject text, problem text)
language sql stable security definer
set search_path = ''
as $$
  -- Each transaction against its movement.
  select t.id::text, 'does not say what the ledger says'
  from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
  cross join lateral (
    select coalesce(sum(e.amount_cents) filter (where a.code = 'stripe'), 0) as at_provider,
      coalesce(sum(e.amount_cents) filter (where a.code = 'platform_fees'), 0) as fees,
      coalesce(sum(e.amount_cents) filter (where a.code like 'creator:%'), 0) as creator
    from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id where e.transaction_id = l.id
  ) booked
  where t.transaction_type <> l.type or t.currency <> l.currency or t.created_at <> l.occurred_at or case
    when t.transaction_type = 'payout' then (booked.at_provider, booked.fees, booked.creator) <> (-t.amount, 0, t.amount)
    when t.transaction_type in ('referral_reward', 'referral_commission') then (booked.at_provider, booked.fees, booked.creator) <> (0, t.amount, -t.amount)
    else (booked.at_provider, booked.fees, booked.creator) <> (t.amount, -t.fee_amount, -t.net_amount)
  end
  union all
  select l.cause, 'stands in the ledger and in no transaction'
  from private.ledger_transactions l where not exists (select from public.transactions t where t.ledger_transaction_id = l.id)
  union all
  -- Each balance: what the transactions add up to is what the ledger holds.
  select 'creator:' || p.id, 'has another balance by transactions than by the ledger'
  from private.profiles p
  where private.balance_of(p.id) <> coalesce((
    select sum(case t.transaction_type when 'payout' then -t.amount else t.net_amount end) from public.transactions t where t.to_user_id = p.id
  ), 0)
  union all
  -- Refunds: what went back is what the payment says, never more than it was, and the fee in its proportion.
  select t.id::text, 'does not agree with its refunds'
  from public.transactions t
  left join lateral (
    select -sum(r.amount) as amount, -sum(r.fee_amount) as fee from public.transactions r
    where r.original_transaction_id = t.id and r.transaction_type = case t.transaction_type when 'payout' then 'payout' else 'refund' end
  ) back on true
  where t.amount > 0 and t.original_transaction_id is null and (
    t.refunded_amount <> coalesce(back.amount, 0) or t.refunded_amount > t.amount
    or coalesce(back.fee, 0) <> private.share_of(t.fee_amount, t.amount, t.refunded_amount)
  )
  union all
  select t.id::text, 'has a status that its history does not bear out'
  from public.transactions t
  where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') and t.status <> case
    when exists (select from private.payment_disputes d where d.transaction_id = t.id and d.status = 'open') then 'disputed'
    when t.refunded_amount = t.amount then 'refunded'
    when t.refunded_amount > 0 then 'partially_refunded'
    else 'completed'
  end
  union all
  -- Commissions: never more than the fee they come from, as much as the referral says, and no more than the cap.
  select t.id::text, 'earned more commission than is left of its fee'
  from public.transactions t
  join public.transactions c on c.original_transaction_id = t.id and c.transaction_type = 'referral_commission'
    and c.to_user_id is not null -- of a receiver who is gone nothing is taken back
  group by t.id
  having sum(c.amount) < 0
    or sum(c.amount) > t.fee_amount - private.share_of(t.fee_amount, t.amount, t.refunded_amount)
  union all
  select r.id::text, 'says another commission than its transactions'
  from public.referrals r
  where r.referred_id is not null and r.commission_amount <> coalesce((
    select sum(c.amount) from public.transactions c join public.transactions t on t.id = c.original_transaction_id
    where c.transaction_type = 'referral_commission' and c.to_user_id = r.referrer_id and t.to_user_id = r.referred_id
  ), 0)
  union all
  select r.referrer_id::text, 'was paid other rewards than its referrals say'
  from public.referrals r group by r.referrer_id
  having sum(r.reward_amount) <> coalesce((
    select sum(t.amount) from public.transactions t where t.to_user_id = r.referrer_id and t.transaction_type = 'referral_reward'
  ), 0)
  union all
  -- Days.
  select coalesce(kept.creator_id, counted.creator_id) || ' ' || coalesce(kept.day, counted.day) || ' ' || coalesce(kept.source, counted.source),
    'has another sum for the day'
  from private.daily_earnings kept
  full join (
    select t.to_user_id as creator_id, (t.created_at at time zone 'UTC')::date as day, private.earning_source(t) as source,
      sum(t.amount) as gross, sum(t.net_amount) as net, count(*) filter (where t.transaction_type <> 'refund') as payments
    from public.transactions t where t.to_user_id is not null and t.transaction_type <> 'payout' group by 1, 2, 3
  ) counted using (creator_id, day, source)
  where (coalesce(kept.gross_cents, 0), coalesce(kept.net_cents, 0), coalesce(kept.payments, 0))
    <> (coalesce(counted.gross, 0), coalesce(counted.net, 0), coalesce(counted.payments, 0));
$$;

create or replace function private.verify_money()
returns TABLE(subject text, problem text)
language sql stable security definer
set search_path = ''
as $$
  select * from private.verify_booked_money()
  union all
  select 'post:' || coalesce(kept.post_id, counted.post_id), 'has another sum than its payments'
  from private.post_earnings kept
  full join (
    select t.post_id, count(*) filter (where private.is_standing_purchase(t.transaction_type, t.status)) as purchases, sum(t.net_amount) as net
    from public.transactions t where t.post_id is not null group by t.post_id
  ) counted using (post_id)
  where (coalesce(kept.purchases, 0), coalesce(kept.net_cents, 0)) <> (coalesce(counted.purchases, 0), coalesce(counted.net, 0));
$$;

create or replace function public.get_creator_growth(creator_profile_id uuid)
returns public.creator_growth
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_today date := private.today();
  v_month date := date_trunc('month', v_today::timestamp)::date;
  v public.creator_growth;
begin
  perform private.require_own_dashboard(creator_profile_id, v_today, v_today);
  select coalesce(sum(d.net_cents) filter (where d.day >= v_month), 0)::bigint, coalesce(sum(d.net_cents) filter (where d.day < v_month), 0)::bigint
    into v.this_month, v.last_month
  from private.daily_earnings d
  where d.creator_id = creator_profile_id and d.day >= (v_month - interval '1 month')::date;
  select count(*) filter (where s.created_at >= now() - interval '30 days'), count(*) filter (where s.created_at < now() - interval '30 days')
    into v.new_subscribers, v.previous_subscribers
  from public.subscriptions s
  where s.creator_id = creator_profile_id and s.status not in ('incomplete', 'incomplete_expired') and s.created_at >= now() - interval '60 days';
  select coalesce(sum(d.post_views + d.profile_views) filter (where d.day > v_today - 30), 0),
      coalesce(sum(d.post_views + d.profile_views) filter (where d.day <= v_today - 30), 0)
    into v.views, v.previous_views
  from private.daily_views d where d.creator_id = creator_profile_id and d.day > v_today - 60;
  v.earnings_growth := private.growth(v.this_month, v.last_month);
  v.subscriber_growth := private.growth(v.new_subscribers, v.previous_subscribers);
  v.view_growth := private.growth(v.views, v.previous_views);
  return v;
end;
$$;

create or replace function public.get_creator_stats(creator_profile_id uuid)
returns public.creator_stats
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_stats public.creator_stats;
begin
  if not private.is_privileged() and creator_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator and admins may see these numbers' using errcode = '42501';
  end if;
  select
    p.total_earnings,
    (select coalesce(sum(d.net_cents), 0)::bigint from private.daily_earnings d
     where d.creator_id = p.id and d.day >= date_trunc('month', private.today()::timestamp)::date),
    p.subscribers_count,
    (select count(*)::int from public.subscriptions s
     where s.creator_id = p.id and s.status not in ('incomplete', 'incomplete_expired') and s.created_at >= now() - interval '7 days'),
    p.likes_received,
    private.messages_received(p.id),
    (select coalesce(sum(d.profile_views), 0)::int from private.daily_views d where d.creator_id = p.id)
  into v_stats
  from private.profiles p where p.id = creator_profile_id;
  if not found then
    raise sqlstate 'PT404' using message = 'Creator not found';
  end if;
  return v_stats;
end;
$$;

create or replace function public.get_earnings_series(creator_profile_id uuid, from_day date DEFAULT NULL::date, to_day date DEFAULT NULL::date)
returns SETOF public.daily_earnings
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_to date := coalesce(to_day, private.today());
  v_from date := coalesce(from_day, v_to - 29);
begin
  perform private.require_own_dashboard(creator_profile_id, v_from, v_to);
  return query
    select g.day::date,
      coalesce(sum(d.net_cents) filter (where d.source = 'subscription'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'tip'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'paid_message'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'ppv'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'private_session'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'referral'), 0)::bigint,
      coalesce(sum(d.net_cents), 0)::bigint
    from generate_series(v_from::timestamp, v_to::timestamp, interval '1 day') as g (day)
    left join private.daily_earnings d on d.creator_id = creator_profile_id and d.day = g.day::date
    group by g.day order by g.day;
end;
$$;

create or replace function public.get_earnings_totals(creator_profile_id uuid)
returns public.earnings_totals
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  -- From the days, which private.verify_money holds to the payments: a creator may have millions of those.
  return (
    select (coalesce(sum(d.payments), 0)::int, coalesce(sum(d.gross_cents), 0)::bigint, coalesce(sum(d.gross_cents) - sum(d.net_cents), 0)::bigint,
      coalesce(sum(d.net_cents), 0)::bigint)::public.earnings_totals
    from private.daily_earnings d where d.creator_id = creator_profile_id
  );
end;
$$;

create or replace function public.get_money_overview(first_day date, last_day date)
returns public.money_overview
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_from timestamptz := first_day::timestamp at time zone 'UTC';
  v_to timestamptz := (last_day + 1)::timestamp at time zone 'UTC';
  v_overview public.money_overview;
begin
  perform private.require_admin();
  if first_day is null or last_day is null or last_day < first_day then
    raise exception 'first_day comes before last_day' using errcode = '22023';
  end if;
  select count(*) filter (where t.kind = 'payment'),
    coalesce(sum(t.amount) filter (where t.kind = 'payment'), 0),
    coalesce(sum(t.fee_amount) filter (where t.kind in ('payment', 'refund')), 0),
    coalesce(sum(t.net_amount) filter (where t.kind in ('payment', 'refund')), 0),
    coalesce(-sum(t.amount) filter (where t.kind = 'refund'), 0),
    coalesce(sum(t.amount) filter (where t.kind = 'referral'), 0),
    coalesce(sum(t.amount) filter (where t.kind = 'payout'), 0)
  into v_overview.payments, v_overview.volume, v_overview.fees, v_overview.creators, v_overview.refunds, v_overview.referral_costs, v_overview.payouts
  from (
    select x.amount, x.fee_amount, x.net_amount, case
      when x.transaction_type in ('refund', 'payout') then x.transaction_type
      when x.transaction_type in ('referral_reward', 'referral_commission') then 'referral' else 'payment'
    end as kind
    from public.transactions x where x.created_at >= v_from and x.created_at < v_to
  ) t;
  select count(*) filter (where d.opened_at >= v_from and d.opened_at < v_to), count(*) filter (where d.status = 'open'),
    coalesce(sum(d.amount_cents) filter (where d.status = 'open'), 0)
  into v_overview.disputes_opened, v_overview.disputes_open, v_overview.disputed
  from private.payment_disputes d;
  select count(*) into v_overview.differences_open from private.payment_differences d where d.resolved_at is null;
  return v_overview;
end;
$$;

create or replace function public.get_money_series(first_day date, last_day date)
returns SETOF public.money_day
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  if first_day is null or last_day is null or last_day < first_day or last_day - first_day > 400 then
    raise exception 'first_day comes before last_day, at most 400 days' using errcode = '22023';
  end if;
  return query
  select d::date, coalesce(s.volume, 0)::bigint, coalesce(s.fees, 0)::bigint, coalesce(s.refunds, 0)::bigint
  from generate_series(first_day, last_day, '1 day') d
  left join (
    select (t.created_at at time zone 'UTC')::date as day, sum(t.amount) filter (where t.transaction_type <> 'refund') as volume,
      sum(t.fee_amount) as fees, -sum(t.amount) filter (where t.transaction_type = 'refund') as refunds
    from public.transactions t
    where t.created_at >= first_day::timestamp at time zone 'UTC' and t.created_at < (last_day + 1)::timestamp at time zone 'UTC'
      and t.transaction_type not in ('payout', 'referral_reward', 'referral_commission')
    group by 1
  ) s on s.day = d::date
  order by 1;
end;
$$;

create or replace function public.get_platform_balances()
returns public.platform_balances
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_balances public.platform_balances;
begin
  perform private.require_admin();
  select coalesce(sum(b.balance_cents), 0),
    coalesce(-sum(b.balance_cents) filter (where a.code = 'platform_fees'), 0)
  into v_balances
  from private.ledger_accounts a join private.ledger_balances b on b.account_id = a.id where a.code in ('stripe', 'platform_fees');
  return v_balances;
end;
$$;

create or replace function public.get_post_figures(post_ids uuid[])
returns SETOF public.post_figures
language sql stable security definer
set search_path = ''
as $$
  select p.id, p.views_count, coalesce(e.purchases, 0), coalesce(e.net_cents, 0)::bigint
  from private.posts p left join private.post_earnings e on e.post_id = p.id
  where p.id = any (post_ids[1:100]) and (p.creator_id = private.my_profile_id() or private.is_privileged());
$$;

create or replace function public.get_referral_stats(user_profile_id uuid)
returns public.referral_stats
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_stats public.referral_stats;
begin
  if not private.is_privileged() and user_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the person and admins may see these numbers' using errcode = '42501';
  end if;
  select
    count(*), count(*) filter (where r.status <> 'pending'), count(*) filter (where r.status = 'pending'),
    (select coalesce(sum(t.amount), 0) from public.transactions t
     where t.to_user_id = user_profile_id and t.transaction_type in ('referral_reward', 'referral_commission')),
    count(*) filter (where r.status = 'completed') * 100
  into v_stats
  from public.referrals r where r.referrer_id = user_profile_id;
  return v_stats;
end;
$$;

create or replace function public.get_revenue_split(creator_profile_id uuid, from_day date DEFAULT NULL::date, to_day date DEFAULT NULL::date)
returns SETOF public.revenue_share
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_to date := coalesce(to_day, private.today());
  v_from date := coalesce(from_day, v_to - 29);
begin
  perform private.require_own_dashboard(creator_profile_id, v_from, v_to);
  return query
    with sums as (
      select k.source, k.position, coalesce(sum(d.gross_cents), 0) as gross, coalesce(sum(d.net_cents), 0) as net, coalesce(sum(d.payments), 0)::int as payments
      from unnest(array['subscription', 'tip', 'paid_message', 'ppv', 'private_session', 'referral']) with ordinality as k (source, position)
      left join private.daily_earnings d
        on d.creator_id = creator_profile_id and d.source = k.source and d.day between v_from and v_to
      group by k.source, k.position
    )
    select s.source, coalesce(s.gross, 0)::bigint, coalesce(s.net, 0)::bigint, s.payments,
      case when sum(s.net) over () > 0 then round(100 * s.net / sum(s.net) over (), 2) end
    from sums s order by s.position;
end;
$$;

create or replace function public.get_subscribers(creator_profile_id uuid, search text DEFAULT NULL::text, subscriber_group text DEFAULT 'all'::text, page_size integer DEFAULT 50, before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
returns SETOF public.subscriber
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_pattern text := case when private.trimmed(search) is not null then private.like_pattern(search) end;
  v_condition text :=
    case when subscriber_group = 'ending' then ' and o.cancel_at_period_end' else '' end
    || case when before is not null then ' and (o.created_at, o.id) < ($4, $5)' else '' end
    || case when v_pattern is not null then
      ' and o.subscriber_id in (select f.id from private.profiles f where f.username ilike $6 or f.display_name ilike $6)' else '' end;
  v_newest text := ' order by o.created_at desc, o.id desc limit $3';
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query execute
    'select s.id, s.status, s.created_at, s.current_period_end, s.cancel_at_period_end, t.name,
      p.id, p.user_id, p.username, p.display_name, p.avatar_url, p.updated_at, coalesce(money.spent, 0)::bigint
    from (select o.* from '
    || case when v_pattern is null and subscriber_group is distinct from 'ending'
      then 'unnest($2) g (status) cross join lateral (select o.* from public.subscriptions o where o.creator_id = $1 and o.status = g.status'
        || v_condition || v_newest || ') o'
      else 'public.subscriptions o where o.creator_id = $1 and o.status = any ($2)' || v_condition
    end
    || v_newest || ') s
    join public.subscription_products t on t.id = s.tier_id
    join private.profiles p on p.id = s.subscriber_id
    left join lateral (
      select sum(m.amount) as spent from public.transactions m where m.from_user_id = s.subscriber_id and m.to_user_id = $1
    ) money on true
    order by s.created_at desc, s.id desc'
  using creator_profile_id, private.statuses_of_group(subscriber_group), least(greatest(page_size, 0), 1000), before, before_id, v_pattern;
end;
$$;

create or replace function public.get_top_posts(creator_profile_id uuid, page_size integer DEFAULT 10)
returns SETOF public.top_post
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query
    select p.id, p.title, left(p.content, 100), p.post_type, p.media_types, p.created_at, p.views_count, p.likes_count, p.comments_count,
      coalesce(e.purchases, 0), coalesce(e.net_cents, 0)::bigint
    from private.posts p left join private.post_earnings e on e.post_id = p.id
    where p.creator_id = creator_profile_id
    order by p.views_count desc, p.id limit least(greatest(page_size, 0), 100);
end;
$$;

-- Nothing is converted any more.
drop function private.cents(numeric);
drop function private.in_dollars(numeric);
