-- Up Migration

-- The admin area (LOOP-24): an overview, payments found by name, and names in the audit log.
create index subscriptions_created_at_idx on public.subscriptions (created_at);
create index subscriptions_ended_idx on public.subscriptions (access_until) where status = 'canceled';
create index creator_applications_pending_idx on public.creator_applications (submitted_at) where status = 'pending';
create type public.admin_overview as (
  users bigint,
  users_new bigint,
  users_before bigint,
  creators bigint,
  subscriptions bigint,
  monthly_cents bigint,
  subscriptions_new bigint,
  subscriptions_before bigint,
  subscriptions_ended bigint,
  pending_applications bigint,
  open_reports bigint,
  open_support_requests bigint
);
comment on type public.admin_overview is 'The people, growth, and queues of the installation. "New" is within the last 30 days, "before" within the 30 days before those.';
comment on column public.admin_overview.users is 'Never null.';
comment on column public.admin_overview.users_new is 'Never null.';
comment on column public.admin_overview.users_before is 'Never null.';
comment on column public.admin_overview.creators is 'Approved creators. Never null.';
comment on column public.admin_overview.subscriptions is 'Paying subscriptions, without trials. Never null.';
comment on column public.admin_overview.monthly_cents is 'The list prices of the paying subscriptions, for a month. Never null.';
comment on column public.admin_overview.subscriptions_new is 'Never null.';
comment on column public.admin_overview.subscriptions_before is 'Never null.';
comment on column public.admin_overview.subscriptions_ended is 'Subscriptions that ended in the last 30 days. Never null.';
comment on column public.admin_overview.pending_applications is 'Never null.';
comment on column public.admin_overview.open_reports is 'Never null.';
comment on column public.admin_overview.open_support_requests is 'Open or in progress. Never null.';
create function public.get_admin_overview() returns public.admin_overview
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
  select coalesce(sum(s.paying), 0), coalesce(round(sum(s.paying * p.price_cents * case p."interval"
    when 'day' then 365.0 / 12 when 'week' then 365.0 / 84 when 'month' then 1 else 1.0 / 12 end)), 0)
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
comment on function public.get_admin_overview is 'The people, growth, and queues of the installation (LOOP-24); for admins. Its money is in get_money_overview.';
grant execute on function public.get_admin_overview() to authenticated;

-- Payments with the names of both sides, so that an admin finds and refunds one without knowing an id (LOOP-24, D40).
create type public.listed_payment as (
  id uuid,
  created_at timestamptz,
  transaction_type text,
  status text,
  amount bigint,
  fee_amount bigint,
  net_amount bigint,
  refunded_amount bigint,
  reason text,
  payer_username text,
  payer_name text,
  creator_username text,
  creator_name text
);
comment on type public.listed_payment is 'A payment or refund with the names of the fan and the creator. Amounts are in cents.';
comment on column public.listed_payment.id is 'transactions.id. Never null.';
comment on column public.listed_payment.created_at is 'Never null.';
comment on column public.listed_payment.transaction_type is 'Never null.';
comment on column public.listed_payment.status is 'Never null.';
comment on column public.listed_payment.amount is 'Never null.';
comment on column public.listed_payment.fee_amount is 'Never null.';
comment on column public.listed_payment.net_amount is 'Never null.';
comment on column public.listed_payment.refunded_amount is 'Never null.';
comment on column public.listed_payment.payer_username is 'Null after that account was deleted.';
comment on column public.listed_payment.creator_username is 'Null after that account was deleted.';
create function public.get_payments(
  search text default null, page_size int default 25, before timestamptz default null, before_id uuid default null
) returns setof public.listed_payment
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_size int := least(greatest(page_size, 0), 100);
  v_before timestamptz := coalesce(before, 'infinity');
  v_before_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_found uuid[];
begin
  perform private.require_admin();
  if private.trimmed(search) is not null then
    -- The page's cost is bounded by the number of users that a search may stand for: the exact username first, then the best known.
    v_found := array(
      select p.id from private.profiles p where p.id in (select private.find_users(private.trimmed(search)))
      order by p.username = lower(private.trimmed(search)) desc, p.reach desc, p.id limit 50
    );
  end if;
  return query
  select t.id, t.created_at, t.transaction_type, t.status, t.amount, t.fee_amount, t.net_amount, t.refunded_amount, t.reason,
    payer.username, payer.display_name, creator.username, creator.display_name
  from (
    select u.* from (
      (
        select x.* from public.transactions x
        where v_found is null and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
          and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'refund')
        order by x.created_at desc, x.id desc limit v_size
      )
      union all
      select side.* from unnest(v_found) found(id) cross join lateral (
        (
          select x.* from public.transactions x
          where x.from_user_id = found.id and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
            and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'refund')
          order by x.created_at desc, x.id desc limit v_size
        )
        union all
        (
          -- A payment between two found users is in the list of its payer.
          select x.* from public.transactions x
          where x.to_user_id = found.id and (x.from_user_id is null or x.from_user_id <> all (v_found))
            and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
            and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'refund')
          order by x.created_at desc, x.id desc limit v_size
        )
      ) side
    ) u order by u.created_at desc, u.id desc limit v_size
  ) t
  left join private.profiles payer on payer.id = t.from_user_id
  left join private.profiles creator on creator.id = t.to_user_id
  order by t.created_at desc, t.id desc;
end;
$$;
comment on function public.get_payments is
  'Payments and refunds, newest first, up to 100 at a time (LOOP-24); for admins. search matches the username, display name, or email of the fan or creator, and stands for up to 50 users. For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_payments(text, int, timestamptz, uuid) to authenticated;

-- The audit log names the users that its entries are about. A name is looked up, not stored: the log outlives deleted accounts.
alter type public.audit_line add attribute actor_name text, add attribute subject_username text, add attribute subject_name text;
comment on type public.audit_line is 'An entry of the audit log, with the names of its actor and of the user it is about.';
comment on column public.audit_line.subject_username is 'The user that the entry is about; null after that account was deleted, and for entries about no user.';
create function private.audited_profile(p_type text, p_id uuid, p_before jsonb) returns uuid
language sql stable security definer set search_path = ''
as $$
  select case p_type
    when 'profiles' then p_id
    when 'users' then (select p.id from private.profiles p where p.user_id = p_id)
    when 'user_roles' then (select p.id from private.profiles p where p.user_id = p_id)
    when 'creator_applications' then (
      select p.id from public.creator_applications a join private.profiles p on p.user_id = a.user_id where a.id = p_id
    )
    when 'support_requests' then (
      select p.id from public.support_requests r join private.profiles p on p.user_id = r.user_id where r.id = p_id
    )
    when 'posts' then coalesce((select p.creator_id from private.posts p where p.id = p_id), (p_before ->> 'creator_id')::uuid)
    when 'comments' then (p_before ->> 'user_id')::uuid
    when 'messages' then (p_before ->> 'sender_id')::uuid
    when 'reports' then (select r.reported_id from public.reports r where r.id = p_id)
    when 'transactions' then (select t.from_user_id from public.transactions t where t.id = p_id)
    when 'session_bookings' then (select b.creator_id from public.session_bookings b where b.id = p_id)
  end;
$$;
comment on function private.audited_profile is 'The profile of the user that an entry of the audit log is about; null if it is about none.';
revoke execute on function private.audited_profile(text, uuid, jsonb) from public;
create or replace function public.get_audit_log(
  actor text default null, action text default null, subject uuid default null, since timestamptz default null, until timestamptz default null,
  page_size int default 50, before timestamptz default null, before_id uuid default null
) returns setof public.audit_line
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_actor text := private.trimmed(get_audit_log.actor);
begin
  perform private.require_admin();
  -- The statement contains only the requested conditions, so that each of them finds its index. Names are looked up for one page only.
  return query execute
    'select l.id, l.created_at, l.action, l.actor_id, p.username, l.subject_type, l.subject_id, l.before, l.after, l.details,
       p.display_name, s.username, s.display_name
     from (
       select l.*, private.audited_profile(l.subject_type, l.subject_id, l.before) as profile_id from public.audit_log l where true'
    || case when v_actor is null then '' else ' and l.actor_id in (select a.user_id from private.profiles a where a.username = lower($1))' end
    || case when get_audit_log.action is null then '' else ' and l.action = $2' end
    || case when subject is null then '' else ' and l.subject_id = $3' end
    || case when since is null then '' else ' and l.created_at >= $4' end
    || case when until is null then '' else ' and l.created_at < $5' end
    || case when before is null then '' else ' and (l.created_at, l.id) < ($6, coalesce($7, ''ffffffff-ffff-ffff-ffff-ffffffffffff''))' end
    || ' order by l.created_at desc, l.id desc limit $8
     ) l
     left join private.profiles p on p.user_id = l.actor_id
     left join private.profiles s on s.id = l.profile_id
     order by l.created_at desc, l.id desc'
    using v_actor, get_audit_log.action, subject, since, until, before, before_id, least(greatest(page_size, 0), 1000);
end;
$$;
