-- Up Migration
-- An admin's refund and its line in the audit log are booked in one transaction, also when it is the webhook that books it: the refund
-- at the provider names who asked for it (server/payments/refund-payment.ts).
-- Contract: whoever calls it with five arguments is served by the default of the sixth.
drop function private.post_refund(text, uuid, bigint, timestamptz, text);
create function private.post_refund(
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
comment on function private.post_refund is
  'Money of a payment that went back to the fan; p_amount_cents null is all that is left. A full refund takes back what was bought, a partial one leaves it. Idempotent by p_cause, the provider''s refund id. p_admin: who asked for it on behalf of others, auth.users.id; it stands in the audit log. Returns the refund''s transactions.id.';
