-- Up Migration

-- The dashboard's numbers (DASH-10..DASH-15, DATA-32, DATA-37, RPC-02, D7). Sums over millions of rows are maintained by day, and
-- private.verify_money recomputes them. Days and months are UTC.
create table public.profile_views (
  profile_id uuid not null references private.profiles on delete cascade,
  viewer_id  uuid not null references private.profiles on delete cascade,
  viewed_on  date not null default (now() at time zone 'UTC')::date,
  created_at timestamptz not null default now(),
  id bigint generated always as identity primary key,
  constraint profile_views_once_a_day unique (profile_id, viewer_id, viewed_on)
);
comment on table public.profile_views is 'Views of profiles, once a day for each user. Clients only get the number (get_creator_stats).';
alter table public.profile_views enable row level security; -- no policy and no grant: no one can see who viewed a profile
create index profile_views_viewer_id_idx on public.profile_views (viewer_id);
create function public.record_profile_view(profile_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.profile_views (profile_id, viewer_id)
  select p.id, viewer.id
  from (select private.my_profile_id() as id) viewer join private.profiles p on p.id = record_profile_view.profile_id
  where viewer.id <> p.id
  on conflict do nothing;
$$;
comment on function public.record_profile_view is 'Records that the caller opened a profile. Views of the own profile and repeated views on the same day don''t count.';
grant execute on function public.record_profile_view(uuid) to authenticated;
create type public.creator_stats as (
  total_earnings bigint,
  monthly_earnings bigint,
  total_subscribers integer,
  new_subscribers_this_week integer,
  total_likes integer,
  total_messages integer,
  profile_views integer
);
comment on type public.creator_stats is 'Creator stats result (DATA-32). Earnings in cents after the fee; the month is the calendar month in UTC, the week the last seven days.';
comment on column public.creator_stats.total_earnings is 'Cents after the fee. Never null.';
comment on column public.creator_stats.monthly_earnings is 'Cents after the fee, this calendar month (UTC). Never null.';
comment on column public.creator_stats.total_subscribers is 'Never null.';
comment on column public.creator_stats.new_subscribers_this_week is 'In the last seven days. Never null.';
comment on column public.creator_stats.total_likes is 'Never null.';
comment on column public.creator_stats.total_messages is 'Never null.';
comment on column public.creator_stats.profile_views is 'Views, counting each user once a day. Never null.';

-- Recounts what every counter counts.
create function private.verify_basic_counters()
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
comment on function private.verify_basic_counters is 'The counters of profiles and posts that differ from what they count.';

-- Reads a month from private.daily_earnings, which has at most 31 days × 6 sources, instead of 100,000 payments.
create function public.get_creator_stats(creator_profile_id uuid)
returns public.creator_stats
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_stats public.creator_stats;
begin
  if not private.is_privileged() and creator_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator and admins can see these numbers' using errcode = '42501';
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
comment on function public.get_creator_stats is 'The dashboard''s numbers for a creator (RPC-02). For the creator and admins.';
grant execute on function public.get_creator_stats(uuid) to authenticated;

create table private.daily_earnings (
  creator_id   uuid not null references private.profiles on delete cascade,
  day          date not null,
  source       text not null check (source in ('subscription', 'tip', 'paid_message', 'ppv', 'private_session', 'referral')),
  gross_cents  bigint not null default 0,
  net_cents    bigint not null default 0,
  payments     int not null default 0,
  primary key (creator_id, day, source)
);
comment on table private.daily_earnings is 'Earnings by creator, day, and source, maintained from transactions. A refund counts on its own day, with the source of its payment.';
comment on column private.daily_earnings.net_cents is 'After the fee. Negative on a day with more refunds than payments.';
comment on column private.daily_earnings.payments is 'The number of payments on that day, without refunds.';
alter table private.daily_earnings enable row level security;
create index transactions_to_user_id_created_at_idx on public.transactions (to_user_id, created_at desc); -- a creator's activity of all types
create function private.earning_source(p_transaction public.transactions) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p_transaction.transaction_type = 'refund' then
      (select o.transaction_type from public.transactions o where o.id = p_transaction.original_transaction_id)
    when p_transaction.transaction_type in ('referral_reward', 'referral_commission') then 'referral'
    when p_transaction.transaction_type <> 'payout' then p_transaction.transaction_type
  end;
$$;
comment on function private.earning_source is 'The source of a transaction''s earnings; null for a payout.';
create function private.count_daily_earning()
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
comment on function private.count_daily_earning is 'Trigger of transactions: maintains private.daily_earnings.';
create trigger transactions_count_daily after insert on public.transactions
  for each row when (new.transaction_type <> 'payout' and new.to_user_id is not null) execute function private.count_daily_earning();

-- The primary key is an id of its own: a primary key of two foreign keys would be a many-to-many relationship, and
-- `posts?select=creator:profiles(…)` (API-REST-23) would be ambiguous between the author and the viewers (PGRST201).
create table public.post_views (
  post_id    uuid not null references private.posts on delete cascade,
  viewer_id  uuid not null references private.profiles on delete cascade,
  viewed_on  date not null default (now() at time zone 'UTC')::date,
  created_at timestamptz not null default now(),
  id bigint generated always as identity primary key,
  constraint post_views_once_a_day unique (post_id, viewer_id, viewed_on)
);
comment on table public.post_views is 'Views of posts, once a day for each user. Clients only get the numbers (get_top_posts, get_views_series).';
alter table public.post_views enable row level security; -- no policy and no grant: no one can see who viewed a post
create index post_views_viewer_id_idx on public.post_views (viewer_id);
create table private.daily_views (
  creator_id    uuid not null references private.profiles on delete cascade,
  day           date not null,
  post_views    int not null default 0,
  profile_views int not null default 0,
  primary key (creator_id, day)
);
comment on table private.daily_views is 'Views of a creator''s posts and profile by day, including views of posts that were deleted since.';
alter table private.daily_views enable row level security;

-- One update for each post and creator of the statement, in the order of their ids: viewers who scroll the same feed at the same time can't
-- deadlock.
create function private.count_post_views() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from private.posts p where p.id in (select v.post_id from seen v) order by p.id for no key update;
  update private.posts p set views_count = p.views_count + v.views
  from (select s.post_id, count(*) as views from seen s group by s.post_id) v where p.id = v.post_id;
  insert into private.daily_views as d (creator_id, day, post_views)
  select p.creator_id, s.viewed_on, count(*) from seen s join private.posts p on p.id = s.post_id group by 1, 2 order by 1, 2
  on conflict (creator_id, day) do update set post_views = d.post_views + excluded.post_views;
  return null;
end;
$$;
comment on function private.count_post_views is 'Trigger of post_views: maintains posts.views_count and private.daily_views.';
create trigger post_views_count after insert on public.post_views
  referencing new table as seen for each statement execute function private.count_post_views();
create trigger post_views_uncount after delete on public.post_views referencing old table as changed for each statement execute function private.uncount_post_views();
create function private.count_profile_view() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.daily_views as d (creator_id, day, profile_views) values (new.profile_id, new.viewed_on, 1)
  on conflict (creator_id, day) do update set profile_views = d.profile_views + 1;
  return null;
end;
$$;
comment on function private.count_profile_view is 'Trigger of profile_views: maintains private.daily_views.';
create trigger profile_views_count after insert on public.profile_views for each row execute function private.count_profile_view();
create function public.record_post_views(post_ids uuid[]) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.post_views (post_id, viewer_id)
  select p.id, viewer.id
  from (select private.my_profile_id() as id) viewer,
    (select distinct u.id from unnest(post_ids[1:100]) as u (id)) wanted
    join private.posts p on p.id = wanted.id
  where viewer.id is not null and p.creator_id <> viewer.id and private.can_view_post(p.id)
  order by p.id
  on conflict do nothing;
$$;
comment on function public.record_post_views is 'Records that the caller''s screen has shown these posts, up to 100. Locked, unknown, and own posts, and repeated views on the same day, don''t count.';
grant execute on function public.record_post_views(uuid[]) to authenticated;
create function private.require_own_dashboard(creator_profile_id uuid, from_day date, to_day date) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_privileged() and creator_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator and admins can see these numbers' using errcode = '42501';
  elsif coalesce(from_day > to_day or to_day - from_day > 366, true) then
    raise exception 'from_day must not be after to_day, and at most 366 days before it' using errcode = '22023';
  end if;
end;
$$;
comment on function private.require_own_dashboard is 'Rejects callers other than the creator and admins, and periods that are too long.';
create function private.today() returns date
language sql stable set search_path = ''
as $$
  select (now() at time zone 'UTC')::date;
$$;
comment on function private.today is 'The current day in UTC.';
create type public.daily_earnings as (
  day date,
  subscriptions bigint,
  tips bigint,
  paid_messages bigint,
  ppv bigint,
  private_sessions bigint,
  referrals bigint,
  total bigint
);
comment on type public.daily_earnings is 'The earnings of one day by source, in cents after the fee. A refund is negative on its own day. No column is null.';
create function public.get_earnings_series(creator_profile_id uuid, from_day date DEFAULT NULL::date, to_day date DEFAULT NULL::date)
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
comment on function public.get_earnings_series is 'Earnings by day, including days without any; the last 30 days by default. For the creator and admins.';
create type public.revenue_share as (
  source text,
  gross_amount bigint,
  net_amount bigint,
  payments integer,
  share numeric
);
comment on type public.revenue_share is 'The earnings of one source. Only share can be null.';
comment on column public.revenue_share.source is 'subscription, tip, paid_message, ppv, private_session, or referral.';
comment on column public.revenue_share.net_amount is 'Cents after the fee and refunds.';
comment on column public.revenue_share.share is 'Percent of the earnings of all sources, with two decimals; null when there are none.';
comment on column public.revenue_share.gross_amount is 'Gross payments, in cents.';
create function public.get_revenue_split(creator_profile_id uuid, from_day date DEFAULT NULL::date, to_day date DEFAULT NULL::date)
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
comment on function public.get_revenue_split is 'Earnings by source, always all six (DASH-12); the last 30 days by default. For the creator and admins.';
create type public.daily_views as (
  day date,
  post_views integer,
  profile_views integer
);
comment on type public.daily_views is 'The views of one day, counting each user once. No column is null.';
create function public.get_views_series(creator_profile_id uuid, from_day date default null, to_day date default null)
returns setof public.daily_views
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_to date := coalesce(to_day, private.today());
  v_from date := coalesce(from_day, v_to - 29);
begin
  perform private.require_own_dashboard(creator_profile_id, v_from, v_to);
  return query
    select g.day::date, coalesce(d.post_views, 0), coalesce(d.profile_views, 0)
    from generate_series(v_from::timestamp, v_to::timestamp, interval '1 day') as g (day)
    left join private.daily_views d on d.creator_id = creator_profile_id and d.day = g.day::date
    order by g.day;
end;
$$;
comment on function public.get_views_series is 'Post and profile views by day (DASH-14); the last 30 days by default. For the creator and admins.';
create type public.creator_growth as (
  this_month bigint,
  last_month bigint,
  earnings_growth numeric,
  new_subscribers integer,
  previous_subscribers integer,
  subscriber_growth numeric,
  views integer,
  previous_views integer,
  view_growth numeric
);
comment on type public.creator_growth is 'Numbers compared with the previous period (DASH-13, DASH-14). Growth is a percentage with one decimal, or null when the previous number is zero. No other column is null.';
comment on column public.creator_growth.this_month is 'Cents after the fee, this calendar month so far.';
comment on column public.creator_growth.last_month is 'Cents after the fee, the whole previous calendar month.';
comment on column public.creator_growth.new_subscribers is 'Subscriptions that began in the last 30 days; previous_subscribers in the 30 days before.';
comment on column public.creator_growth.views is 'Post and profile views of the last 30 days; previous_views of the 30 days before.';
create function private.growth(current_figure numeric, previous_figure numeric) returns numeric
language sql immutable set search_path = ''
as $$
  select case when previous_figure > 0 then round(100 * (current_figure - previous_figure) / previous_figure, 1) end;
$$;
comment on function private.growth is 'The growth from the previous number, in percent.';
create function public.get_creator_growth(creator_profile_id uuid)
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
comment on function public.get_creator_growth is 'This month compared with the last one, and the last 30 days with the 30 days before. For the creator and admins.';
create type public.top_post as (
  id uuid,
  title text,
  content text,
  post_type text,
  media_types text[],
  created_at timestamptz,
  views integer,
  likes integer,
  comments integer,
  purchases integer,
  earnings bigint
);
comment on type public.top_post is 'A post with its views and earnings.';
comment on column public.top_post.content is 'Its first 100 characters. Never null.';
comment on column public.top_post.views is 'Never null.';
comment on column public.top_post.purchases is 'Purchases of the post, without refunded ones. Never null.';
comment on column public.top_post.earnings is 'Cents after the fee and refunds, from purchases of the post and tips on it. Never null.';
create function public.get_top_posts(creator_profile_id uuid, page_size integer DEFAULT 10)
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
comment on function public.get_top_posts is 'The creator''s most viewed posts with their earnings. For the creator and admins.';
grant execute on function public.get_earnings_series(uuid, date, date), public.get_revenue_split(uuid, date, date),
  public.get_views_series(uuid, date, date), public.get_creator_growth(uuid), public.get_top_posts(uuid, int) to authenticated;

create index subscriptions_creator_id_created_at_idx on public.subscriptions (creator_id, created_at desc); -- new ones of a week or a month

-- Earnings by post, maintained like the daily earnings: reading a post with 100,000 purchases takes one row (DASH-11, DASH-14, D7).
-- private.verify_money recomputes them.
create table private.post_earnings (
  post_id   uuid primary key references private.posts on delete cascade,
  purchases int not null default 0,
  net_cents bigint not null default 0
);
comment on table private.post_earnings is 'Earnings by post, maintained from transactions. A post without payments has no row.';
comment on column private.post_earnings.purchases is 'Purchases of the post with the status completed or partially_refunded.';
comment on column private.post_earnings.net_cents is 'After the fee and refunds, from purchases of the post and tips on it.';
alter table private.post_earnings enable row level security; -- and no policy: read through the functions below
create function private.is_standing_purchase(p_type text, p_status text) returns boolean
language sql immutable set search_path = ''
as $$
  select p_type = 'ppv' and p_status in ('completed', 'partially_refunded');
$$;
comment on function private.is_standing_purchase is 'Whether a transaction counts as a purchase of its post.';
create function private.count_post_earning()
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
comment on function private.count_post_earning is 'Trigger of transactions: maintains private.post_earnings.';
create trigger transactions_count_post after insert on public.transactions
  for each row when (new.post_id is not null) execute function private.count_post_earning();
create function private.recount_post_purchase() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.post_earnings e set purchases = e.purchases
    + private.is_standing_purchase(new.transaction_type, new.status)::int - private.is_standing_purchase(old.transaction_type, old.status)::int
  where e.post_id = new.post_id;
  return null;
end;
$$;
comment on function private.recount_post_purchase is 'Trigger of transactions: updates the number of purchases when the status changes by a refund or dispute, which has a transaction of its own.';
create trigger transactions_recount_post after update of status on public.transactions
  for each row when (new.post_id is not null and new.status <> old.status) execute function private.recount_post_purchase();

-- The sum that each subscriber has paid a creator is read from this index alone.
create index transactions_spent_idx on public.transactions (from_user_id, to_user_id) include (amount);
create function private.verify_money()
returns TABLE(subject text, problem text)
language sql stable security definer
set search_path = ''
as $$
  select * from private.verify_booked_money()
  union all
  select 'post:' || coalesce(kept.post_id, counted.post_id), 'has a sum that differs from its payments'
  from private.post_earnings kept
  full join (
    select t.post_id, count(*) filter (where private.is_standing_purchase(t.transaction_type, t.status)) as purchases, sum(t.net_amount) as net
    from public.transactions t where t.post_id is not null group by t.post_id
  ) counted using (post_id)
  where (coalesce(kept.purchases, 0), coalesce(kept.net_cents, 0)) <> (coalesce(counted.purchases, 0), coalesce(counted.net, 0));
$$;
comment on function private.verify_money is 'Sums of money that differ from what they are computed from. No rows when all is well.';

-- A creator's default prices and tip settings (DASH-03, PROF-21, D28).
create function private.are_tip_presets(p_presets int[], p_min int) returns boolean
language sql immutable set search_path = ''
as $$
  select cardinality(p_presets) between 1 and 4 and array_ndims(p_presets) = 1 and array_position(p_presets, null) is null
    and p_min <= all (p_presets) and 50000 >= all (p_presets)
    and cardinality(p_presets) = (select count(distinct preset) from unnest(p_presets) as preset);
$$;
comment on function private.are_tip_presets is 'True for one to four different amounts that are allowed as tips.';
grant execute on function private.are_tip_presets to authenticated, service_role; -- a check constraint runs as the role that writes the row
create table public.monetization_settings (
  creator_id          uuid primary key references private.profiles on delete cascade,
  ppv_price_cents     int constraint monetization_ppv_price_range check (ppv_price_cents between 100 and 999999),
  message_price_cents int constraint monetization_message_price_range check (message_price_cents between 100 and 999999),
  takes_tips          boolean not null default true,
  tip_min_cents       int not null default 100 constraint monetization_tip_min_range check (tip_min_cents between 100 and 50000),
  tip_presets_cents   int[] not null default '{500,1000,2500,5000}',
  updated_at          timestamptz not null default now(),
  constraint monetization_tip_presets check (private.are_tip_presets(tip_presets_cents, tip_min_cents))
);
comment on table public.monetization_settings is 'Each creator''s default prices and tip settings. Without a row, the defaults apply.';
comment on column public.monetization_settings.creator_id is 'profiles.id of the creator.';
comment on column public.monetization_settings.ppv_price_cents is 'The default price of a new pay-per-view post, in US cents; null for none.';
comment on column public.monetization_settings.message_price_cents is 'The default price of a paid message, in US cents; null for none.';
comment on column public.monetization_settings.takes_tips is 'Off: private.quote_tip rejects every tip.';
comment on column public.monetization_settings.tip_min_cents is 'The minimum tip that private.quote_tip accepts, in US cents.';
comment on column public.monetization_settings.tip_presets_cents is 'The suggested tips, in US cents and in this order.';
alter table public.monetization_settings enable row level security;
create trigger monetization_settings_touch before update on public.monetization_settings for each row execute function private.touch_updated_at();

-- Fans read the tip settings before they tip. The default prices are visible on posts and messages anyway.
create policy select_all on public.monetization_settings for select to authenticated using (true);
create policy insert_own on public.monetization_settings for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.monetization_settings for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
grant select,
  insert (creator_id, ppv_price_cents, message_price_cents, takes_tips, tip_min_cents, tip_presets_cents),
  -- creator_id, because an upsert names it; update_own limits it to the caller.
  update (creator_id, ppv_price_cents, message_price_cents, takes_tips, tip_min_cents, tip_presets_cents)
  on public.monetization_settings to authenticated;

-- The totals of a creator's payments (DASH-11, GEN-06), which the dashboard shows above the paged table of payments.
create type public.earnings_totals as (
  payments integer,
  gross bigint,
  fee bigint,
  net bigint
);
comment on type public.earnings_totals is 'The totals of a creator''s payments, in cents. No column is null.';
comment on column public.earnings_totals.payments is 'The number of payments, without refunds and payouts.';
comment on column public.earnings_totals.gross is 'Gross payments, after refunds.';
comment on column public.earnings_totals.fee is 'The platform''s fees.';
comment on column public.earnings_totals.net is 'The creator''s net earnings.';
create function public.get_earnings_totals(creator_profile_id uuid)
returns public.earnings_totals
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  -- From private.daily_earnings, which private.verify_money checks: a creator may have millions of payments.
  return (
    select (coalesce(sum(d.payments), 0)::int, coalesce(sum(d.gross_cents), 0)::bigint, coalesce(sum(d.gross_cents) - sum(d.net_cents), 0)::bigint,
      coalesce(sum(d.net_cents), 0)::bigint)::public.earnings_totals
    from private.daily_earnings d where d.creator_id = creator_profile_id
  );
end;
$$;
comment on function public.get_earnings_totals is 'The totals of all payments, fees, and earnings. For the creator and admins.';
revoke execute on function public.get_earnings_totals(uuid) from public, anon;
grant execute on function public.get_earnings_totals(uuid) to authenticated;
