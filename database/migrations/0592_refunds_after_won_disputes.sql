-- Up Migration
-- A dispute that is won brings a payment back which may be owed to the fan all the same: what was bought has been bought again meanwhile,
-- or a refund was wished for that the dispute forestalled. It is given back then. The transfer that was made with such a payment has been
-- taken back and another sent in its place, so the provider can't reverse "its" transfer with the refund: what is left with the creator is
-- taken back by a wish of its own.
alter table private.payment_tasks
  drop constraint payment_tasks_kind_known,
  add constraint payment_tasks_kind_known check (kind in ('refund', 'cancel_subscription', 'delete_customer', 'take_back_transfer',
    'return_transfer', 'stop_renewal', 'resume_renewal', 'close_checkout', 'take_back_rest')),
  drop constraint payment_tasks_about_a_payment,
  add constraint payment_tasks_about_a_payment check (
    (kind in ('refund', 'take_back_transfer', 'return_transfer', 'take_back_rest')) = (transaction_id is not null));
comment on column private.payment_tasks.target is 'refund: the cause of the payment in the ledger, which is the provider''s id of it. cancel_subscription, stop_renewal, resume_renewal: the provider''s subscription id. delete_customer: its customer id. take_back_transfer, return_transfer: the id of the dispute. take_back_rest: the id of the refund. close_checkout: the id of the checkout session.';

-- As before (0131), but what was bought again meanwhile, or was to be given back, goes back to the fan.
create or replace function private.restore_access(p_payment public.transactions) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_bought_again boolean := false;
begin
  -- Whoever carries the wish out at this moment, and is refused as the dispute was still open, notes it for done only if this has not come.
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
    else null; -- a subscription that was ended at the provider, and a session that was called off, do not come back
  end case;
  if v_bought_again then
    perform private.request_refund(p_payment.id, 'The dispute was won, and it was bought again meanwhile.');
  end if;
end;
$$;
comment on function private.restore_access is 'Opens again what a payment had opened: its dispute was won. What was bought again meanwhile, or was to be given back, goes back to the fan instead.';

-- As before (0242), but how the payment stands is judged before its access is: one that is disputed can't be given back.
create or replace function private.post_dispute(p_dispute text, p_transaction uuid, p_amount_cents bigint, p_status text, p_occurred_at timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions := private.payment_to_refund(p_transaction);
  v_left bigint := private.cents(v_payment.amount - v_payment.refunded_amount);
  v_dispute private.payment_disputes;
  v_returned uuid;
begin
  if coalesce(p_status not in ('open', 'won', 'lost'), true) or coalesce(p_amount_cents < 1, true) then
    raise exception 'A dispute is open, won or lost, over at least a cent' using errcode = '22023';
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
      perform private.tell_of_return(v_payment,
        private.move_refund(v_payment, private.cents(v_payment.refunded_amount) + v_dispute.amount_cents, p_dispute, p_occurred_at, 'Disputed with the bank'),
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
  if v_dispute.status = 'open' and p_status <> 'open' then
    update private.payment_disputes set status = p_status, closed_at = greatest(p_occurred_at, opened_at) where id = p_dispute;
    if p_status = 'won' then
      if v_dispute.amount_cents > 0 then
        v_returned := private.move_refund(v_payment, private.cents(v_payment.refunded_amount) - v_dispute.amount_cents, p_dispute || ':won', p_occurred_at, 'Dispute won');
        insert into private.payment_tasks (kind, target, transaction_id, amount_cents, reason)
        select 'return_transfer', p_dispute, p_transaction, private.cents(t.net_amount), 'The dispute was won.'
        from public.transactions t where t.id = v_returned and t.net_amount > 0
        on conflict (kind, target) do nothing;
      end if;
      perform private.notify(c.id, 'payment', 'Dispute won',
        'The bank decided for you: ' || private.dollars(v_dispute.amount_cents) || ' came back.', jsonb_build_object('transaction_id', p_transaction))
      from private.profiles c where c.id = v_payment.to_user_id;
      perform private.judge_transaction(p_transaction);
      perform private.restore_access(t) from public.transactions t where t.id = p_transaction and t.refunded_amount < t.amount;
    end if;
  end if;
  perform private.judge_transaction(p_transaction);
end;
$$;

-- As before (0431), but of a payment whose dispute was won, what the creator still has is taken back by a wish.
create or replace function private.post_refund(
  p_cause text,
  p_transaction uuid,
  p_amount_cents bigint,
  p_occurred_at timestamptz,
  p_reason text default null,
  p_admin uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions := private.payment_to_refund(p_transaction);
  v_known uuid := private.transaction_by_cause(p_cause);
  v_left bigint := private.cents(v_payment.amount - v_payment.refunded_amount);
  v_amount bigint := coalesce(p_amount_cents, v_left);
  v_id uuid;
begin
  if v_known is not null then
    return v_known;
  elsif v_amount < 1 or v_amount > v_left then
    raise exception 'A refund of % is more than the % that are left of the payment, or nothing', private.dollars(v_amount), private.dollars(v_left)
      using errcode = '22023';
  end if;
  v_id := private.move_refund(v_payment, private.cents(v_payment.refunded_amount) + v_amount, p_cause, p_occurred_at, p_reason);
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
  perform private.tell_of_return(v_payment, v_id, 'Refund', 'was refunded');
  return v_id;
end;
$$;
