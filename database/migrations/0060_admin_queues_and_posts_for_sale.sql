-- Up Migration

-- Admins hear of what waits for them: applications, reports, and support requests. There is one unread notification for each of the three
-- queues, with the number of its entries since, so that ten thousand applications are a hundred rows for a hundred admins.

-- As in 0050_notification_texts.sql, with the three queues. A support request of a visitor has no user.
create or replace function private.group_words(p_kind text, p_actor uuid, p_count int, p_post uuid, out title text, out message text)
language sql stable security definer set search_path = ''
as $$
  select
    case
      when p_kind = 'comment' and p_count > 1 then p_count || ' new comments on your post' -- one user may write several comments
      -- The same holds for reports and support requests.
      when p_kind = 'report' and p_count > 1 then p_count || ' new reports'
      when p_kind = 'support_request' and p_count > 1 then p_count || ' new support requests'
      else a.name
        || case when p_count < 2 then '' when p_count = 2 then ' and one other' else ' and ' || (p_count - 1) || ' others' end
        || case p_kind
          when 'follow' then ' started following you'
          when 'like' then ' liked your post'
          when 'application' then ' applied to become a creator'
          when 'report' then ' sent a report'
          when 'support_request' then ' sent a support request'
          else ' commented on your post'
        end
    end,
    case
      when p_kind = 'comment' and p_count > 1 then a.name || ' wrote the latest one' || coalesce(', on ' || private.post_label(p_post), '') || '.'
      when p_kind in ('report', 'support_request') and p_count > 1 then 'The latest one is from ' || a.who || '.'
      when p_kind = 'follow' then ''
      else coalesce(private.post_label(p_post), '')
    end
  from (
    select coalesce(n.name, case p_kind when 'support_request' then 'A visitor' else 'Someone' end) as name,
      coalesce(n.name, 'a visitor') as who
    from (select private.name_of(p_actor) as name) n
  ) a;
$$;

-- In the order of their ids: of two users who send something at the same moment, one waits for the other, and never each for the other.
create function private.ring_admins(p_kind text, p_actor uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.ring_together(a.id, p_kind, p_actor, null)
  from (
    select p.id from public.user_roles r join private.profiles p on p.user_id = r.user_id where r.role = 'admin' order by p.id
  ) a;
$$;
comment on function private.ring_admins is 'Notifies every admin, except the actor, of an entry in one of their queues. p_kind: application, report, support_request. p_actor: null for a visitor.';

create function private.ring_for_queue() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'reports' then
    perform private.ring_admins('report', new.reporter_id);
  else
    perform private.ring_admins(
      case tg_table_name when 'creator_applications' then 'application' else 'support_request' end,
      (select p.id from private.profiles p where p.user_id = new.user_id)
    );
  end if;
  return null;
end;
$$;
comment on function private.ring_for_queue is 'Trigger of creator_applications, reports, and support_requests: notifies the admins.';
create trigger creator_applications_ring after insert on public.creator_applications
  for each row when (new.status = 'pending') execute function private.ring_for_queue();
create trigger reports_ring after insert on public.reports
  for each row when (new.status = 'open') execute function private.ring_for_queue();
create trigger support_requests_ring after insert on public.support_requests
  for each row when (new.status = 'open') execute function private.ring_for_queue();

-- The lengths of the queues, counted in one place: the overview, the rail of the admin area, and the links to it show the same numbers.
create type public.admin_queues as (pending_applications bigint, open_reports bigint, open_support_requests bigint);
comment on type public.admin_queues is 'How many entries wait for an admin.';
comment on column public.admin_queues.pending_applications is 'Never null.';
comment on column public.admin_queues.open_reports is 'Never null.';
comment on column public.admin_queues.open_support_requests is 'Open or in progress. Never null.';

create function public.get_admin_queues() returns public.admin_queues
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_queues public.admin_queues;
begin
  perform private.require_admin();
  select count(*) into v_queues.pending_applications from public.creator_applications a where a.status = 'pending';
  select count(*) into v_queues.open_reports from public.reports r where r.status = 'open';
  select count(*) into v_queues.open_support_requests from public.support_requests r where r.status in ('open', 'in_progress');
  return v_queues;
end;
$$;
comment on function public.get_admin_queues is 'How many applications, reports, and support requests wait for an admin; for admins.';
grant execute on function public.get_admin_queues() to authenticated;

-- As in 0051_previews_and_monthly_revenue.sql, with the queues from get_admin_queues.
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
  select q.pending_applications, q.open_reports, q.open_support_requests
  into v_overview.pending_applications, v_overview.open_reports, v_overview.open_support_requests
  from public.get_admin_queues() q;
  return v_overview;
end;
$$;

-- Posts that are sold one by one, for Explore (LOOP-09): they were only found on the profiles of their creators.
-- A function that clients can't call: with a plain condition on post_type, their own queries could use the index, and take less time for hidden
-- posts of one kind. Not inlined, because it sets the search path.
create function private.is_for_sale(post_type text) returns boolean
language sql immutable set search_path = ''
as $$
  select post_type = 'ppv';
$$;
comment on function private.is_for_sale is 'True for posts that are sold one by one.';
create index posts_for_sale_idx on private.posts (created_at desc, id desc) include (creator_id) where private.is_for_sale(post_type);

create function public.posts_for_sale(page_size int default 12) returns setof public.posts
language sql stable security definer rows 12 set search_path = ''
as $$
  with newest as materialized (
    -- Enough to fill a rail, although a creator may publish many at once.
    select p.id, p.creator_id, p.created_at from private.posts p
    where private.is_for_sale(p.post_type) order by p.created_at desc, p.id desc limit 300
  ), offered as (
    select n.id, n.created_at, row_number() over (partition by n.creator_id order by n.created_at desc, n.id desc) as place
    from newest n join private.profiles c on c.id = n.creator_id
    where c.is_listed and c.stripe_account_id is not null and c.stripe_charges_enabled
      and n.creator_id is distinct from (select private.my_profile_id())
      and n.creator_id <> all ((select private.my_blocks())::uuid[])
      and not exists (
        select from public.purchases b where b.buyer_id = (select private.my_profile_id()) and b.post_id = n.id
      )
  )
  select v.*
  from (
    select o.id, o.created_at from offered o where o.place <= 2
    order by o.created_at desc, o.id desc limit least(greatest(posts_for_sale.page_size, 0), 24)
  ) f
  cross join lateral (select p.* from public.posts p where p.id = f.id offset 0) v
  order by f.created_at desc, f.id desc;
$$;
comment on function public.posts_for_sale is 'The newest pay-per-view posts of creators in Explore that the caller can buy, newest first: at most two of a creator, at most 24. Considers the 300 newest.';
grant execute on function public.posts_for_sale(int) to anon, authenticated;
