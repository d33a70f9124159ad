-- Up Migration

-- Transactions: the ledger as users see it (DATA-21, DATA-22). private.post_payment is the only way that a payment enters both (D5). This file
-- has the one-time payments for posts, tips, and messages, too (POST-44, POST-45, PROF-21, MSG-08, D26, D28, D39), and promotion codes.
--
-- status failed: a bank may reject a refund that was already booked.
-- covered_amount: a refund made outside the product, in Stripe's dashboard, may leave the creator's part with the creator. That part is the
-- platform's loss.
create table public.transactions (
  id                    uuid primary key default gen_random_uuid(),
  from_user_id          uuid references private.profiles on delete set null,
  to_user_id            uuid references private.profiles on delete set null,
  transaction_type      text not null constraint transactions_type_known check (transaction_type in ('subscription', 'ppv', 'tip', 'paid_message',
    'private_session', 'refund', 'referral_reward', 'referral_commission', 'payout')),
  status                text not null default 'completed',
  amount                bigint not null,
  fee_amount            bigint not null default 0,
  currency              text not null default 'usd',
  product_id            uuid references public.subscription_products on delete set null,
  ledger_transaction_id uuid not null references private.ledger_transactions on delete restrict,
  created_at            timestamptz not null default now(),
  message_id uuid,
  post_id uuid references private.posts on delete set null,
  subscription_id uuid references public.subscriptions on delete set null,
  original_transaction_id uuid references public.transactions on delete restrict,
  refunded_amount bigint not null default 0,
  reason text constraint transactions_reason_length check (length(reason) <= 500),
  net_amount bigint not null generated always as (amount - fee_amount) stored,
  covered_amount bigint not null default 0,
  constraint transactions_ledger_transaction_id_key unique (ledger_transaction_id),
  constraint transactions_refund_has_original check (transaction_type <> 'refund' or original_transaction_id is not null),
  constraint transactions_status_known check (status in ('completed', 'partially_refunded', 'refunded', 'disputed', 'failed')),
  constraint transactions_only_refunds_fail check (status <> 'failed' or transaction_type = 'refund'),
  constraint transactions_refund_within_payment check (refunded_amount between 0 and greatest(amount, 0)),
  constraint transactions_tip_range check (transaction_type <> 'tip' or amount between 100 and 50000),
  constraint transactions_only_refunds_are_covered check (covered_amount = 0 or transaction_type = 'refund')
);
comment on table public.transactions is 'Payments as their payer and receiver see them, one for each movement in private.ledger_transactions.';
comment on column public.transactions.from_user_id is 'The payer''s profiles.id; null after that account was deleted.';
comment on column public.transactions.to_user_id is 'The receiver''s profiles.id; null after that account was deleted.';
comment on column public.transactions.amount is 'The gross amount, in cents. A refund has the payer and receiver of its payment and a negative amount, so that sums are right.';
comment on column public.transactions.fee_amount is 'The platform''s fee, in cents (GEN-06).';
comment on column public.transactions.net_amount is 'The receiver''s net earnings, in cents.';
comment on column public.transactions.created_at is 'When the money moved, by the provider''s clock.';
comment on column public.transactions.message_id is 'The message that was paid for; null for other payments, and after the message was deleted.';
comment on column public.transactions.post_id is 'The post that was bought, or that the tip was given on; null after it was deleted.';
comment on column public.transactions.subscription_id is 'The subscription that was paid for; null after it was deleted.';
comment on column public.transactions.original_transaction_id is 'The payment that is refunded, or that a commission is based on.';
comment on column public.transactions.refunded_amount is 'The refunded and disputed amount, in cents. Maintained by refunds; never more than amount.';
comment on column public.transactions.reason is 'The reason for the refund, as entered by the creator or admin.';
comment on column public.transactions.status is 'completed. Payments can also be partially_refunded, refunded, or disputed; a payout that the bank returned is refunded; a refund that the bank rejected is failed.';
comment on column public.transactions.covered_amount is
  'Of a refund: cents of the creator''s part that were not taken from the creator. They are included in fee_amount, because the platform bears them. Negative when more than the creator''s part was taken.';
alter table public.transactions enable row level security;

alter table public.purchases add constraint purchases_transaction_id_fkey
  foreign key (transaction_id) references public.transactions on delete restrict;
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
comment on function private.count_earning is 'Trigger of transactions: maintains profiles.total_earnings, which is after the fee.';
create trigger transactions_count_earning after insert on public.transactions
  for each row when (new.transaction_type <> 'payout') execute function private.count_earning();
create policy select_party on public.transactions for select to authenticated
  using ((select private.my_profile_id()) in (from_user_id, to_user_id) or (select private.is_admin()));
grant select on public.transactions to authenticated;

-- What the server stores about Stripe. Only the server reads it.
create table private.stripe_events (
  id           text primary key,
  type         text not null,
  payload      jsonb not null,
  created_at   timestamptz not null,
  received_at  timestamptz not null default now(),
  processed_at timestamptz,
  error        text
);
comment on table private.stripe_events is 'Every verified webhook event, stored once before the response; a job handles it.';
comment on column private.stripe_events.id is 'Stripe''s event id, so that a second delivery changes nothing.';
comment on column private.stripe_events.created_at is 'Stripe''s time of the event, in whole seconds.';
comment on column private.stripe_events.error is 'Why the last attempt failed; null if it succeeded.';
alter table private.stripe_events enable row level security;
create index stripe_events_unprocessed_idx on private.stripe_events (received_at) where processed_at is null;
create table private.stripe_customers (
  profile_id  uuid primary key references private.profiles on delete cascade,
  customer_id text not null unique,
  created_at  timestamptz not null default now()
);
comment on table private.stripe_customers is 'The fan''s customer at Stripe.';
alter table private.stripe_customers enable row level security;

-- Checkout sessions, for plans and for one-time payments (POST-45, PROF-21, MSG-08, PRIV-03, D41). A one-click payment with a saved card has
-- no page (D40): its payment intent is stored here, too, so that a second click finds it. attempt_id tells a retry from a second
-- purchase: a fan whose response got lost clicks again, and only the screen knows that it is the same attempt.
create table private.checkout_sessions (
  id           text primary key,
  kind         text not null check (kind in ('subscription', 'ppv', 'tip', 'message', 'session')),
  profile_id   uuid not null references private.profiles on delete cascade,
  creator_id   uuid not null references private.profiles on delete cascade,
  product_id   uuid references public.subscription_products on delete cascade,
  url          text,
  status       text not null default 'open' check (status in ('open', 'complete', 'expired')),
  created_at   timestamptz not null default now(),
  completed_at timestamptz,
  post_id uuid references private.posts on delete set null,
  amount_cents int check (amount_cents > 0),
  message_id uuid,
  booking_id uuid,
  promotion_id uuid,
  attempt_id uuid,
  constraint checkout_sessions_open_has_page check (url is not null or status = 'complete')
);
comment on table private.checkout_sessions is 'Checkout sessions and one-click payments. The id is that of the session or the payment intent at Stripe.';
comment on column private.checkout_sessions.profile_id is 'The fan who pays.';
comment on column private.checkout_sessions.post_id is 'The post that is bought, or that a tip is given on; null for a plan, and after the post was deleted.';
comment on column private.checkout_sessions.amount_cents is 'The amount of a one-time payment; null for a plan, which has a price.';
comment on column private.checkout_sessions.message_id is 'The paid message that is unlocked; null for other payments, and after the message was deleted.';
comment on column private.checkout_sessions.booking_id is 'The booking that is paid for; null for other payments, and after it was deleted.';
comment on column private.checkout_sessions.url is 'The URL of the checkout session; null for a one-click payment, which is complete from the start.';
comment on column private.checkout_sessions.promotion_id is 'The promotion code of the session; null for none.';
comment on column private.checkout_sessions.attempt_id is 'Created by the screen for one attempt to pay, however often the button is clicked: an attempt is charged once. Null when the client sends none.';
alter table private.checkout_sessions enable row level security;
create index checkout_sessions_profile_id_idx on private.checkout_sessions (profile_id, creator_id, created_at desc);
create index checkout_sessions_creator_id_idx on private.checkout_sessions (creator_id);
create index checkout_sessions_product_id_idx on private.checkout_sessions (product_id);

create index checkout_sessions_post_id_idx on private.checkout_sessions (post_id);

create index transactions_post_id_idx on public.transactions (post_id);
create index transactions_subscription_id_idx on public.transactions (subscription_id, created_at desc);
create index transactions_original_transaction_id_idx on public.transactions (original_transaction_id);
create function private.dollars(cents bigint) returns text
language sql immutable set search_path = ''
as $$
  select to_char(cents / 100.0, 'FM$999,999,999,990.00');
$$;
comment on function private.dollars is 'Cents as dollars for users: $1,234.50 (CONST-01).';
create function private.name_of(profile uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(p.display_name, p.username) from private.profiles p where p.id = profile;
$$;
comment on function private.name_of is 'The display name or else the username. Null when the account was deleted.';

-- Every movement has entries in the accounts `stripe` and `platform_fees`, whose chains serialize them anyway, so one lock for all costs
-- nothing extra. A transaction takes it before any row lock, so that several movements in one transaction (a payment and its commission)
-- can't deadlock.
create function private.lock_books() returns void
language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('ledger', 0));
$$;
comment on function private.lock_books is 'Locks the ledger until the end of the transaction, so that no other transaction moves money.';
create function private.transaction_by_cause(p_cause text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select t.id from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id where l.cause = p_cause;
$$;
comment on function private.transaction_by_cause is 'transactions.id of the movement with this cause, such as a payment intent; null when it isn''t in the ledger.';
create function private.post_payment(p_type text, p_cause text, p_payer uuid, p_creator uuid, p_gross_cents bigint, p_fee_cents bigint, p_currency text, p_occurred_at timestamp with time zone, p_product uuid DEFAULT NULL::uuid, p_post uuid DEFAULT NULL::uuid, p_subscription uuid DEFAULT NULL::uuid)
returns TABLE(transaction_id uuid, is_new boolean)
language plpgsql security definer set search_path = ''
as $$
declare
  v_ledger uuid;
begin
  if p_gross_cents is null or p_fee_cents is null or p_gross_cents <= 0 or p_fee_cents < 0 or p_fee_cents >= p_gross_cents then
    raise exception 'Invalid payment of % cents with a fee of % cents', p_gross_cents, p_fee_cents using errcode = '22023';
  elsif p_type not in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') or p_creator is null then
    raise exception 'A payment needs a creator and a known type' using errcode = '22023';
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
      p_type, p_gross_cents, p_fee_cents, p_currency, p_product,
      (select p.id from private.posts p where p.id = p_post),
      p_subscription, v_ledger, p_occurred_at
    )
    returning id, true;
end;
$$;
comment on function private.post_payment is
  'Books a payment from a fan to a creator in the ledger and as a transaction. The same cause again returns the first transaction with is_new false and changes nothing.';

-- Requests to Stripe that follow from a change in the database. The change and the request are written in one transaction, and a job sends
-- the request, so that nothing is lost when the process dies in between.
-- take_back_transfer, return_transfer: a dispute takes the whole payment from the platform's balance at Stripe. The creator bears their part,
-- as with a refund, so the transfer to them is reversed, and sent again when the dispute is won.
-- take_back_rest: a payment whose dispute was won can be refunded later. Its first transfer was reversed and replaced by another one, so
-- Stripe can't reverse "its" transfer with the refund; this request does.
-- close_checkout: an open checkout session is closed when one of the two accounts, or the plan, is no longer available. A payment in that
-- moment is refunded (server/payments/checkout/close-checkout.ts).
-- refusals: Stripe keeps an error under its idempotency key for a day, so the next attempt after a definite error needs another key.
-- waits_until: a transfer or its reversal may have to wait until later payments bring enough balance.
create table private.payment_tasks (
  id              bigint generated always as identity primary key,
  kind            text not null,
  target          text not null check (length(target) between 1 and 255),
  transaction_id  uuid references public.transactions on delete restrict,
  amount_cents    bigint check (amount_cents > 0),
  reason          text not null check (reason ~ '\S'),
  created_at      timestamptz not null default now(),
  attempts        int not null default 0 check (attempts >= 0),
  error           text,
  done_at         timestamptz,
  refusals int not null default 0 check (refusals >= 0),
  waits_until timestamptz,
  constraint payment_tasks_once unique (kind, target),
  constraint payment_tasks_kind_known check (kind in ('refund', 'cancel_subscription', 'delete_customer', 'take_back_transfer',
    'return_transfer', 'stop_renewal', 'resume_renewal', 'close_checkout', 'take_back_rest')),
  constraint payment_tasks_about_a_payment check (
    (kind in ('refund', 'take_back_transfer', 'return_transfer', 'take_back_rest')) = (transaction_id is not null))
);
comment on table private.payment_tasks is 'Requests to the payment provider that a job sends. Completed rows stay, so that no request is made twice.';
comment on column private.payment_tasks.target is 'refund: the cause of the payment in the ledger, which is the provider''s id of it. cancel_subscription, stop_renewal, resume_renewal: the provider''s subscription id. delete_customer: its customer id. take_back_transfer, return_transfer: the id of the dispute. take_back_rest: the id of the refund. close_checkout: the id of the checkout session.';
comment on column private.payment_tasks.amount_cents is 'refund: null means everything that is left. take_back_transfer: the disputed amount. return_transfer: the creator''s part of it.';
comment on column private.payment_tasks.error is 'Why the last attempt failed; null if there was none or it succeeded.';
comment on column private.payment_tasks.refusals is 'How often the provider definitely rejected the request. Each changes the next idempotency key; a lost response doesn''t.';
comment on column private.payment_tasks.waits_until is 'Not retried before this time, because the balance at the provider was too low. Null otherwise.';
alter table private.payment_tasks enable row level security;
create index payment_tasks_open_idx on private.payment_tasks (id) where done_at is null;
create index payment_tasks_transaction_id_idx on private.payment_tasks (transaction_id);

-- No policy: the job is the only reader.

-- Only requests the refund: the provider moves the money, and its event calls private.post_refund.
create function private.request_refund(p_transaction uuid, p_reason text) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_tasks (kind, target, transaction_id, reason)
  select 'refund', l.cause, t.id, p_reason
  from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
  where t.id = p_transaction and t.status in ('completed', 'partially_refunded')
  on conflict (kind, target) do nothing;
$$;
comment on function private.request_refund is 'Requests the refund of everything that is left of a payment, once.';
create index purchases_transaction_id_idx on public.purchases (transaction_id);
create type private.quote as (
  creator_id uuid,
  stripe_account_id text,
  amount_cents integer,
  title text
);
comment on type private.quote is 'What the fan pays, and to whom. Computed by the database, never sent by the client.';
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
    raise sqlstate 'PT409' using message = 'You can''t pay yourself';
  elsif private.are_blocked(p_fan, p_creator) then
    raise sqlstate 'PT403' using message = 'You can''t pay this user';
  elsif v_creator.stripe_account_id is null or not v_creator.stripe_charges_enabled or not private.is_approved_creator(p_creator) then
    -- Not set up yet, or restricted by Stripe. Which of the two is nobody else's business.
    raise sqlstate 'PT409' using message = 'This creator can''t take payments right now', detail = 'creator_without_payments';
  end if;
  return v_creator;
end;
$$;
comment on function private.require_payable is 'Rejects a payment before it is made: to an unknown creator, to the payer, across a block, or to a creator who can''t sell.';
create function private.quote_purchase(p_buyer uuid, p_post uuid)
returns private.quote
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_post private.posts;
  v_creator private.profiles;
begin
  select * into v_post from private.posts p where p.id = p_post and p.post_type = 'ppv';
  if v_post.id is null then
    raise sqlstate 'PT404' using message = 'Post not found';
  elsif exists (select from public.purchases b where b.buyer_id = p_buyer and b.post_id = p_post) then
    raise sqlstate 'PT409' using message = 'You''ve already bought this post';
  end if;
  v_creator := private.require_payable(p_buyer, v_post.creator_id);
  return (v_creator.id, v_creator.stripe_account_id, v_post.ppv_price, coalesce(v_post.title, 'Post by ' || private.name_of(v_creator.id)))::private.quote;
end;
$$;
comment on function private.quote_purchase is 'What a pay-per-view post costs the buyer (POST-45). PT404 when there is no such post, PT409 when the buyer already has it.';
create function private.require_tip_amount(p_cents bigint) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if coalesce(p_cents not between 100 and 50000, true) then
    raise exception 'Tips must be between $1.00 and $500.00' using errcode = '23514', constraint = 'transactions_tip_range';
  end if;
end;
$$;
comment on function private.require_tip_amount is 'Checks the amount of a tip (D28), with a message for users.';

-- Checks the creator's settings only before the payment is made: a payment that has arrived is always booked.
create function private.quote_tip(p_fan uuid, p_creator uuid, p_cents bigint)
returns private.quote
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_creator private.profiles;
  v_settings public.monetization_settings;
begin
  perform private.require_tip_amount(p_cents);
  v_creator := private.require_payable(p_fan, p_creator);
  select * into v_settings from public.monetization_settings s where s.creator_id = p_creator;
  if not v_settings.takes_tips then
    raise sqlstate 'PT409' using message = 'This creator doesn''t accept tips';
  elsif p_cents < v_settings.tip_min_cents then
    raise sqlstate 'PT400' using message = 'The minimum tip for this creator is ' || private.dollars(v_settings.tip_min_cents);
  end if;
  return (v_creator.id, v_creator.stripe_account_id, p_cents::int, 'Tip for ' || private.name_of(v_creator.id))::private.quote;
end;
$$;
comment on function private.quote_tip is 'Whether the fan may tip this creator this amount (PROF-21, D28).';
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
    -- Paid twice from two screens, or the post was deleted while the card was being charged: there is nothing to unlock.
    perform private.request_refund(v_payment.transaction_id, 'The post was already bought or no longer exists.');
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
  'Books the payment for a pay-per-view post, unlocks the post, and notifies the creator. Idempotent by p_cause. Requests a refund when there is nothing to unlock. Returns transactions.id.';
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
  'Books a tip and notifies the creator. Idempotent by p_cause. p_post: the post that it was given on. Returns transactions.id.';

create index checkout_sessions_message_id_idx on private.checkout_sessions (message_id);
create index checkout_sessions_booking_id_idx on private.checkout_sessions (booking_id);
create function private.quote_message(p_buyer uuid, p_message uuid)
returns private.quote
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_message private.messages;
  v_creator private.profiles;
begin
  select * into v_message from private.messages m where m.id = p_message and m.recipient_id = p_buyer and m.is_paid;
  if v_message.id is null then
    raise sqlstate 'PT404' using message = 'Message not found';
  elsif exists (select from public.message_unlocks u where u.message_id = p_message and u.buyer_id = p_buyer) then
    raise sqlstate 'PT409' using message = 'You''ve already unlocked this message';
  end if;
  v_creator := private.require_payable(p_buyer, v_message.sender_id);
  return (v_creator.id, v_creator.stripe_account_id, v_message.price, 'Message from ' || private.name_of(v_creator.id))::private.quote;
end;
$$;
comment on function private.quote_message is
  'What a paid message costs its recipient (MSG-08). PT404 when there is no such message for them, PT409 when it is already unlocked.';

-- Promotion codes of creators. A code is unique only for its creator: two creators may both have SUMMER. At Stripe, it has another code that
-- no one types.
create table private.promotion_codes (
  id                   uuid primary key default gen_random_uuid(),
  creator_id           uuid not null references private.profiles on delete cascade,
  product_id           uuid references public.subscription_products on delete cascade,
  code                 text not null constraint promotion_codes_form check (code ~ '^[A-Z0-9][A-Z0-9_-]{2,29}$'),
  percent_off          int check (percent_off between 1 and 100),
  amount_off_cents     int check (amount_off_cents between 1 and 999999),
  duration             text not null check (duration in ('once', 'repeating', 'forever')),
  duration_months      int check (duration_months between 1 and 36),
  max_redemptions      int check (max_redemptions between 1 and 1000000),
  expires_at           timestamptz,
  is_active            boolean not null default true,
  stripe_coupon_id     text not null,
  stripe_promotion_id  text not null unique,
  created_at           timestamptz not null default now(),
  constraint promotion_codes_one_kind check (num_nonnulls(percent_off, amount_off_cents) = 1),
  constraint promotion_codes_months check ((duration = 'repeating') = (duration_months is not null))
);
comment on table private.promotion_codes is 'Discounts on a creator''s plans for fans who have the code. The server creates each together with its coupon at Stripe, and deactivates it with is_active.';
comment on column private.promotion_codes.product_id is 'The plan that the code is for; null for all plans of the creator.';
comment on column private.promotion_codes.code is 'In uppercase.';
alter table private.promotion_codes enable row level security;

-- No policy: a fan who could list codes wouldn't need one. private.require_promotion looks up a code by its name.
alter table private.checkout_sessions add constraint checkout_sessions_promotion_id_fkey
  foreign key (promotion_id) references private.promotion_codes on delete set null;
create unique index promotion_codes_one_active on private.promotion_codes (creator_id, code) where is_active;
create index promotion_codes_product_id_idx on private.promotion_codes (product_id);
create index checkout_sessions_promotion_id_idx on private.checkout_sessions (promotion_id);

-- What a plan costs with a promotion code. Half a cent goes to the fan, as Stripe rounds.
create function private.discounted_cents(p_price_cents int, p_percent_off int, p_amount_off_cents int) returns int
language sql immutable set search_path = ''
as $$
  select greatest(p_price_cents - coalesce(round(p_price_cents * p_percent_off / 100.0)::int, p_amount_off_cents), 0);
$$;
comment on function private.discounted_cents is 'The price less a percentage or an amount, in cents; never below zero.';

-- An unknown code, a retired code, and a code for other plans get the same answer, so that guessing reveals nothing.
create function private.require_promotion(p_plan uuid, p_code text) returns private.promotion_codes
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_promotion private.promotion_codes;
begin
  select c.* into v_promotion
  from public.subscription_products s
  join private.promotion_codes c on c.creator_id = s.creator_id
  where s.id = p_plan and c.code = upper(p_code) and c.is_active
    -- A code for all plans covers the plans that existed when it was made: its coupon at Stripe lists them.
    and (c.product_id = s.id or (c.product_id is null and s.created_at <= c.created_at))
    -- Stripe charges no card less than 50 cents.
    and private.discounted_cents(s.price_cents, c.percent_off, c.amount_off_cents) not between 1 and 49;
  if v_promotion.id is null then
    raise sqlstate 'PT404' using message = 'This code isn''t valid for this plan', detail = 'promotion_not_found';
  elsif v_promotion.expires_at <= now() then
    raise sqlstate 'PT409' using message = 'This code has expired', detail = 'promotion_expired';
  end if;
  return v_promotion;
end;
$$;
comment on function private.require_promotion is
  'The active promotion code of this name for this plan. How often it was redeemed is known to Stripe alone, so max_redemptions is not checked here.';

create type private.subscription_quote as (
  creator_id uuid,
  creator_username text,
  stripe_account_id text,
  stripe_price_id text,
  trial_days int,
  promotion_id uuid,
  stripe_promotion_id text,
  max_redemptions int
);
comment on type private.subscription_quote is 'What the checkout of a plan needs: who is paid, for which price at Stripe, after how many free days, and with which promotion code.';

create function private.quote_plan(p_fan uuid, p_plan uuid) returns private.subscription_quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_plan public.subscription_products;
  v_creator private.profiles;
  v_price text;
begin
  select * into v_plan from public.subscription_products s where s.id = p_plan;
  if v_plan.id is null then
    raise sqlstate 'PT404' using message = 'This plan no longer exists', detail = 'plan_not_found';
  elsif v_plan.creator_id = p_fan then
    raise sqlstate 'PT409' using message = 'You can''t subscribe to your own plan', detail = 'own_plan';
  elsif not v_plan.is_active then
    raise sqlstate 'PT409' using message = 'This plan is no longer available', detail = 'plan_inactive';
  end if;
  v_creator := private.require_payable(p_fan, v_plan.creator_id);
  select k.stripe_price_id into v_price from private.stripe_products k where k.product_id = p_plan;
  if v_price is null then
    raise sqlstate 'PT409' using message = 'This creator can''t take payments right now', detail = 'creator_without_payments';
  end if;
  return (v_creator.id, v_creator.username, v_creator.stripe_account_id, v_price, v_plan.trial_days, null, null, null)::private.subscription_quote;
end;
$$;
comment on function private.quote_plan is 'Whether this fan may choose this plan, be it the first one of the creator or a switch (SUB-01, SUB-04).';

create function private.quote_subscription(p_fan uuid, p_plan uuid, p_code text default null) returns private.subscription_quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_quote private.subscription_quote := private.quote_plan(p_fan, p_plan);
  v_promotion private.promotion_codes;
begin
  -- Stripe bills these, or may bill them again: a second subscription beside one of them would be paid twice.
  if exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.tier_id = p_plan and s.status in ('active', 'trial', 'past_due', 'unpaid', 'paused')
  ) then
    raise sqlstate 'PT409' using message = 'You''re already subscribed to this plan', detail = 'already_subscribed';
  elsif exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.creator_id = v_quote.creator_id and s.status in ('active', 'trial', 'past_due', 'unpaid', 'paused')
  ) then
    raise sqlstate 'PT409' using message = 'You already have a plan with this creator. Switch plans instead of buying a second one.', detail = 'switch_instead';
  end if;
  if p_code is not null then
    v_promotion := private.require_promotion(p_plan, p_code);
    v_quote.promotion_id := v_promotion.id;
    v_quote.stripe_promotion_id := v_promotion.stripe_promotion_id;
    v_quote.max_redemptions := v_promotion.max_redemptions;
    -- The code replaces the free trial: it discounts the first invoice, and a trial's first invoice is zero.
    v_quote.trial_days := 0;
  end if;
  -- The trial is for new subscribers: canceling and coming back does not start another one.
  if exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.creator_id = v_quote.creator_id and s.status not in ('incomplete', 'incomplete_expired')
  ) then
    v_quote.trial_days := 0;
  end if;
  return v_quote;
end;
$$;
comment on function private.quote_subscription is
  'What a first plan of this creator costs this fan, with a promotion code or without (SUB-01, SUB-02). detail names the error code of docs/errors.md.';
