-- Up Migration

-- Payouts, and the daily reconciliation with Stripe. payment_differences should be empty.
create table private.payment_differences (
  id             uuid primary key default gen_random_uuid(),
  cause          text not null,
  kind           text not null,
  expected_cents bigint not null,
  actual_cents   bigint not null,
  found_at       timestamptz not null default now(),
  resolved_at    timestamptz,
  constraint payment_differences_once unique (cause, kind),
  constraint payment_differences_kind_known check (kind in
    ('amount', 'fee', 'dispute', 'payout', 'missing', 'unknown', 'returned', 'currency', 'transfer'))
);
comment on table private.payment_differences is 'Amounts that differ between the payment provider and us. The ledger has the provider''s amount, because that is what moved.';
comment on column private.payment_differences.cause is 'The id of the Stripe object, such as an invoice.';
comment on column private.payment_differences.kind is 'amount: the charge differs from the invoice. fee: the platform''s fee differs from the agreed fee. dispute: the disputed amount exceeds what was left of the payment, or a won dispute is no longer won. payout: a payout or debit exceeds the balance. missing: the provider has a payment that isn''t in the ledger. unknown: the ledger has a payment that the provider doesn''t know. returned: refunds and disputes have different sums. currency: the payout was in another currency, so it wasn''t booked. transfer: the provider left the creator a different part of the payment than the ledger.';
comment on column private.payment_differences.resolved_at is 'When an admin settled it; null while it is open.';
alter table private.payment_differences enable row level security;
create index payment_differences_open_idx on private.payment_differences (found_at) where resolved_at is null;

-- Payouts to creators' banks (D39). Stripe pays out on its own schedule; the ledger follows. A negative payout is a debit of the creator's bank
-- account, for a negative balance.
create function private.balance_of(p_profile uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select -b.balance_cents
    from private.ledger_accounts a join private.ledger_balances b on b.account_id = a.id
    where a.code = 'creator:' || p_profile
  ), 0);
$$;
comment on function private.balance_of is 'A user''s earnings that haven''t been paid out, in cents. Negative when refunds exceeded the balance.';
create function private.post_payout(p_cause text, p_creator uuid, p_amount_cents bigint, p_currency text, p_occurred_at timestamptz) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_balance bigint;
  v_ledger uuid;
  v_id uuid;
begin
  if coalesce(p_amount_cents = 0, true) or p_creator is null then
    raise exception 'A payout needs a creator and an amount other than zero' using errcode = '22023';
  end if;
  perform private.lock_books();
  v_balance := private.balance_of(p_creator);
  v_ledger := private.post_ledger(p_cause, 'payout', p_currency, p_occurred_at,
    jsonb_build_object('creator:' || p_creator, p_amount_cents, 'stripe', -p_amount_cents));
  if v_ledger is null then
    return private.transaction_by_cause(p_cause);
  end if;
  -- The Stripe account may have other income, too. The money moved, so it is booked, and the difference is recorded.
  if (p_amount_cents > 0 and p_amount_cents > v_balance) or (p_amount_cents < 0 and p_amount_cents < v_balance) then
    insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
    values (p_cause, 'payout', v_balance, p_amount_cents) on conflict on constraint payment_differences_once do nothing;
  end if;
  insert into public.transactions (to_user_id, transaction_type, amount, currency, ledger_transaction_id, created_at)
  values ((select p.id from private.profiles p where p.id = p_creator), 'payout', p_amount_cents, p_currency, v_ledger, p_occurred_at)
  returning id into v_id;
  perform private.notify(p.id, 'payment',
    case when p_amount_cents > 0 then 'Payout sent' else 'Negative balance settled' end,
    case when p_amount_cents > 0 then private.dollars(p_amount_cents) || ' is on its way to your bank.'
      else private.dollars(-p_amount_cents) || ' was debited from your bank account, because refunds and disputes exceeded your balance.' end,
    jsonb_build_object('transaction_id', v_id))
  from private.profiles p where p.id = p_creator;
  return v_id;
end;
$$;
comment on function private.post_payout is
  'Books a payout to the creator''s bank, or with a negative amount, a debit. Idempotent by p_cause, the provider''s payout id. Returns transactions.id.';
create function private.post_payout_return(p_cause text, p_payout uuid, p_occurred_at timestamptz) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payout public.transactions;
  v_account text;
  v_ledger uuid;
  v_id uuid;
begin
  perform private.lock_books();
  select * into v_payout from public.transactions t
  where t.id = p_payout and t.transaction_type = 'payout' and t.original_transaction_id is null for no key update;
  if v_payout.id is null then
    raise sqlstate 'PT404' using message = 'Payout not found';
  elsif v_payout.status = 'refunded' then -- a payout is returned once, no matter what the second event is called
    return (select t.id from public.transactions t where t.original_transaction_id = p_payout);
  end if;
  select a.code into v_account
  from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id
  where e.transaction_id = v_payout.ledger_transaction_id and a.code like 'creator:%';
  v_ledger := private.post_ledger(p_cause, 'payout', v_payout.currency, p_occurred_at,
    jsonb_build_object(v_account, -v_payout.amount, 'stripe', v_payout.amount));
  if v_ledger is null then
    raise exception 'This cause was already used by another transaction' using errcode = '22023';
  end if;
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_payout.to_user_id, 'payout', -v_payout.amount, v_payout.currency, p_payout, v_ledger, p_occurred_at)
  returning id into v_id;
  update public.transactions set status = 'refunded', refunded_amount = greatest(amount, 0) where id = p_payout;
  perform private.notify(p.id, 'payment',
    case when v_payout.amount > 0 then 'Payout returned' else 'Debit failed' end,
    case when v_payout.amount > 0 then 'Your bank rejected ' || private.dollars(v_payout.amount) || '. Check your bank details.'
      else 'Your bank didn''t pay the ' || private.dollars(-v_payout.amount) || ' that you owe. We''ll deduct it from your next earnings.' end,
    jsonb_build_object('transaction_id', v_id))
  from private.profiles p where p.id = v_payout.to_user_id;
  return v_id;
end;
$$;
comment on function private.post_payout_return is 'Books that the bank returned a payout, or didn''t pay a debit: restores the balance. Idempotent.';

create function private.verify_profile_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select * from private.verify_basic_counters()
  union all
  select p.creator_id, 'posts.views_count', sum(p.views_count)::numeric, sum(seen.views)::numeric
  from private.posts p
  cross join lateral (select count(*) as views from public.post_views v where v.post_id = p.id) seen
  where p.views_count <> seen.views group by p.creator_id
  union all
  select s.creator_id, 'session_slots.held', count(*)::numeric, 0
  from public.session_slots s
  left join public.session_bookings b on b.slot_id = s.id and b.state in ('pending_payment', 'requested', 'accepted', 'completed')
  where s.held_until <> case
    when b.id is null then '-infinity' when b.state = 'pending_payment' then b.hold_expires_at else 'infinity'
  end group by s.creator_id;
$$;
comment on function private.verify_profile_counters is 'Counters of profiles, posts, and session slots that differ from what they count.';

-- Recomputes all sums of money: transactions, balances, refunds, commissions, and daily earnings (D7).
create function private.verify_booked_money() returns table (subject text, problem text)
language sql stable security definer set search_path = ''
as $$
  -- Each transaction against its movement.
  select t.id::text, 'differs from the ledger'
  from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
  cross join lateral (
    select coalesce(sum(e.amount_cents) filter (where a.code = 'stripe'), 0) as at_provider,
      coalesce(sum(e.amount_cents) filter (where a.code = 'platform_fees'), 0) as fees,
      coalesce(sum(e.amount_cents) filter (where a.code like 'creator:%'), 0) as creator
    from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id where e.transaction_id = l.id
  ) booked
  where t.transaction_type <> l.type or t.currency <> l.currency or t.created_at <> l.occurred_at or case
    when t.transaction_type = 'payout' then (booked.at_provider, booked.fees, booked.creator) <> (-t.amount, 0, t.amount)
    when t.transaction_type in ('referral_reward', 'referral_commission') then (booked.at_provider, booked.fees, booked.creator) <> (0, t.amount, -t.amount)
    else (booked.at_provider, booked.fees, booked.creator) <> (t.amount, -t.fee_amount, -t.net_amount)
  end
  union all
  select l.cause, 'is in the ledger but in no transaction'
  from private.ledger_transactions l where not exists (select from public.transactions t where t.ledger_transaction_id = l.id)
  union all
  -- Each balance: what the transactions add up to is what the ledger holds.
  select 'creator:' || p.id, 'has different balances in transactions and in the ledger'
  from private.profiles p
  where private.balance_of(p.id) <> coalesce((
    select sum(case t.transaction_type when 'payout' then -t.amount else t.net_amount end) from public.transactions t where t.to_user_id = p.id
  ), 0)
  union all
  -- Refunds: what went back is what the payment says, never more than it was, and the fee in its proportion.
  select t.id::text, 'doesn''t match its refunds'
  from public.transactions t
  left join lateral (
    select -sum(r.amount) as amount, -sum(r.fee_amount + r.covered_amount) as fee from public.transactions r
    where r.original_transaction_id = t.id and r.transaction_type = case t.transaction_type when 'payout' then 'payout' else 'refund' end
  ) back on true
  where t.amount > 0 and t.original_transaction_id is null and (
    t.refunded_amount <> coalesce(back.amount, 0) or t.refunded_amount > t.amount
    or coalesce(back.fee, 0) <> private.share_of(t.fee_amount, t.amount, t.refunded_amount)
  )
  union all
  select t.id::text, 'has a status that doesn''t match its history'
  from public.transactions t
  where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') and t.status <> case
    when exists (select from private.payment_disputes d where d.transaction_id = t.id and d.status = 'open') then 'disputed'
    when t.refunded_amount = t.amount then 'refunded'
    when t.refunded_amount > 0 then 'partially_refunded'
    else 'completed'
  end
  union all
  -- Commissions: never more than the fee they come from, as much as the referral says, and no more than the cap.
  select t.id::text, 'earned more commission than what remains of its fee'
  from public.transactions t
  join public.transactions c on c.original_transaction_id = t.id and c.transaction_type = 'referral_commission'
    and c.to_user_id is not null -- a deleted receiver's commission isn't taken back
  group by t.id
  having sum(c.amount) < 0
    or sum(c.amount) > t.fee_amount - private.share_of(t.fee_amount, t.amount, t.refunded_amount)
  union all
  select r.id::text, 'has a commission that differs from its transactions'
  from public.referrals r
  where r.referred_id is not null and r.commission_amount <> coalesce((
    select sum(c.amount) from public.transactions c join public.transactions t on t.id = c.original_transaction_id
    where c.transaction_type = 'referral_commission' and c.to_user_id = r.referrer_id and t.to_user_id = r.referred_id
  ), 0)
  union all
  select r.referrer_id::text, 'has rewards that differ from its referrals'
  from public.referrals r group by r.referrer_id
  having sum(r.reward_amount) <> coalesce((
    select sum(t.amount) from public.transactions t where t.to_user_id = r.referrer_id and t.transaction_type = 'referral_reward'
  ), 0)
  union all
  -- Days.
  select coalesce(kept.creator_id, counted.creator_id) || ' ' || coalesce(kept.day, counted.day) || ' ' || coalesce(kept.source, counted.source),
    'has a wrong sum for the day'
  from private.daily_earnings kept
  full join (
    select t.to_user_id as creator_id, (t.created_at at time zone 'UTC')::date as day, private.earning_source(t) as source,
      sum(t.amount) as gross, sum(t.net_amount) as net, count(*) filter (where t.transaction_type <> 'refund') as payments
    from public.transactions t where t.to_user_id is not null and t.transaction_type <> 'payout' group by 1, 2, 3
  ) counted using (creator_id, day, source)
  where (coalesce(kept.gross_cents, 0), coalesce(kept.net_cents, 0), coalesce(kept.payments, 0))
    <> (coalesce(counted.gross, 0), coalesce(counted.net, 0), coalesce(counted.payments, 0));
$$;
comment on function private.verify_booked_money is 'Transactions, balances, refunds, commissions, and daily earnings that differ from what they are computed from.';

create function private.note_difference(p_cause text, p_kind text, p_expected_cents bigint, p_actual_cents bigint) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
  values (p_cause, p_kind, p_expected_cents, p_actual_cents)
  on conflict on constraint payment_differences_once do update set
    expected_cents = excluded.expected_cents, actual_cents = excluded.actual_cents, resolved_at = null,
    found_at = case when payment_differences.resolved_at is null then payment_differences.found_at else now() end;
$$;
comment on function private.note_difference is 'Records a difference that reconciliation has found; opens it again when it was settled.';

-- A payout may look too large because it was booked before its payments, or because a refund or dispute followed. It is only wrong when more
-- was paid out than had been earned by then.
create function private.was_covered(p_payout_cause text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(other.amount_cents), 0) <= 0
  from private.ledger_transactions payout
  join private.ledger_entries e on e.transaction_id = payout.id
  join private.ledger_accounts a on a.id = e.account_id and a.code like 'creator:%'
  join private.ledger_entries other on other.account_id = a.id
  join private.ledger_transactions moved on moved.id = other.transaction_id and moved.occurred_at <= payout.occurred_at and moved.type <> 'refund'
  where payout.cause = p_payout_cause;
$$;
comment on function private.was_covered is 'Whether, at the time of a payout, its account had earned at least as much as was paid out, by the provider''s clock.';

-- Notifications when Stripe restricts or closes a creator's account, and when it works again (ONB-06, PROD-09).
create function private.notify_of_payout_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_said text := (
    select n.data ->> 'payments' from public.notifications n
    where n.user_id = new.id and n.type = 'payment' and n.data ? 'payments' order by n.created_at desc, n.id limit 1
  );
  v_state text := case
    when not new.stripe_charges_enabled then 'paused'
    when not new.stripe_payouts_enabled then 'payouts_paused'
    else 'working'
  end;
begin
  -- The first setup isn't news to the creator, who has just done it. Each change is sent once.
  if v_state is distinct from v_said and (v_state <> 'working' or v_said is not null) then
    perform private.notify(new.id, 'payment',
      case v_state when 'paused' then 'Payments are paused' when 'payouts_paused' then 'Payouts are paused' else 'Payments are working again' end,
      case v_state
        when 'paused' then 'Stripe has stopped payments to your account. You can''t be paid until you complete Creator Setup again.'
        when 'payouts_paused' then 'Stripe is holding your earnings until it has more information. Open Creator Setup to see what it needs.'
        else 'Your account can receive payments and payouts again.'
      end,
      jsonb_build_object('payments', v_state));
  end if;
  return null;
end;
$$;
comment on function private.notify_of_payout_account is 'Trigger of profiles: notifies the creator when their Stripe account stops working, and when it works again.';
create trigger profiles_notify_of_payout_account after update of stripe_charges_enabled, stripe_payouts_enabled on private.profiles
  for each row when (
    (old.stripe_charges_enabled, old.stripe_payouts_enabled) is distinct from (new.stripe_charges_enabled, new.stripe_payouts_enabled)
    and (old.stripe_charges_enabled or old.stripe_payouts_enabled or (new.stripe_charges_enabled and new.stripe_payouts_enabled)))
  execute function private.notify_of_payout_account();

create function private.record_foreign_payout(p_cause text, p_creator uuid, p_amount bigint, p_money text) returns void
language sql volatile security definer set search_path = ''
as $$
  with noted as (
    insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
    values (p_cause, 'currency', 0, p_amount) on conflict on constraint payment_differences_once do nothing
    returning cause
  )
  select private.notify(p_creator, 'payment', 'Payout sent', p_money || ' is on its way to your bank.', '{}') from noted;
$$;
comment on function private.record_foreign_payout is
  'Records a payout that isn''t in dollars: notifies the creator (p_money) and records a difference for admins, once. It isn''t booked.';
revoke execute on function private.record_foreign_payout from public;
grant execute on function private.record_foreign_payout to service_role;
