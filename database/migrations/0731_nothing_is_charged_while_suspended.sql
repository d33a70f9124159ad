-- Up Migration
-- While a party is suspended no bank is asked about a payment, and what is paid all the same goes back.

-- As before (0730), but nothing waits for the bank of somebody who must not be charged.
create or replace function private.settle_confirmation(
  p_subscription uuid,
  p_asked_at timestamptz,
  p_invoice text,
  p_url text,
  p_product uuid,
  p_expires_at timestamptz,
  p_bank_asks boolean
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
  v_before private.subscription_confirmations;
  v_is_barred boolean;
begin
  -- An answer that is older than what we know says nothing.
  perform from private.stripe_subscriptions k where k.subscription_id = p_subscription and k.last_event_at <= p_asked_at for update;
  if not found then
    return;
  end if;
  select * into v_subscription from public.subscriptions s where s.id = p_subscription;
  select * into v_before from private.subscription_confirmations c where c.subscription_id = p_subscription;
  v_is_barred := private.renewal_bar(v_subscription.subscriber_id, v_subscription.creator_id) is not null;
  -- A card that is refused on the page, after the bank was asked, leaves the switch waiting there for another one.
  if p_invoice is not null and not v_is_barred and (p_bank_asks or (p_product is not null and v_before.invoice_id = p_invoice)) then
    insert into private.subscription_confirmations as c (subscription_id, product_id, invoice_id, url, expires_at)
    values (p_subscription, p_product, p_invoice, p_url, p_expires_at)
    on conflict (subscription_id) do update set product_id = excluded.product_id, invoice_id = excluded.invoice_id, url = excluded.url,
      expires_at = excluded.expires_at, created_at = case when c.invoice_id = excluded.invoice_id then c.created_at else now() end;
    if p_product is null and v_before.invoice_id is distinct from p_invoice then
      perform private.notify(v_subscription.subscriber_id, 'payment', 'Confirm your payment',
        'Your bank wants you to confirm your payment for ' || t.name || ' by ' || private.name_of(v_subscription.creator_id)
          || '. Your card is fine: open your subscriptions and confirm it to keep your access.',
        jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', p_subscription))
      from public.subscription_products t where t.id = v_subscription.tier_id;
    end if;
    return;
  end if;
  delete from private.subscription_confirmations where subscription_id = p_subscription;
  if v_before.product_id is not null and not v_is_barred and v_subscription.status in ('active', 'trial') then
    perform private.notify(v_subscription.subscriber_id, 'subscription',
      case when v_before.product_id = v_subscription.tier_id then 'Plan switched' else 'Plan not switched' end,
      case when v_before.product_id = v_subscription.tier_id
        then 'Your bank has confirmed your payment. You''re on ' || t.name || ' by ' || private.name_of(v_subscription.creator_id) || ' now.'
        else 'Your payment for ' || t.name || ' by ' || private.name_of(v_subscription.creator_id)
          || ' wasn''t confirmed in time. Nothing was charged, and you keep your plan.'
      end,
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', p_subscription))
    from public.subscription_products t where t.id = v_before.product_id;
  end if;
end;
$$;

-- As before (0590), but what was charged while a party was suspended is asked back: the provider may have been at work on it, or the fan
-- may have paid an old bill by hand.
create or replace function private.post_subscription_payment(
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
  if exists (select from private.profiles p where p.id in (p_subscriber, p_creator) and p.suspended_at <= p_occurred_at) then
    perform private.request_refund(v_payment.transaction_id, 'The account of a party was suspended when this was charged.');
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
