-- Up Migration

-- How a post begins, in emails and push notifications (LOOP-02): whether its text goes on is known here, where characters are counted.
create or replace function private.post_news(p_user uuid, p_creator uuid, p_after timestamptz, p_until timestamptz)
returns table (published_at timestamptz, news jsonb)
language sql stable security definer rows 20 set search_path = ''
as $$
  select l.published_at, jsonb_build_object('creatorId', h.creator_id, 'name', coalesce(c.display_name, c.username, 'A creator'),
    'address', coalesce(c.username, c.user_id::text), 'posts', n.posts, 'latest', l.latest)
  from private.heard_creators(p_user, p_creator) h
  join private.profiles c on c.id = h.creator_id
  cross join lateral (
    select count(*)::int as posts from private.new_posts p
    where p.creator_id = h.creator_id and p.published_at > greatest(h.since, p_after) and p.published_at <= p_until and (h.level = 'all' or p.is_paid)
  ) n
  cross join lateral (
    select max(r.published_at) as published_at,
      jsonb_agg(jsonb_build_object('id', r.id, 'title', r.title, 'preview', r.preview, 'isCut', r.is_cut) order by r.published_at desc) as latest
    from (
      select p.published_at, o.id, o.title, coalesce(left(o.content, 100), '') as preview, coalesce(length(o.content) > 100, false) as is_cut
      from private.new_posts p
      join private.posts o on o.id = p.post_id
      where p.creator_id = h.creator_id and p.published_at > greatest(h.since, p_after) and p.published_at <= p_until and (h.level = 'all' or p.is_paid)
      order by p.published_at desc limit 3
    ) r
  ) l
  where n.posts > 0;
$$;
comment on function private.post_news is
  'What a user hears of new posts, for each creator, or for p_creator: those published after p_after, until p_until, that the user hasn''t seen. news: {creatorId, name, address, posts: their number, latest: up to three of {id, title, preview, isCut: whether its text goes on}}.';
comment on table private.post_announcement_retries is 'Announcements that could not be sent, e.g. because a mail server or push service rejected them, to be sent again.';

-- The admin overview (LOOP-24) with the monthly prices of everything else (D13).
create or replace function public.get_admin_overview() returns public.admin_overview
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_since timestamptz := now() - interval '30 days';
  v_before timestamptz := now() - interval '60 days';
  v_overview public.admin_overview;
begin
  perform private.require_admin();
  select count(*) into v_overview.users from private.profiles;
  select count(*) filter (where p.created_at >= v_since), count(*) filter (where p.created_at < v_since)
  into v_overview.users_new, v_overview.users_before
  from private.profiles p where p.created_at >= v_before;
  select count(*) into v_overview.creators from private.profiles p where p.is_verified;
  -- Counted by plan, from the index alone, because there are far fewer plans than subscriptions.
  select coalesce(sum(s.paying), 0), coalesce(round(sum(s.paying * private.monthly_cents(p.price_cents, p."interval"))), 0)
  into v_overview.subscriptions, v_overview.monthly_cents
  from (
    select x.tier_id, count(*) as paying from public.subscriptions x where x.status in ('active', 'past_due') group by x.tier_id
  ) s join public.subscription_products p on p.id = s.tier_id;
  select count(*) filter (where s.created_at >= v_since), count(*) filter (where s.created_at < v_since)
  into v_overview.subscriptions_new, v_overview.subscriptions_before
  from public.subscriptions s where s.created_at >= v_before and s.status not in ('incomplete', 'incomplete_expired');
  select count(*) into v_overview.subscriptions_ended from public.subscriptions s
  where s.status = 'canceled' and s.access_until >= v_since and s.access_until <= now();
  select count(*) into v_overview.pending_applications from public.creator_applications a where a.status = 'pending';
  select count(*) into v_overview.open_reports from public.reports r where r.status = 'open';
  select count(*) into v_overview.open_support_requests from public.support_requests r where r.status in ('open', 'in_progress');
  return v_overview;
end;
$$;

-- New posts have private.wants_posts.
create or replace function private.wants(p_profile uuid, p_channel text, p_kind text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select case p_channel when 'email' then s.email when 'push' then s.push else false end
      and case p_kind
        when 'messages' then s.messages
        when 'tips' then s.tips
        when 'subscriptions' then s.subscriptions
        when 'login_alerts' then s.login_alerts
        else true
      end
    from private.user_settings s where s.user_id = p_profile
  ), false);
$$;

-- subscriptions_created_at_idx finds the same rows.
drop index public.subscriptions_created_at_brin;
