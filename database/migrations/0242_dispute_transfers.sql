-- Up Migration
-- A dispute takes the whole payment from the platform's balance at the provider. The creator's part is the creator's to bear, as it is
-- with a refund, so their transfer is taken back; and a dispute that is won pays it out to them again.
alter table private.payment_tasks
  drop constraint payment_tasks_kind_check,
  add constraint payment_tasks_kind_known
    check (kind in ('refund', 'cancel_subscription', 'delete_customer', 'take_back_transfer', 'return_transfer')),
  drop constraint payment_tasks_refund_has_transaction,
  add constraint payment_tasks_about_a_payment check ((kind in ('refund', 'take_back_transfer', 'return_transfer')) = (transaction_id is not null));
comment on column private.payment_tasks.target is 'refund: the cause of the payment in the ledger, which is the provider''s id of it. cancel_subscription: the provider''s subscription id. delete_customer: its customer id. take_back_transfer, return_transfer: the id of the dispute.';
comment on column private.payment_tasks.amount_cents is 'Of a refund: null is all that is left. take_back_transfer: what was disputed. return_transfer: what is the creator''s of it.';

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
      perform private.restore_access(t) from public.transactions t where t.id = p_transaction and t.refunded_amount < t.amount;
      perform private.notify(c.id, 'payment', 'Dispute won',
        'The bank decided for you: ' || private.dollars(v_dispute.amount_cents) || ' came back.', jsonb_build_object('transaction_id', p_transaction))
      from private.profiles c where c.id = v_payment.to_user_id;
    end if;
  end if;
  perform private.judge_transaction(p_transaction);
end;
$$;
comment on function private.post_dispute is
  'What the provider says of a dispute: open takes the money and what it opened back, won returns both, lost leaves it so. The creator''s transfer follows as a wish to the provider. Idempotent by p_dispute and safe in any order.';
