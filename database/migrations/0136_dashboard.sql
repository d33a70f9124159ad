-- Up Migration
-- The dashboard from recorded facts (DASH-10..DASH-15, DATA-37, D7). Days and months are UTC's.
-- Sums over millions of rows are kept day by day as the rows come, and verify_money counts them anew.
create table private.daily_earnings (
  creator_id   uuid not null references private.profiles on delete cascade,
  day          date not null,
  source       text not null check (source in ('subscription', 'tip', 'paid_message', 'ppv', 'private_session', 'referral')),
  gross_cents  bigint not null default 0,
  net_cents    bigint not null default 0,
  payments     int not null default 0,
  primary key (creator_id, day, source)
);
comment on table private.daily_earnings is 'Earnings by creator, day and source, kept from transactions. A refund counts on its own day, against the source of its payment.';
comment on column private.daily_earnings.net_cents is 'After the fee. May be negative: a day with more refunds than payments.';
comment on column private.daily_earnings.payments is 'Payments of that day; refunds do not count.';
alter table private.daily_earnings enable row level security;
create index transactions_to_user_id_created_at_idx on public.transactions (to_user_id, created_at desc); -- activity of a creator, whatever the type

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
comment on function private.earning_source is 'What a transaction earned by; null for a payout, which earns nothing.';

create function private.count_daily_earning() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.daily_earnings as d (creator_id, day, source, gross_cents, net_cents, payments)
  values (new.to_user_id, (new.created_at at time zone 'UTC')::date, private.earning_source(new), new.amount * 100, new.net_amount * 100,
    case new.transaction_type when 'refund' then 0 else 1 end)
  on conflict (creator_id, day, source) do update set
    gross_cents = d.gross_cents + excluded.gross_cents, net_cents = d.net_cents + excluded.net_cents, payments = d.payments + excluded.payments;
  return null;
end;
$$;
comment on function private.count_daily_earning is 'Keeps private.daily_earnings.';
create trigger transactions_count_daily after insert on public.transactions
  for each row when (new.transaction_type <> 'payout' and new.to_user_id is not null) execute function private.count_daily_earning();
insert into private.daily_earnings (creator_id, day, source, gross_cents, net_cents, payments)
select t.to_user_id, (t.created_at at time zone 'UTC')::date, private.earning_source(t), sum(t.amount) * 100, sum(t.net_amount) * 100,
  count(*) filter (where t.transaction_type <> 'refund')
from public.transactions t where t.to_user_id is not null and t.transaction_type <> 'payout'
group by 1, 2, 3;

create table public.post_views (
  post_id    uuid not null references private.posts on delete cascade,
  viewer_id  uuid not null references private.profiles on delete cascade,
  viewed_on  date not null default (now() at time zone 'UTC')::date,
  created_at timestamptz not null default now(),
  primary key (post_id, viewer_id, viewed_on)
);
comment on table public.post_views is 'Who saw a post, once a day for each person. Read as counts only (get_top_posts, get_views_series).';
create index post_views_viewer_id_idx on public.post_views (viewer_id);
alter table public.post_views enable row level security; -- no policy and no grant: who looked is nobody's to list

alter table private.posts add column views_count int not null default 0 check (views_count >= 0);
comment on column private.posts.views_count is 'Days on which a person saw the post, summed over persons. Kept by post_views; its author''s to read.';
create table private.daily_views (
  creator_id    uuid not null references private.profiles on delete cascade,
  day           date not null,
  post_views    int not null default 0,
  profile_views int not null default 0,
  primary key (creator_id, day)
);
comment on table private.daily_views is 'Views of a creator''s posts and profile by day. Kept as they are recorded; a view of a post that is gone was a view all the same.';
alter table private.daily_views enable row level security;

-- One update for each post and creator of the statement, in the order of their ids: people who scroll the same feed at once do not wait in a circle.
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
comment on function private.count_post_views is 'Keeps posts.views_count and private.daily_views.';
create trigger post_views_count after insert on public.post_views
  referencing new table as seen for each statement execute function private.count_post_views();

create function private.uncount_post_view() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.posts set views_count = views_count - 1 where id = old.post_id;
  return null;
end;
$$;
comment on function private.uncount_post_view is 'A viewer''s account goes, and its views with it.';
create trigger post_views_uncount after delete on public.post_views for each row execute function private.uncount_post_view();

create function private.count_profile_view() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.daily_views as d (creator_id, day, profile_views) values (new.profile_id, new.viewed_on, 1)
  on conflict (creator_id, day) do update set profile_views = d.profile_views + 1;
  return null;
end;
$$;
comment on function private.count_profile_view is 'Keeps private.daily_views.';
create trigger profile_views_count after insert on public.profile_views for each row execute function private.count_profile_view();
alter table public.profile_views alter column viewed_on set default (now() at time zone 'UTC')::date;
insert into private.daily_views (creator_id, day, profile_views)
select w.profile_id, w.viewed_on, count(*) from public.profile_views w group by 1, 2;

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
comment on function public.record_post_views is 'Posts that the caller''s screen has shown, up to 100. Locked, unknown, own and repeated ones of a day do not count.';
grant execute on function public.record_post_views(uuid[]) to authenticated;

create function private.in_dollars(cents numeric) returns numeric
language sql immutable set search_path = ''
as $$
  select round(coalesce(cents, 0) / 100, 2);
$$;
comment on function private.in_dollars is 'Cents of a sum as the API gives them; nothing is 0.00.';

create function private.require_own_dashboard(creator_profile_id uuid, from_day date, to_day date) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_privileged() and creator_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator and admins may see these numbers' using errcode = '42501';
  elsif coalesce(from_day > to_day or to_day - from_day > 366, true) then
    raise exception 'from_day and to_day span at most 366 days' using errcode = '22023';
  end if;
end;
$$;
comment on function private.require_own_dashboard is 'Refuses other people''s numbers, and spans that no chart shows.';

create function private.today() returns date
language sql stable set search_path = ''
as $$
  select (now() at time zone 'UTC')::date;
$$;
comment on function private.today is 'The day by the dashboard''s clock.';

create type public.daily_earnings as (
  day date, subscriptions numeric, tips numeric, paid_messages numeric, ppv numeric, private_sessions numeric, referrals numeric, total numeric
);
comment on type public.daily_earnings is 'One day of earnings by source, in dollars after the fee; a refund is negative on its own day. Nothing is null.';
create function public.get_earnings_series(creator_profile_id uuid, from_day date default null, to_day date default null)
returns setof public.daily_earnings
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_to date := coalesce(to_day, private.today());
  v_from date := coalesce(from_day, v_to - 29);
begin
  perform private.require_own_dashboard(creator_profile_id, v_from, v_to);
  return query
    select g.day::date,
      private.in_dollars(sum(d.net_cents) filter (where d.source = 'subscription')),
      private.in_dollars(sum(d.net_cents) filter (where d.source = 'tip')),
      private.in_dollars(sum(d.net_cents) filter (where d.source = 'paid_message')),
      private.in_dollars(sum(d.net_cents) filter (where d.source = 'ppv')),
      private.in_dollars(sum(d.net_cents) filter (where d.source = 'private_session')),
      private.in_dollars(sum(d.net_cents) filter (where d.source = 'referral')),
      private.in_dollars(sum(d.net_cents))
    from generate_series(v_from::timestamp, v_to::timestamp, interval '1 day') as g (day)
    left join private.daily_earnings d on d.creator_id = creator_profile_id and d.day = g.day::date
    group by g.day order by g.day;
end;
$$;
comment on function public.get_earnings_series is 'Earnings day by day, days without any included; the last 30 days unless said otherwise. For the creator and admins.';

create type public.revenue_share as (source text, gross_amount numeric, net_amount numeric, payments int, share numeric);
comment on type public.revenue_share is 'What one source earned. Nothing is null but share.';
comment on column public.revenue_share.source is 'subscription, tip, paid_message, ppv, private_session or referral.';
comment on column public.revenue_share.net_amount is 'Dollars after the fee and after refunds.';
comment on column public.revenue_share.share is 'Percent of all sources, two decimals; null while nothing was earned in all.';
create function public.get_revenue_split(creator_profile_id uuid, from_day date default null, to_day date default null)
returns setof public.revenue_share
language plpgsql stable security definer set search_path = ''
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
    select s.source, private.in_dollars(s.gross), private.in_dollars(s.net), s.payments,
      case when sum(s.net) over () > 0 then round(100 * s.net / sum(s.net) over (), 2) end
    from sums s order by s.position;
end;
$$;
comment on function public.get_revenue_split is 'Earnings by source, all six always (DASH-12); the last 30 days unless said otherwise. For the creator and admins.';

create type public.daily_views as (day date, post_views int, profile_views int);
comment on type public.daily_views is 'Views of one day, each person once a day. Nothing is null.';
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
comment on function public.get_views_series is 'Post and profile views day by day (DASH-14); the last 30 days unless said otherwise. For the creator and admins.';

create type public.creator_growth as (
  this_month numeric, last_month numeric, earnings_growth numeric,
  new_subscribers int, previous_subscribers int, subscriber_growth numeric,
  views int, previous_views int, view_growth numeric
);
comment on type public.creator_growth is 'Figures beside those of the time before (DASH-13, DASH-14). A growth is a percentage with one decimal, null when there was nothing to grow from. Nothing else is null.';
comment on column public.creator_growth.this_month is 'Dollars after the fee, the calendar month so far.';
comment on column public.creator_growth.last_month is 'Dollars after the fee, the whole calendar month before.';
comment on column public.creator_growth.new_subscribers is 'Subscriptions begun in the last 30 days, beside those of the 30 days before.';
comment on column public.creator_growth.views is 'Post and profile views of the last 30 days, beside those of the 30 days before.';

create function private.growth(current_figure numeric, previous_figure numeric) returns numeric
language sql immutable set search_path = ''
as $$
  select case when previous_figure > 0 then round(100 * (current_figure - previous_figure) / previous_figure, 1) end;
$$;
comment on function private.growth is 'By how many percent a figure is above the one before it.';

create function public.get_creator_growth(creator_profile_id uuid) returns public.creator_growth
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_today date := private.today();
  v_month date := date_trunc('month', v_today::timestamp)::date;
  v public.creator_growth;
begin
  perform private.require_own_dashboard(creator_profile_id, v_today, v_today);
  select private.in_dollars(sum(d.net_cents) filter (where d.day >= v_month)), private.in_dollars(sum(d.net_cents) filter (where d.day < v_month))
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
comment on function public.get_creator_growth is 'This month beside the last, and thirty days beside the thirty before. For the creator and admins.';

create type public.top_post as (
  id uuid, title text, content text, post_type text, media_types text[], created_at timestamptz,
  views int, likes int, comments int, purchases int, earnings numeric
);
comment on type public.top_post is 'A post of one''s own with its figures.';
comment on column public.top_post.content is 'Its first 100 characters. Never null.';
comment on column public.top_post.views is 'Never null.';
comment on column public.top_post.purchases is 'Payments for it, refunded ones left out. Never null.';
comment on column public.top_post.earnings is 'Dollars after the fee and refunds, from purchases and tips under it. Never null.';
create index posts_views_idx on private.posts (creator_id, views_count desc, id);

create function public.get_top_posts(creator_profile_id uuid, page_size int default 10) returns setof public.top_post
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query
    select p.id, p.title, left(p.content, 100), p.post_type, p.media_types, p.created_at, p.views_count, p.likes_count, p.comments_count,
      coalesce(money.purchases, 0)::int, coalesce(money.earnings, 0)
    from (
      select * from private.posts o where o.creator_id = creator_profile_id
      order by o.views_count desc, o.id limit least(greatest(page_size, 0), 100)
    ) p
    left join lateral (
      select count(*) filter (where t.transaction_type = 'ppv' and t.status in ('completed', 'partially_refunded')) as purchases, sum(t.net_amount) as earnings
      from public.transactions t where t.post_id = p.id
    ) money on true
    order by p.views_count desc, p.id;
end;
$$;
comment on function public.get_top_posts is 'The creator''s most seen posts with what they brought. For the creator and admins.';
grant execute on function public.get_earnings_series(uuid, date, date), public.get_revenue_split(uuid, date, date),
  public.get_views_series(uuid, date, date), public.get_creator_growth(uuid), public.get_top_posts(uuid, int) to authenticated;
