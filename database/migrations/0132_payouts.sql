-- Up Migration
-- Money that left for the creator's bank (D39). The provider pays out by its own schedule; the books follow.
create function private.balance_of(p_profile uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(-sum(e.amount_cents), 0)::bigint
  from private.ledger_accounts a join private.ledger_entries e on e.account_id = a.id
  where a.code = 'creator:' || p_profile;
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
  if coalesce(p_amount_cents < 1, true) or p_creator is null then
    raise exception 'A payout is of at least a cent, to a creator' using errcode = '22023';
  end if;
  perform private.lock_books();
  v_balance := private.balance_of(p_creator);
  v_ledger := private.post_ledger(p_cause, 'payout', p_currency, p_occurred_at,
    jsonb_build_object('creator:' || p_creator, p_amount_cents, 'stripe', -p_amount_cents));
  if v_ledger is null then
    return private.transaction_by_cause(p_cause);
  end if;
  if p_amount_cents > v_balance then -- the account may earn elsewhere as well: the money left, so it is booked, and noted
    insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
    values (p_cause, 'payout', v_balance, p_amount_cents) on conflict on constraint payment_differences_once do nothing;
  end if;
  insert into public.transactions (to_user_id, transaction_type, amount, currency, ledger_transaction_id, created_at)
  values ((select p.id from private.profiles p where p.id = p_creator), 'payout', p_amount_cents / 100.0, p_currency, v_ledger, p_occurred_at)
  returning id into v_id;
  perform private.notify(p.id, 'payment', 'Payout sent', private.dollars(p_amount_cents) || ' is on its way to your bank.',
    jsonb_build_object('transaction_id', v_id))
  from private.profiles p where p.id = p_creator;
  return v_id;
end;
$$;
comment on function private.post_payout is 'A payout to the creator''s bank. Idempotent by p_cause, the provider''s payout id. Returns transactions.id.';

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
  select * into v_payout from public.transactions t where t.id = p_payout and t.transaction_type = 'payout' and t.amount > 0 for no key update;
  if v_payout.id is null then
    raise sqlstate 'PT404' using message = 'Payout not found';
  elsif v_payout.status = 'refunded' then -- a payout comes back once, whatever the second event is called
    return (select t.id from public.transactions t where t.original_transaction_id = p_payout);
  end if;
  select a.code into v_account
  from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id
  where e.transaction_id = v_payout.ledger_transaction_id and a.code like 'creator:%';
  v_ledger := private.post_ledger(p_cause, 'payout', v_payout.currency, p_occurred_at,
    jsonb_build_object(v_account, -private.cents(v_payout.amount), 'stripe', private.cents(v_payout.amount)));
  if v_ledger is null then
    raise exception 'This cause is another movement''s' using errcode = '22023';
  end if;
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_payout.to_user_id, 'payout', -v_payout.amount, v_payout.currency, p_payout, v_ledger, p_occurred_at)
  returning id into v_id;
  update public.transactions set status = 'refunded', refunded_amount = amount where id = p_payout;
  perform private.notify(p.id, 'payment', 'Payout returned',
    'Your bank did not take ' || private.dollars(private.cents(v_payout.amount)) || '. Check your bank details.', jsonb_build_object('transaction_id', v_id))
  from private.profiles p where p.id = v_payout.to_user_id;
  return v_id;
end;
$$;
comment on function private.post_payout_return is 'A payout that the bank sent back: the balance is whole again. Idempotent.';
