-- Up Migration

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
