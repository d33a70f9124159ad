-- Up Migration
-- What people see of the ledger (DATA-21, DATA-22), and the one way a payment enters both (D5).
create table public.transactions (
  id                    uuid primary key default gen_random_uuid(),
  from_user_id          uuid references private.profiles on delete set null,
  to_user_id            uuid references private.profiles on delete set null,
  transaction_type      text not null constraint transactions_type_known check (transaction_type in ('subscription', 'ppv', 'tip', 'paid_message',
    'private_session', 'refund', 'referral_reward', 'referral_commission', 'payout')),
  status                text not null default 'completed' check (status in ('completed', 'refunded', 'disputed')),
  amount                numeric(12, 2) not null,
  fee_amount            numeric(12, 2) not null default 0,
  net_amount            numeric(12, 2) not null generated always as (amount - fee_amount) stored,
  currency              text not null default 'usd',
  product_id            uuid references public.subscription_products on delete set null,
  ledger_transaction_id uuid not null references private.ledger_transactions on delete restrict,
  created_at            timestamptz not null default now(),
  constraint transactions_ledger_transaction_id_key unique (ledger_transaction_id)
);
comment on table public.transactions is 'Payments as their two parties see them, one for each movement in private.ledger_transactions.';
comment on column public.transactions.from_user_id is 'Who paid: profiles.id; null once that account is deleted.';
comment on column public.transactions.to_user_id is 'Who was paid: profiles.id; null once that account is deleted.';
comment on column public.transactions.amount is 'Dollars the payer paid (gross).';
comment on column public.transactions.fee_amount is 'Dollars of it that the platform kept (GEN-06).';
comment on column public.transactions.net_amount is 'Dollars of it that the receiver earned.';
comment on column public.transactions.created_at is 'When the money moved, by the provider''s clock.';
create index transactions_to_user_id_idx on public.transactions (to_user_id, transaction_type, created_at desc); -- dashboard, API-REST-28
create index transactions_from_user_id_idx on public.transactions (from_user_id, created_at desc);
create index transactions_product_id_idx on public.transactions (product_id);

create function private.count_earning() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.profiles set total_earnings = total_earnings + new.net_amount where id = new.to_user_id;
  return null;
end;
$$;
comment on function private.count_earning is 'Keeps profiles.total_earnings, which is after the fee.';
create trigger transactions_count_earning after insert on public.transactions
  for each row when (new.transaction_type <> 'payout') execute function private.count_earning();

alter table public.transactions enable row level security;
create policy select_party on public.transactions for select to authenticated
  using ((select private.my_profile_id()) in (from_user_id, to_user_id) or (select private.is_admin()));
grant select on public.transactions to authenticated;
-- insert, update and delete are not granted: payments are written by private.post_payment alone.

create function private.post_payment(
  p_type text,
  p_cause text,
  p_payer uuid,
  p_creator uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz,
  p_product uuid default null
) returns table (transaction_id uuid, is_new boolean)
language plpgsql security definer set search_path = ''
as $$
declare
  v_ledger uuid;
begin
  if p_gross_cents is null or p_fee_cents is null or p_gross_cents <= 0 or p_fee_cents < 0 or p_fee_cents >= p_gross_cents then
    raise exception 'A payment of % cents with a fee of % cents makes no sense', p_gross_cents, p_fee_cents using errcode = '22023';
  end if;
  v_ledger := private.post_ledger(p_cause, p_type, p_currency, p_occurred_at, jsonb_build_object(
    'stripe', p_gross_cents,
    'platform_fees', -p_fee_cents,
    'creator:' || p_creator, p_fee_cents - p_gross_cents
  ));
  if v_ledger is null then
    return query
      select t.id, false from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id where l.cause = p_cause;
    return;
  end if;
  return query
    insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, fee_amount, currency, product_id, ledger_transaction_id, created_at)
    values (p_payer, p_creator, p_type, p_gross_cents / 100.0, p_fee_cents / 100.0, p_currency, p_product, v_ledger, p_occurred_at)
    returning id, true;
end;
$$;
comment on function private.post_payment is
  'A payment from a fan to a creator: ledger, transaction and earnings in one. The same cause again returns the first transaction with is_new false and changes nothing.';

create function private.post_subscription_payment(
  p_cause text,
  p_subscriber uuid,
  p_creator uuid,
  p_product uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_is_first boolean := not exists (
    select from public.transactions t
    where t.to_user_id = p_creator and t.transaction_type = 'subscription' and t.from_user_id = p_subscriber
  );
  v_fan text := (select coalesce(f.display_name, f.username) from private.profiles f where f.id = p_subscriber);
  v_plan text := (select s.name from public.subscription_products s where s.id = p_product);
  v_earned text := to_char((p_gross_cents - p_fee_cents) / 100.0, 'FM$999,999,990.00');
begin
  select * into v_payment from private.post_payment(
    'subscription', p_cause, p_subscriber, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, p_product);
  if v_payment.is_new then
    perform private.notify(
      p_creator,
      case when v_is_first then 'subscription' else 'payment' end,
      case when v_is_first then 'New subscriber' else 'Subscription payment' end,
      case when v_is_first then v_fan || ' subscribed to ' || v_plan || '. You earned ' || v_earned || '.'
        else v_fan || ' paid for ' || v_plan || '. You earned ' || v_earned || '.' end,
      jsonb_build_object('profile_id', p_subscriber, 'transaction_id', v_payment.transaction_id)
    );
  end if;
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_subscription_payment is
  'A paid invoice of a subscription: books it and tells the creator. Idempotent by p_cause, the Stripe invoice id. Returns transactions.id.';
