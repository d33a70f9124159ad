-- Up Migration
-- Two payment pages of one creator that a fan pays in the same moment are two subscriptions at the provider, and both go on charging. The
-- one that began first stays. Which that is, the server asks the provider (server/payments/sync-subscription.ts); what is to be done about
-- the other is written here in one transaction.
alter table private.stripe_subscriptions add column is_duplicate boolean not null default false;
comment on column private.stripe_subscriptions.is_duplicate is 'It began while another one of the same two people ran: it is ended, and all that it takes goes back.';

create function private.end_duplicate(p_stripe_subscription_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason constant text := 'There was a subscription to this creator already, and this was a second one.';
  v_subscription public.subscriptions;
begin
  -- Its payments hold this row while they are booked (private.post_subscription_payment): each is seen here, or sees what is written here.
  select s.* into v_subscription
  from public.subscriptions s join private.stripe_subscriptions k on k.subscription_id = s.id
  where k.stripe_subscription_id = p_stripe_subscription_id for update of s;
  update private.stripe_subscriptions set is_duplicate = true where subscription_id = v_subscription.id and not is_duplicate;
  if not found then
    return;
  end if;
  perform private.end_subscription(v_subscription.id, v_reason);
  perform private.request_refund(t.id, v_reason)
  from public.transactions t where t.subscription_id = v_subscription.id and t.transaction_type = 'subscription' order by t.id;
  perform private.notify(v_subscription.subscriber_id, 'subscription', 'Subscribed twice',
    'You had a subscription to ' || private.name_of(v_subscription.creator_id) || ' already. The second one was ended'
      || case v_subscription.status when 'trial' then ' before it cost anything.' else ', and what it cost goes back to you.' end,
    jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
end;
$$;
comment on function private.end_duplicate is 'Ends the second of two subscriptions of the same two people, wishes for its payments back and tells the fan, once.';

-- As before (0130), but the payment is of the subscription whose invoice was paid, and one of a duplicate is asked back.
-- Contract: whoever calls it with eight arguments is served by the default of the ninth.
drop function private.post_subscription_payment(text, uuid, uuid, uuid, bigint, bigint, text, timestamptz);
create function private.post_subscription_payment(
  p_cause text,
  p_subscriber uuid,
  p_creator uuid,
  p_product uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz,
  p_subscription uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_is_first boolean := not exists (
    select from public.transactions t
    where t.to_user_id = p_creator and t.transaction_type = 'subscription' and t.from_user_id = p_subscriber
  );
  v_plan text := (select s.name from public.subscription_products s where s.id = p_product);
  v_earned text := private.dollars(p_gross_cents - p_fee_cents);
  v_subscription uuid;
begin
  perform private.lock_books(); -- before the row, as everybody does who takes both
  select s.id into v_subscription from public.subscriptions s where s.id = p_subscription for key share;
  select * into v_payment from private.post_payment(
    'subscription', p_cause, p_subscriber, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, p_product, null, coalesce(v_subscription, (
      -- An ended subscription is paid for no more: the living one comes first.
      select s.id from public.subscriptions s
      where s.subscriber_id = p_subscriber and s.creator_id = p_creator
      order by s.status in ('canceled', 'incomplete_expired'), s.tier_id = p_product desc, s.created_at desc limit 1
    )));
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  if exists (select from private.stripe_subscriptions k where k.subscription_id = v_subscription and k.is_duplicate) then
    perform private.request_refund(v_payment.transaction_id, 'There was a subscription to this creator already, and this was a second one.');
    return v_payment.transaction_id;
  end if;
  perform private.notify(
    p_creator,
    case when v_is_first then 'subscription' else 'payment' end,
    case when v_is_first then 'New subscriber' else 'Subscription payment' end,
    private.name_of(p_subscriber) || case when v_is_first then ' subscribed to ' else ' paid for ' end
      || v_plan || '. You earned ' || v_earned || '.',
    jsonb_build_object('profile_id', p_subscriber, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_subscription_payment is
  'A paid invoice: books it for the subscription that it is of, and tells the creator. Idempotent by p_cause; what a duplicate took is asked back. Returns transactions.id.';
