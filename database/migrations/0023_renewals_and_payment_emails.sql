-- Up Migration

-- Emails to fans about payments (receipts, refunds, failed charges, upcoming renewals), renewals that the platform holds, and payments that a
-- bank wants confirmed. An email is queued in the transaction of its reason, and a job sends it.
create table private.payment_emails (
  id              bigint generated always as identity primary key,
  kind            text not null check (kind in ('receipt', 'refund', 'payment_failed', 'trial_ends', 'renewal')),
  profile_id      uuid not null references private.profiles on delete cascade,
  transaction_id  uuid references public.transactions on delete cascade,
  subscription_id uuid references public.subscriptions on delete cascade,
  key             text not null constraint payment_emails_once unique,
  created_at      timestamptz not null default now(),
  attempts        int not null default 0,
  sent_at         timestamptz,
  constraint payment_emails_about_one check (num_nonnulls(transaction_id, subscription_id) = 1)
);
comment on table private.payment_emails is 'Queued emails to fans about payments, each written once. sent_at is set when the email was sent, or skipped because it''s no longer true or the fan has turned emails off (SET-16).';
comment on column private.payment_emails.key is 'What the email is about, such as the subscription and the end of its period, so that it is sent only once.';
alter table private.payment_emails enable row level security;
create index payment_emails_open_idx on private.payment_emails (id) where sent_at is null;
create index payment_emails_profile_id_idx on private.payment_emails (profile_id);
create index payment_emails_transaction_id_idx on private.payment_emails (transaction_id);
create index payment_emails_subscription_id_idx on private.payment_emails (subscription_id);

-- No policy: the job is the only reader.
create function private.write_receipt() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.payment_emails (kind, profile_id, transaction_id, key)
  values (case when new.transaction_type = 'refund' then 'refund' else 'receipt' end, new.from_user_id, new.id, 'transaction:' || new.id)
  on conflict on constraint payment_emails_once do nothing;
  return null;
end;
$$;
comment on function private.write_receipt is 'Trigger of transactions: queues the receipt of a payment or refund. A won dispute has a positive amount and no receipt.';
create trigger transactions_write_receipt after insert on public.transactions for each row
  when (new.from_user_id is not null and (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session')
    or (new.transaction_type = 'refund' and new.amount < 0)))
  execute function private.write_receipt();
create function private.write_dunning() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.payment_emails (kind, profile_id, subscription_id, key)
  values ('payment_failed', new.subscriber_id, new.id, 'failed:' || new.id || ':' || new.current_period_start)
  on conflict on constraint payment_emails_once do nothing;
  return null;
end;
$$;
comment on function private.write_dunning is 'Trigger of subscriptions: queues an email when a renewal couldn''t be charged, because access ends in three days (SUB-16).';
create trigger subscriptions_write_dunning after update of status on public.subscriptions
  for each row when (new.status = 'past_due' and old.status <> 'past_due') execute function private.write_dunning();
create function private.write_reminders() returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count int;
begin
  insert into private.payment_emails (kind, profile_id, subscription_id, key)
  select case s.status when 'trial' then 'trial_ends' else 'renewal' end, s.subscriber_id, s.id, 'renewal:' || s.id || ':' || s.current_period_end
  from public.subscriptions s join public.subscription_products p on p.id = s.tier_id
  where not s.cancel_at_period_end and s.current_period_end > now() and private.renewal_block_reason(s.subscriber_id, s.creator_id) is null and (
    (s.status = 'trial' and s.current_period_end <= now() + interval '3 days')
    or (s.status = 'active' and p.interval = 'year' and s.current_period_end <= now() + interval '14 days'))
  on conflict on constraint payment_emails_once do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.write_reminders is 'Queues reminders: three days before a trial ends, and two weeks before a yearly plan renews. Returns how many.';
create type private.email_to_send as (
  id bigint,
  kind text,
  email text,
  username text,
  creator_name text,
  plan_name text,
  price_cents bigint,
  plan_interval text,
  transaction_type text,
  amount_cents bigint,
  occurred_at timestamptz,
  reason text,
  due_at timestamptz,
  access_until timestamptz,
  confirm_url text
);
comment on type private.email_to_send is 'A queued email with the data for its text.';
create function private.renewal_block_reason(p_subscriber uuid, p_creator uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when exists (select from private.profiles p where p.id in (p_subscriber, p_creator) and p.suspended_at is not null)
      then 'One of the accounts is suspended'
    when exists (select from private.profiles c where c.id = p_creator and c.stripe_account_id is not null and not c.stripe_charges_enabled)
      then 'The creator can''t take payments'
  end;
$$;
comment on function private.renewal_block_reason is 'Why a subscription between the two must not be charged for now; null when it may be.';
revoke execute on function private.renewal_block_reason from public;
grant execute on function private.renewal_block_reason to service_role;

create function private.emails_to_send() returns setof private.email_to_send
language sql stable security definer set search_path = ''
as $$
  select e.id, e.kind,
    -- Nothing is sent to an unconfirmed email, or to a user who has turned emails off (SET-16).
    -- Between queueing and sending, the charge may have succeeded or the renewal been canceled. A renewal that is paused because the
    -- creator can't be paid doesn't blame the fan's card.
    case when u.email_confirmed_at is not null and settings.email and (s.id is null or (
      private.renewal_block_reason(s.subscriber_id, s.creator_id) is null and case e.kind
        when 'payment_failed' then s.status in ('past_due', 'unpaid')
        else s.status in ('trial', 'active') and not s.cancel_at_period_end end)) then u.email end,
    f.username, private.name_of(coalesce(t.to_user_id, s.creator_id)), p.name, p.price_cents, p.interval,
    coalesce(original.transaction_type, t.transaction_type), abs(t.amount), t.created_at, t.reason,
    s.current_period_end, case when isfinite(s.access_until) then s.access_until end, confirmation.url
  from private.payment_emails e
  join private.profiles f on f.id = e.profile_id
  join auth.users u on u.id = f.user_id
  join private.user_settings settings on settings.user_id = f.id
  left join public.transactions t on t.id = e.transaction_id
  left join public.transactions original on original.id = t.original_transaction_id
  left join public.subscriptions s on s.id = e.subscription_id
  left join public.subscription_products p on p.id = coalesce(s.tier_id, t.product_id)
  left join private.subscription_confirmations confirmation on confirmation.subscription_id = s.id and confirmation.product_id is null
  where e.sent_at is null and e.attempts < 10
  order by e.attempts, e.id limit 200;
$$;
comment on function private.emails_to_send is 'Emails that haven''t been sent. email is null for one that must not be sent.';

create function private.request_renewal_change(p_target text, p_kind text, p_reason text) returns void
language sql volatile security definer set search_path = ''
as $$
  -- The opposite request may still be open.
  update private.payment_tasks set done_at = now()
  where target = p_target and done_at is null and kind in ('stop_renewal', 'resume_renewal') and kind <> p_kind;
  insert into private.payment_tasks as t (kind, target, reason) values (p_kind, p_target, p_reason)
  -- An open request stays as it is: requesting it again must not reset its attempts.
  on conflict (kind, target) do update set done_at = null, attempts = 0, error = null, reason = excluded.reason, created_at = now()
  where t.done_at is not null;
$$;
comment on function private.request_renewal_change is 'Requests the provider to stop or resume a renewal (p_kind: stop_renewal, resume_renewal).';
revoke execute on function private.request_renewal_change from public;
create function private.settle_renewal(p_subscription uuid) returns void
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
      case when v_bar is null then 'Renewal resumed' else 'Renewal paused' end,
      case
        when v_bar is null then 'Your subscription to ' || private.name_of(v_subscription.creator_id) || ' will renew again.'
        when v_bar = 'The creator can''t take payments'
          then private.name_of(v_subscription.creator_id) || ' can''t take payments right now, so your subscription won''t renew until that changes. '
            || 'Nothing is wrong with your card, and you keep access for the time you paid for.'
        else 'Your subscription to ' || private.name_of(v_subscription.creator_id) || ' won''t renew for now. You keep access for the time you paid for.'
      end,
      jsonb_build_object('profile_id', v_subscription.creator_id, 'subscription_id', v_subscription.id));
  end if;
end;
$$;
comment on function private.settle_renewal is
  'Stops the renewal of a subscription that must not be charged for now, and resumes it when it may be. Called after every sync with Stripe, so that a renewal resumed elsewhere is stopped again. Idempotent.';
revoke execute on function private.settle_renewal from public;
grant execute on function private.settle_renewal to service_role;
create function private.settle_renewals(p_profile uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.settle_renewal(s.id)
  from (
    select s.id from public.subscriptions s
    where p_profile in (s.subscriber_id, s.creator_id) and s.status not in ('canceled', 'incomplete', 'incomplete_expired')
    order by s.id
  ) s;
end;
$$;
comment on function private.settle_renewals is 'Calls settle_renewal for every running subscription of and to a user.';
revoke execute on function private.settle_renewals from public;
grant execute on function private.settle_renewals to service_role;
create function private.release_renewal(p_subscription uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.payment_tasks t set done_at = now()
  from private.stripe_subscriptions k
  where k.subscription_id = p_subscription and t.target = k.stripe_subscription_id and t.kind = 'resume_renewal' and t.done_at is null;
  update private.stripe_subscriptions set renewal_held = false where subscription_id = p_subscription and renewal_held;
$$;
comment on function private.release_renewal is 'Clears the hold when the fan has canceled, so that its end doesn''t resume the renewal.';
revoke execute on function private.release_renewal from public;
grant execute on function private.release_renewal to service_role;

-- Requests to the provider are sent immediately, not at the next run of the scheduled job: a trial might end in between.
create function private.announce_payment_task() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('ovation_payment_tasks', '');
  return null;
end;
$$;
comment on function private.announce_payment_task is 'Trigger of payment_tasks: wakes the job that sends them when the transaction commits.';
create trigger payment_tasks_announce_new after insert on private.payment_tasks
  for each row when (new.done_at is null) execute function private.announce_payment_task();

-- A failed attempt leaves done_at null, so it doesn't notify, and the job retries it.
create trigger payment_tasks_announce_again after update of done_at on private.payment_tasks
  for each row when (old.done_at is not null and new.done_at is null) execute function private.announce_payment_task();

-- Payments that the fan has to confirm with their bank, with the URL of the page for it.
create table private.subscription_confirmations (
  subscription_id uuid primary key references public.subscriptions on delete cascade,
  product_id      uuid references public.subscription_products on delete cascade,
  invoice_id      text not null,
  url             text not null,
  expires_at      timestamptz,
  created_at      timestamptz not null default now(),
  constraint subscription_confirmations_switch_expires check ((product_id is null) = (expires_at is null))
);
comment on table private.subscription_confirmations is 'Payments that the fan has to confirm with their bank: a renewal, or a switch to another plan. Deleted when paid or canceled.';
comment on column private.subscription_confirmations.product_id is 'The new plan; null for a renewal.';
comment on column private.subscription_confirmations.url is 'The provider''s page of the invoice. Anyone with the URL sees the invoice, so only the fan gets it.';
comment on column private.subscription_confirmations.expires_at is 'When the provider cancels the switch; null for a renewal.';
alter table private.subscription_confirmations enable row level security;
create index subscription_confirmations_product_id_idx on private.subscription_confirmations (product_id);

-- No policy: fans read their own with get_own_confirmations.
create function private.settle_confirmation(
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
comment on function private.settle_confirmation is
  'Stores whether a payment of a subscription needs confirmation with the fan''s bank (p_invoice; null: none), and notifies the fan of the outcome. p_asked_at: when the provider''s state was read. Idempotent.';
revoke execute on function private.settle_confirmation from public;
grant execute on function private.settle_confirmation to service_role;
create type public.own_confirmation as (
  subscription_id uuid,
  product_id uuid,
  plan_name text,
  url text,
  expires_at timestamptz
);
comment on type public.own_confirmation is 'A payment that the caller has to confirm with their bank.';
comment on column public.own_confirmation.subscription_id is 'Never null.';
comment on column public.own_confirmation.product_id is 'The new plan; null for a renewal.';
comment on column public.own_confirmation.plan_name is 'The name of the new plan; null for a renewal.';
comment on column public.own_confirmation.url is 'The provider''s page for confirming it. Never null.';
comment on column public.own_confirmation.expires_at is 'When the switch expires; null for a renewal.';
create function public.get_own_confirmations() returns setof public.own_confirmation
language sql stable security definer set search_path = ''
as $$
  select c.subscription_id, c.product_id, t.name, c.url, c.expires_at
  from private.subscription_confirmations c
  join public.subscriptions s on s.id = c.subscription_id
  left join public.subscription_products t on t.id = c.product_id
  where s.subscriber_id = (select private.my_profile_id())
  order by c.created_at;
$$;
comment on function public.get_own_confirmations is 'The payments that the caller has to confirm with their bank. Security definer: no one else, not even the creator, may see the invoices of a fan.';
revoke execute on function public.get_own_confirmations from public;
grant execute on function public.get_own_confirmations() to authenticated;
