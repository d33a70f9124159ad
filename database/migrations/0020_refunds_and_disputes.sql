-- Up Migration

-- Refunds and disputes: money that goes back, in part or in full, and the access that ends with it (PRIV-06, D5, D39).
create table private.payment_disputes (
  id             text primary key check (length(id) between 1 and 200),
  transaction_id uuid not null references public.transactions on delete restrict,
  amount_cents   bigint not null check (amount_cents >= 0),
  status         text not null default 'open' check (status in ('open', 'won', 'lost')),
  opened_at      timestamptz not null,
  closed_at      timestamptz,
  constraint payment_disputes_closed_has_time check ((status = 'open') = (closed_at is null))
);
comment on table private.payment_disputes is 'Payments that the fan''s bank took back, by Stripe''s dispute id. Open until the bank decides; a lost dispute can still be won on appeal.';
comment on column private.payment_disputes.amount_cents is 'The disputed amount, at most what was left of the payment.';
alter table private.payment_disputes enable row level security;
create index payment_disputes_transaction_id_idx on private.payment_disputes (transaction_id);

-- No policy: fans and creators see the transactions that follow from it.

-- The fee is refunded in proportion. The total is rounded, not each step: after any number of partial refunds, the whole fee is refunded
-- exactly when the whole payment is, and no step refunds too much.
create function private.share_of(part bigint, gross bigint, refunded bigint) returns bigint
language sql immutable set search_path = ''
as $$
  select round(part::numeric * refunded / gross)::bigint;
$$;
comment on function private.share_of is 'The refunded share of a part (a fee, a commission) of a gross payment, in cents. Half a cent is rounded up.';
create function private.judge_transaction(p_transaction uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.transactions t set status = case
    when exists (select from private.payment_disputes d where d.transaction_id = t.id and d.status = 'open') then 'disputed'
    when t.refunded_amount = t.amount then 'refunded'
    when t.refunded_amount > 0 then 'partially_refunded'
    else 'completed'
  end
  where t.id = p_transaction;
$$;
comment on function private.judge_transaction is 'Updates the status of a payment from its refunds and disputes.';
create function private.withdraw_access(p_payment public.transactions, p_reason text) returns void
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
    else null; -- a tip unlocks nothing
  end case;
end;
$$;
comment on function private.withdraw_access is 'Ends the access that a payment gave, after it was refunded.';
create function private.restore_access(p_payment public.transactions) returns void
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
    else null; -- a canceled subscription or session isn't restored
  end case;
  if v_bought_again then
    perform private.request_refund(p_payment.id, 'The dispute was won after the item had been bought again.');
  end if;
end;
$$;
comment on function private.restore_access is 'Restores the access that a payment gave, after its dispute was won. Refunds it instead when the fan has bought the item again, or when a refund had been requested.';
create function private.end_subscription(p_subscription uuid, p_reason text) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_tasks (kind, target, reason)
  select 'cancel_subscription', k.stripe_subscription_id, p_reason
  from private.stripe_subscriptions k join public.subscriptions s on s.id = k.subscription_id
  where s.id = p_subscription and s.status not in ('canceled', 'incomplete_expired')
  on conflict (kind, target) do nothing;
  update public.subscriptions set status = 'canceled', cancel_at_period_end = false, canceled_at = now()
  where id = p_subscription and status <> 'incomplete_expired' and access_until > now();
$$;
comment on function private.end_subscription is 'Ends a subscription and its access immediately, and requests the provider to end its billing.';

-- Locks the ledger, so that no one else refunds the same payment at the same time.
create function private.payment_to_refund(p_transaction uuid) returns public.transactions
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_payment public.transactions;
begin
  perform private.lock_books();
  -- "no key", so that a booking that is canceled at this moment can still refer to the payment. Otherwise the two would deadlock.
  select * into v_payment from public.transactions t where t.id = p_transaction for no key update;
  if v_payment.id is null then
    raise sqlstate 'PT404' using message = 'Payment not found';
  elsif v_payment.transaction_type not in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') then
    raise exception 'Only payments can be refunded' using errcode = '22023';
  end if;
  return v_payment;
end;
$$;
comment on function private.payment_to_refund is 'The payment, with the ledger locked. PT404 when there is none.';
create function private.notify_of_return(p_payment public.transactions, p_refund uuid, p_title text, p_verb text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_refund public.transactions;
begin
  select * into v_refund from public.transactions t where t.id = p_refund;
  perform private.notify(p.id, 'payment', p_title,
    case p.id
      when p_payment.to_user_id then coalesce(private.name_of(p_payment.from_user_id), 'A former member') || ' ' || p_verb || ' '
        || private.dollars(-v_refund.amount)
        || case when v_refund.net_amount = 0 then '. Your earnings don''t change.'
          else '. Your earnings went down by ' || private.dollars(-v_refund.net_amount) || '.' end
      else 'You were refunded ' || private.dollars(-v_refund.amount) || ' of your payment to '
        || coalesce(private.name_of(p_payment.to_user_id), 'a former creator') || '.'
    end,
    jsonb_build_object('transaction_id', p_refund))
  from private.profiles p where p.id in (p_payment.from_user_id, p_payment.to_user_id);
end;
$$;
comment on function private.notify_of_return is 'Notifies the fan and the creator of a refund or dispute, if their accounts still exist.';

-- One function for all events of a dispute, which may arrive late, twice, or out of order: a decision that arrives first also opens the
-- dispute, and a decided dispute stays decided.
create function private.post_dispute(p_dispute text, p_transaction uuid, p_amount_cents bigint, p_status text, p_occurred_at timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions := private.payment_to_refund(p_transaction);
  v_left bigint := v_payment.amount - v_payment.refunded_amount;
  v_dispute private.payment_disputes;
  v_returned uuid;
begin
  if coalesce(p_status not in ('open', 'won', 'lost'), true) or coalesce(p_amount_cents < 1, true) then
    raise exception 'A dispute must be open, won, or lost, and about at least one cent' using errcode = '22023';
  end if;
  select * into v_dispute from private.payment_disputes d where d.id = p_dispute;
  if v_dispute.id is null then
    insert into private.payment_disputes (id, transaction_id, amount_cents, opened_at)
    values (p_dispute, p_transaction, least(p_amount_cents, v_left), p_occurred_at)
    returning * into v_dispute;
    if p_amount_cents > v_left then
      insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
      values (p_dispute, 'dispute', v_left, p_amount_cents) on conflict on constraint payment_differences_once do nothing;
    end if;
    if v_dispute.amount_cents > 0 then
      perform private.notify_of_return(v_payment,
        private.move_refund(v_payment, v_payment.refunded_amount + v_dispute.amount_cents, p_dispute, p_occurred_at, 'Disputed with the bank'),
        'Payment disputed', 'disputed');
      insert into private.payment_tasks (kind, target, transaction_id, amount_cents, reason)
      values ('take_back_transfer', p_dispute, p_transaction, v_dispute.amount_cents, 'The payment was disputed.')
      on conflict (kind, target) do nothing;
    end if;
    perform private.withdraw_access(v_payment, 'The payment was disputed.');
    select * into v_payment from public.transactions t where t.id = p_transaction;
  elsif v_dispute.transaction_id <> p_transaction then
    raise exception 'This dispute is about another payment' using errcode = '22023';
  end if;
  if v_dispute.status = 'won' and p_status <> 'won' then -- unheard of; an operator decides
    insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
    values (p_dispute, 'dispute', 0, p_amount_cents) on conflict on constraint payment_differences_once do nothing;
  elsif v_dispute.status <> p_status and p_status <> 'open' then
    update private.payment_disputes set status = p_status, closed_at = greatest(p_occurred_at, opened_at) where id = p_dispute;
    if p_status = 'won' then
      if v_dispute.amount_cents > 0 then
        v_returned := private.move_refund(v_payment, v_payment.refunded_amount - v_dispute.amount_cents, p_dispute || ':won', p_occurred_at, 'Dispute won');
        insert into private.payment_tasks (kind, target, transaction_id, amount_cents, reason)
        select 'return_transfer', p_dispute, p_transaction, t.net_amount, 'The dispute was won.'
        from public.transactions t where t.id = v_returned and t.net_amount > 0
        on conflict (kind, target) do nothing;
      end if;
      perform private.notify(c.id, 'payment', 'Dispute won',
        'The bank decided in your favor. ' || private.dollars(v_dispute.amount_cents) || ' was returned.', jsonb_build_object('transaction_id', p_transaction))
      from private.profiles c where c.id = v_payment.to_user_id;
      perform private.judge_transaction(p_transaction);
      perform private.restore_access(t) from public.transactions t where t.id = p_transaction and t.refunded_amount < t.amount;
    end if;
  end if;
  perform private.judge_transaction(p_transaction);
end;
$$;
comment on function private.post_dispute is
  'Books the state of a dispute: open takes back the money and the access, won returns both, lost changes nothing. Requests to the provider move the creator''s transfer. Idempotent by p_dispute and safe in any order.';

create function private.fail_refund(p_cause text)
returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_refund public.transactions;
  v_amount text;
begin
  update public.transactions t set status = 'failed'
  where t.id = private.transaction_by_cause(p_cause) and t.transaction_type = 'refund' and t.status <> 'failed'
  returning * into v_refund;
  if v_refund.id is null then
    return false;
  end if;
  -- The operator finds out with the provider where the money is. Access and ledger stay as they are.
  insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
  values (p_cause, 'amount', 0, -v_refund.amount) on conflict on constraint payment_differences_once do nothing;
  v_amount := private.dollars(-v_refund.amount);
  perform private.notify(p.id, 'payment', 'Refund failed',
    case p.id
      when v_refund.to_user_id then 'Your refund of ' || v_amount || ' to ' || coalesce(private.name_of(v_refund.from_user_id), 'a former member')
        || ' was rejected by the bank. We''ll take care of it. You don''t need to do anything.'
      else 'The refund of ' || v_amount || ' from ' || coalesce(private.name_of(v_refund.to_user_id), 'a former creator')
        || ' was rejected by your bank. Contact support to receive it another way.'
    end,
    jsonb_build_object('transaction_id', v_refund.id))
  from private.profiles p where p.id in (v_refund.from_user_id, v_refund.to_user_id);
  return true;
end;
$$;
comment on function private.fail_refund is 'Books that the bank rejected a refund: records the difference and notifies the fan and the creator, once. False when there was nothing to do.';
revoke execute on function private.fail_refund from public;
grant execute on function private.fail_refund to service_role;

create function private.move_refund(p_payment public.transactions, p_refunded_cents bigint, p_cause text, p_occurred_at timestamptz, p_reason text,
  p_taken_cents bigint default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_gross bigint := p_payment.amount;
  v_fee bigint := p_payment.fee_amount;
  v_before bigint := p_payment.refunded_amount;
  v_back bigint := p_refunded_cents - v_before;
  v_fee_back bigint := private.share_of(v_fee, v_gross, p_refunded_cents) - private.share_of(v_fee, v_gross, v_before);
  v_covered bigint := v_back - v_fee_back - coalesce(p_taken_cents, v_back - v_fee_back);
  v_creator text;
  v_ledger uuid;
  v_id uuid;
begin
  -- From the ledger, not from the transaction: the creator's account may be deleted, but its ledger account remains.
  select a.code into v_creator
  from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id
  where e.transaction_id = p_payment.ledger_transaction_id and a.code like 'creator:%';
  v_ledger := private.post_ledger(p_cause, 'refund', p_payment.currency, p_occurred_at, jsonb_build_object(
    'stripe', -v_back,
    'platform_fees', v_fee_back + v_covered,
    v_creator, v_back - v_fee_back - v_covered
  ));
  if v_ledger is null then
    return private.transaction_by_cause(p_cause);
  end if;
  insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, fee_amount, covered_amount, currency, product_id, post_id, message_id,
    subscription_id, original_transaction_id, ledger_transaction_id, reason, created_at)
  values (p_payment.from_user_id, p_payment.to_user_id, 'refund', -v_back, -(v_fee_back + v_covered), v_covered, p_payment.currency,
    p_payment.product_id, p_payment.post_id, p_payment.message_id, p_payment.subscription_id, p_payment.id, v_ledger, private.trimmed(p_reason), p_occurred_at)
  returning id into v_id;
  update public.transactions set refunded_amount = p_refunded_cents where id = p_payment.id;
  return v_id;
end;
$$;
comment on function private.move_refund is
  'Books a movement so that p_refunded_cents of the payment are refunded, more or less than before. p_taken_cents: what was taken from the creator; null means their proportional part. Returns transactions.id.';
revoke execute on function private.move_refund from public;
grant execute on function private.move_refund to service_role;
create function private.post_refund(
  p_cause text,
  p_transaction uuid,
  p_amount_cents bigint,
  p_occurred_at timestamptz,
  p_reason text default null,
  p_admin uuid default null,
  p_taken_cents bigint default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions := private.payment_to_refund(p_transaction);
  v_known uuid := private.transaction_by_cause(p_cause);
  v_left bigint := (v_payment.amount - v_payment.refunded_amount);
  v_amount bigint := coalesce(p_amount_cents, v_left);
  v_disputed boolean := exists (select from private.payment_disputes d where d.transaction_id = p_transaction and d.opened_at <= p_occurred_at);
  v_id uuid;
begin
  if v_known is not null then
    return v_known;
  elsif v_amount < 1 or v_amount > v_left then
    raise exception 'A refund of % must be above zero and at most the remaining %', private.dollars(v_amount), private.dollars(v_left)
      using errcode = '22023';
  end if;
  -- After a dispute there is another transfer, and take_back_rest takes the creator's part back.
  v_id := private.move_refund(v_payment, v_payment.refunded_amount + v_amount, p_cause, p_occurred_at, p_reason,
    case when not v_disputed then p_taken_cents end);
  perform private.judge_transaction(v_payment.id);
  if v_amount = v_left then
    perform private.withdraw_access(v_payment, 'The payment was refunded.');
    insert into private.payment_tasks (kind, target, transaction_id, reason)
    select 'take_back_rest', p_cause, v_payment.id, 'The payment was refunded after its dispute was won.'
    where exists (select from private.payment_disputes d where d.transaction_id = v_payment.id and d.status = 'won')
    on conflict (kind, target) do nothing;
  end if;
  if p_admin is not null then
    perform private.write_audit('refund_payment', 'transactions', v_payment.id, jsonb_build_object('status', v_payment.status),
      jsonb_build_object('status', t.status), jsonb_build_object('reason', p_reason), p_admin)
    from public.transactions t where t.id = v_payment.id;
  end if;
  perform private.notify_of_return(v_payment, v_id, 'Refund', 'was refunded');
  return v_id;
end;
$$;
comment on function private.post_refund is
  'Books a refund of a payment, in full or in part, and notifies both sides. p_taken_cents: what was taken from the creator; null means their proportional part. Idempotent by p_cause.';
revoke execute on function private.post_refund from public;
grant execute on function private.post_refund to service_role;
create function private.settle_differences(p_since timestamptz, p_seen text[], p_compared text[]) returns integer
language sql volatile security definer set search_path = ''
as $$
  with settled as (
    update private.payment_differences d set resolved_at = now()
    where d.resolved_at is null and (
      (d.kind in ('missing', 'unknown') and d.found_at < p_since and not (d.kind || ' ' || d.cause = any(p_seen)))
      -- A payment that wasn't compared this time, because it is too old, stays open.
      or (d.kind in ('returned', 'transfer') and d.cause = any(p_compared) and not (d.kind || ' ' || d.cause = any(p_seen)))
      or (d.kind = 'payout' and private.was_covered(d.cause))
    )
    returning 1
  )
  select count(*)::int from settled;
$$;
comment on function private.settle_differences is
  'Resolves the differences that a reconciliation, which began at p_since, no longer found. p_seen: kind and cause of those it found. p_compared: the causes it compared. Returns how many.';
revoke execute on function private.settle_differences from public;
grant execute on function private.settle_differences to service_role;

-- An inquiry moves no money, but unanswered it may become a dispute. Admins are notified, because it has to be answered in Stripe's dashboard.
create table private.payment_inquiries (
  id             text primary key,
  transaction_id uuid not null references public.transactions on delete cascade,
  amount_cents   bigint not null check (amount_cents > 0),
  opened_at      timestamptz not null
);
comment on table private.payment_inquiries is 'Inquiries of a fan''s bank about a payment, by Stripe''s id, which a following dispute keeps. Admins are notified once of each.';
create index payment_inquiries_transaction_id_idx on private.payment_inquiries (transaction_id);
alter table private.payment_inquiries enable row level security;
-- No policy: admins are notified.

create function private.note_inquiry(p_inquiry text, p_transaction uuid, p_amount_cents bigint, p_opened_at timestamptz, p_answer_by timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.payment_inquiries (id, transaction_id, amount_cents, opened_at)
  values (p_inquiry, p_transaction, p_amount_cents, p_opened_at) on conflict (id) do nothing;
  if not found then
    return;
  end if;
  perform private.notify(a.id, 'payment', 'Payment inquiry',
    'A bank asks about a payment of ' || private.dollars(p_amount_cents) || ' to ' || private.name_of(t.to_user_id)
      || '. No money has moved. Answer ' || p_inquiry || ' in the Stripe Dashboard'
      || coalesce(' by ' || to_char(p_answer_by at time zone 'UTC', 'FMMonth FMDD, YYYY'), '') || ', or it may become a dispute.',
    jsonb_build_object('transaction_id', p_transaction))
  from public.transactions t, public.user_roles r join private.profiles a on a.user_id = r.user_id
  where t.id = p_transaction and r.role = 'admin';
end;
$$;
comment on function private.note_inquiry is 'Tells every admin, once, that a bank asks about a payment. The books do not move.';
revoke execute on function private.note_inquiry from public;
grant execute on function private.note_inquiry to service_role;
