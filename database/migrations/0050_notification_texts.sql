-- Up Migration

-- The texts of notifications (LOOP-17, D66): the title is a sentence about who did what, and the message adds what the title doesn't say, or is
-- empty. Notifications from before keep their texts. Those of sessions now also name the other user, whose face is shown.

-- The message of a notification about a post. 80 characters are no more than everyone sees of a locked post.
create function private.post_label(p_post uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select '"' || coalesce(p.title, case when length(s.start) > 80 then rtrim(left(s.start, 80)) || '…' else s.start end) || '"'
  from private.posts p
  cross join lateral (select nullif(btrim(regexp_replace(left(p.content, 100), '\s+', ' ', 'g')), '') as start) s
  where p.id = p_post;
$$;
comment on function private.post_label is 'A post''s title in quotes, or how its text begins. Null when it has neither or was deleted.';

-- Social: followers, likes, comments, new posts, messages.
create or replace function private.group_words(p_kind text, p_actor uuid, p_count int, p_post uuid, out title text, out message text)
language sql stable security definer set search_path = ''
as $$
  select
    case
      when p_kind = 'comment' and p_count > 1 then p_count || ' new comments on your post' -- one user may write several comments
      else a.name
        || case when p_count < 2 then '' when p_count = 2 then ' and one other' else ' and ' || (p_count - 1) || ' others' end
        || case p_kind when 'follow' then ' started following you' when 'like' then ' liked your post' else ' commented on your post' end
    end,
    case
      when p_kind = 'comment' and p_count > 1 then a.name || ' wrote the latest one' || coalesce(', on ' || private.post_label(p_post), '') || '.'
      when p_kind = 'follow' then ''
      else coalesce(private.post_label(p_post), '')
    end
  from (select coalesce(private.name_of(p_actor), 'Someone') as name) a;
$$;

create or replace function private.new_posts_words(p_creator uuid, p_posts int, p_post uuid, out title text, out message text)
language sql stable security definer set search_path = ''
as $$
  select
    private.name_of(p_creator) || ' published ' || case p_posts when 1 then 'a post' else p_posts || ' posts' end,
    coalesce(case p_posts when 1 then private.post_label(p_post) else 'The latest: ' || private.post_label(p_post) end, '');
$$;

create or replace function private.notify_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (
    select from public.notifications n
    where n.user_id = new.recipient_id and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = new.sender_id::text
  ) then
    perform private.notify(new.recipient_id, 'message',
      private.name_of(new.sender_id) || case when new.is_paid then ' sent you a paid message' else ' sent you a message' end,
      case when new.is_paid then 'Unlock it for ' || private.dollars(new.price) || '.' else '' end,
      jsonb_build_object('profile_id', new.sender_id, 'message_id', new.id));
  end if;
  return null;
end;
$$;

-- Subscriptions.
create or replace function private.apply_subscription_state(
  p_stripe_subscription_id text,
  p_subscriber uuid,
  p_creator uuid,
  p_product uuid,
  p_status text,
  p_current_period_start timestamptz,
  p_current_period_end timestamptz,
  p_trial_end timestamptz,
  p_cancel_at_period_end boolean,
  p_canceled_at timestamptz,
  p_event_at timestamptz
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_status text := case p_status when 'trialing' then 'trial' else p_status end;
  v_known private.stripe_subscriptions;
  v_current public.subscriptions;
  v_id uuid;
begin
  -- One state of a subscription at a time: two workers may handle events of the same subscription.
  perform pg_advisory_xact_lock(hashtextextended('subscription:' || p_stripe_subscription_id, 0));
  select * into v_known from private.stripe_subscriptions s where s.stripe_subscription_id = p_stripe_subscription_id;
  if v_known.subscription_id is null then
    insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, current_period_start, current_period_end,
      trial_end, cancel_at_period_end, canceled_at, past_due_since, access_until)
    values (p_subscriber, p_creator, p_product, v_status, p_current_period_start, p_current_period_end,
      p_trial_end, coalesce(p_cancel_at_period_end, false), p_canceled_at, case v_status when 'past_due' then p_event_at end, '-infinity')
    returning id into v_id;
    insert into private.stripe_subscriptions (subscription_id, stripe_subscription_id, last_event_at)
    values (v_id, p_stripe_subscription_id, p_event_at);
  else
    v_id := v_known.subscription_id;
    select * into v_current from public.subscriptions s where s.id = v_id for update;
    if p_event_at < v_known.last_event_at
      or (p_event_at = v_known.last_event_at and private.subscription_stage(v_status) < private.subscription_stage(v_current.status))
      or (v_current.status in ('canceled', 'incomplete_expired') and v_status <> v_current.status and v_known.presumed_ended_at is null) -- a canceled subscription never becomes active again
    then
      return v_id;
    end if;
    if v_status = 'past_due' and v_current.status = 'unpaid' and v_current.past_due_since <= now() - interval '72 hours' then
      v_status := 'unpaid'; -- its grace period is over
    end if;
    update public.subscriptions set
      tier_id = p_product,
      status = v_status,
      current_period_start = p_current_period_start,
      current_period_end = p_current_period_end,
      trial_end = p_trial_end,
      cancel_at_period_end = coalesce(p_cancel_at_period_end, false),
      canceled_at = p_canceled_at,
      past_due_since = case v_status when 'past_due' then coalesce(v_current.past_due_since, p_event_at) when 'unpaid' then v_current.past_due_since end
    where id = v_id;
    update private.stripe_subscriptions set last_event_at = p_event_at, presumed_ended_at = null where subscription_id = v_id;
  end if;
  if v_status = 'trial' and coalesce(v_current.status, 'incomplete') = 'incomplete' then
    -- Of two trials, only the first one notifies, even when two workers write them at the same time.
    perform pg_advisory_xact_lock(hashtextextended('subscriber:' || p_subscriber || ':' || p_creator, 0));
    if not exists (
      select from public.subscriptions s
      where s.subscriber_id = p_subscriber and s.creator_id = p_creator and s.id <> v_id and s.status in ('active', 'trial', 'past_due')
    ) then
      perform private.notify(p_creator, 'subscription',
        (select private.name_of(p_subscriber) || ' started a free trial of ' || t.name from public.subscription_products t where t.id = p_product), '',
        jsonb_build_object('profile_id', p_subscriber, 'subscription_id', v_id));
    end if;
  end if;
  return v_id;
end;
$$;

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
  perform private.lock_books(); -- always before the row
  select s.id into v_subscription from public.subscriptions s where s.id = p_subscription for key share;
  select * into v_payment from private.post_payment(
    'subscription', p_cause, p_subscriber, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, p_product, null, coalesce(v_subscription, (
      -- A payment belongs to a running subscription rather than to one that has ended.
      select s.id from public.subscriptions s
      where s.subscriber_id = p_subscriber and s.creator_id = p_creator
      order by s.status in ('canceled', 'incomplete_expired'), s.tier_id = p_product desc, s.created_at desc limit 1
    )));
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  if exists (select from private.stripe_subscriptions k where k.subscription_id = v_subscription and k.is_duplicate) then
    perform private.request_refund(v_payment.transaction_id, 'The fan was already subscribed to this creator.');
    return v_payment.transaction_id;
  end if;
  if exists (select from private.profiles p where p.id in (p_subscriber, p_creator) and p.suspended_at <= p_occurred_at) then
    perform private.request_refund(v_payment.transaction_id, 'One of the accounts was suspended when this was charged.');
    return v_payment.transaction_id;
  end if;
  perform private.notify(
    p_creator,
    case when v_is_first then 'subscription' else 'payment' end,
    private.name_of(p_subscriber) || case when v_is_first then ' subscribed to ' else ' paid for ' end || v_plan,
    'You earned ' || v_earned || '.',
    jsonb_build_object('profile_id', p_subscriber, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;

create or replace function private.expire_subscriptions() returns setof text
language plpgsql security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
  v_stripe_id text;
begin
  for v_subscription in
    select * from public.subscriptions s
    where s.status in ('active', 'trial', 'past_due') and s.access_until <= now() - interval '1 hour'
    order by s.id for update skip locked
  loop
    update public.subscriptions set
      status = case when v_subscription.cancel_at_period_end then 'canceled' else 'unpaid' end,
      canceled_at = case when v_subscription.cancel_at_period_end then coalesce(canceled_at, now()) end
    where id = v_subscription.id;
    update private.stripe_subscriptions set presumed_ended_at = now() where subscription_id = v_subscription.id
    returning stripe_subscription_id into v_stripe_id;
    perform private.notify(v_subscription.subscriber_id, 'subscription',
      'Your subscription to ' || private.name_of(v_subscription.creator_id) || ' has ended', 'You can subscribe again at any time.',
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
    if v_stripe_id is not null then
      return next v_stripe_id;
    end if;
  end loop;
end;
$$;

create or replace function private.end_duplicate(p_stripe_subscription_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason constant text := 'The fan was already subscribed to this creator.';
  v_subscription public.subscriptions;
begin
  -- A payment locks this row while it is booked (private.post_subscription_payment): either it is found below, or it finds is_duplicate.
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
  perform private.notify(v_subscription.subscriber_id, 'subscription', 'Duplicate subscription canceled',
    'You already subscribe to ' || private.name_of(v_subscription.creator_id) || '. '
      || case v_subscription.status when 'trial' then 'You won''t be charged twice.' else 'You''ll get a full refund for the second subscription.' end,
    jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
end;
$$;

create or replace function private.settle_renewal(p_subscription uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
  v_target text;
  v_held boolean;
  v_bar text;
begin
  select k.stripe_subscription_id, k.renewal_held into v_target, v_held
  from private.stripe_subscriptions k where k.subscription_id = p_subscription for update;
  select * into v_subscription from public.subscriptions s
  where s.id = p_subscription and s.status not in ('canceled', 'incomplete', 'incomplete_expired');
  if v_target is null or v_subscription.id is null then
    return;
  end if;
  v_bar := private.renewal_block_reason(v_subscription.subscriber_id, v_subscription.creator_id);
  if v_bar is not null and not v_subscription.cancel_at_period_end then
    update private.stripe_subscriptions set renewal_held = true where subscription_id = p_subscription;
    perform private.request_renewal_change(v_target, 'stop_renewal', v_bar);
  elsif v_bar is null and v_held then
    update private.stripe_subscriptions set renewal_held = false where subscription_id = p_subscription;
    perform private.request_renewal_change(v_target, 'resume_renewal', 'The subscription may be charged again');
  else
    return;
  end if;
  if v_held <> (v_bar is not null) then
    perform private.notify(v_subscription.subscriber_id, 'subscription',
      'Your subscription to ' || private.name_of(v_subscription.creator_id)
        || case when v_bar is null then ' will renew again' else ' won''t renew for now' end,
      case
        when v_bar is null then 'You don''t need to do anything.'
        when v_bar = 'The creator can''t take payments'
          then 'The creator can''t take payments right now. Nothing is wrong with your card, and you keep access for the time you paid for.'
        else 'You keep access for the time you paid for.'
      end,
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
  end if;
end;
$$;

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
  -- Ignore a response that is older than the known state.
  perform from private.stripe_subscriptions k where k.subscription_id = p_subscription and k.last_event_at <= p_asked_at for update;
  if not found then
    return;
  end if;
  select * into v_subscription from public.subscriptions s where s.id = p_subscription;
  select * into v_before from private.subscription_confirmations c where c.subscription_id = p_subscription;
  v_is_barred := private.renewal_block_reason(v_subscription.subscriber_id, v_subscription.creator_id) is not null;
  -- When the card is declined on the page, the switch stays open there for another card.
  if p_invoice is not null and not v_is_barred and (p_bank_asks or (p_product is not null and v_before.invoice_id = p_invoice)) then
    insert into private.subscription_confirmations as c (subscription_id, product_id, invoice_id, url, expires_at)
    values (p_subscription, p_product, p_invoice, p_url, p_expires_at)
    on conflict (subscription_id) do update set product_id = excluded.product_id, invoice_id = excluded.invoice_id, url = excluded.url,
      expires_at = excluded.expires_at, created_at = case when c.invoice_id = excluded.invoice_id then c.created_at else now() end;
    if p_product is null and v_before.invoice_id is distinct from p_invoice then
      perform private.notify(v_subscription.subscriber_id, 'payment', 'Confirm your payment for ' || t.name,
        'Your bank won''t pay ' || private.name_of(v_subscription.creator_id)
          || ' until you do. Your card is fine. Open your subscriptions to keep your access.',
        jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', p_subscription))
      from public.subscription_products t where t.id = v_subscription.tier_id;
    end if;
    return;
  end if;
  delete from private.subscription_confirmations where subscription_id = p_subscription;
  if v_before.product_id is not null and not v_is_barred and v_subscription.status in ('active', 'trial') then
    perform private.notify(v_subscription.subscriber_id, 'subscription',
      case when v_before.product_id = v_subscription.tier_id then 'You switched to ' || t.name else 'Plan not switched' end,
      case when v_before.product_id = v_subscription.tier_id
        then 'Your bank has confirmed your payment to ' || private.name_of(v_subscription.creator_id) || '.'
        else 'Your payment for ' || t.name || ' by ' || private.name_of(v_subscription.creator_id)
          || ' wasn''t confirmed in time. Nothing was charged, and you keep your plan.'
      end,
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', p_subscription))
    from public.subscription_products t where t.id = v_before.product_id;
  end if;
end;
$$;

-- Payments.
create or replace function private.post_tip(
  p_cause text,
  p_fan uuid,
  p_creator uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz,
  p_post uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
begin
  perform private.require_tip_amount(p_gross_cents);
  select * into v_payment from private.post_payment(
    'tip', p_cause, p_fan, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, null, p_post);
  if v_payment.is_new then
    perform private.notify(
      c.id, 'tip',
      coalesce(private.name_of(p_fan), 'Someone') || ' tipped you ' || private.dollars(p_gross_cents),
      'You earned ' || private.dollars(p_gross_cents - p_fee_cents) || '.',
      jsonb_strip_nulls(jsonb_build_object('profile_id', p_fan, 'post_id', p_post, 'transaction_id', v_payment.transaction_id))
    )
    from private.profiles c where c.id = p_creator;
  end if;
  return v_payment.transaction_id;
end;
$$;

create or replace function private.post_purchase(
  p_cause text,
  p_buyer uuid,
  p_creator uuid,
  p_post uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_opened uuid;
begin
  select * into v_payment from private.post_payment(
    'ppv', p_cause, p_buyer, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, null, p_post);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  insert into public.purchases (buyer_id, post_id, transaction_id)
  select b.id, p.id, v_payment.transaction_id from private.profiles b, private.posts p where b.id = p_buyer and p.id = p_post
  on conflict on constraint purchases_once do nothing
  returning id into v_opened;
  if v_opened is null then
    -- Paid twice from two screens, or the post was deleted while the card was being charged: there is nothing to unlock.
    perform private.request_refund(v_payment.transaction_id, 'The post was already bought or no longer exists.');
    return v_payment.transaction_id;
  end if;
  perform private.notify(
    p_creator, 'payment', private.name_of(p_buyer) || ' bought your post',
    'You earned ' || private.dollars(p_gross_cents - p_fee_cents) || coalesce(' from ' || private.post_label(p_post), '') || '.',
    jsonb_build_object('profile_id', p_buyer, 'post_id', p_post, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;

create or replace function private.post_message_unlock(p_cause text, p_buyer uuid, p_creator uuid, p_message uuid, p_gross_cents bigint, p_fee_cents bigint, p_currency text, p_occurred_at timestamp with time zone)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
begin
  select * into v_payment from private.post_payment(
    'paid_message', p_cause, p_buyer, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  update public.transactions t set message_id = m.id from private.messages m where t.id = v_payment.transaction_id and m.id = p_message;
  if not private.open_message(p_buyer, p_message, v_payment.transaction_id) then
    -- Paid twice from two screens, or the message was deleted while the card was being charged: there is nothing to unlock.
    perform private.request_refund(v_payment.transaction_id, 'The message was already bought or no longer exists.');
    return v_payment.transaction_id;
  end if;
  perform private.notify(
    p_creator, 'payment', private.name_of(p_buyer) || ' unlocked your message',
    'You earned ' || private.dollars(p_gross_cents - p_fee_cents) || '.',
    jsonb_build_object('profile_id', p_buyer, 'message_id', p_message, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;

create or replace function private.note_inquiry(p_inquiry text, p_transaction uuid, p_amount_cents bigint, p_opened_at timestamptz, p_answer_by timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.payment_inquiries (id, transaction_id, amount_cents, opened_at)
  values (p_inquiry, p_transaction, p_amount_cents, p_opened_at) on conflict (id) do nothing;
  if not found then
    return;
  end if;
  perform private.notify(a.id, 'payment', 'A bank is asking about a payment of ' || private.dollars(p_amount_cents),
    'The payment went to ' || private.name_of(t.to_user_id) || '. No money has moved. Answer ' || p_inquiry || ' in the Stripe Dashboard'
      || coalesce(' by ' || to_char(p_answer_by at time zone 'UTC', 'FMMonth FMDD, YYYY'), '') || ', or it may become a dispute.',
    jsonb_build_object('transaction_id', p_transaction))
  from public.transactions t, public.user_roles r join private.profiles a on a.user_id = r.user_id
  where t.id = p_transaction and r.role = 'admin';
end;
$$;

drop function private.notify_of_return(public.transactions, uuid, text, text);
create function private.notify_of_return(p_payment public.transactions, p_refund uuid, p_disputed boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_refund public.transactions;
  v_amount text;
begin
  select * into v_refund from public.transactions t where t.id = p_refund;
  v_amount := private.dollars(-v_refund.amount);
  perform private.notify(p.id, 'payment',
    case p.id
      when p_payment.to_user_id then coalesce(private.name_of(p_payment.from_user_id), 'A former member')
        || case when p_disputed then ' disputed ' else ' was refunded ' end || v_amount
      else case when p_disputed then 'You disputed ' else 'You were refunded ' end || v_amount
    end,
    case p.id
      when p_payment.to_user_id then
        case when v_refund.net_amount = 0 then 'Your earnings don''t change.'
          else 'Your earnings went down by ' || private.dollars(-v_refund.net_amount) || '.' end
      else case when p_disputed then 'You were refunded for' else 'It''s for' end || ' your payment to '
        || coalesce(private.name_of(p_payment.to_user_id), 'a former creator') || '.'
    end,
    jsonb_build_object('transaction_id', p_refund))
  from private.profiles p where p.id in (p_payment.from_user_id, p_payment.to_user_id);
end;
$$;
comment on function private.notify_of_return is 'Notifies the fan and the creator of a refund or dispute, if their accounts still exist.';

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
    raise exception 'A dispute must be open, won, or lost, and about at least one cent' using errcode = '22023';
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
      perform private.notify_of_return(v_payment,
        private.move_refund(v_payment, v_payment.refunded_amount + v_dispute.amount_cents, p_dispute, p_occurred_at, 'Disputed with the bank'),
        true);
      insert into private.payment_tasks (kind, target, transaction_id, amount_cents, reason)
      values ('take_back_transfer', p_dispute, p_transaction, v_dispute.amount_cents, 'The payment was disputed.')
      on conflict (kind, target) do nothing;
    end if;
    perform private.withdraw_access(v_payment, 'The payment was disputed.');
    select * into v_payment from public.transactions t where t.id = p_transaction;
  elsif v_dispute.transaction_id <> p_transaction then
    raise exception 'This dispute is about another payment' using errcode = '22023';
  end if;
  if v_dispute.status = 'won' and p_status <> 'won' then -- unheard of; an operator decides
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
      perform private.notify(c.id, 'payment', 'You won a dispute',
        'The bank returned ' || private.dollars(v_dispute.amount_cents) || '.', jsonb_build_object('transaction_id', p_transaction))
      from private.profiles c where c.id = v_payment.to_user_id;
      perform private.judge_transaction(p_transaction);
      perform private.restore_access(t) from public.transactions t where t.id = p_transaction and t.refunded_amount < t.amount;
    end if;
  end if;
  perform private.judge_transaction(p_transaction);
end;
$$;

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
    raise exception 'A refund of % must be above zero and at most the remaining %', private.dollars(v_amount), private.dollars(v_left)
      using errcode = '22023';
  end if;
  -- After a dispute there is another transfer, and take_back_rest takes the creator's part back.
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
  perform private.notify_of_return(v_payment, v_id, false);
  return v_id;
end;
$$;

create or replace function private.notify_of_payout_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_said text := (
    select n.data ->> 'payments' from public.notifications n
    where n.user_id = new.id and n.type = 'payment' and n.data ? 'payments' order by n.created_at desc, n.id limit 1
  );
  v_state text := case
    when not new.stripe_charges_enabled then 'paused'
    when not new.stripe_payouts_enabled then 'payouts_paused'
    else 'working'
  end;
begin
  -- The first setup isn't news to the creator, who has just done it. Each change is sent once.
  if v_state is distinct from v_said and (v_state <> 'working' or v_said is not null) then
    perform private.notify(new.id, 'payment',
      case v_state when 'paused' then 'Payments are paused' when 'payouts_paused' then 'Payouts are paused' else 'Payments are working again' end,
      case v_state
        when 'paused' then 'Complete Creator Setup again, so that fans can pay you.'
        when 'payouts_paused' then 'Stripe is holding your earnings until it has more information. Open Creator Setup to see what it needs.'
        else 'So are your payouts.'
      end,
      jsonb_build_object('payments', v_state));
  end if;
  return null;
end;
$$;

create or replace function private.complete_referral() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_referrer uuid;
begin
  update public.referrals set status = 'completed', completed_at = now() where referred_id = new.id and status = 'pending'
  returning referrer_id into v_referrer;
  if v_referrer is not null then
    perform private.notify(v_referrer, 'other', private.name_of(new.id) || ' became a creator', 'They joined through your referral.',
      jsonb_build_object('profile_id', new.id));
    perform private.credit_rewards(v_referrer);
  end if;
  return null;
end;
$$;

create or replace function private.credit_rewards(p_referrer uuid)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_ten uuid[];
  v_ledger uuid;
  v_id uuid;
  v_rewards int := 0;
begin
  perform private.lock_books();
  loop
    select array_agg(ten.id) into v_ten from (
      select r.id from public.referrals r where r.referrer_id = p_referrer and r.status = 'completed'
      order by r.completed_at, r.id limit 10 for update
    ) ten;
    exit when coalesce(cardinality(v_ten), 0) < 10;
    v_ledger := private.post_ledger('reward:' || v_ten[10], 'referral_reward', 'usd', now(),
      jsonb_build_object('platform_fees', 1000, 'creator:' || p_referrer, -1000));
    insert into public.transactions (to_user_id, transaction_type, amount, ledger_transaction_id, created_at)
    values (p_referrer, 'referral_reward', 1000, v_ledger, now())
    returning id into v_id;
    update public.referrals set status = 'paid', paid_at = now(), reward_amount = 100 where id = any(v_ten);
    perform private.notify(p_referrer, 'payment', 'You earned a referral reward of $10.00', 'Ten people you invited became creators.',
      jsonb_build_object('transaction_id', v_id));
    v_rewards := v_rewards + 1;
  end loop;
  return v_rewards;
end;
$$;

-- Private sessions.
create or replace function private.post_session_payment(
  p_cause text,
  p_booking uuid,
  p_fan uuid,
  p_creator uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_booking public.session_bookings;
  v_is_free boolean;
begin
  select * into v_payment from private.post_payment(
    'private_session', p_cause, p_fan, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  -- Slot first, as in book_session.
  perform from public.session_slots s where s.id = (select b.slot_id from public.session_bookings b where b.id = p_booking) for update;
  select * into v_booking from public.session_bookings b where b.id = p_booking for update;
  -- A payment that arrives after the hold has expired still counts while no one else has taken the slot.
  v_is_free := v_booking.state in ('pending_payment', 'expired') and v_booking.starts_at > now() and exists (
    select from public.session_slots s where s.id = v_booking.slot_id
  ) and not exists (
    select from public.session_bookings other
    where other.slot_id = v_booking.slot_id and other.id <> v_booking.id
      and (other.state in ('requested', 'accepted', 'completed') or (other.state = 'pending_payment' and other.hold_expires_at > now()))
  );
  if v_is_free is not true then
    perform private.request_refund(v_payment.transaction_id, 'The slot was no longer available when the payment arrived.');
    -- If the booking has an earlier payment, it stays valid, and only this payment is refunded.
    update public.session_bookings set state = 'canceled', transaction_id = v_payment.transaction_id, refund_status = 'requested',
      paid_at = p_occurred_at, closed_at = now(), closed_by = 'system', reason = 'The slot was no longer available when the payment arrived.'
    where id = p_booking and transaction_id is null;
    perform private.notify(f.id, 'payment', 'Session not booked',
      'The slot was no longer available when your payment arrived. You''ll get a full refund.', jsonb_build_object('transaction_id', v_payment.transaction_id))
    from private.profiles f where f.id = p_fan;
    return v_payment.transaction_id;
  end if;
  perform private.expire_holds(v_booking.slot_id);
  update public.session_bookings set state = 'requested', transaction_id = v_payment.transaction_id, paid_at = p_occurred_at,
    hold_expires_at = null, closed_at = null, closed_by = null
  where id = p_booking
  returning * into v_booking;
  perform private.notify(v_booking.creator_id, 'payment', private.name_of(v_booking.fan_id) || ' requested a session',
    private.session_time(v_booking) || '. Accept it to earn ' || private.dollars(p_gross_cents - p_fee_cents) || '.',
    jsonb_build_object('profile_id', v_booking.fan_id, 'booking_id', v_booking.id, 'transaction_id', v_payment.transaction_id));
  return v_payment.transaction_id;
end;
$$;

create or replace function public.accept_booking(booking_id uuid) returns public.session_bookings
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings := private.booking_of_caller(booking_id);
begin
  if v_booking.creator_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator can accept a booking' using errcode = '42501';
  elsif v_booking.state = 'accepted' then
    return v_booking;
  elsif v_booking.state <> 'requested' or v_booking.starts_at <= now() then
    raise sqlstate 'PT409' using message = 'This booking can no longer be accepted';
  end if;
  update public.session_bookings b set state = 'accepted', answered_at = now() where b.id = v_booking.id returning * into v_booking;
  perform private.notify(v_booking.fan_id, 'other', private.name_of(v_booking.creator_id) || ' accepted your session request',
    private.session_time(v_booking),
    jsonb_build_object('profile_id', v_booking.creator_id, 'booking_id', v_booking.id));
  return v_booking;
end;
$$;

create or replace function private.close_booking(p_booking public.session_bookings, p_state text, p_by text, p_reason text) returns public.session_bookings
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
  -- By private.cancel_bookings. Deleting an account deletes the notifications that name it, and this one must stay.
  v_is_leaving boolean := coalesce(p_reason = 'The account was deleted', false);
  v_closer text := case
    when v_is_leaving then null
    when p_by = 'fan' then private.name_of(p_booking.fan_id)
    when p_by = 'creator' then private.name_of(p_booking.creator_id)
  end;
  v_refunds boolean := p_state in ('declined', 'canceled') and p_booking.transaction_id is not null;
begin
  update public.session_bookings b set
    state = p_state, closed_at = now(), closed_by = p_by, reason = private.trimmed(p_reason),
    answered_at = case when p_state = 'declined' then now() else b.answered_at end,
    refund_status = case when v_refunds and b.refund_status = 'none' then 'requested' else b.refund_status end
  where b.id = p_booking.id
  returning * into v_booking;
  if v_refunds then
    perform private.request_refund(v_booking.transaction_id, coalesce(v_booking.reason, 'Private session ' || p_state));
  end if;
  if p_booking.state <> 'pending_payment' then
    -- Notify both sides, except the one who closed it.
    perform private.notify(party.id, 'other',
      case p_state
        when 'declined' then coalesce(v_closer || ' declined your session request', 'Session request declined')
        when 'canceled' then coalesce(v_closer || ' canceled your session', 'Session canceled')
        else 'Session ' || p_state
      end,
      concat_ws(' ', private.session_time(v_booking) || '.', rtrim(v_booking.reason, '.') || '.',
        case when v_refunds and party.id = v_booking.fan_id then 'You''ll get a full refund.' end),
      jsonb_strip_nulls(jsonb_build_object('profile_id', case when not v_is_leaving then party.other end, 'booking_id', v_booking.id)))
    from (values (v_booking.fan_id, 'fan', v_booking.creator_id), (v_booking.creator_id, 'creator', v_booking.fan_id)) as party (id, name, other)
    where party.name <> p_by;
  end if;
  return v_booking;
end;
$$;

create or replace function private.remind_of_sessions() returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
  v_count int := 0;
begin
  for v_booking in
    update public.session_bookings b set reminded_at = now()
    where b.id in (
      select d.id from public.session_bookings d
      where d.state = 'accepted' and d.reminded_at is null and d.starts_at <= now() + interval '1 hour' and d.ends_at > now()
      for update skip locked
    )
    returning b.*
  loop
    perform private.notify(party.id, 'other', 'Your session with ' || private.name_of(party.other) || ' starts within an hour',
      private.session_time(v_booking),
      jsonb_build_object('profile_id', party.other, 'booking_id', v_booking.id, 'call', true))
    from (values (v_booking.fan_id, v_booking.creator_id), (v_booking.creator_id, v_booking.fan_id)) as party (id, other);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;

create or replace function private.cancel_bookings(p_profile uuid, p_reason text, p_by text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_booking public.session_bookings;
begin
  perform from public.session_slots s
  where s.id in (select b.slot_id from public.session_bookings b where p_profile in (b.creator_id, b.fan_id)) order by s.id for update;
  for v_booking in
    select * from public.session_bookings b
    where p_profile in (b.creator_id, b.fan_id) and b.state in ('pending_payment', 'requested', 'accepted') order by b.id for update
  loop
    if v_booking.ends_at <= now() and v_booking.state = 'accepted' then
      null; -- it took place
    elsif v_booking.state <> 'pending_payment' and v_booking.fan_id = p_profile and v_booking.starts_at < now() + interval '24 hours' then
      perform private.notify(v_booking.creator_id, 'other', 'Session canceled',
        private.session_time(v_booking) || '. The fan''s account was closed. You keep the payment.', '{}');
    else
      perform private.close_booking(v_booking, 'canceled',
        coalesce(p_by, case p_profile when v_booking.fan_id then 'fan' else 'creator' end), p_reason);
    end if;
  end loop;
end;
$$;

-- Content that an admin deleted. POST-54 fixes the first title.
create or replace function private.audit_deleted_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := nullif(current_setting('ovation.takedown_reason', true), '');
begin
  if private.acts_as_admin(old.creator_id) then
    perform private.write_audit('delete_post', 'posts', old.id,
      jsonb_build_object('creator_id', old.creator_id, 'post_type', old.post_type, 'media_count', cardinality(old.media_urls), 'created_at', old.created_at),
      null, jsonb_strip_nulls(jsonb_build_object('reason', v_reason)));
    perform private.notify(old.creator_id, 'other', 'Post deleted for policy violation',
      concat_ws(E'\n', '"' || old.title || '"', 'Reason: ' || v_reason),
      jsonb_build_object('post_id', old.id));
  end if;
  return null;
end;
$$;

create or replace function private.audit_deleted_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := nullif(current_setting('ovation.takedown_reason', true), '');
begin
  -- A comment that is deleted with its post has no entry of its own.
  if private.acts_as_admin(old.user_id) and exists (select from private.posts p where p.id = old.post_id) then
    perform private.write_audit('delete_comment', 'comments', old.id,
      jsonb_build_object('user_id', old.user_id, 'post_id', old.post_id, 'created_at', old.created_at),
      null, jsonb_strip_nulls(jsonb_build_object('reason', v_reason)));
    if v_reason is not null then
      perform private.notify(old.user_id, 'other', 'Comment deleted for policy violation',
        'Reason: ' || v_reason, jsonb_build_object('post_id', old.post_id));
    end if;
  end if;
  return null;
end;
$$;

create or replace function public.take_down(target_type text, target_id uuid, reason text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_message private.messages;
  v_found boolean;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Enter a reason of up to 500 characters' using errcode = '23514', constraint = 'take_down_reason';
  end if;
  perform set_config('ovation.takedown_reason', v_reason, true);
  if take_down.target_type = 'post' then
    delete from private.posts p where p.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'comment' then
    delete from public.comments c where c.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'message' then
    delete from private.messages m
    where m.id = take_down.target_id
      and exists (select from public.reports r where r.target_type = 'message' and r.target_id = m.id)
    returning * into v_message;
    v_found := v_message.id is not null;
    if v_found then
      perform private.write_audit('delete_message', 'messages', v_message.id,
        jsonb_build_object('sender_id', v_message.sender_id, 'recipient_id', v_message.recipient_id, 'is_paid', v_message.is_paid,
          'media_count', cardinality(v_message.media_paths), 'created_at', v_message.created_at),
        null, jsonb_build_object('reason', v_reason));
      perform private.notify(v_message.sender_id, 'other', 'Message deleted for policy violation',
        'Reason: ' || v_reason, '{}');
    end if;
  else
    raise exception 'target_type must be post, comment, or message' using errcode = '22023', hint = 'To act against a user, suspend the account.';
  end if;
  if not v_found then
    raise sqlstate 'PT404' using message = 'This content no longer exists';
  end if;
  perform set_config('ovation.takedown_reason', '', true);
  update public.reports r set status = 'resolved', resolution = v_reason
  where r.target_type = take_down.target_type and r.target_id = take_down.target_id and r.status = 'open';
end;
$$;
