-- Up Migration
-- What a payment was for, and the payments of one moment: pay-per-view and tips (POST-44, POST-45, PROF-21, D5, D26, D28, D39).

alter table public.transactions
  add column post_id uuid references private.posts on delete set null,
  add column subscription_id uuid references public.subscriptions on delete set null,
  add column original_transaction_id uuid references public.transactions on delete restrict,
  add column refunded_amount numeric(12, 2) not null default 0,
  add column reason text constraint transactions_reason_length check (length(reason) <= 500),
  drop constraint transactions_status_check,
  add constraint transactions_status_known check (status in ('completed', 'partially_refunded', 'refunded', 'disputed')),
  add constraint transactions_refund_within_payment check (refunded_amount between 0 and greatest(amount, 0)),
  add constraint transactions_refund_has_original check (transaction_type <> 'refund' or original_transaction_id is not null);
comment on column public.transactions.amount is 'Dollars the payer paid (gross). A refund has the parties of its payment and a negative amount, so that sums come out right.';
comment on column public.transactions.post_id is 'The post that was bought, or under which the tip was given; null once it is deleted.';
comment on column public.transactions.subscription_id is 'The subscription that was paid for; null once it is deleted.';
comment on column public.transactions.original_transaction_id is 'The payment that a refund gives back, or that a commission is a share of.';
comment on column public.transactions.refunded_amount is 'Dollars of a payment that went back to the payer, disputes included. Kept by refunds; never more than amount.';
comment on column public.transactions.reason is 'Why it was refunded, in the words of who did it.';
create index transactions_post_id_idx on public.transactions (post_id);
create index transactions_subscription_id_idx on public.transactions (subscription_id, created_at desc);
create index transactions_original_transaction_id_idx on public.transactions (original_transaction_id);

create function private.dollars(cents bigint) returns text
language sql immutable set search_path = ''
as $$
  select to_char(cents / 100.0, 'FM$999,999,999,990.00');
$$;
comment on function private.dollars is 'Cents as people read them: $1,234.50 (CONST-01).';

create function private.cents(dollars numeric) returns bigint
language sql immutable set search_path = ''
as $$
  select round(dollars * 100)::bigint;
$$;
comment on function private.cents is 'Dollars of the exposed tables as the ledger counts them.';

create function private.name_of(profile uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(p.display_name, p.username) from private.profiles p where p.id = profile;
$$;
comment on function private.name_of is 'What a person is called: display name, or username. Null when the account is gone.';

-- Every movement meets the others in the accounts `stripe` and `platform_fees`, so one lock for all costs nothing that their
-- chains did not cost already. Taken first, it lets one transaction make several movements (a payment and its commission)
-- and never wait in a circle. Who needs the books after other rows takes this lock before them.
create function private.lock_books() returns void
language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('ledger', 0));
$$;
comment on function private.lock_books is 'Makes this transaction the only one that moves money, until it ends.';

create or replace function private.post_ledger(p_cause text, p_type text, p_currency text, p_occurred_at timestamptz, p_entries jsonb) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.lock_books();
  insert into private.ledger_transactions (cause, type, currency, occurred_at)
  values (p_cause, p_type, p_currency, p_occurred_at)
  on conflict (cause) do nothing
  returning id into v_id;
  if v_id is null then
    return null;
  end if;
  insert into private.ledger_entries (transaction_id, account_id, amount_cents)
  select v_id, e.account_id, e.amount_cents
  from (
    select private.ledger_account(j.key) as account_id, j.value::bigint as amount_cents from jsonb_each_text(p_entries) j
  ) e
  where e.amount_cents <> 0
  order by e.account_id;
  return v_id;
end;
$$;

create function private.transaction_by_cause(p_cause text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select t.id from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id where l.cause = p_cause;
$$;
comment on function private.transaction_by_cause is 'transactions.id of the movement with this cause, e.g. a payment intent; null when it is not in the books.';

-- The old one with two more facts to remember; a party that deleted the account while the money was on its way becomes null, and
-- the money is booked all the same.
drop function private.post_payment(text, text, uuid, uuid, bigint, bigint, text, timestamptz, uuid);
create function private.post_payment(
  p_type text,
  p_cause text,
  p_payer uuid,
  p_creator uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz,
  p_product uuid default null,
  p_post uuid default null,
  p_subscription uuid default null
) returns table (transaction_id uuid, is_new boolean)
language plpgsql security definer set search_path = ''
as $$
declare
  v_ledger uuid;
begin
  if p_gross_cents is null or p_fee_cents is null or p_gross_cents <= 0 or p_fee_cents < 0 or p_fee_cents >= p_gross_cents then
    raise exception 'A payment of % cents with a fee of % cents makes no sense', p_gross_cents, p_fee_cents using errcode = '22023';
  elsif p_type not in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') or p_creator is null then
    raise exception 'A payment goes from a fan to a creator for something that is sold' using errcode = '22023';
  end if;
  v_ledger := private.post_ledger(p_cause, p_type, p_currency, p_occurred_at, jsonb_build_object(
    'stripe', p_gross_cents,
    'platform_fees', -p_fee_cents,
    'creator:' || p_creator, p_fee_cents - p_gross_cents
  ));
  if v_ledger is null then
    return query select private.transaction_by_cause(p_cause), false;
    return;
  end if;
  return query
    insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, fee_amount, currency, product_id, post_id,
      subscription_id, ledger_transaction_id, created_at)
    values (
      (select p.id from private.profiles p where p.id = p_payer),
      (select p.id from private.profiles p where p.id = p_creator),
      p_type, p_gross_cents / 100.0, p_fee_cents / 100.0, p_currency, p_product,
      (select p.id from private.posts p where p.id = p_post),
      p_subscription, v_ledger, p_occurred_at
    )
    returning id, true;
end;
$$;
comment on function private.post_payment is
  'A payment from a fan to a creator: ledger, transaction and earnings in one. The same cause again returns the first transaction with is_new false and changes nothing.';

create or replace function private.post_subscription_payment(
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
  v_plan text := (select s.name from public.subscription_products s where s.id = p_product);
  v_earned text := private.dollars(p_gross_cents - p_fee_cents);
begin
  select * into v_payment from private.post_payment(
    'subscription', p_cause, p_subscriber, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, p_product, null, (
      -- An ended subscription is paid for no more: the living one comes first.
      select s.id from public.subscriptions s
      where s.subscriber_id = p_subscriber and s.creator_id = p_creator
      order by s.status in ('canceled', 'incomplete_expired'), s.tier_id = p_product desc, s.created_at desc limit 1
    ));
  if v_payment.is_new then
    perform private.notify(
      p_creator,
      case when v_is_first then 'subscription' else 'payment' end,
      case when v_is_first then 'New subscriber' else 'Subscription payment' end,
      private.name_of(p_subscriber) || case when v_is_first then ' subscribed to ' else ' paid for ' end
        || v_plan || '. You earned ' || v_earned || '.',
      jsonb_build_object('profile_id', p_subscriber, 'transaction_id', v_payment.transaction_id)
    );
  end if;
  return v_payment.transaction_id;
end;
$$;

-- What the payment provider has to be asked for after a change here: the row comes with the change, in one transaction, and a job
-- carries it out. So nothing is forgotten when the process dies between the two.
create table private.payment_tasks (
  id              bigint generated always as identity primary key,
  kind            text not null check (kind in ('refund', 'cancel_subscription', 'delete_customer')),
  target          text not null check (length(target) between 1 and 255),
  transaction_id  uuid references public.transactions on delete restrict,
  amount_cents    bigint check (amount_cents > 0),
  reason          text not null check (reason ~ '\S'),
  created_at      timestamptz not null default now(),
  attempts        int not null default 0 check (attempts >= 0),
  error           text,
  done_at         timestamptz,
  constraint payment_tasks_once unique (kind, target),
  constraint payment_tasks_refund_has_transaction check ((kind = 'refund') = (transaction_id is not null))
);
comment on table private.payment_tasks is 'Wishes to the payment provider that a job carries out. Rows that are done stay, so that a wish is never made twice.';
comment on column private.payment_tasks.target is 'refund: the cause of the payment in the ledger, which is the provider''s id of it. cancel_subscription: the provider''s subscription id. delete_customer: its customer id.';
comment on column private.payment_tasks.amount_cents is 'Of a refund; null is all that is left.';
comment on column private.payment_tasks.error is 'Why the last attempt failed; null when there was none or it succeeded.';
create index payment_tasks_open_idx on private.payment_tasks (id) where done_at is null;
create index payment_tasks_transaction_id_idx on private.payment_tasks (transaction_id);
alter table private.payment_tasks enable row level security;
-- No policy: the job is the only reader.

-- A request only: the money moves at the provider, whose event brings private.post_refund.
create function private.request_refund(p_transaction uuid, p_reason text) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_tasks (kind, target, transaction_id, reason)
  select 'refund', l.cause, t.id, p_reason
  from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
  where t.id = p_transaction and t.status in ('completed', 'partially_refunded')
  on conflict (kind, target) do nothing;
$$;
comment on function private.request_refund is 'Asks for all that is left of a payment to be given back, once.';

alter table public.purchases add column transaction_id uuid references public.transactions on delete restrict;
comment on column public.purchases.transaction_id is 'The payment that opened the post. Null when the server opened it without one.';
create index purchases_transaction_id_idx on public.purchases (transaction_id);

create type private.quote as (creator_id uuid, stripe_account_id text, amount_cents int, title text);
comment on type private.quote is 'What a checkout asks the fan to pay, and whom. Set by the database, never by the client.';

create function private.require_payable(p_fan uuid, p_creator uuid) returns private.profiles
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_creator private.profiles;
begin
  select * into v_creator from private.profiles c where c.id = p_creator;
  if v_creator.id is null then
    raise sqlstate 'PT404' using message = 'Creator not found';
  elsif p_fan is null or p_fan = p_creator then
    raise sqlstate 'PT409' using message = 'You cannot pay yourself';
  elsif private.are_blocked(p_fan, p_creator) then
    raise sqlstate 'PT403' using message = 'You cannot pay this person';
  elsif v_creator.stripe_account_id is null or not v_creator.stripe_charges_enabled or not private.is_approved_creator(p_creator) then
    raise sqlstate 'PT409' using message = 'This creator cannot take payments yet';
  end if;
  return v_creator;
end;
$$;
comment on function private.require_payable is 'Refuses a payment before it is made: to nobody, to oneself, across a block, or to someone who may not sell.';

create function private.quote_purchase(p_buyer uuid, p_post uuid) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_post private.posts;
  v_creator private.profiles;
begin
  select * into v_post from private.posts p where p.id = p_post and p.post_type = 'ppv';
  if v_post.id is null then
    raise sqlstate 'PT404' using message = 'Post not found';
  elsif exists (select from public.purchases b where b.buyer_id = p_buyer and b.post_id = p_post) then
    raise sqlstate 'PT409' using message = 'You have already bought this post';
  end if;
  v_creator := private.require_payable(p_buyer, v_post.creator_id);
  return (v_creator.id, v_creator.stripe_account_id, (v_post.ppv_price * 100)::int, coalesce(v_post.title, 'Post by ' || private.name_of(v_creator.id)))::private.quote;
end;
$$;
comment on function private.quote_purchase is 'What a pay-per-view post costs this person (POST-45). PT404 when there is none, PT409 when it is bought already.';

create function private.require_tip_amount(p_cents bigint) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if coalesce(p_cents not between 100 and 50000, true) then
    raise exception 'A tip is between $1.00 and $500.00' using errcode = '23514', constraint = 'transactions_tip_range';
  end if;
end;
$$;
comment on function private.require_tip_amount is 'The bounds of a tip (D28), in words that a person can read.';
alter table public.transactions add constraint transactions_tip_range check (transaction_type <> 'tip' or amount between 1 and 500);

create function private.quote_tip(p_fan uuid, p_creator uuid, p_cents bigint) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_creator private.profiles;
begin
  perform private.require_tip_amount(p_cents);
  v_creator := private.require_payable(p_fan, p_creator);
  return (v_creator.id, v_creator.stripe_account_id, p_cents::int, 'Tip for ' || private.name_of(v_creator.id))::private.quote;
end;
$$;
comment on function private.quote_tip is 'Whether this person may tip this creator this much (PROF-21, D28).';

create function private.post_purchase(
  p_cause text,
  p_buyer uuid,
  p_creator uuid,
  p_post uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_opened uuid;
begin
  select * into v_payment from private.post_payment(
    'ppv', p_cause, p_buyer, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, null, p_post);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  insert into public.purchases (buyer_id, post_id, transaction_id)
  select b.id, p.id, v_payment.transaction_id from private.profiles b, private.posts p where b.id = p_buyer and p.id = p_post
  on conflict on constraint purchases_once do nothing
  returning id into v_opened;
  if v_opened is null then
    -- Paid twice from two screens, or the post went while the card was being charged: there is nothing to hand out.
    perform private.request_refund(v_payment.transaction_id, 'The payment opened nothing: the post was bought already or is gone.');
    return v_payment.transaction_id;
  end if;
  perform private.notify(
    p_creator, 'payment', 'Post purchased',
    (select private.name_of(p_buyer) || ' bought ' || coalesce('"' || p.title || '"', 'your post') from private.posts p where p.id = p_post)
      || '. You earned ' || private.dollars(p_gross_cents - p_fee_cents) || '.',
    jsonb_build_object('profile_id', p_buyer, 'post_id', p_post, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_purchase is
  'A paid pay-per-view post: books it, opens the post and tells the creator. Idempotent by p_cause; what opens nothing is given back. Returns transactions.id.';

create function private.post_tip(
  p_cause text,
  p_fan uuid,
  p_creator uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz,
  p_post uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
begin
  perform private.require_tip_amount(p_gross_cents);
  select * into v_payment from private.post_payment(
    'tip', p_cause, p_fan, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, null, p_post);
  if v_payment.is_new then
    perform private.notify(
      c.id, 'tip', 'New tip',
      coalesce(private.name_of(p_fan), 'Someone') || ' tipped you ' || private.dollars(p_gross_cents)
        || '. You earned ' || private.dollars(p_gross_cents - p_fee_cents) || '.',
      jsonb_strip_nulls(jsonb_build_object('profile_id', p_fan, 'post_id', p_post, 'transaction_id', v_payment.transaction_id))
    )
    from private.profiles c where c.id = p_creator;
  end if;
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_tip is
  'A paid tip: books it and tells the creator. Idempotent by p_cause. p_post: under which post it was given. Returns transactions.id.';
