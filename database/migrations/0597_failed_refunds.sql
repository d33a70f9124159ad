-- Up Migration
-- A bank may turn a refund down that counted as done. Admins see the difference; the creator who gave it back, and the fan who waits for
-- it, are told as well, and the refund says so.
alter table public.transactions
  drop constraint transactions_status_known,
  add constraint transactions_status_known check (status in ('completed', 'partially_refunded', 'refunded', 'disputed', 'failed')),
  add constraint transactions_only_refunds_fail check (status <> 'failed' or transaction_type = 'refund');
comment on column public.transactions.status is 'completed; of a payment also partially_refunded, refunded and disputed; of a payout refunded when it came back; of a refund failed when the bank has turned it down.';

create function private.fail_refund(p_cause text) returns boolean
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
  -- Where its money lies is the provider's to say and an operator's to settle: access and books stay.
  insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
  values (p_cause, 'amount', 0, -private.cents(v_refund.amount)) on conflict on constraint payment_differences_once do nothing;
  v_amount := private.dollars(-private.cents(v_refund.amount));
  perform private.notify(p.id, 'payment', 'Refund failed',
    case p.id
      when v_refund.to_user_id then 'Your refund of ' || v_amount || ' to ' || coalesce(private.name_of(v_refund.from_user_id), 'a former member')
        || ' was turned down by the bank. We settle it; there is nothing that you need to do.'
      else 'The refund of ' || v_amount || ' from ' || coalesce(private.name_of(v_refund.to_user_id), 'a former creator')
        || ' was turned down by your bank. Write to support, so that it reaches you another way.'
    end,
    jsonb_build_object('transaction_id', v_refund.id))
  from private.profiles p where p.id in (v_refund.from_user_id, v_refund.to_user_id);
  return true;
end;
$$;
comment on function private.fail_refund is 'The bank has turned down a refund that is booked: notes the difference and tells both parties, once. False when there was nothing to do.';
revoke execute on function private.fail_refund from public;
grant execute on function private.fail_refund to service_role;
