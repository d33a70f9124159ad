-- Up Migration
-- An inquiry moves no money, and left alone it may become a dispute, which does: admins hear of it, as it is answered in the provider's dashboard.
create table private.payment_inquiries (
  id             text primary key,
  transaction_id uuid not null references public.transactions on delete cascade,
  amount_cents   bigint not null check (amount_cents > 0),
  opened_at      timestamptz not null
);
comment on table private.payment_inquiries is 'Questions of a fan''s bank about a payment, by the provider''s id, which a dispute that follows keeps. Each is told once.';
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
