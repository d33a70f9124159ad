-- Up Migration
-- What an operator watches: the money of all creators together, and where it differs from the payment provider's books (GEN-05, GEN-09).
create index transactions_created_at_idx on public.transactions (created_at) include (transaction_type, amount, fee_amount, net_amount);

create type public.money_overview as (
  payments bigint, volume numeric, fees numeric, creators numeric, refunds numeric, referral_costs numeric, payouts numeric,
  disputes_opened bigint, disputes_open bigint, disputed numeric, differences_open bigint
);
comment on type public.money_overview is 'The money of a span of days, in dollars, and how the books stand now.';
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

create function public.get_money_overview(first_day date, last_day date) returns public.money_overview
language plpgsql stable security definer set search_path = ''
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
    coalesce(sum(d.amount_cents) filter (where d.status = 'open'), 0) / 100.0
  into v_overview.disputes_opened, v_overview.disputes_open, v_overview.disputed
  from private.payment_disputes d;
  select count(*) into v_overview.differences_open from private.payment_differences d where d.resolved_at is null;
  return v_overview;
end;
$$;
comment on function public.get_money_overview is 'The money of all creators together in these days (UTC, both included), and how the books stand now; for admins.';
grant execute on function public.get_money_overview(date, date) to authenticated;

create type public.platform_balances as (owed_to_creators numeric, kept_by_platform numeric);
comment on type public.platform_balances is 'How the books stand now, in dollars.';
comment on column public.platform_balances.owed_to_creators is 'Earned and not paid out. Never null.';
comment on column public.platform_balances.kept_by_platform is 'Fees less referral costs since the beginning. Never null.';

-- Apart from the overview, which need not wait for it: it adds up every entry of the ledger that there is.
create function public.get_platform_balances() returns public.platform_balances
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_balances public.platform_balances;
begin
  perform private.require_admin();
  select coalesce(-sum(e.amount_cents) filter (where a.code <> 'platform_fees'), 0) / 100.0,
    coalesce(-sum(e.amount_cents) filter (where a.code = 'platform_fees'), 0) / 100.0
  into v_balances
  from private.ledger_accounts a join private.ledger_entries e on e.account_id = a.id where a.code <> 'stripe';
  return v_balances;
end;
$$;
comment on function public.get_platform_balances is 'What the platform owes to creators and has kept, by the ledger; for admins.';
grant execute on function public.get_platform_balances() to authenticated;

create type public.money_day as (day date, volume numeric, fees numeric, refunds numeric);
comment on type public.money_day is 'A day''s money of all creators together, in dollars.';
comment on column public.money_day.day is 'Never null.';
comment on column public.money_day.volume is 'Never null.';
comment on column public.money_day.fees is 'Refunds taken off. Never null.';
comment on column public.money_day.refunds is 'Never null.';

create function public.get_money_series(first_day date, last_day date) returns setof public.money_day
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  if first_day is null or last_day is null or last_day < first_day or last_day - first_day > 400 then
    raise exception 'first_day comes before last_day, at most 400 days' using errcode = '22023';
  end if;
  return query
  select d::date, coalesce(s.volume, 0), coalesce(s.fees, 0), coalesce(s.refunds, 0)
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
  id uuid, cause text, kind text, expected_cents bigint, actual_cents bigint, found_at timestamptz, resolved_at timestamptz
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
