-- Up Migration
-- A payment page that is still open when one of its two leaves, or the plan does, can not be paid any more: the wish to close it is
-- written together with the reason. What was paid on it in that very moment is given back, where the two no longer deal with each other
-- (server/payments/close-checkout.ts).
alter table private.payment_tasks
  drop constraint payment_tasks_kind_known,
  add constraint payment_tasks_kind_known check (kind in ('refund', 'cancel_subscription', 'delete_customer', 'take_back_transfer',
    'return_transfer', 'stop_renewal', 'resume_renewal', 'close_checkout'));
comment on column private.payment_tasks.target is 'refund: the cause of the payment in the ledger, which is the provider''s id of it. cancel_subscription, stop_renewal, resume_renewal: the provider''s subscription id. delete_customer: its customer id. take_back_transfer, return_transfer: the id of the dispute. close_checkout: the id of the checkout session.';

create function private.wish_checkouts_closed(p_sessions text[]) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_tasks (kind, target, reason)
  select 'close_checkout', s.id, 'The payment came after its page was closed.' from unnest(p_sessions) as s (id)
  on conflict (kind, target) do nothing;
$$;
comment on function private.wish_checkouts_closed is 'Has the provider close these checkout pages, each once. The reason is read by both where a payment has to go back: it does not say who left, or blocked.';
revoke execute on function private.wish_checkouts_closed from public;

create function private.close_checkouts_of_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.wish_checkouts_closed(array(
    select c.id from private.checkout_sessions c
    where c.status = 'open' and (c.creator_id = old.id or (c.profile_id = old.id and (tg_op = 'DELETE' or new.suspended_at is not null)))
  ));
  return old; -- of a row that goes; after a change it is ignored
end;
$$;
comment on function private.close_checkouts_of_profile is 'Trigger of profiles: nobody pays for, or to, someone who has left. Who may not sell any more can still pay others.';
-- Before: the rows that know the pages go with the profile.
create trigger profiles_close_checkouts before delete on private.profiles
  for each row execute function private.close_checkouts_of_profile();
create trigger profiles_close_checkouts_of_outcast after update of suspended_at, is_verified on private.profiles
  for each row when ((old.suspended_at is null and new.suspended_at is not null) or (old.is_verified and not new.is_verified))
  execute function private.close_checkouts_of_profile();

create function private.close_checkouts_of_plan() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.wish_checkouts_closed(
    array(select c.id from private.checkout_sessions c where c.product_id = new.id and c.status = 'open'));
  return null;
end;
$$;
comment on function private.close_checkouts_of_plan is 'Trigger of subscription_products: a plan that was withdrawn is sold no more.';
create trigger subscription_products_close_checkouts after update of is_active on public.subscription_products
  for each row when (old.is_active and not new.is_active) execute function private.close_checkouts_of_plan();

create function private.close_checkouts_of_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.wish_checkouts_closed(array(
    select c.id from private.checkout_sessions c
    where c.status = 'open' and (c.profile_id, c.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id))
  ));
  return null;
end;
$$;
comment on function private.close_checkouts_of_block is 'Trigger of blocks: no money passes across a block.';
create trigger blocks_close_checkouts after insert on public.blocks for each row execute function private.close_checkouts_of_block();

create function private.close_late_checkout() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Asked after the row is in: it waited for a suspension that was under way.
  perform private.wish_checkouts_closed(array[new.id]) where private.are_blocked(new.profile_id, new.creator_id);
  return null;
end;
$$;
comment on function private.close_late_checkout is 'Trigger of checkout_sessions: one of the two has left while the provider made the page.';
create trigger checkout_sessions_close_late after insert on private.checkout_sessions
  for each row when (new.status = 'open') execute function private.close_late_checkout();
