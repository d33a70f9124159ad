-- Up Migration

-- Gifts (OFFER-02) and gift codes (OFFER-03): months of a plan that begin when someone redeems their link.
-- A gift gives access through a subscription without Stripe: active, with an end, and with nothing to renew. So every gate, list, and count
-- that knows subscriptions knows it too, and no job of the payments touches it, because those go by private.stripe_subscriptions.
-- Contract: public.subscriptions gets a column with a default, which a server of the last version doesn't read.

alter table public.subscriptions add column is_gift boolean not null default false;
comment on column public.subscriptions.is_gift is 'A redeemed gift: it was paid for by someone else or is free, ends at current_period_end, and can''t renew (OFFER-02).';
comment on table public.subscriptions is 'Subscriptions, in the state that Stripe last reported or that a scheduled job has set, and redeemed gifts. Only private.apply_subscription_state, private.expire_subscriptions, private.end_subscription, public.redeem_gift, and private.end_gifts write it.';
create index subscriptions_gifts_idx on public.subscriptions (access_until) include (tier_id, interval_count, price_cents) where is_gift and status = 'active';

create table private.gift_batches (
  id         uuid primary key default gen_random_uuid(),
  creator_id uuid not null references private.profiles on delete cascade,
  product_id uuid not null references public.subscription_products on delete cascade,
  months     int not null constraint gift_batches_months_range check (months between 1 and 12),
  codes      int not null constraint gift_batches_codes_range check (codes between 1 and 500),
  last_day   date not null,
  created_at timestamptz not null default now()
);
comment on table private.gift_batches is 'Free gift codes that a creator has made at once (OFFER-03). Each code is a row of private.gifts.';
comment on column private.gift_batches.codes is 'How many there are.';
comment on column private.gift_batches.last_day is 'The last day on which the codes can be redeemed, in UTC.';
create index gift_batches_creator_id_idx on private.gift_batches (creator_id, created_at desc, id desc);
create index gift_batches_product_id_idx on private.gift_batches (product_id);
alter table private.gift_batches enable row level security; -- and no policy: get_gift_batches shows a creator their own

create table private.gifts (
  id              uuid primary key default gen_random_uuid(),
  creator_id      uuid not null references private.profiles on delete cascade,
  product_id      uuid not null references public.subscription_products on delete cascade,
  batch_id        uuid references private.gift_batches on delete cascade,
  giver_id        uuid references private.profiles on delete set null,
  recipient_id    uuid references private.profiles on delete set null,
  recipient_email text constraint gifts_email_form check (recipient_email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' and length(recipient_email) <= 255),
  message         text constraint gifts_message_length check (length(message) between 1 and 500),
  months          int not null constraint gifts_months_range check (months between 1 and 12),
  amount_cents    int constraint gifts_amount_positive check (amount_cents > 0),
  state           text not null default 'unpaid'
    constraint gifts_state_known check (state in ('unpaid', 'open', 'redeemed', 'taken_back', 'expired', 'refunded')),
  seed            bytea not null,
  code_hash       bytea not null constraint gifts_code_once unique,
  transaction_id  uuid references public.transactions on delete restrict,
  deliver_at      timestamptz,
  next_send_at    timestamptz,
  attempts        int not null default 0,
  sent_count      int not null default 0,
  sent_at         timestamptz,
  expires_at      timestamptz,
  redeemed_by     uuid references private.profiles on delete set null,
  subscription_id uuid references public.subscriptions on delete set null,
  redeemed_at     timestamptz,
  closed_at       timestamptz,
  created_at      timestamptz not null default now(),
  constraint gifts_paid_or_a_code check ((batch_id is null) = (amount_cents is not null)),
  constraint gifts_paid_has_end check (state = 'unpaid' or expires_at is not null)
);
comment on table private.gifts is 'Months of a plan for someone else: paid by a giver, or a free code of the creator.';
comment on column private.gifts.batch_id is 'The batch of a free code; null for a gift that is paid for.';
comment on column private.gifts.giver_id is 'Who pays; null for a code, and after that account was deleted.';
comment on column private.gifts.recipient_id is 'The only user who can redeem it; null for a gift by email, and for a code.';
comment on column private.gifts.recipient_email is 'Where the link is sent, in lowercase; null for a gift to a user. Anyone with the link can redeem it.';
comment on column private.gifts.message is 'What the giver writes to the recipient. Erased with the giver''s account.';
comment on column private.gifts.amount_cents is 'What the giver pays, in cents; null for a code.';
comment on column private.gifts.state is 'unpaid: being paid for. open: waits to be redeemed. redeemed. taken_back: by the giver. expired: not redeemed in time. refunded: by the creator, an admin, a dispute, or because it couldn''t be delivered.';
comment on column private.gifts.seed is 'Random. private.gift_code derives the code of the link from it.';
comment on column private.gifts.code_hash is 'SHA-256 of the code, by which it is found.';
comment on column private.gifts.deliver_at is 'When the giver wants it delivered.';
comment on column private.gifts.next_send_at is 'When it is sent, for the first time or again; null when there is nothing to send.';
comment on column private.gifts.attempts is 'How often an email was tried since it became due.';
comment on column private.gifts.sent_count is 'How often it was delivered.';
comment on column private.gifts.expires_at is 'Until when it can be redeemed: 12 months after the payment, or the end of a code''s last day.';
comment on column private.gifts.redeemed_by is 'Who redeemed it; null before, and after that account was deleted.';
comment on column private.gifts.subscription_id is 'The subscription that it gives.';
comment on column private.gifts.closed_at is 'When it was taken back, expired, or was refunded; otherwise null.';
create index gifts_creator_id_idx on private.gifts (creator_id);
create index gifts_product_id_idx on private.gifts (product_id);
create index gifts_batch_id_idx on private.gifts (batch_id) where batch_id is not null;
create index gifts_giver_id_idx on private.gifts (giver_id, created_at desc, id desc) where giver_id is not null;
create index gifts_recipient_id_idx on private.gifts (recipient_id) where recipient_id is not null;
create index gifts_redeemed_by_idx on private.gifts (redeemed_by) where redeemed_by is not null;
create index gifts_subscription_id_idx on private.gifts (subscription_id) where subscription_id is not null;
create index gifts_transaction_id_idx on private.gifts (transaction_id) where transaction_id is not null;
create index gifts_due_idx on private.gifts (next_send_at) where next_send_at is not null;
create index gifts_expiring_idx on private.gifts (expires_at) where state = 'open';
create index gifts_unpaid_idx on private.gifts (created_at) where state = 'unpaid';
alter table private.gifts enable row level security; -- and no policy: functions show each side its part

alter table private.checkout_sessions
  add column gift_id uuid references private.gifts on delete set null,
  drop constraint checkout_sessions_kind_check,
  add constraint checkout_sessions_kind_check check (kind in ('subscription', 'ppv', 'tip', 'message', 'session', 'gift'));
comment on column private.checkout_sessions.gift_id is 'The gift that is paid for; null for other payments, and after it was deleted.';
create index checkout_sessions_gift_id_idx on private.checkout_sessions (gift_id) where gift_id is not null;

alter table private.ledger_transactions
  drop constraint ledger_transactions_type_known,
  add constraint ledger_transactions_type_known check (type in (
    'subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'refund', 'referral_reward', 'referral_commission', 'payout')) not valid;
alter table private.ledger_transactions validate constraint ledger_transactions_type_known;
alter table public.transactions
  drop constraint transactions_type_known,
  add constraint transactions_type_known check (transaction_type in (
    'subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'refund', 'referral_reward', 'referral_commission', 'payout')) not valid;
alter table public.transactions validate constraint transactions_type_known;

create function private.gift_code(p_seed bytea) returns text
language sql stable set search_path = ''
as $$
  -- 128 bits, as hexadecimal digits, which no app has to escape.
  select encode(substring(extensions.hmac(p_seed, convert_to('gift ' || private.encryption_key(), 'UTF8'), 'sha256') from 1 for 16), 'hex');
$$;
comment on function private.gift_code is 'The secret part of a gift''s link: 32 hexadecimal digits. Neither a dump nor the database''s owner can compute it.';

create function private.gift_code_hash(p_code text) returns bytea
language sql immutable set search_path = ''
as $$
  select sha256(convert_to(lower(p_code), 'UTF8'));
$$;
comment on function private.gift_code_hash is 'The hash by which a gift is found.';

create function private.months_of(p_months int, p_plan text) returns text
language sql immutable set search_path = ''
as $$
  select p_months || case p_months when 1 then ' month of ' else ' months of ' end || p_plan;
$$;
comment on function private.months_of is 'A gift in words: 3 months of Gold.';

create function private.gift_words(p_gift private.gifts) returns text
language sql stable security definer set search_path = ''
as $$
  select private.months_of(p_gift.months, s.name) from public.subscription_products s where s.id = p_gift.product_id;
$$;
comment on function private.gift_words is 'A gift in words, as in private.months_of.';

-- Whether the recipient subscribes already isn't checked here: it is nothing that a giver may find out.
create function public.create_gift(plan_id uuid, months int, username text default null, email text default null, message text default null, deliver_at timestamptz default null)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_plan public.subscription_products;
  v_recipient uuid;
  v_email text := lower(private.trimmed(create_gift.email));
  v_message text := private.trimmed(create_gift.message);
  v_deliver timestamptz := greatest(coalesce(create_gift.deliver_at, now()), now());
  v_cents numeric;
  v_seed bytea := extensions.gen_random_bytes(32);
  v_id uuid;
begin
  perform private.reject_app(); -- the link would outlive the app's own access
  if v_me is null then
    raise exception 'Sign in to give a gift' using errcode = '42501';
  elsif coalesce(create_gift.months not in (1, 3, 6, 12), true) then
    raise exception 'months must be 1, 3, 6, or 12.' using errcode = '22023';
  elsif num_nonnulls(private.trimmed(create_gift.username), v_email) <> 1 then
    raise exception 'Name either a username or an email address.' using errcode = '22023';
  elsif v_email !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' or length(v_email) > 255 then
    raise exception 'Enter a valid email address.' using errcode = '22023';
  elsif length(v_message) > 500 then
    raise exception 'The message can have up to 500 characters.' using errcode = '22023';
  elsif not isfinite(v_deliver) or v_deliver > now() + interval '181 days' then
    raise exception 'Choose a delivery date in the next 180 days.' using errcode = '22023';
  end if;
  select * into v_plan from public.subscription_products s where s.id = create_gift.plan_id;
  if private.is_private_profile(v_plan.creator_id) then
    raise sqlstate 'PT404' using message = 'This plan no longer exists', detail = 'plan_not_found';
  elsif v_plan.creator_id = v_me then
    raise sqlstate 'PT409' using message = 'You can''t buy your own plan as a gift', hint = 'Make gift codes instead.', detail = 'own_plan';
  end if;
  perform private.quote_plan(v_me, create_gift.plan_id);
  if v_email is null then
    select p.id into v_recipient from private.profiles p where p.username = lower(private.trimmed(create_gift.username));
    if v_recipient is null then
      raise sqlstate 'PT404' using message = 'User not found', detail = 'user_not_found';
    elsif v_recipient = v_plan.creator_id then
      raise sqlstate 'PT409' using message = 'You can''t give a plan to its creator';
    elsif private.are_blocked(v_me, v_recipient) or private.are_blocked(v_recipient, v_plan.creator_id) then
      raise sqlstate 'PT403' using message = 'You can''t send a gift to this user';
    end if;
  end if;
  if v_recipient = v_me or v_email = (select lower(u.email) from auth.users u where u.id = auth.uid()) then
    raise sqlstate 'PT409' using message = 'You can''t give a gift to yourself';
  end if;
  v_cents := round(private.monthly_cents(v_plan.price_cents, v_plan."interval") * create_gift.months);
  if v_cents > 99999999 then
    raise sqlstate 'PT409' using message = 'A gift can cost up to $999,999.99';
  end if;
  -- A double click gets the same gift, and so does a giver who goes back from the checkout session.
  perform pg_advisory_xact_lock(hashtextextended('gifts:' || v_me, 0));
  select g.id into v_id from private.gifts g
  where g.giver_id = v_me and g.state = 'unpaid' and g.product_id = v_plan.id and g.months = create_gift.months and g.amount_cents = v_cents
    and g.recipient_id is not distinct from v_recipient and g.recipient_email is not distinct from v_email
    and g.message is not distinct from v_message and greatest(g.deliver_at, now()) = v_deliver;
  if v_id is not null then
    return v_id;
  elsif (select count(*) from private.gifts g where g.giver_id = v_me and g.state = 'unpaid') >= 20 then
    raise sqlstate 'PT409' using message = 'You have 20 unpaid gifts', hint = 'Pay for one, or wait until tomorrow.';
  end if;
  insert into private.gifts (creator_id, product_id, giver_id, recipient_id, recipient_email, message, months, amount_cents, seed, code_hash, deliver_at)
  values (v_plan.creator_id, v_plan.id, v_me, v_recipient, v_email, v_message, create_gift.months, v_cents::int, v_seed,
    private.gift_code_hash(private.gift_code(v_seed)), v_deliver)
  returning id into v_id;
  return v_id;
end;
$$;
comment on function public.create_gift is
  'Prepares a gift of 1, 3, 6, or 12 months of a plan, to a username or an email address (OFFER-02). It is paid with create-payment-checkout. Returns its id.';
grant execute on function public.create_gift to authenticated;

create function private.quote_gift(p_giver uuid, p_gift uuid) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_gift private.gifts;
  v_plan private.subscription_quote;
begin
  select * into v_gift from private.gifts g where g.id = p_gift and g.giver_id = p_giver;
  if v_gift.id is null then
    raise sqlstate 'PT404' using message = 'Gift not found', detail = 'gift_not_found';
  elsif v_gift.state <> 'unpaid' then
    raise sqlstate 'PT409' using message = 'You''ve already paid for this gift';
  elsif v_gift.recipient_id is not null and (
    private.are_blocked(p_giver, v_gift.recipient_id) or private.are_blocked(v_gift.recipient_id, v_gift.creator_id)
  ) then
    raise sqlstate 'PT403' using message = 'You can''t send a gift to this user';
  end if;
  v_plan := private.quote_plan(p_giver, v_gift.product_id);
  return (v_plan.creator_id, v_plan.stripe_account_id, v_gift.amount_cents,
    'Gift: ' || private.gift_words(v_gift) || ' by ' || private.name_of(v_gift.creator_id))::private.quote;
end;
$$;
comment on function private.quote_gift is 'What a prepared gift costs its giver. PT404 for anyone else, PT409 once it is paid or the plan isn''t sold any more.';

create function private.return_gift(p_gift private.gifts, p_state text, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.gifts set state = p_state, closed_at = now(), next_send_at = null where id = p_gift.id;
  perform private.request_refund(p_gift.transaction_id, p_reason);
end;
$$;
comment on function private.return_gift is 'Closes an open gift, whose row the caller has locked, and requests the refund of its payment.';

create function private.post_gift_payment(p_cause text, p_gift uuid, p_giver uuid, p_creator uuid, p_gross_cents bigint, p_fee_cents bigint, p_currency text, p_occurred_at timestamptz)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_gift private.gifts;
begin
  perform private.lock_books(); -- always before the row
  select * into v_gift from private.gifts g where g.id = p_gift for update;
  select * into v_payment from private.post_payment(
    'gift', p_cause, p_giver, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, v_gift.product_id);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  if v_gift.state is distinct from 'unpaid' then
    perform private.request_refund(v_payment.transaction_id, 'The gift was already paid for or no longer exists.');
    return v_payment.transaction_id;
  end if;
  update private.gifts set state = 'open', transaction_id = v_payment.transaction_id, expires_at = p_occurred_at + interval '12 months',
    next_send_at = deliver_at
  where id = p_gift;
  perform private.notify(v_gift.creator_id, 'payment', coalesce(private.name_of(p_giver), 'Someone') || ' bought a gift of ' || s.name,
    'You earned ' || private.dollars(p_gross_cents - p_fee_cents) || '.',
    jsonb_strip_nulls(jsonb_build_object('profile_id', p_giver, 'transaction_id', v_payment.transaction_id)))
  from public.subscription_products s where s.id = v_gift.product_id;
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_gift_payment is
  'Books the payment of a gift, which can be redeemed from now on, and notifies the creator. Idempotent by p_cause. Requests a refund when the gift was already paid for or is gone. Returns transactions.id.';

create function private.withdraw_gift(p_transaction uuid, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_gift private.gifts;
begin
  update private.gifts g set state = 'refunded', closed_at = now(), next_send_at = null
  where g.transaction_id = p_transaction and g.state in ('open', 'redeemed') returning * into v_gift;
  if v_gift.subscription_id is null then
    return;
  end if;
  perform private.end_subscription(v_gift.subscription_id, p_reason);
  perform private.notify(p.id, 'subscription', 'Your gift of ' || s.name || ' has ended', 'Its payment was returned to the person who gave it to you.',
    jsonb_build_object('profile_id', v_gift.creator_id))
  from private.profiles p, public.subscription_products s where p.id = v_gift.redeemed_by and s.id = v_gift.product_id;
end;
$$;
comment on function private.withdraw_gift is 'Ends a gift whose payment was refunded or disputed, and the access that it gave.';

create function private.close_gifts_of_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_gift private.gifts;
begin
  delete from private.gifts g where g.state = 'unpaid' and old.id in (g.giver_id, g.recipient_id, g.creator_id);
  for v_gift in
    select g.* from private.gifts g
    where g.state = 'open' and g.transaction_id is not null and old.id in (g.recipient_id, g.creator_id) order by g.id for update
  loop
    perform private.return_gift(v_gift, 'refunded', 'The gift can''t be redeemed any more.');
    -- Without a profile_id: notifications that name the deleted account go with it.
    perform private.notify(p.id, 'payment', 'Your gift was canceled', 'It can''t be redeemed any more. You''ll get a full refund.', '{}')
    from private.profiles p where p.id = v_gift.giver_id and p.id <> old.id;
  end loop;
  update private.gifts g set message = null where g.giver_id = old.id;
  update private.gifts g set recipient_email = null where g.redeemed_by = old.id;
  return old;
end;
$$;
comment on function private.close_gifts_of_profile is
  'Trigger of profiles: refunds the open gifts of a deleted creator or recipient. Those of a deleted giver can still be redeemed, without the name and the message.';
create trigger profiles_close_gifts before delete on private.profiles for each row execute function private.close_gifts_of_profile();

create function public.redeem_gift(code text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_gift private.gifts;
  v_subscription uuid;
begin
  perform private.reject_app();
  if v_me is null then
    raise exception 'Sign in to redeem a gift' using errcode = '42501';
  end if;
  perform private.lock_books(); -- before the row, as a refund of the gift at this moment does
  select * into v_gift from private.gifts g where g.code_hash = private.gift_code_hash(redeem_gift.code) for update;
  if v_gift.id is null or v_gift.state = 'unpaid' then
    raise sqlstate 'PT404' using message = 'Gift not found', detail = 'gift_not_found';
  elsif v_gift.state = 'redeemed' and v_gift.redeemed_by = v_me then
    return v_gift.subscription_id; -- a double click
  elsif v_gift.state = 'redeemed' then
    raise sqlstate 'PT409' using message = 'This gift was already redeemed', detail = 'gift_redeemed';
  elsif v_gift.state <> 'open' or v_gift.expires_at <= now() then
    raise sqlstate 'PT409' using message = 'This gift can''t be redeemed any more', detail = 'gift_closed';
  elsif v_gift.giver_id = v_me then
    raise sqlstate 'PT409' using message = 'You can''t redeem your own gift', detail = 'own_gift';
  elsif v_gift.creator_id = v_me then
    raise sqlstate 'PT409' using message = 'You can''t redeem a gift of your own plan', detail = 'own_plan';
  elsif v_gift.recipient_id <> v_me then
    raise sqlstate 'PT403' using message = 'This gift is for someone else', detail = 'gift_of_another';
  elsif private.are_blocked(v_me, v_gift.creator_id) then
    raise sqlstate 'PT403' using message = 'This creator isn''t available to you right now', detail = 'creator_unavailable';
  end if;
  -- As in apply_subscription_state: two gifts of a creator at the same moment give one subscription.
  perform pg_advisory_xact_lock(hashtextextended('subscriber:' || v_me || ':' || v_gift.creator_id, 0));
  if private.has_subscription(v_me, v_gift.creator_id) then
    raise sqlstate 'PT409' using message = 'You already subscribe to this creator', hint = 'Redeem the gift when your subscription has ended.',
      detail = 'already_subscribed';
  end if;
  insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, current_period_start, current_period_end, cancel_at_period_end,
    access_until, is_gift)
  values (v_me, v_gift.creator_id, v_gift.product_id, 'active', now(), now() + make_interval(months => v_gift.months), true, '-infinity', true)
  returning id into v_subscription;
  update private.gifts set state = 'redeemed', redeemed_by = v_me, redeemed_at = now(), subscription_id = v_subscription, next_send_at = null
  where id = v_gift.id;
  -- A page that is still open would charge for the plan that was just given.
  perform private.close_checkouts(array(
    select c.id from private.checkout_sessions c
    where c.profile_id = v_me and c.creator_id = v_gift.creator_id and c.kind = 'subscription' and c.status = 'open'
  ));
  perform private.notify(v_gift.creator_id, 'subscription', private.name_of(v_me) || ' redeemed a gift of ' || s.name, '',
    jsonb_build_object('profile_id', v_me, 'subscription_id', v_subscription))
  from public.subscription_products s where s.id = v_gift.product_id;
  -- Without a name: an email address must not lead its giver to an account.
  perform private.notify(p.id, 'other', 'Your gift was redeemed', private.gift_words(v_gift) || ' by ' || private.name_of(v_gift.creator_id) || '.',
    jsonb_build_object('profile_id', v_gift.creator_id))
  from private.profiles p where p.id = v_gift.giver_id;
  return v_subscription;
end;
$$;
comment on function public.redeem_gift is
  'Begins the subscription that a gift or a gift code gives the caller, by the code of its link (OFFER-02, OFFER-03). It ends after the gift''s months and doesn''t renew. Returns subscriptions.id. detail names the reason of a rejection.';
grant execute on function public.redeem_gift to authenticated;

create function private.has_subscription(p_fan uuid, p_creator uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.creator_id = p_creator and s.status in ('active', 'trial', 'past_due', 'unpaid', 'paused')
      and not (s.is_gift and s.access_until <= now()) -- the job that ends it runs once a minute
  );
$$;
comment on function private.has_subscription is 'Whether the fan has a subscription with the creator that gives access, or that Stripe may bill again, as in private.quote_subscription.';

create type public.gift_view as (
  state text,
  plan_id uuid,
  plan_name text,
  months int,
  creator_id uuid,
  creator_username text,
  creator_name text,
  creator_avatar_url text,
  creator_updated_at timestamptz,
  giver_name text,
  message text,
  expires_at timestamptz
);
comment on type public.gift_view is 'A gift as someone with its link sees it.';
comment on column public.gift_view.state is 'For the viewer: open, redeemed (by someone else), yours (redeemed by the viewer), closed, own (given by the viewer), for_another, subscribed, or unavailable.';
comment on column public.gift_view.giver_name is 'Null for a code, and after the giver''s account was deleted.';
comment on column public.gift_view.message is 'Of a gift to a username, for this user and the giver only.';
create function public.get_gift(code text) returns setof public.gift_view
language sql stable security definer rows 1 set search_path = ''
as $$
  select
    case
      when g.state = 'redeemed' then case when g.redeemed_by = me.id then 'yours' else 'redeemed' end
      when g.state <> 'open' or g.expires_at <= now() then 'closed'
      when me.id in (g.giver_id, g.creator_id) then 'own'
      when me.id <> g.recipient_id then 'for_another'
      when private.are_blocked(me.id, g.creator_id) or c.suspended_at is not null then 'unavailable'
      when private.has_subscription(me.id, g.creator_id) then 'subscribed'
      else 'open'
    end,
    s.id, s.name, g.months, c.id, c.username, c.display_name, c.avatar_url, c.updated_at,
    case when g.giver_id is not null then private.name_of(g.giver_id) end,
    case when g.recipient_id is null or me.id in (g.recipient_id, g.giver_id) then g.message end,
    g.expires_at
  from (select private.my_profile_id() as id) me
  join private.gifts g on g.code_hash = private.gift_code_hash(get_gift.code) and g.state <> 'unpaid'
  join private.profiles c on c.id = g.creator_id
  join public.subscription_products s on s.id = g.product_id;
$$;
comment on function public.get_gift is 'The gift with this code, for anyone who has its link (OFFER-02). No row for an unknown code.';
grant execute on function public.get_gift to anon, authenticated;

create type public.given_gift as (
  id uuid,
  plan_name text,
  creator_username text,
  creator_name text,
  recipient text,
  recipient_email text,
  months int,
  amount_cents int,
  message text,
  state text,
  deliver_at timestamptz,
  sent_at timestamptz,
  sends_at timestamptz,
  expires_at timestamptz,
  redeemed_at timestamptz,
  created_at timestamptz,
  code text
);
comment on type public.given_gift is 'A gift as its giver sees it.';
comment on column public.given_gift.recipient is 'The username; null for a gift by email, and after that account was deleted.';
comment on column public.given_gift.sent_at is 'When it was last delivered; null before.';
comment on column public.given_gift.sends_at is 'When it is delivered next; null when there is nothing to send.';
comment on column public.given_gift.code is 'The secret of the link; null unless the gift can be redeemed.';
create function public.get_given_gifts(page_size int default 20, before timestamptz default null, before_id uuid default null)
returns setof public.given_gift
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  perform private.reject_app();
  return query
    select g.id, s.name, c.username, c.display_name, r.username, g.recipient_email, g.months, g.amount_cents, g.message, g.state, g.deliver_at,
      g.sent_at, g.next_send_at, g.expires_at, g.redeemed_at, g.created_at, case when g.state = 'open' then private.gift_code(g.seed) end
    from private.gifts g
    join public.subscription_products s on s.id = g.product_id
    join private.profiles c on c.id = g.creator_id
    left join private.profiles r on r.id = g.recipient_id
    where g.giver_id = v_me and g.state <> 'unpaid'
      and (g.created_at, g.id) < (coalesce(before, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by g.created_at desc, g.id desc limit least(greatest(page_size, 0), 100);
end;
$$;
comment on function public.get_given_gifts is 'The gifts that the caller has paid for, newest first, with the links of those that can be redeemed. For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_given_gifts to authenticated;

create function private.gift_of_giver(p_gift uuid) returns private.gifts
language plpgsql security definer set search_path = ''
as $$
declare
  v_gift private.gifts;
begin
  perform private.reject_app();
  select * into v_gift from private.gifts g where g.id = p_gift and g.giver_id = private.my_profile_id() and g.state <> 'unpaid' for update;
  if v_gift.id is null then
    raise sqlstate 'PT404' using message = 'Gift not found', detail = 'gift_not_found';
  elsif v_gift.state = 'redeemed' then
    raise sqlstate 'PT409' using message = 'This gift was already redeemed', detail = 'gift_redeemed';
  end if;
  return v_gift;
end;
$$;
comment on function private.gift_of_giver is 'A paid gift of the caller, locked. PT404 for anyone else, PT409 once it is redeemed.';

create function public.take_back_gift(gift_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_gift private.gifts := private.gift_of_giver(take_back_gift.gift_id);
begin
  if v_gift.state = 'open' then
    perform private.return_gift(v_gift, 'taken_back', 'The giver took the gift back.');
  end if;
end;
$$;
comment on function public.take_back_gift is 'The giver takes back a gift that wasn''t redeemed, and gets a refund (OFFER-02).';
grant execute on function public.take_back_gift to authenticated;

create function public.send_gift_again(gift_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_gift private.gifts := private.gift_of_giver(send_gift_again.gift_id);
begin
  if v_gift.state <> 'open' then
    raise sqlstate 'PT409' using message = 'This gift can''t be redeemed any more', detail = 'gift_closed';
  elsif v_gift.next_send_at is not null then
    raise sqlstate 'PT409' using message = 'This gift hasn''t been delivered yet';
  elsif v_gift.sent_count >= 5 then
    raise sqlstate 'PT409' using message = 'You''ve sent this gift five times', hint = 'Share its link instead.';
  elsif v_gift.sent_at > now() - interval '1 hour' then
    raise sqlstate 'PT409' using message = 'You''ve just sent this gift', hint = 'You can send it again in an hour.';
  end if;
  update private.gifts set next_send_at = now(), attempts = 0 where id = v_gift.id;
end;
$$;
comment on function public.send_gift_again is 'Delivers a gift again, at most once an hour and five times in all (OFFER-02).';
grant execute on function public.send_gift_again to authenticated;

create type private.gift_email as (
  id uuid,
  email text,
  code text,
  giver_name text,
  creator_name text,
  gift text,
  message text,
  expires_at timestamptz
);
comment on type private.gift_email is 'An email that brings a gift, with the data for its text.';
create function private.deliver_gifts() returns setof private.gift_email
language plpgsql security definer set search_path = ''
as $$
declare
  v_gift private.gifts;
begin
  for v_gift in
    select g.* from private.gifts g join private.profiles c on c.id = g.creator_id
    where g.next_send_at <= now() and g.state = 'open' and c.suspended_at is null -- it waits until the suspension is over
    order by g.next_send_at limit 100 for update of g skip locked
  loop
    if v_gift.recipient_id is not null and (
      private.are_blocked(v_gift.recipient_id, v_gift.creator_id)
      or (v_gift.giver_id is not null and private.are_blocked(v_gift.giver_id, v_gift.recipient_id))
    ) then
      perform private.return_gift(v_gift, 'refunded', 'The gift couldn''t be delivered.');
      perform private.notify(p.id, 'payment', 'Your gift couldn''t be delivered', 'You''ll get a full refund.', '{}')
      from private.profiles p where p.id = v_gift.giver_id;
    elsif v_gift.recipient_id is not null then
      update private.gifts set next_send_at = null, sent_count = sent_count + 1, sent_at = now() where id = v_gift.id;
      perform private.notify(v_gift.recipient_id, 'subscription',
        coalesce(private.name_of(v_gift.giver_id), 'Someone') || ' gave you ' || private.gift_words(v_gift),
        coalesce(v_gift.message, 'Redeem it to subscribe to ' || private.name_of(v_gift.creator_id) || '.'),
        jsonb_build_object('profile_id', coalesce(v_gift.giver_id, v_gift.creator_id), 'gift_code', private.gift_code(v_gift.seed)));
    elsif v_gift.attempts >= 10 then
      update private.gifts set next_send_at = null where id = v_gift.id;
      perform private.notify(p.id, 'payment', 'Your gift couldn''t be sent', 'Check the address, and share the gift''s link yourself.', '{}')
      from private.profiles p where p.id = v_gift.giver_id;
    elsif exists (
      select from auth.users u join private.profiles p on p.user_id = u.id
      where u.email = v_gift.recipient_email and v_gift.giver_id is not null and private.are_blocked(p.id, v_gift.giver_id)
    ) then
      -- Nobody gets emails of someone whom they have blocked. The giver doesn't find out that the address has an account.
      perform private.note_gift_sent(v_gift.id);
    else
      -- Due again in ten minutes, unless the server notes that it was sent.
      update private.gifts set next_send_at = now() + interval '10 minutes', attempts = attempts + 1 where id = v_gift.id;
      return next (v_gift.id, v_gift.recipient_email, private.gift_code(v_gift.seed), private.name_of(v_gift.giver_id),
        private.name_of(v_gift.creator_id), private.gift_words(v_gift), v_gift.message, v_gift.expires_at)::private.gift_email;
    end if;
  end loop;
end;
$$;
comment on function private.deliver_gifts is 'Delivers gifts that are due: to users by notification. Returns the emails that the server sends, each leased for ten minutes.';

create function private.note_gift_sent(p_gift uuid) returns void
language sql security definer set search_path = ''
as $$
  update private.gifts set next_send_at = null, attempts = 0, sent_count = sent_count + 1, sent_at = now() where id = p_gift;
$$;
comment on function private.note_gift_sent is 'Notes that the email of a gift was sent.';

create function private.end_gifts() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_gift private.gifts;
  v_subscription public.subscriptions;
begin
  delete from private.gifts g where g.state = 'unpaid' and g.created_at < now() - interval '2 days'; -- a checkout session lasts one
  for v_gift in
    select g.* from private.gifts g where g.state = 'open' and g.expires_at <= now() order by g.expires_at limit 500 for update skip locked
  loop
    perform private.return_gift(v_gift, 'expired', 'The gift wasn''t redeemed within 12 months.');
    perform private.notify(p.id, 'payment', 'Your gift wasn''t redeemed', 'Nobody redeemed it within 12 months. You''ll get a full refund.',
      jsonb_build_object('profile_id', v_gift.creator_id))
    from private.profiles p where p.id = v_gift.giver_id;
  end loop;
  if exists (select from public.subscriptions s where s.is_gift and s.status = 'active' and s.access_until <= now()) then
    perform private.lock_books(); -- in the order of a refund, which ends subscriptions too
    for v_subscription in
      select s.* from public.subscriptions s where s.is_gift and s.status = 'active' and s.access_until <= now()
      order by s.id limit 500 for update
    loop
      update public.subscriptions set status = 'canceled', canceled_at = now() where id = v_subscription.id;
      perform private.notify(v_subscription.subscriber_id, 'subscription',
        'Your gift of a subscription to ' || private.name_of(v_subscription.creator_id) || ' has ended', 'You can subscribe at any time.',
        jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
    end loop;
  end if;
end;
$$;
comment on function private.end_gifts is
  'Refunds gifts that weren''t redeemed in 12 months, ends the subscriptions of gifts whose months are over, and deletes gifts that were never paid for.';

create function public.create_gift_codes(plan_id uuid, months int, codes int, last_day date) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_batch uuid;
begin
  perform private.reject_app();
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can make gift codes' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif coalesce(create_gift_codes.months not between 1 and 12, true) then
    raise exception 'months must be between 1 and 12.' using errcode = '22023';
  elsif coalesce(create_gift_codes.codes not between 1 and 500, true) then
    raise exception 'codes must be between 1 and 500.' using errcode = '22023';
  elsif coalesce(create_gift_codes.last_day not between private.today() and private.today() + 3650, true) then
    raise exception 'last_day must be a day from today on, within ten years.' using errcode = '22023';
  elsif not exists (select from public.subscription_products s where s.id = create_gift_codes.plan_id and s.creator_id = v_me and s.is_active) then
    raise sqlstate 'PT404' using message = 'This plan no longer exists', detail = 'plan_not_found';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('gifts:' || v_me, 0));
  if (select count(*) from private.gift_batches b where b.creator_id = v_me and b.created_at > now() - interval '1 day') >= 20 then
    raise sqlstate 'PT409' using message = 'You can make gift codes 20 times a day', hint = 'Try again tomorrow.';
  end if;
  insert into private.gift_batches (creator_id, product_id, months, codes, last_day)
  values (v_me, create_gift_codes.plan_id, create_gift_codes.months, create_gift_codes.codes, create_gift_codes.last_day)
  returning id into v_batch;
  insert into private.gifts (creator_id, product_id, batch_id, months, state, seed, code_hash, expires_at)
  select v_me, create_gift_codes.plan_id, v_batch, create_gift_codes.months, 'open', n.seed, private.gift_code_hash(private.gift_code(n.seed)),
    (create_gift_codes.last_day + 1)::timestamp at time zone 'UTC'
  from (select extensions.gen_random_bytes(32) as seed from generate_series(1, create_gift_codes.codes)) n;
  return v_batch;
end;
$$;
comment on function public.create_gift_codes is
  'Makes up to 500 free codes of the caller''s plan, to be redeemed until last_day, in UTC (OFFER-03). Returns the id of the batch.';
grant execute on function public.create_gift_codes to authenticated;

create type public.gift_batch as (
  id uuid,
  plan_name text,
  months int,
  codes int,
  redeemed int,
  last_day date,
  created_at timestamptz
);
comment on type public.gift_batch is 'Gift codes that were made at once.';
create function public.get_gift_batches(page_size int default 20, before timestamptz default null, before_id uuid default null)
returns setof public.gift_batch
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  perform private.reject_app();
  return query
    select b.id, s.name, b.months, b.codes,
      (select count(*)::int from private.gifts g where g.batch_id = b.id and g.redeemed_at is not null), b.last_day, b.created_at
    from private.gift_batches b join public.subscription_products s on s.id = b.product_id
    where b.creator_id = v_me
      and (b.created_at, b.id) < (coalesce(before, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by b.created_at desc, b.id desc limit least(greatest(page_size, 0), 100);
end;
$$;
comment on function public.get_gift_batches is 'The caller''s gift codes by batch, newest first. For the next page, set before and before_id to created_at and id of the last row.';
grant execute on function public.get_gift_batches to authenticated;

create type public.gift_code as (code text, state text, redeemed_at timestamptz);
comment on type public.gift_code is 'A free code.';
comment on column public.gift_code.state is 'open, redeemed, or expired.';
create function public.get_gift_codes(batch_id uuid) returns setof public.gift_code
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  perform private.reject_app();
  if not exists (select from private.gift_batches b where b.id = get_gift_codes.batch_id and b.creator_id = v_me) then
    raise sqlstate 'PT404' using message = 'Gift codes not found';
  end if;
  return query
    select private.gift_code(g.seed), case when g.state = 'open' and g.expires_at <= now() then 'expired' else g.state end, g.redeemed_at
    from private.gifts g where g.batch_id = get_gift_codes.batch_id order by g.id;
end;
$$;
comment on function public.get_gift_codes is 'The codes of a batch, for their creator. PT404 for anyone else.';
grant execute on function public.get_gift_codes to authenticated;

-- Payments that earn commissions, have receipts, and count as what a fan has spent. A giver doesn't follow the creator, and starts no flow.
drop trigger transactions_credit_commission on public.transactions;
create trigger transactions_credit_commission after insert on public.transactions for each row
  when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift') and new.to_user_id is not null)
  execute function private.credit_commission();
drop trigger transactions_follow_refund on public.transactions;
create trigger transactions_follow_refund after update of refunded_amount on public.transactions for each row
  when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift') and new.refunded_amount <> old.refunded_amount)
  execute function private.follow_refund();
drop trigger transactions_keep_fan on public.transactions;
create trigger transactions_keep_fan after insert on public.transactions for each row
  when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift')
    and new.from_user_id is not null and new.to_user_id is not null)
  execute function private.keep_paying_fan();
drop trigger transactions_recount_fan on public.transactions;
create trigger transactions_recount_fan after update of refunded_amount on public.transactions for each row
  when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift')
    and new.from_user_id is not null and new.to_user_id is not null and new.refunded_amount <> old.refunded_amount)
  execute function private.keep_paying_fan();
drop trigger transactions_write_receipt on public.transactions;
create trigger transactions_write_receipt after insert on public.transactions for each row
  when (new.from_user_id is not null and (
    new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift')
    or (new.transaction_type = 'refund' and new.amount < 0)))
  execute function private.write_receipt();

-- The functions that know each type of payment, with gifts. In the creator's figures, a gift is an income from subscriptions.
create or replace function private.post_payment(p_type text, p_cause text, p_payer uuid, p_creator uuid, p_gross_cents bigint, p_fee_cents bigint, p_currency text, p_occurred_at timestamptz,
  p_product uuid default null, p_post uuid default null, p_subscription uuid default null) returns table (transaction_id uuid, is_new boolean)
language plpgsql security definer set search_path = ''
as $$
declare
  v_ledger uuid;
begin
  if p_gross_cents is null or p_fee_cents is null or p_gross_cents <= 0 or p_fee_cents < 0 or p_fee_cents >= p_gross_cents then
    raise exception 'Invalid payment of % cents with a fee of % cents', p_gross_cents, p_fee_cents using errcode = '22023';
  elsif p_type not in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift') or p_creator is null then
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

create or replace function private.payment_to_refund(p_transaction uuid) returns public.transactions
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions;
begin
  perform private.lock_books();
  -- "no key", so that a booking that is canceled at this moment can still refer to the payment. Otherwise the two would deadlock.
  select * into v_payment from public.transactions t where t.id = p_transaction for no key update;
  if v_payment.id is null then
    raise sqlstate 'PT404' using message = 'Payment not found';
  elsif v_payment.transaction_type not in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift') then
    raise exception 'Only payments can be refunded' using errcode = '22023';
  end if;
  return v_payment;
end;
$$;

create or replace function private.refund_effect(p_payment public.transactions) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p_payment.status not in ('completed', 'partially_refunded') then null
    when p_payment.transaction_type = 'ppv' then coalesce((
      select case when u.transaction_id = p_payment.id then 'ends' else 'covered' end
      from public.purchases u where u.buyer_id = p_payment.from_user_id and u.post_id = p_payment.post_id
    ), 'none')
    when p_payment.transaction_type = 'paid_message' then coalesce((
      select case when u.transaction_id = p_payment.id then 'ends' else 'covered' end
      from public.message_unlocks u where u.buyer_id = p_payment.from_user_id and u.message_id = p_payment.message_id
    ), 'none')
    when p_payment.transaction_type = 'subscription' then coalesce((
      select case
        when s.id = p_payment.subscription_id and not exists (
          select from public.transactions later
          where later.subscription_id = s.id and later.transaction_type = 'subscription'
            and (later.created_at, later.id) > (p_payment.created_at, p_payment.id)
        ) then 'ends'
        else 'covered'
      end
      from public.subscriptions s
      where s.subscriber_id = p_payment.from_user_id and s.creator_id = p_payment.to_user_id
        and s.access_until > now() and s.status <> 'incomplete_expired'
      -- Another running subscription keeps the access.
      order by s.id is not distinct from p_payment.subscription_id limit 1
    ), 'none')
    when p_payment.transaction_type = 'private_session' and exists (
      select from public.session_bookings b where b.transaction_id = p_payment.id and b.state in ('requested', 'accepted')
    ) then 'ends'
    when p_payment.transaction_type = 'gift' then coalesce((
      select 'ends' from private.gifts g left join public.subscriptions s on s.id = g.subscription_id
      where g.transaction_id = p_payment.id and (g.state = 'open' or (g.state = 'redeemed' and s.access_until > now()))
    ), 'none')
    when p_payment.transaction_type in ('tip', 'private_session') then 'none'
  end;
$$;

create or replace function private.payment_target(p_payment public.transactions) returns text
language sql stable security definer set search_path = ''
as $$
  select case p_payment.transaction_type
    when 'subscription' then (select s.name from public.subscription_products s where s.id = p_payment.product_id)
    when 'private_session' then (select b.title from public.session_bookings b where b.transaction_id = p_payment.id order by b.id limit 1)
    when 'gift' then (
      select private.months_of(g.months, s.name) from private.gifts g join public.subscription_products s on s.id = g.product_id
      where g.transaction_id = p_payment.id
    )
    else private.post_label(p_payment.post_id)
  end;
$$;

create or replace function private.withdraw_access(p_payment public.transactions, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  case p_payment.transaction_type
    when 'ppv' then
      delete from public.purchases where transaction_id = p_payment.id;
    when 'paid_message' then
      delete from public.message_unlocks where transaction_id = p_payment.id;
    when 'subscription' then
      -- Refunding an earlier month doesn't end the access: later months were paid.
      if not exists (
        select from public.transactions later
        where later.subscription_id = p_payment.subscription_id and later.transaction_type = 'subscription'
          and (later.created_at, later.id) > (p_payment.created_at, p_payment.id)
      ) then
        perform private.end_subscription(p_payment.subscription_id, p_reason);
      end if;
    when 'private_session' then
      perform private.refund_booking(p_payment.id);
    when 'gift' then
      perform private.withdraw_gift(p_payment.id, p_reason);
    else null; -- a tip unlocks nothing
  end case;
end;
$$;

create or replace function private.restore_access(p_payment public.transactions) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_bought_again boolean := false;
begin
  -- A refund that was requested before the dispute is due again. If the job tries it at this moment and Stripe still rejects it because of the
  -- dispute, the changed attempts keep the job from marking it as done.
  update private.payment_tasks set done_at = null, attempts = attempts + 1, error = null
  where kind = 'refund' and transaction_id = p_payment.id;
  if found then
    return;
  end if;
  case p_payment.transaction_type
    when 'ppv' then
      insert into public.purchases (buyer_id, post_id, transaction_id)
      select p_payment.from_user_id, p_payment.post_id, p_payment.id
      where p_payment.from_user_id is not null and p_payment.post_id is not null
      on conflict on constraint purchases_once do nothing;
      v_bought_again := exists (
        select from public.purchases p
        where p.buyer_id = p_payment.from_user_id and p.post_id = p_payment.post_id and p.transaction_id <> p_payment.id
      );
    when 'paid_message' then
      perform private.restore_message_unlock(p_payment);
      v_bought_again := exists (
        select from public.message_unlocks u
        where u.buyer_id = p_payment.from_user_id and u.message_id = p_payment.message_id and u.transaction_id <> p_payment.id
      );
    when 'gift' then
      -- A gift that was redeemed has ended, as a subscription has.
      update private.gifts set state = 'open', closed_at = null
      where transaction_id = p_payment.id and state = 'refunded' and redeemed_at is null and expires_at > now();
    else null; -- a canceled subscription or session isn't restored
  end case;
  if v_bought_again then
    perform private.request_refund(p_payment.id, 'The dispute was won after the item had been bought again.');
  end if;
end;
$$;

create or replace function private.earning_source(p_transaction public.transactions) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p_transaction.transaction_type = 'refund' then
      (select private.earning_source(o) from public.transactions o where o.id = p_transaction.original_transaction_id)
    when p_transaction.transaction_type = 'gift' then 'subscription'
    when p_transaction.transaction_type in ('referral_reward', 'referral_commission') then 'referral'
    when p_transaction.transaction_type <> 'payout' then p_transaction.transaction_type
  end;
$$;

create or replace function private.compute_fans() returns setof private.fans
language sql stable set search_path = ''
as $$
  select e.*, s.tier_id, s.status, s.created_at, private.subscribed_until(s), s.cancel_at_period_end
  from (
    select e.creator_id, e.fan_id, min(e.at), sum(e.cents)::bigint, coalesce(sum(e.cents) filter (where e.kind = 'tip'), 0)::bigint,
      count(*) filter (where e.kind = 'ppv' and e.cents > 0)::int, count(*) filter (where e.kind = 'paid_message' and e.cents > 0)::int,
      count(*) filter (where e.kind = 'private_session' and e.cents > 0)::int
    from (
      select f.following_id as creator_id, f.follower_id as fan_id, f.created_at as at, 'follow' as kind, 0 as cents from public.follows f
      union all
      select s.creator_id, s.subscriber_id, s.created_at, 'plan', 0 from public.subscriptions s
      where s.status not in ('incomplete', 'incomplete_expired')
      union all
      select t.to_user_id, t.from_user_id, t.created_at, t.transaction_type, t.amount - t.refunded_amount from public.transactions t
      where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift')
        and t.from_user_id is not null and t.to_user_id is not null
      union all
      select m.creator_id, m.fan_id, m.added_at, 'list', 0 from public.fan_list_members m
    ) e
    group by 1, 2
  ) e
  left join (
    select distinct on (s.creator_id, s.subscriber_id) s.* from public.subscriptions s where s.status not in ('incomplete', 'incomplete_expired')
    order by s.creator_id, s.subscriber_id, private.subscribed_until(s) desc nulls last, s.created_at desc
  ) s0 on s0.creator_id = e.creator_id and s0.subscriber_id = e.fan_id
  left join public.subscriptions s on s.id = s0.id;
$$;

create or replace function private.verify_booked_money() returns table (subject text, problem text)
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
  where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift') and t.status <> case
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

create or replace function public.get_payments(search text default null, page_size int default 25, before timestamptz default null, before_id uuid default null) returns setof public.listed_payment
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_search text := private.trimmed(search);
  v_size int := least(greatest(page_size, 0), 100);
  v_before timestamptz := coalesce(before, 'infinity');
  v_before_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_found uuid[];
begin
  perform private.require_admin();
  if v_search ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    v_found := array(select p.id from private.profiles p where p.user_id = v_search::uuid);
  elsif v_search is not null then
    -- The page's cost is bounded by the number of users that a search may stand for: the exact username first, then the best known.
    v_found := array(
      select p.id from private.profiles p where p.id in (select private.find_users(v_search))
      order by p.username = lower(v_search) desc, p.reach desc, p.id limit 50
    );
  end if;
  return query
  select t.id, t.created_at, t.transaction_type, t.status, t.amount, t.fee_amount, t.net_amount, t.refunded_amount, t.reason,
    payer.username, payer.display_name, creator.username, creator.display_name,
    private.payment_target(paid), private.payment_target_at(paid),
    t.transaction_type <> 'refund' and private.is_repeated_payment(paid),
    case when t.transaction_type <> 'refund' then private.refund_effect(paid) end
  from (
    select u.* from (
      (
        select x.* from public.transactions x
        where v_found is null and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
          and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'refund')
        order by x.created_at desc, x.id desc limit v_size
      )
      union all
      select side.* from unnest(v_found) found(id) cross join lateral (
        (
          select x.* from public.transactions x
          where x.from_user_id = found.id and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
            and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'refund')
          order by x.created_at desc, x.id desc limit v_size
        )
        union all
        (
          -- A payment between two found users is in the list of its payer.
          select x.* from public.transactions x
          where x.to_user_id = found.id and (x.from_user_id is null or x.from_user_id <> all (v_found))
            and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
            and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'refund')
          order by x.created_at desc, x.id desc limit v_size
        )
      ) side
    ) u order by u.created_at desc, u.id desc limit v_size
  ) t
  -- The payment itself, or the one that is refunded.
  join public.transactions paid on paid.id = coalesce(t.original_transaction_id, t.id)
  left join private.profiles payer on payer.id = t.from_user_id
  left join private.profiles creator on creator.id = t.to_user_id
  order by t.created_at desc, t.id desc;
end;
$$;

create or replace function public.get_admin_overview() returns public.admin_overview
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_since timestamptz := now() - interval '30 days';
  v_before timestamptz := now() - interval '60 days';
  v_overview public.admin_overview;
begin
  perform private.require_admin();
  select count(*) into v_overview.users from private.profiles;
  select count(*) filter (where p.created_at >= v_since), count(*) filter (where p.created_at < v_since)
  into v_overview.users_new, v_overview.users_before
  from private.profiles p where p.created_at >= v_before;
  select count(*) into v_overview.creators from private.profiles p where p.is_verified;
  -- Counted by plan, term, and price, from the index alone, because there are far fewer of them than subscriptions.
  select coalesce(sum(s.paying), 0),
    coalesce(round(sum(s.paying * private.monthly_cents(s.price_cents, p."interval") / s.interval_count)), 0)
  into v_overview.subscriptions, v_overview.monthly_cents
  from (
    select x.tier_id, x.interval_count, x.price_cents, count(*) as paying
    from public.subscriptions x where x.status in ('active', 'past_due') group by x.tier_id, x.interval_count, x.price_cents
    union all
    -- Gifts don't recur. From an index of their own, so that the other one needs no more columns.
    select g.tier_id, g.interval_count, g.price_cents, -count(*)
    from public.subscriptions g where g.is_gift and g.status = 'active' group by g.tier_id, g.interval_count, g.price_cents
  ) s join public.subscription_products p on p.id = s.tier_id;
  select count(*) filter (where s.created_at >= v_since), count(*) filter (where s.created_at < v_since)
  into v_overview.subscriptions_new, v_overview.subscriptions_before
  from public.subscriptions s where s.created_at >= v_before and s.status not in ('incomplete', 'incomplete_expired');
  select count(*) into v_overview.subscriptions_ended from public.subscriptions s
  where s.status = 'canceled' and s.access_until >= v_since and s.access_until <= now();
  select q.pending_applications, q.open_reports, q.open_support_requests
  into v_overview.pending_applications, v_overview.open_reports, v_overview.open_support_requests
  from public.get_admin_queues() q;
  return v_overview;
end;
$$;

create or replace function auth.open_unseen_data() returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_account uuid := (select a.id from private.ledger_accounts a where a.code = 'creator:' || v_me);
  v_rows refcursor := 'own_unseen_data';
begin
  open v_rows no scroll for
    (select 'promotion_codes' as section, (to_jsonb(c) - array['stripe_coupon_id', 'stripe_promotion_id'])::text as item
      from private.promotion_codes c where c.creator_id = v_me order by c.created_at)
    union all
    (select 'push_subscriptions', jsonb_build_object('user_agent', s.user_agent, 'created_at', s.created_at)::text
      from private.push_subscriptions s where s.user_id = v_me order by s.created_at)
    union all
    (select 'feed_addresses', jsonb_build_object('creator_id', f.creator_id, 'created_at', f.created_at, 'paused_at', f.paused_at)::text
      from private.feed_addresses f where f.fan_id = v_me order by f.created_at)
    union all
    (select 'video_captions', jsonb_build_object('video', o.name, 'language', v.language, 'content', v.content)::text
      from private.video_captions v join storage.objects o on o.id = v.object_id where o.owner_id = auth.uid()::text order by o.name, v.language)
    union all
    (select 'tip_notes', jsonb_build_object('creator_id', c.creator_id, 'post_id', c.post_id, 'amount_cents', c.amount_cents, 'note', c.note,
        'status', c.status, 'created_at', c.created_at)::text
      from private.checkout_sessions c where c.profile_id = v_me and c.note is not null order by c.created_at)
    union all
    (select 'restrictions', jsonb_build_object('fan_id', r.fan_id, 'created_at', r.created_at)::text
      from private.restrictions r where r.creator_id = v_me order by r.created_at)
    union all
    (select 'muted_offers', jsonb_build_object('creator_id', o.creator_id, 'created_at', o.created_at)::text
      from private.offer_mutes o where o.fan_id = v_me order by o.created_at)
    union all
    -- Without the secret of the link. A recipient sees who it is from where the gift is shown.
    (select 'gifts', jsonb_build_object('side', case when g.giver_id = v_me then 'given' else 'received' end, 'creator_id', g.creator_id,
        'plan_id', g.product_id, 'months', g.months, 'recipient_id', g.recipient_id,
        'recipient_email', case when g.giver_id = v_me then g.recipient_email end, 'message', g.message, 'amount_cents', g.amount_cents,
        'state', g.state, 'created_at', g.created_at, 'deliver_at', g.deliver_at, 'redeemed_at', g.redeemed_at)::text
      from private.gifts g where g.giver_id = v_me or g.redeemed_by = v_me or (g.recipient_id = v_me and g.sent_count > 0) order by g.created_at)
    union all
    (select 'gift_batches', to_jsonb(b)::text from private.gift_batches b where b.creator_id = v_me order by b.created_at)
    union all
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'push_subscriptions', 'feed_addresses', 'video_captions', 'tip_notes', 'restrictions', 'muted_offers', 'gifts', 'gift_batches', 'statement'];
end;
$$;

comment on column public.notifications.data is 'Ids that the client links to, by type: post_id, profile_id, transaction_id, poll_id, message_id, booking_id, and gift_code. Of grouped notifications also: group, count, and since, when the group began. Of new posts also: new_posts, their number.';
comment on function private.payment_target(public.transactions) is 'What a payment was for, in words: the plan''s name, the session''s title, the gift as in private.months_of, or the post as in private.post_label. Null for a message or a tip without a post, and after the post was deleted.';
comment on function private.earning_source(public.transactions) is 'The source of a transaction''s earnings, which is subscription for a gift; null for a payout.';
