-- Up Migration

-- What a creator sells by subscription (DATA-14, DATA-15, PROD) and the read-only view of its plans (DATA-17, D13).
create table public.subscription_products (
  id          uuid primary key default gen_random_uuid(),
  creator_id  uuid not null references private.profiles on delete cascade,
  name        text not null constraint subscription_products_name_length check (name ~ '\S' and length(name) <= 100),
  description text constraint subscription_products_description_length check (length(description) <= 500),
  price_cents int not null
    constraint subscription_products_minimum_price check (price_cents >= 100)
    constraint subscription_products_maximum_price check (price_cents <= 999999),
  interval    text not null check (interval in ('day', 'week', 'month', 'year')),
  trial_days  int not null default 0 constraint subscription_products_trial_days_range check (trial_days between 0 and 90),
  is_active   boolean not null default true,
  created_at  timestamptz not null default now()
);
comment on table public.subscription_products is 'A creator''s plans. The server creates each together with its Stripe product. A plan is deactivated with is_active and never deleted, because fans may be subscribed to it.';
comment on column public.subscription_products.creator_id is 'The creator''s profiles.id.';
comment on column public.subscription_products.price_cents is 'US cents for one interval; at least $1.00 (PROD-05, CONST-01).';
comment on column public.subscription_products.trial_days is 'Free days before the first charge; 0 for no trial (PROD-11, D15).';
alter table public.subscription_products enable row level security;
create index subscription_products_creator_id_idx on public.subscription_products (creator_id, is_active, price_cents); -- API-REST-17
create table private.stripe_products (
  product_id        uuid primary key references public.subscription_products on delete cascade,
  stripe_product_id text not null unique,
  stripe_price_id   text not null unique,
  created_at        timestamptz not null default now()
);
comment on table private.stripe_products is 'Stripe''s ids of a plan. Clients don''t need them.';
alter table private.stripe_products enable row level security;
create function private.monthly_cents(price_cents int, "interval" text) returns numeric
language sql immutable set search_path = ''
as $$
  select case "interval"
    when 'day' then price_cents * 365 / 12.0
    when 'week' then price_cents * 52 / 12.0
    when 'month' then price_cents::numeric
    when 'year' then price_cents / 12.0
  end;
$$;
comment on function private.monthly_cents is 'A price per month in cents, not rounded, to compare plans of different intervals (D13).';
grant execute on function private.monthly_cents(int, text) to anon, authenticated;
create function private.require_seller() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_approved_creator(new.creator_id) then
    raise sqlstate 'PT403' using message = 'Only approved creators can sell subscriptions', hint = 'Apply at /creator-verification.';
  end if;
  if not exists (
    select from private.profiles p where p.id = new.creator_id and p.stripe_account_id is not null and p.stripe_charges_enabled
  ) then
    raise sqlstate 'PT409' using message = 'Please complete Stripe onboarding before creating products', hint = 'Set up payments at /creator-onboarding.';
  end if;
  return new;
end;
$$;
comment on function private.require_seller is 'Trigger of subscription_products, also for the server: a plan needs an approved creator (D25) whose account can take charges (PROD-08, PROD-09).';
create trigger subscription_products_require_seller before insert on public.subscription_products
  for each row execute function private.require_seller();
create function private.price_creator() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_creator uuid := case tg_op when 'DELETE' then old.creator_id else new.creator_id end;
begin
  update private.profiles p set lowest_price_cents = (
    select round(min(private.monthly_cents(s.price_cents, s.interval)), 2)
    from public.subscription_products s where s.creator_id = v_creator and s.is_active
  ) where p.id = v_creator;
  return null;
end;
$$;
comment on function private.price_creator is 'Trigger of subscription_products: maintains profiles.lowest_price_cents, the price in Explore (D36).';
create trigger subscription_products_price_creator after insert or update of price_cents, interval, is_active or delete
  on public.subscription_products for each row execute function private.price_creator();
create policy select_active on public.subscription_products for select to anon, authenticated
  using (is_active and not private.is_private_profile(creator_id));
create policy select_own on public.subscription_products for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy update_own on public.subscription_products for update to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.subscription_products to anon;
grant select, update (is_active) on public.subscription_products to authenticated;

-- insert is not granted: create-subscription-product creates the plan at Stripe and here (API-FN-03).
-- name, description, and price are not updatable: they would differ from what Stripe charges. delete is not granted: see the table's comment.

-- security_invoker: it shows the plans that the caller may see.
create view public.subscription_tiers with (security_invoker=true) as
 SELECT id,
    creator_id,
    name,
    description,
    price_cents,
    "interval",
    trial_days,
    (round(private.monthly_cents(price_cents, "interval")))::integer AS price_monthly,
    dense_rank() OVER (PARTITION BY creator_id ORDER BY (private.monthly_cents(price_cents, "interval"))) AS tier_order
   FROM public.subscription_products s
  WHERE is_active;
comment on view public.subscription_tiers is 'A creator''s active plans by price per month, read-only (D13).';
comment on column public.subscription_tiers.price_monthly is 'Per month in cents, computed from the interval. Never null.';
comment on column public.subscription_tiers.tier_order is '1 is the cheapest plan of the creator; equal prices have the same number. Never null.';
grant select on public.subscription_tiers to anon;
grant select on public.subscription_tiers to authenticated;
CREATE TRIGGER subscription_tiers_read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON public.subscription_tiers FOR EACH ROW EXECUTE FUNCTION private.reject_view_change('Change plans in subscription_products.');
grant select on public.subscription_tiers to anon, authenticated;
