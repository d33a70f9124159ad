-- Up Migration
-- The numbers of the dashboard, from recorded facts (DATA-32, DATA-37, RPC-02, D7).
create table public.profile_views (
  profile_id uuid not null references private.profiles on delete cascade,
  viewer_id  uuid not null references private.profiles on delete cascade,
  viewed_on  date not null default current_date,
  created_at timestamptz not null default now(),
  primary key (profile_id, viewer_id, viewed_on)
);
comment on table public.profile_views is 'Who looked at a profile, once a day for each person. Read as a count only (get_creator_stats).';
create index profile_views_viewer_id_idx on public.profile_views (viewer_id);
alter table public.profile_views enable row level security; -- no policy and no grant: who looked is nobody's to list

create function public.record_profile_view(profile_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.profile_views (profile_id, viewer_id)
  select p.id, v.id
  from private.profiles p, private.profiles v
  where p.id = record_profile_view.profile_id and v.user_id = auth.uid() and v.id <> p.id
  on conflict do nothing;
$$;
comment on function public.record_profile_view is 'The profile screen was opened by the caller. One''s own and repeated views of a day do not count.';
grant execute on function public.record_profile_view(uuid) to authenticated;

create type public.creator_stats as (
  total_earnings numeric,
  monthly_earnings numeric,
  total_subscribers int,
  new_subscribers_this_week int,
  total_likes int,
  total_messages int,
  profile_views int
);
comment on type public.creator_stats is 'Creator stats result (DATA-32). Earnings in dollars after the fee; the month is the calendar month in UTC, the week the last seven days.';

comment on column public.creator_stats.total_earnings is 'Dollars after the fee. Never null.';
comment on column public.creator_stats.monthly_earnings is 'Dollars after the fee, this calendar month (UTC). Never null.';
comment on column public.creator_stats.total_subscribers is 'Never null.';
comment on column public.creator_stats.new_subscribers_this_week is 'In the last seven days. Never null.';
comment on column public.creator_stats.total_likes is 'Never null.';
comment on column public.creator_stats.total_messages is 'Never null.';
comment on column public.creator_stats.profile_views is 'Days on which a person looked, summed over persons. Never null.';

create function public.get_creator_stats(creator_profile_id uuid) returns public.creator_stats
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_stats public.creator_stats;
begin
  if not private.is_privileged() and creator_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator and admins may see these numbers' using errcode = '42501';
  end if;
  select
    p.total_earnings,
    (select coalesce(sum(t.net_amount), 0) from public.transactions t
     where t.to_user_id = p.id and t.transaction_type <> 'payout'
       and t.created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'),
    p.subscribers_count,
    (select count(*)::int from public.subscriptions s
     where s.creator_id = p.id and s.status not in ('incomplete', 'incomplete_expired') and s.created_at >= now() - interval '7 days'),
    p.likes_received,
    0, -- there is no messaging yet, so nobody has a message; the migration that brings it counts them here
    (select count(*)::int from public.profile_views w where w.profile_id = p.id)
  into v_stats
  from private.profiles p where p.id = creator_profile_id;
  if not found then
    raise sqlstate 'PT404' using message = 'Creator not found';
  end if;
  return v_stats;
end;
$$;
comment on function public.get_creator_stats is 'The dashboard''s numbers for one creator (RPC-02): the creator''s own, or any for admins.';
grant execute on function public.get_creator_stats(uuid) to authenticated;

-- Every counter is a copy of something that can be counted. Counted anew, nothing may differ.
create function private.verify_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
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
    ('total_earnings', p.total_earnings, coalesce((select -sum(e.amount_cents) / 100.0 from private.ledger_entries e
      join private.ledger_accounts a on a.id = e.account_id join private.ledger_transactions t on t.id = e.transaction_id
      where a.code = 'creator:' || p.id and t.type <> 'payout'), 0)),
    ('posts.likes_count', (select sum(o.likes_count) from private.posts o where o.creator_id = p.id),
      (select count(l.id) from private.posts o left join public.post_likes l on l.post_id = o.id where o.creator_id = p.id)),
    ('posts.comments_count', (select sum(o.comments_count) from private.posts o where o.creator_id = p.id),
      (select count(k.id) from private.posts o left join public.comments k on k.post_id = o.id where o.creator_id = p.id))
  ) as c (counter, kept, counted)
  where coalesce(c.kept, 0) <> coalesce(c.counted, 0);
$$;
comment on function private.verify_counters is 'Counters that differ from what they count; none when all is well.';
