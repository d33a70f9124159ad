-- Up Migration
-- As before (0696), but a refund that was made before its payment was disputed took from the creator what the provider says, also when we
-- hear of the dispute first.
create or replace function private.post_refund(
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
    raise exception 'A refund of % is more than the % that are left of the payment, or nothing', private.dollars(v_amount), private.dollars(v_left)
      using errcode = '22023';
  end if;
  -- After a dispute the transfer is another, and what the creator has of it is taken back by a wish of its own.
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
  perform private.tell_of_return(v_payment, v_id, 'Refund', 'was refunded');
  return v_id;
end;
$$;
