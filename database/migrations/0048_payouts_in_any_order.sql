-- Up Migration

-- The provider's events arrive in any order. A payout whose event comes after that of a later refund exceeded no balance. Referral earnings
-- count as they were transferred: what a refund took back stays in the account until the next ones offset it (private.owed_for_referrals).
create function private.balance_before_payout(p_profile uuid, p_payout_cents bigint, p_at timestamptz) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(-sum(e.amount_cents), 0)::bigint + coalesce((
      select sum(r.amount_cents) from private.referral_transfers r where r.profile_id = p_profile and r.created_at <= p_at), 0)::bigint
  from private.ledger_accounts a
  join private.ledger_entries e on e.account_id = a.id
  join private.ledger_transactions t on t.id = e.transaction_id and t.type not in ('referral_reward', 'referral_commission')
  where a.code = 'creator:' || p_profile
    and (date_trunc('second', t.occurred_at) < date_trunc('second', p_at)
      -- The provider counts in seconds: what happened in the same one and made the payout possible came before it.
      or date_trunc('second', t.occurred_at) = date_trunc('second', p_at) and sign(e.amount_cents) <> sign(p_payout_cents))
$$;
comment on function private.balance_before_payout is
  'A creator''s balance in cents at the provider just before a payout, by the provider''s clock, no matter in which order the movements were booked.';
revoke execute on function private.balance_before_payout from public;

create or replace function private.was_covered(p_payout_cause text) returns boolean
language sql stable security definer set search_path = ''
as $$
  with payout as (
    select t.occurred_at, e.account_id, substr(a.code, length('creator:') + 1)::uuid as profile_id
    from private.ledger_transactions t
    join private.ledger_entries e on e.transaction_id = t.id
    join private.ledger_accounts a on a.id = e.account_id and a.code like 'creator:%'
    where t.cause = p_payout_cause
  )
  select coalesce((
      select sum(e.amount_cents)
      from payout
      join private.ledger_entries e on e.account_id = payout.account_id
      join private.ledger_transactions moved on moved.id = e.transaction_id
        and moved.occurred_at <= payout.occurred_at and moved.type not in ('refund', 'referral_reward', 'referral_commission')
    ), 0) <= coalesce((
      select sum(r.amount_cents)
      from payout join private.referral_transfers r on r.profile_id = payout.profile_id and r.created_at <= payout.occurred_at
    ), 0);
$$;
comment on function private.was_covered is
  'Whether, at the time of a payout, its account had received at least as much as was paid out, by the provider''s clock.';

create or replace function private.post_payout(p_cause text, p_creator uuid, p_amount_cents bigint, p_currency text, p_occurred_at timestamptz) returns uuid
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
  if abs(p_amount_cents) > v_balance * sign(p_amount_cents) then
    v_balance := private.balance_before_payout(p_creator, p_amount_cents, p_occurred_at);
  end if;
  v_ledger := private.post_ledger(p_cause, 'payout', p_currency, p_occurred_at,
    jsonb_build_object('creator:' || p_creator, p_amount_cents, 'stripe', -p_amount_cents));
  if v_ledger is null then
    return private.transaction_by_cause(p_cause);
  end if;
  -- The Stripe account may have other income, too. The money moved, so it is booked, and the difference is recorded.
  if abs(p_amount_cents) > v_balance * sign(p_amount_cents) then
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
