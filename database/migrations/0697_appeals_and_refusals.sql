-- Up Migration
-- A dispute that was lost may be appealed, and won in the end.
comment on table private.payment_disputes is 'Payments that the fan''s bank took back, by the provider''s dispute id. Open until the bank decides; what was lost may still be won by an appeal.';

-- As before (0592), but a lost dispute can be won.
create or replace function private.post_dispute(p_dispute text, p_transaction uuid, p_amount_cents bigint, p_status text, p_occurred_at timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions := private.payment_to_refund(p_transaction);
  v_left bigint := v_payment.amount - v_payment.refunded_amount;
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
  if v_dispute.status = 'won' and p_status <> 'won' then -- no bank does so; if one should, an operator decides
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
        'The bank decided for you: ' || private.dollars(v_dispute.amount_cents) || ' came back.', jsonb_build_object('transaction_id', p_transaction))
      from private.profiles c where c.id = v_payment.to_user_id;
      perform private.judge_transaction(p_transaction);
      perform private.restore_access(t) from public.transactions t where t.id = p_transaction and t.refunded_amount < t.amount;
    end if;
  end if;
  perform private.judge_transaction(p_transaction);
end;
$$;

-- The provider keeps a refusal under its idempotency key for a day, so what was refused for good is asked for under another one.
alter table private.payment_tasks add column refusals int not null default 0 check (refusals >= 0);
comment on column private.payment_tasks.refusals is 'How often the provider has definitely refused: each makes the next idempotency key another one. An answer that was lost does not.';
alter table private.referral_transfers add column refusals int not null default 0 check (refusals >= 0);
comment on column private.referral_transfers.refusals is 'How often the provider has definitely refused: each makes the next idempotency key another one. An answer that was lost does not.';
