-- Up Migration

-- Admin screens: the list of users (RPC-04, ADM-16), the money overview, and payment differences (GEN-05, GEN-09). Also the unread badges
-- (GEN-21, GEN-22) and limits that need to know what already exists.
create index profiles_created_at_idx on private.profiles (created_at desc, id desc);
create index users_email_trgm_idx on auth.users using gin (email extensions.gin_trgm_ops);
create type public.user_with_email as (
  id uuid,
  user_id uuid,
  username text,
  display_name text,
  avatar_url text,
  bio text,
  is_creator boolean,
  is_verified boolean,
  is_private boolean,
  role text,
  followers_count integer,
  following_count integer,
  created_at timestamptz,
  email text,
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  banned_until timestamptz,
  total_posts integer,
  total_earnings bigint,
  suspended_at timestamptz,
  suspension_reason text,
  updated_at timestamptz
);
comment on type public.user_with_email is 'A profile with the account data that admins see (ADM-16).';
comment on column public.user_with_email.id is 'profiles.id. Never null.';
comment on column public.user_with_email.user_id is 'auth.users.id. Never null.';
comment on column public.user_with_email.username is 'Never null.';
comment on column public.user_with_email.is_creator is 'Never null.';
comment on column public.user_with_email.is_verified is 'Never null.';
comment on column public.user_with_email.is_private is 'Never null.';
comment on column public.user_with_email.role is 'admin or user. Never null.';
comment on column public.user_with_email.followers_count is 'Never null.';
comment on column public.user_with_email.following_count is 'Never null.';
comment on column public.user_with_email.created_at is 'Never null.';
comment on column public.user_with_email.total_posts is 'Never null.';
comment on column public.user_with_email.total_earnings is 'Cents after the fee. Never null.';
comment on column public.user_with_email.suspended_at is 'When the user was suspended; null when the user isn''t suspended.';
comment on column public.user_with_email.updated_at is 'updated_at of the profile, which versions the URLs of its pictures. Never null.';
create function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_privileged() then
    raise exception 'Only admins can do this' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_admin is 'Rejects everyone except admins and the service.';

-- Each side of the union uses its own index.
create function private.find_users(search text) returns setof uuid
language sql stable security definer rows 100 set search_path = ''
as $$
  select p.id from private.profiles p
  where p.username ilike private.like_pattern(search) or p.display_name ilike private.like_pattern(search)
  union
  select p.id from auth.users u join private.profiles p on p.user_id = u.id where u.email ilike private.like_pattern(search);
$$;
comment on function private.find_users is 'Profiles whose username, display name, or email contains the text.';
create function public.get_users_with_emails(
  search text default null,
  page_size int default 1000,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.user_with_email
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query execute
    'select p.id, p.user_id, p.username, p.display_name, p.avatar_url, p.bio, p.is_creator, p.is_verified, p.is_private,
       case when public.has_role(p.user_id, ''admin'') then ''admin'' else ''user'' end,
       p.followers_count, p.following_count, p.created_at, u.email::text, u.email_confirmed_at, u.last_sign_in_at, u.banned_until,
       p.total_posts, p.total_earnings, p.suspended_at, p.suspension_reason, p.updated_at
     from (
       select f.* from private.profiles f
       where ($2 is null or (f.created_at, f.id) < ($2, coalesce($3, ''ffffffff-ffff-ffff-ffff-ffffffffffff'')))'
    || case when private.trimmed(search) is null then '' else ' and f.id in (select private.find_users($1))' end
    || ' order by f.created_at desc, f.id desc limit $4
     ) p
     join auth.users u on u.id = p.user_id
     order by p.created_at desc, p.id desc'
    using search, before, before_id, least(greatest(page_size, 0), 1000);
end;
$$;
comment on function public.get_users_with_emails is
  'Users with their emails, newest first, up to 1000 at a time (RPC-04); for admins. search matches username, display name, and email. For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_users_with_emails(text, int, timestamptz, uuid) to authenticated;
create function public.count_users(search text default null) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  if private.trimmed(search) is null then
    return (select count(*) from private.profiles);
  end if;
  return (select count(*) from private.find_users(search));
end;
$$;
comment on function public.count_users is 'The number of users for this search ("All Users" (count), ADM-04); for admins.';
grant execute on function public.count_users(text) to authenticated;
create type public.unread_counts as (
  notifications integer,
  messages integer
);
comment on type public.unread_counts is 'The numbers on the two badges in the top bar.';
comment on column public.unread_counts.notifications is 'Never null.';
comment on column public.unread_counts.messages is 'Never null.';
create function public.get_unread_counts() returns public.unread_counts
language sql stable security definer set search_path = ''
as $$
  select
    (select count(*)::int from (select from public.notifications n where n.user_id = me.id and not n.is_read limit 1000) unread),
    (select count(*)::int from (select from private.messages m where m.recipient_id = me.id and not m.is_read limit 1000) unread)
  from (select private.my_profile_id() as id) me;
$$;
comment on function public.get_unread_counts is 'The caller''s unread notifications and messages (GEN-21, GEN-22). Counted up to 1000 each, because a badge shows 99+.';
grant execute on function public.get_unread_counts() to authenticated;

-- The money of all creators together, and where it differs from the payment provider (GEN-05, GEN-09).
create index transactions_created_at_idx on public.transactions (created_at) include (transaction_type, amount, fee_amount, net_amount);
create type public.money_overview as (
  payments bigint,
  volume bigint,
  fees bigint,
  creators bigint,
  refunds bigint,
  referral_costs bigint,
  payouts bigint,
  disputes_opened bigint,
  disputes_open bigint,
  disputed bigint,
  differences_open bigint
);
comment on type public.money_overview is 'The money of a period, in cents, and the current number of disputes and differences.';
comment on column public.money_overview.payments is 'The number of payments. Never null.';
comment on column public.money_overview.volume is 'Gross payments, before refunds. Never null.';
comment on column public.money_overview.fees is 'The platform''s fees, after refunds. Never null.';
comment on column public.money_overview.creators is 'The creators'' net earnings, after refunds. Never null.';
comment on column public.money_overview.refunds is 'Refunds to fans, including disputes. Never null.';
comment on column public.money_overview.referral_costs is 'Rewards and commissions, paid from the fees. Never null.';
comment on column public.money_overview.payouts is 'Payouts to creators'' banks. Never null.';
comment on column public.money_overview.disputes_opened is 'Disputes opened in the period. Never null.';
comment on column public.money_overview.disputes_open is 'Disputes that are open now. Never null.';
comment on column public.money_overview.disputed is 'The amount of the open disputes. Never null.';
comment on column public.money_overview.differences_open is 'Unsettled differences from the payment provider. Never null.';
create function public.get_money_overview(first_day date, last_day date)
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
    raise exception 'first_day must not be after last_day' using errcode = '22023';
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
comment on function public.get_money_overview is 'The money of all creators together from first_day through last_day (UTC), and the current number of disputes and differences; for admins.';
grant execute on function public.get_money_overview(date, date) to authenticated;
create type public.platform_balances as (
  owed_to_creators bigint,
  kept_by_platform bigint
);
comment on type public.platform_balances is 'The current balances of the ledger, in cents.';
comment on column public.platform_balances.owed_to_creators is 'Creators'' earnings that haven''t been paid out. Never null.';
comment on column public.platform_balances.kept_by_platform is 'All fees, less referral costs. Never null.';

-- All accounts sum to zero, so the creators' balance follows from those of `stripe` and `platform_fees`: two rows instead of one for each
-- creator.
create function public.get_platform_balances()
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
comment on function public.get_platform_balances is 'What the platform owes to creators and what it has kept, from the ledger; for admins.';
grant execute on function public.get_platform_balances() to authenticated;
create type public.money_day as (
  day date,
  volume bigint,
  fees bigint,
  refunds bigint
);
comment on type public.money_day is 'The money of all creators together on one day, in cents.';
comment on column public.money_day.day is 'Never null.';
comment on column public.money_day.volume is 'Never null.';
comment on column public.money_day.fees is 'The platform''s fees, after refunds. Never null.';
comment on column public.money_day.refunds is 'Never null.';
create function public.get_money_series(first_day date, last_day date)
returns SETOF public.money_day
language plpgsql stable security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  if first_day is null or last_day is null or last_day < first_day or last_day - first_day > 400 then
    raise exception 'first_day must not be after last_day, and at most 400 days before it' using errcode = '22023';
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
comment on function public.get_money_series is 'The money of all creators together by day, including days without any; for admins.';
grant execute on function public.get_money_series(date, date) to authenticated;
create type public.payment_difference as (
  id uuid,
  cause text,
  kind text,
  expected_cents bigint,
  actual_cents bigint,
  found_at timestamptz,
  resolved_at timestamptz
);
comment on type public.payment_difference is 'A difference between the ledger and the payment provider.';
comment on column public.payment_difference.id is 'Never null.';
comment on column public.payment_difference.cause is 'The provider''s id of the object. Never null.';
comment on column public.payment_difference.kind is 'Never null.';
comment on column public.payment_difference.expected_cents is 'Never null.';
comment on column public.payment_difference.actual_cents is 'Never null.';
comment on column public.payment_difference.found_at is 'Never null.';
create function public.get_payment_differences(settled boolean default false) returns setof public.payment_difference
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
  select d.id, d.cause, d.kind, d.expected_cents, d.actual_cents, d.found_at, d.resolved_at from private.payment_differences d
  where (d.resolved_at is not null) = get_payment_differences.settled order by d.found_at desc, d.id limit 200;
end;
$$;
comment on function public.get_payment_differences is 'Open or settled differences that reconciliation found, newest first, at most 200; for admins.';
grant execute on function public.get_payment_differences(boolean) to authenticated;
create function public.settle_payment_difference(difference_id uuid, note text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_note text := private.trimmed(note);
  v_difference private.payment_differences;
begin
  perform private.require_admin();
  if v_note is null or length(v_note) > 500 then
    raise exception 'Enter a note of up to 500 characters' using errcode = '23514', constraint = 'settle_payment_difference_note';
  end if;
  update private.payment_differences d set resolved_at = now() where d.id = difference_id and d.resolved_at is null returning * into v_difference;
  if v_difference.id is null then
    raise sqlstate 'PT404' using message = 'Difference not found or already settled';
  end if;
  perform private.write_audit('settle_difference', 'payment_differences', v_difference.id,
    jsonb_build_object('settled', false), jsonb_build_object('settled', true),
    jsonb_build_object('cause', v_difference.cause, 'kind', v_difference.kind, 'note', v_note));
end;
$$;
comment on function public.settle_payment_difference is 'Settles a difference with a note; for admins. Reconciliation opens it again when it still finds the difference.';
grant execute on function public.settle_payment_difference(uuid, text) to authenticated;

-- The admin panel updates its numbers live (ADM-04): applications and support requests, as far as the receiver may read them (API-RT-04).
alter publication ovation_realtime add table public.creator_applications, public.support_requests;

-- A malicious admin, or one whose session was stolen, must not be able to remove other admins or take over their accounts (ADM-17, ADM-19).
create function private.require_not_admin(p_user uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if public.has_role(p_user, 'admin') then
    raise sqlstate 'PT403' using message = 'This account belongs to an admin. The operator has to revoke the admin role first.';
  end if;
end;
$$;
comment on function private.require_not_admin is 'Rejects an admin''s action on the account of another admin. Revoking the role first leaves its own entry in the audit log.';
revoke execute on function private.require_not_admin(uuid) from public;
grant execute on function private.require_not_admin(uuid) to service_role;

-- Limits that apply to every API and need to know what already exists.
create function private.reject_many_support_requests() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and (select count(*) from added) > 1 then
    raise exception 'You can send one support request at a time.' using errcode = 'PT400';
  end if;
  return null;
end;
$$;
comment on function private.reject_many_support_requests is
  'Trigger of support_requests: an HTTP request can insert only one row, so that a rate limit for requests also limits rows.';
revoke execute on function private.reject_many_support_requests from public;
create trigger support_requests_one_at_a_time after insert on public.support_requests
  referencing new table as added for each statement execute function private.reject_many_support_requests();

-- Approved creators may welcome all their new followers and subscribers. The limit for messages still applies to them.
create function private.limit_new_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_most int := private.setting('new_conversations_per_hour')::int;
  v_begun int;
begin
  if v_most is null or private.is_service() then
    return new;
  elsif exists (
    select from private.conversations c where c.profile_id = new.sender_id and c.other_id = new.recipient_id
  ) then
    return new;
  elsif private.is_approved_creator(new.sender_id) and (
    exists (select from public.follows f where f.follower_id = new.recipient_id and f.following_id = new.sender_id)
    or exists (
      select from public.subscriptions s
      where s.subscriber_id = new.recipient_id and s.creator_id = new.sender_id and s.status not in ('incomplete', 'incomplete_expired')
    )
  ) then
    return new;
  end if;
  -- Serialize the sender's requests: at the same time, each would pass.
  perform pg_advisory_xact_lock(hashtextextended('new conversations ' || new.sender_id, 0));
  select count(*) into v_begun
  from private.conversations c
  where c.profile_id = new.sender_id and c.last_message_at > now() - interval '1 hour'
    and exists (select from private.messages m where m.sender_id = c.profile_id and m.recipient_id = c.other_id)
    and not exists (
      select from private.messages m
      where m.created_at <= now() - interval '1 hour'
        and ((m.sender_id = c.profile_id and m.recipient_id = c.other_id) or (m.sender_id = c.other_id and m.recipient_id = c.profile_id))
    );
  if v_begun >= v_most then
    raise exception 'You can start % new conversations an hour.', v_most
      using errcode = 'PT429', hint = 'Try again later. You can still write to people you''ve exchanged messages with.';
  end if;
  return new;
end;
$$;
comment on function private.limit_new_conversations is
  'Trigger of messages: limits the number of new conversations in an hour (API_LIMIT_NEW_CONVERSATIONS). Not limited: approved creators who message their followers and subscribers, jobs, and the service key.';
revoke execute on function private.limit_new_conversations from public;
create trigger messages_limit_new_conversations before insert on private.messages
  for each row execute function private.limit_new_conversations();
