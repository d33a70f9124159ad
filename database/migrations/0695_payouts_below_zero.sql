-- Up Migration
-- A payout with a negative amount is the provider's debit of a creator's bank account: what the creator owed is paid in. One in another
-- currency than the books' is noted and told, never booked as dollars.
alter table private.payment_differences
  drop constraint payment_differences_kind_known,
  add constraint payment_differences_kind_known check (kind in
    ('amount', 'fee', 'dispute', 'payout', 'missing', 'unknown', 'returned', 'currency', 'transfer'));
comment on column private.payment_differences.kind is 'amount: what was charged is not what the invoice says. fee: the platform''s share is not the share agreed on. dispute: more was disputed than was left of the payment, or a dispute that was won is not any more. payout: more was paid out, or debited, than the books have. missing: the provider has a payment of ours that is not in the books. unknown: the books have one that the provider does not know. returned: refunds and disputes add up to another sum. currency: it moved in another currency, so nothing was booked. transfer: the provider has left the creator another part of the payment than the books.';

create or replace function private.post_payout(p_cause text, p_creator uuid, p_amount_cents bigint, p_currency text, p_occurred_at timestamptz) returns uuid
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

create or replace function private.post_payout_return(p_cause text, p_payout uuid, p_occurred_at timestamptz) returns uuid
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
