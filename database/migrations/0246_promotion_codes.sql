-- Up Migration
-- Promotion codes of creators. A code is the creator's own: two creators may both call one SUMMER. What the provider knows it by is
-- another code that nobody types.
create table private.promotion_codes (
  id                   uuid primary key default gen_random_uuid(),
  creator_id           uuid not null references private.profiles on delete cascade,
  product_id           uuid references public.subscription_products on delete cascade,
  code                 text not null constraint promotion_codes_form check (code ~ '^[A-Z0-9][A-Z0-9_-]{2,29}$'),
  percent_off          int check (percent_off between 1 and 100),
  amount_off_cents     int check (amount_off_cents between 1 and 999999),
  duration             text not null check (duration in ('once', 'repeating', 'forever')),
  duration_months      int check (duration_months between 1 and 36),
  max_redemptions      int check (max_redemptions between 1 and 1000000),
  expires_at           timestamptz,
  is_active            boolean not null default true,
  stripe_coupon_id     text not null,
  stripe_promotion_id  text not null unique,
  created_at           timestamptz not null default now(),
  constraint promotion_codes_one_kind check (num_nonnulls(percent_off, amount_off_cents) = 1),
  constraint promotion_codes_months check ((duration = 'repeating') = (duration_months is not null))
);
comment on table private.promotion_codes is 'What creators take off their plans for whoever has the code. Made by the server together with its coupon at the provider; retired with is_active.';
comment on column private.promotion_codes.product_id is 'The plan it holds for; null is all of the creator''s plans.';
comment on column private.promotion_codes.code is 'In capitals, as it is typed.';
create unique index promotion_codes_one_active on private.promotion_codes (creator_id, code) where is_active;
create index promotion_codes_product_id_idx on private.promotion_codes (product_id);
alter table private.promotion_codes enable row level security;
-- No policy: whoever could list codes would need none. The server reads them for who asks by name.

alter table private.checkout_sessions add column promotion_id uuid references private.promotion_codes on delete set null;
comment on column private.checkout_sessions.promotion_id is 'The code that the page was opened with; null without one.';
create index checkout_sessions_promotion_id_idx on private.checkout_sessions (promotion_id);
