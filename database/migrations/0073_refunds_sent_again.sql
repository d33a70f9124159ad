-- Up Migration

-- Two refunds could be more than the books had left, and then failed again and again and held up everything else about their payment:
-- one of a payment that a bank took back whole although a part of it was refunded or still on its way, and one that the operator sends
-- again, after a bank has rejected the first.

create table private.refunds_sent_again (
  cause          text primary key,
  transaction_id uuid not null references public.transactions on delete cascade,
  amount_cents   bigint not null check (amount_cents > 0),
  has_failed     boolean not null default false
);
comment on table private.refunds_sent_again is
  'Refunds in place of some that a bank rejected. The ledger booked those when they were sent, and keeps them, so these move nothing more.';
comment on column private.refunds_sent_again.cause is 'The id of the Stripe refund.';
comment on column private.refunds_sent_again.transaction_id is 'The payment.';
comment on column private.refunds_sent_again.amount_cents is 'How much of the refund is in place of a rejected one. The rest is booked like any refund.';
comment on column private.refunds_sent_again.has_failed is 'A bank rejected this one too.';
create index refunds_sent_again_transaction_id_idx on private.refunds_sent_again (transaction_id);
alter table private.refunds_sent_again enable row level security;
grant select, insert, update, delete on private.refunds_sent_again to service_role;

create function private.rejected_cents(p_payment uuid) returns bigint
language sql stable set search_path = ''
as $$
  select coalesce((
    select -sum(t.amount) from public.transactions t
    where t.original_transaction_id = p_payment and t.transaction_type = 'refund' and t.status = 'failed'
  ), 0)::bigint - coalesce((
    select sum(r.amount_cents) from private.refunds_sent_again r where r.transaction_id = p_payment and not r.has_failed
  ), 0)::bigint;
$$;
comment on function private.rejected_cents is 'How much of a payment was booked as refunded, but rejected by a bank, and not sent again.';

create function private.note_sent_again(p_cause text, p_payment public.transactions, p_amount_cents bigint) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_rejected bigint := private.rejected_cents(p_payment.id);
  v_again bigint;
begin
  select r.amount_cents into v_again from private.refunds_sent_again r where r.cause = p_cause;
  if v_again is not null then
    return v_again;
  end if;
  v_again := least(p_amount_cents, v_rejected);
  if v_again < 1 then
    return 0;
  end if;
  insert into private.refunds_sent_again (cause, transaction_id, amount_cents) values (p_cause, p_payment.id, v_again);
  if v_again = v_rejected then
    update private.payment_differences d set resolved_at = now()
    where d.kind = 'amount' and d.resolved_at is null and (
      d.cause in (select r.cause from private.refunds_sent_again r where r.transaction_id = p_payment.id)
      or d.cause in (
        select l.cause from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
        where t.original_transaction_id = p_payment.id and t.transaction_type = 'refund'));
  end if;
  perform private.notify(p.id, 'payment', 'Refund sent again',
    case p.id
      when p_payment.to_user_id then 'The refund of ' || private.dollars(v_again) || ' to '
        || coalesce(private.name_of(p_payment.from_user_id), 'a former member') || ' was sent again. Your earnings don''t change.'
      else 'The refund of ' || private.dollars(v_again) || ' from ' || coalesce(private.name_of(p_payment.to_user_id), 'a former creator')
        || ' was sent again.'
    end,
    jsonb_build_object('transaction_id', p_payment.id))
  from private.profiles p where p.id in (p_payment.from_user_id, p_payment.to_user_id);
  return v_again;
end;
$$;
comment on function private.note_sent_again is
  'Records how much of a refund is in place of rejected ones, and notifies both sides. Returns that amount in cents. Idempotent by p_cause.';

create or replace function private.post_refund(p_cause text, p_transaction uuid, p_amount_cents bigint, p_occurred_at timestamptz,
  p_reason text default null, p_admin uuid default null, p_taken_cents bigint default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions := private.payment_to_refund(p_transaction);
  v_known uuid := private.transaction_by_cause(p_cause);
  v_left bigint := v_payment.amount - v_payment.refunded_amount;
  v_amount bigint := coalesce(p_amount_cents, v_left);
  v_booked bigint;
  v_disputed boolean := exists (select from private.payment_disputes d where d.transaction_id = p_transaction and d.opened_at <= p_occurred_at);
  v_id uuid;
begin
  if v_known is not null then
    return v_known;
  end if;
  v_amount := v_amount - private.note_sent_again(p_cause, v_payment, v_amount);
  if coalesce(p_amount_cents, v_left) < 1
      or (v_amount > v_left and not exists (select from private.payment_disputes d where d.transaction_id = p_transaction)) then
    raise exception 'A refund of % must be above zero and at most the remaining %', private.dollars(v_amount), private.dollars(v_left)
      using errcode = '22023';
  elsif v_amount > v_left then
    -- The bank took back more than was left, as in post_dispute. If it returns that, the refund is booked then.
    insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
    values (p_cause, 'returned', v_left, v_amount) on conflict on constraint payment_differences_once do nothing;
  end if;
  v_booked := least(v_amount, v_left);
  if v_booked = 0 then
    return null;
  end if;
  -- After a dispute there is another transfer, and take_back_rest takes the creator's part back.
  v_id := private.move_refund(v_payment, v_payment.refunded_amount + v_booked, p_cause, p_occurred_at, p_reason,
    case when not v_disputed and v_booked = coalesce(p_amount_cents, v_booked) then p_taken_cents end);
  if v_booked = v_amount then
    update private.payment_differences d set resolved_at = now() where d.cause = p_cause and d.kind = 'returned' and d.resolved_at is null;
  end if;
  perform private.judge_transaction(v_payment.id);
  if v_booked = v_left then
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
  perform private.notify_of_return(v_payment, v_id, false);
  return v_id;
end;
$$;
comment on function private.post_refund is
  'Books a refund of a payment, in full or in part, and notifies both sides. p_taken_cents: what was taken from the creator; null means their proportional part. Null if it is in place of a rejected refund, or if a dispute has left nothing: then the difference is noted. Idempotent by p_cause.';

create or replace function private.fail_refund(p_cause text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_refund public.transactions;
  v_again private.refunds_sent_again;
  v_cents bigint;
  v_amount text;
begin
  update public.transactions t set status = 'failed'
  where t.id = private.transaction_by_cause(p_cause) and t.transaction_type = 'refund' and t.status <> 'failed'
  returning * into v_refund;
  update private.refunds_sent_again r set has_failed = true where r.cause = p_cause and not r.has_failed
  returning * into v_again;
  if v_refund.id is null and v_again.cause is null then
    return false;
  end if;
  v_cents := coalesce(-v_refund.amount, 0) + coalesce(v_again.amount_cents, 0);
  if v_refund.id is null then
    -- One that was rejected before.
    select * into v_refund from public.transactions t
    where t.original_transaction_id = v_again.transaction_id and t.transaction_type = 'refund' and t.status = 'failed'
    order by t.created_at desc, t.id limit 1;
  end if;
  -- The operator finds out with the provider where the money is. Access and ledger stay as they are.
  insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
  values (p_cause, 'amount', 0, v_cents) on conflict on constraint payment_differences_once do nothing;
  v_amount := private.dollars(v_cents);
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
