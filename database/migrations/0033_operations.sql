-- Up Migration

-- The admin's list of users (RPC-04, ADM-16) and the numbers on the badges (GEN-21, GEN-22).
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
comment on type public.user_with_email is 'A profile with what admins see of its account (ADM-16).';
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
comment on column public.user_with_email.suspended_at is 'Since when an admin keeps the person out.';
comment on column public.user_with_email.updated_at is 'Of the profile; its pictures are named by it. Never null.';
create function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_privileged() then
    raise exception 'Only admins may do this' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_admin is 'Refuses everybody but admins and the service.';

-- Each side of the union finds its own index; the page's rows alone are put together.
create function private.find_users(search text) returns setof uuid
language sql stable security definer rows 100 set search_path = ''
as $$
  select p.id from private.profiles p
  where p.username ilike private.like_pattern(search) or p.display_name ilike private.like_pattern(search)
  union
  select p.id from auth.users u join private.profiles p on p.user_id = u.id where u.email ilike private.like_pattern(search);
$$;
comment on function private.find_users is 'Profiles whose username, name or address holds the text.';
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
  'Users with their addresses, newest first, up to 1000 at a time (RPC-04); for admins. search matches username, display name and address. The next page: before and before_id take created_at and id of the last row.';
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
comment on function public.count_users is 'How many users get_users_with_emails has for this search ("All Users" (count), ADM-04); for admins.';
grant execute on function public.count_users(text) to authenticated;
create type public.unread_counts as (
  notifications integer,
  messages integer
);
comment on type public.unread_counts is 'The two badges of the top bar.';
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
comment on function public.get_unread_counts is 'What the caller has not read, both badges in one call (GEN-21, GEN-22). Counted up to 1000 each: a badge says 99+ long before.';
grant execute on function public.get_unread_counts() to authenticated;

-- What an operator watches: the money of all creators together, and where it differs from the payment provider's books (GEN-05, GEN-09).
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
comment on type public.money_overview is 'The money of a span of days, in cents, and how the books stand now.';
comment on column public.money_overview.payments is 'How many payments came in. Never null.';
comment on column public.money_overview.volume is 'What fans paid, before refunds. Never null.';
comment on column public.money_overview.fees is 'What the platform kept of it, refunds taken off. Never null.';
comment on column public.money_overview.creators is 'What creators earned of it, refunds taken off. Never null.';
comment on column public.money_overview.refunds is 'What went back to fans, disputes included. Never null.';
comment on column public.money_overview.referral_costs is 'Rewards and commissions, paid from the fees. Never null.';
comment on column public.money_overview.payouts is 'What left for creators'' banks. Never null.';
comment on column public.money_overview.disputes_opened is 'Opened in these days. Never null.';
comment on column public.money_overview.disputes_open is 'Undecided now. Never null.';
comment on column public.money_overview.disputed is 'What the undecided ones are about. Never null.';
comment on column public.money_overview.differences_open is 'Differences from the provider''s books that nobody has settled. Never null.';
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
comment on function public.get_money_overview is 'The money of all creators together in these days (UTC, both included), and how the books stand now; for admins.';
grant execute on function public.get_money_overview(date, date) to authenticated;
create type public.platform_balances as (
  owed_to_creators bigint,
  kept_by_platform bigint
);
comment on type public.platform_balances is 'How the books stand now, in cents.';
comment on column public.platform_balances.owed_to_creators is 'Earned and not paid out. Never null.';
comment on column public.platform_balances.kept_by_platform is 'Fees less referral costs since the beginning. Never null.';

-- Apart from the overview, which need not wait for it: it adds up every entry of the ledger that there is.
-- All accounts together are nothing, so what creators are owed is what lies at the provider less what the platform has kept.
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
comment on function public.get_platform_balances is 'What the platform owes to creators and has kept, by the ledger; for admins.';
grant execute on function public.get_platform_balances() to authenticated;
create type public.money_day as (
  day date,
  volume bigint,
  fees bigint,
  refunds bigint
);
comment on type public.money_day is 'A day''s money of all creators together, in cents.';
comment on column public.money_day.day is 'Never null.';
comment on column public.money_day.volume is 'Never null.';
comment on column public.money_day.fees is 'Refunds taken off. Never null.';
comment on column public.money_day.refunds is 'Never null.';
create function public.get_money_series(first_day date, last_day date)
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
comment on function public.get_money_series is 'get_money_overview day by day, days without money included; for admins.';
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
comment on type public.payment_difference is 'Where our books and the payment provider''s part.';
comment on column public.payment_difference.id is 'Never null.';
comment on column public.payment_difference.cause is 'The provider''s id of what it is about. Never null.';
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
comment on function public.get_payment_differences is 'What reconciliation found and nobody has settled, or what has been settled, newest first, at most 200; for admins.';
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
    raise exception 'Say in at most 500 characters how it was settled' using errcode = '23514', constraint = 'settle_payment_difference_note';
  end if;
  update private.payment_differences d set resolved_at = now() where d.id = difference_id and d.resolved_at is null returning * into v_difference;
  if v_difference.id is null then
    raise sqlstate 'PT404' using message = 'There is no such open difference';
  end if;
  perform private.write_audit('settle_difference', 'payment_differences', v_difference.id,
    jsonb_build_object('settled', false), jsonb_build_object('settled', true),
    jsonb_build_object('cause', v_difference.cause, 'kind', v_difference.kind, 'note', v_note));
end;
$$;
comment on function public.settle_payment_difference is 'An admin has looked into it and says how it was settled. Reconciliation opens it again when it still sees it.';
grant execute on function public.settle_payment_difference(uuid, text) to authenticated;

-- What the admin panel counts is counted live (ADM-04): applications and support requests, each as the receiver may read it (API-RT-04).
alter publication ovation_realtime add table public.creator_applications, public.support_requests;

-- An admin who acts alone, or whose session was stolen, must not remove the other admins or take over their accounts (ADM-17, ADM-19).
create function private.require_not_admin(p_user uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if public.has_role(p_user, 'admin') then
    raise sqlstate 'PT403' using message = 'This account belongs to an admin. The operator has to revoke the admin role first.';
  end if;
end;
$$;
comment on function private.require_not_admin is 'Rejects an act of one admin on the account of another. Revoking the role first leaves an entry in the audit log of its own.';
revoke execute on function private.require_not_admin(uuid) from public;
grant execute on function private.require_not_admin(uuid) to service_role;

-- Limits that hold whichever API is written through: they need to know what is there already.
create function private.refuse_many_support_requests() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_service() and (select count(*) from added) > 1 then
    raise exception 'You can send one support request at a time.' using errcode = 'PT400';
  end if;
  return null;
end;
$$;
comment on function private.refuse_many_support_requests is
  'Trigger of support_requests: a request of a visitor holds one row, so that a limit of requests is a limit of rows.';
revoke execute on function private.refuse_many_support_requests from public;
create trigger support_requests_one_at_a_time after insert on public.support_requests
  referencing new table as added for each statement execute function private.refuse_many_support_requests();

-- Approved creators welcome new subscribers one by one, more than thirty in a good hour. What they write stays under the limit of messages.
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
  -- One after the other, or many at once would all find room.
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
      using errcode = 'PT429', hint = 'Try again later. You can still write to people you have written with.';
  end if;
  return new;
end;
$$;
comment on function private.limit_new_conversations is
  'Trigger of messages: how many people one may write to for the first time within an hour (API_LIMIT_NEW_CONVERSATIONS). Not limited: approved creators among their followers and subscribers, jobs, and the service key.';
revoke execute on function private.limit_new_conversations from public;
create trigger messages_limit_new_conversations before insert on private.messages
  for each row execute function private.limit_new_conversations();
