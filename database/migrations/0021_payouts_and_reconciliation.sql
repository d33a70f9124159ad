-- Up Migration

-- Where the payment provider's figures and ours part (DESIGN §7). An empty table is what an operator hopes to see.
-- Money that goes back: refunds and disputes, in part or whole, and the access that goes with it (DESIGN §7, PRIV-06, D5, D39).
-- What the daily comparison with the payment provider may find, and a person's own account as a list that can be checked offline.
-- A payout with a negative amount is the provider's debit of a creator's bank account: what the creator owed is paid in. One in another
-- currency than the books' is noted and told, never booked as dollars.
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
comment on table private.payment_differences is 'Figures of the payment provider that differ from what we computed. The ledger holds the provider''s, for that is what moved.';
comment on column private.payment_differences.cause is 'The Stripe object that the figures are about, e.g. an invoice id.';
comment on column private.payment_differences.kind is 'amount: what was charged is not what the invoice says. fee: the platform''s share is not the share agreed on. dispute: more was disputed than was left of the payment, or a dispute that was won is not any more. payout: more was paid out, or debited, than the books have. missing: the provider has a payment of ours that is not in the books. unknown: the books have one that the provider does not know. returned: refunds and disputes add up to another sum. currency: it moved in another currency, so nothing was booked. transfer: the provider has left the creator another part of the payment than the books.';
comment on column private.payment_differences.resolved_at is 'When an operator has settled it; null while it is open.';
alter table private.payment_differences enable row level security;
create index payment_differences_open_idx on private.payment_differences (found_at) where resolved_at is null;

-- Money that left for the creator's bank (D39). The provider pays out by its own schedule; the books follow.
create function private.balance_of(p_profile uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select -b.balance_cents
    from private.ledger_accounts a join private.ledger_balances b on b.account_id = a.id
    where a.code = 'creator:' || p_profile
  ), 0);
$$;
comment on function private.balance_of is 'Cents that a person has earned and not been paid out. Negative when more was refunded than was left.';
create function private.post_payout(p_cause text, p_creator uuid, p_amount_cents bigint, p_currency text, p_occurred_at timestamptz) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_balance bigint;
  v_ledger uuid;
  v_id uuid;
begin
  if coalesce(p_amount_cents = 0, true) or p_creator is null then
    raise exception 'A payout is of at least a cent, to a creator or from one' using errcode = '22023';
  end if;
  perform private.lock_books();
  v_balance := private.balance_of(p_creator);
  v_ledger := private.post_ledger(p_cause, 'payout', p_currency, p_occurred_at,
    jsonb_build_object('creator:' || p_creator, p_amount_cents, 'stripe', -p_amount_cents));
  if v_ledger is null then
    return private.transaction_by_cause(p_cause);
  end if;
  -- The account may earn elsewhere as well: the money moved, so it is booked, and noted.
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
      else private.dollars(-p_amount_cents) || ' was debited from your bank account, because refunds and disputes came to more than you had.' end,
    jsonb_build_object('transaction_id', v_id))
  from private.profiles p where p.id = p_creator;
  return v_id;
end;
$$;
comment on function private.post_payout is
  'A payout to the creator''s bank, or with a negative amount a debit of it. Idempotent by p_cause, the provider''s payout id. Returns transactions.id.';
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
  elsif v_payout.status = 'refunded' then -- a payout comes back once, whatever the second event is called
    return (select t.id from public.transactions t where t.original_transaction_id = p_payout);
  end if;
  select a.code into v_account
  from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id
  where e.transaction_id = v_payout.ledger_transaction_id and a.code like 'creator:%';
  v_ledger := private.post_ledger(p_cause, 'payout', v_payout.currency, p_occurred_at,
    jsonb_build_object(v_account, -v_payout.amount, 'stripe', v_payout.amount));
  if v_ledger is null then
    raise exception 'This cause is another movement''s' using errcode = '22023';
  end if;
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_payout.to_user_id, 'payout', -v_payout.amount, v_payout.currency, p_payout, v_ledger, p_occurred_at)
  returning id into v_id;
  update public.transactions set status = 'refunded', refunded_amount = greatest(amount, 0) where id = p_payout;
  perform private.notify(p.id, 'payment',
    case when v_payout.amount > 0 then 'Payout returned' else 'Debit failed' end,
    case when v_payout.amount > 0 then 'Your bank did not take ' || private.dollars(v_payout.amount) || '. Check your bank details.'
      else 'Your bank didn''t pay the ' || private.dollars(-v_payout.amount) || ' that you owe. It comes off your next earnings.' end,
    jsonb_build_object('transaction_id', v_id))
  from private.profiles p where p.id = v_payout.to_user_id;
  return v_id;
end;
$$;
comment on function private.post_payout_return is 'A payout that the bank sent back, or a debit that it did not pay: the balance is as before. Idempotent.';

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
comment on function private.verify_profile_counters is 'The counters of profiles, posts and session slots that differ from what they count.';

-- All figures of money counted anew from recorded facts: ledger, transactions, earnings, refunds, commissions, days (DESIGN §6, D7).
create function private.verify_booked_money() returns table (subject text, problem text)
language sql stable security definer set search_path = ''
as $$
  -- Each transaction against its movement.
  select t.id::text, 'does not say what the ledger says'
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
  select l.cause, 'stands in the ledger and in no transaction'
  from private.ledger_transactions l where not exists (select from public.transactions t where t.ledger_transaction_id = l.id)
  union all
  -- Each balance: what the transactions add up to is what the ledger holds.
  select 'creator:' || p.id, 'has another balance by transactions than by the ledger'
  from private.profiles p
  where private.balance_of(p.id) <> coalesce((
    select sum(case t.transaction_type when 'payout' then -t.amount else t.net_amount end) from public.transactions t where t.to_user_id = p.id
  ), 0)
  union all
  -- Refunds: what went back is what the payment says, never more than it was, and the fee in its proportion.
  select t.id::text, 'does not agree with its refunds'
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
  select t.id::text, 'has a status that its history does not bear out'
  from public.transactions t
  where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') and t.status <> case
    when exists (select from private.payment_disputes d where d.transaction_id = t.id and d.status = 'open') then 'disputed'
    when t.refunded_amount = t.amount then 'refunded'
    when t.refunded_amount > 0 then 'partially_refunded'
    else 'completed'
  end
  union all
  -- Commissions: never more than the fee they come from, as much as the referral says, and no more than the cap.
  select t.id::text, 'earned more commission than is left of its fee'
  from public.transactions t
  join public.transactions c on c.original_transaction_id = t.id and c.transaction_type = 'referral_commission'
    and c.to_user_id is not null -- of a receiver who is gone nothing is taken back
  group by t.id
  having sum(c.amount) < 0
    or sum(c.amount) > t.fee_amount - private.share_of(t.fee_amount, t.amount, t.refunded_amount)
  union all
  select r.id::text, 'says another commission than its transactions'
  from public.referrals r
  where r.referred_id is not null and r.commission_amount <> coalesce((
    select sum(c.amount) from public.transactions c join public.transactions t on t.id = c.original_transaction_id
    where c.transaction_type = 'referral_commission' and c.to_user_id = r.referrer_id and t.to_user_id = r.referred_id
  ), 0)
  union all
  select r.referrer_id::text, 'was paid other rewards than its referrals say'
  from public.referrals r group by r.referrer_id
  having sum(r.reward_amount) <> coalesce((
    select sum(t.amount) from public.transactions t where t.to_user_id = r.referrer_id and t.transaction_type = 'referral_reward'
  ), 0)
  union all
  -- Days.
  select coalesce(kept.creator_id, counted.creator_id) || ' ' || coalesce(kept.day, counted.day) || ' ' || coalesce(kept.source, counted.source),
    'has another sum for the day'
  from private.daily_earnings kept
  full join (
    select t.to_user_id as creator_id, (t.created_at at time zone 'UTC')::date as day, private.earning_source(t) as source,
      sum(t.amount) as gross, sum(t.net_amount) as net, count(*) filter (where t.transaction_type <> 'refund') as payments
    from public.transactions t where t.to_user_id is not null and t.transaction_type <> 'payout' group by 1, 2, 3
  ) counted using (creator_id, day, source)
  where (coalesce(kept.gross_cents, 0), coalesce(kept.net_cents, 0), coalesce(kept.payments, 0))
    <> (coalesce(counted.gross, 0), coalesce(counted.net, 0), coalesce(counted.payments, 0));
$$;
comment on function private.verify_booked_money is 'Ledger, transactions, refunds, commissions and days that differ from the facts behind them.';

create function private.note_difference(p_cause text, p_kind text, p_expected_cents bigint, p_actual_cents bigint) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
  values (p_cause, p_kind, p_expected_cents, p_actual_cents)
  on conflict on constraint payment_differences_once do update set
    expected_cents = excluded.expected_cents, actual_cents = excluded.actual_cents, resolved_at = null,
    found_at = case when payment_differences.resolved_at is null then payment_differences.found_at else now() end;
$$;
comment on function private.note_difference is 'A difference that reconciliation sees now; one that was settled is open again.';

-- A payout that was booked before the payments behind it looked too large, and so does one that went out before a refund or a dispute
-- took the money back. Neither is wrong: it is when more went out than had ever come in.
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
comment on function private.was_covered is 'Whether a payout was no more than had come into its account by that moment, by the provider''s clock, and not been paid out.';

-- What a creator is told when Stripe restricts their account, or it is closed, and when it works again (ONB-06, PROD-09).
create function private.tell_of_payout_account() returns trigger
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
  -- The first setup happens before the creator's eyes, and is no news. The same news is told once.
  if v_state is distinct from v_said and (v_state <> 'working' or v_said is not null) then
    perform private.notify(new.id, 'payment',
      case v_state when 'paused' then 'Payments are paused' when 'payouts_paused' then 'Payouts are paused' else 'Payments work again' end,
      case v_state
        when 'paused' then 'Stripe has stopped payments to your account. Until Creator Setup is complete again, nobody can pay you.'
        when 'payouts_paused' then 'Stripe holds back what you have earned until it knows more. Open Creator Setup to see what it needs.'
        else 'Your account takes payments and is paid out again.'
      end,
      jsonb_build_object('payments', v_state));
  end if;
  return null;
end;
$$;
comment on function private.tell_of_payout_account is 'Trigger of profiles: tells the creator when the payout account stops working, and when it works again.';
create trigger profiles_tell_of_payout_account after update of stripe_charges_enabled, stripe_payouts_enabled on private.profiles
  for each row when (
    (old.stripe_charges_enabled, old.stripe_payouts_enabled) is distinct from (new.stripe_charges_enabled, new.stripe_payouts_enabled)
    and (old.stripe_charges_enabled or old.stripe_payouts_enabled or (new.stripe_charges_enabled and new.stripe_payouts_enabled)))
  execute function private.tell_of_payout_account();

create function private.note_foreign_payout(p_cause text, p_creator uuid, p_amount bigint, p_money text) returns void
language sql volatile security definer set search_path = ''
as $$
  with noted as (
    insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
    values (p_cause, 'currency', 0, p_amount) on conflict on constraint payment_differences_once do nothing
    returning cause
  )
  select private.notify(p_creator, 'payment', 'Payout sent', p_money || ' is on its way to your bank.', '{}') from noted;
$$;
comment on function private.note_foreign_payout is
  'A payout in another currency than the books'' dollars: told to its creator as it is (p_money), noted for admins, and not booked. Once.';
revoke execute on function private.note_foreign_payout from public;
grant execute on function private.note_foreign_payout to service_role;
