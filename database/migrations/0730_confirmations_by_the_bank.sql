-- Up Migration
-- A bank that asks its customer first is no dead end: what waits for the fan's word is kept with the page on which they give it.
create table private.subscription_confirmations (
  subscription_id uuid primary key references public.subscriptions on delete cascade,
  product_id      uuid references public.subscription_products on delete cascade,
  invoice_id      text not null,
  url             text not null,
  expires_at      timestamptz,
  created_at      timestamptz not null default now(),
  constraint subscription_confirmations_switch_expires check ((product_id is null) = (expires_at is null))
);
comment on table private.subscription_confirmations is 'Payments that wait for the fan to confirm with their bank: a renewal, or the switch to another plan. Gone once it is paid or dropped.';
comment on column private.subscription_confirmations.product_id is 'The plan that is switched to; null for a renewal.';
comment on column private.subscription_confirmations.url is 'The provider''s page of the invoice. Whoever has it sees the invoice: it is shown to the fan alone.';
comment on column private.subscription_confirmations.expires_at is 'When the provider drops the switch. Null for a renewal.';
create index subscription_confirmations_product_id_idx on private.subscription_confirmations (product_id);
alter table private.subscription_confirmations enable row level security;
-- No policy: the fan reads their own by get_own_confirmations.

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
begin
  -- An answer that is older than what we know says nothing.
  perform from private.stripe_subscriptions k where k.subscription_id = p_subscription and k.last_event_at <= p_asked_at for update;
  if not found then
    return;
  end if;
  select * into v_subscription from public.subscriptions s where s.id = p_subscription;
  select * into v_before from private.subscription_confirmations c where c.subscription_id = p_subscription;
  -- A card that is refused on the page, after the bank was asked, leaves the switch waiting there for another one.
  if p_invoice is not null and (p_bank_asks or (p_product is not null and v_before.invoice_id = p_invoice)) then
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
  if v_before.product_id is not null and v_subscription.status in ('active', 'trial') then
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
  'Takes over whether a payment of a subscription waits for the fan''s bank (p_invoice; null: none), and tells the fan what became of one. p_asked_at: when the provider was asked. Idempotent.';
revoke execute on function private.settle_confirmation from public;
grant execute on function private.settle_confirmation to service_role;

create type public.own_confirmation as (subscription_id uuid, product_id uuid, plan_name text, url text, expires_at timestamptz);
comment on type public.own_confirmation is 'A payment of the caller''s that waits for their bank.';
comment on column public.own_confirmation.subscription_id is 'Never null.';
comment on column public.own_confirmation.product_id is 'The plan that is switched to; null for a renewal.';
comment on column public.own_confirmation.plan_name is 'Its name; null for a renewal.';
comment on column public.own_confirmation.url is 'The provider''s page on which it is confirmed. Never null.';
comment on column public.own_confirmation.expires_at is 'Until when a switch can be confirmed; null for a renewal.';

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
comment on function public.get_own_confirmations is 'The caller''s payments that wait for their bank. Security definer: nobody else, the creator neither, sees the pages of a fan''s invoices.';
revoke execute on function public.get_own_confirmations from public;
grant execute on function public.get_own_confirmations() to authenticated;

-- The letter about a renewal that failed leads to the bank's question where there is one.
alter type private.letter_to_send add attribute confirm_url text;
create or replace function private.letters_to_send() returns setof private.letter_to_send
language sql stable security definer set search_path = ''
as $$
  select l.id, l.kind,
    -- Nothing goes to an address that nobody has confirmed, or to a person who wants no mail (SET-16).
    case when u.email_confirmed_at is not null and settings.email then u.email end,
    f.username, private.name_of(coalesce(t.to_user_id, s.creator_id)), p.name, p.price_cents, p.interval,
    coalesce(original.transaction_type, t.transaction_type), abs(t.amount), t.created_at, t.reason,
    s.current_period_end, case when isfinite(s.access_until) then s.access_until end, confirmation.url
  from private.payment_letters l
  join private.profiles f on f.id = l.profile_id
  join auth.users u on u.id = f.user_id
  join private.user_settings settings on settings.user_id = f.id
  left join public.transactions t on t.id = l.transaction_id
  left join public.transactions original on original.id = t.original_transaction_id
  left join public.subscriptions s on s.id = l.subscription_id
  left join public.subscription_products p on p.id = coalesce(s.tier_id, t.product_id)
  left join private.subscription_confirmations confirmation on confirmation.subscription_id = s.id and confirmation.product_id is null
  where l.sent_at is null and l.attempts < 10
  order by l.attempts, l.id limit 200;
$$;
