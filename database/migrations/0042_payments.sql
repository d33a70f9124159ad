-- Up Migration
-- What the server remembers between its calls to Stripe and Stripe's answers (DESIGN §7). Nobody but the server reads it.
create table private.stripe_events (
  id           text primary key,
  type         text not null,
  payload      jsonb not null,
  created_at   timestamptz not null,
  received_at  timestamptz not null default now(),
  processed_at timestamptz,
  error        text
);
comment on table private.stripe_events is 'Every verified webhook event, stored once before it is answered; a job fulfils it.';
comment on column private.stripe_events.id is 'Stripe''s event id: a second delivery finds the first.';
comment on column private.stripe_events.created_at is 'Stripe''s time of the event, in whole seconds.';
comment on column private.stripe_events.error is 'Why the last attempt failed; null when it succeeded.';
create index stripe_events_unprocessed_idx on private.stripe_events (received_at) where processed_at is null;

create table private.stripe_customers (
  profile_id  uuid primary key references private.profiles on delete cascade,
  customer_id text not null unique,
  created_at  timestamptz not null default now()
);
comment on table private.stripe_customers is 'Who a paying fan is at Stripe.';

create table private.checkout_sessions (
  id           text primary key,
  kind         text not null check (kind in ('subscription', 'ppv', 'tip', 'message', 'session')),
  profile_id   uuid not null references private.profiles on delete cascade,
  creator_id   uuid not null references private.profiles on delete cascade,
  product_id   uuid references public.subscription_products on delete cascade,
  url          text not null,
  status       text not null default 'open' check (status in ('open', 'complete', 'expired')),
  created_at   timestamptz not null default now(),
  completed_at timestamptz
);
comment on table private.checkout_sessions is 'Checkouts that were started: who, with whom, for what. Stripe''s session id names them.';
comment on column private.checkout_sessions.profile_id is 'The fan who pays.';
create index checkout_sessions_profile_id_idx on private.checkout_sessions (profile_id, creator_id, created_at desc);
create index checkout_sessions_creator_id_idx on private.checkout_sessions (creator_id);
create index checkout_sessions_product_id_idx on private.checkout_sessions (product_id);

alter table private.stripe_events enable row level security;
alter table private.stripe_customers enable row level security;
alter table private.checkout_sessions enable row level security;
