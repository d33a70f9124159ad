-- Up Migration
-- Where the payment provider's figures and ours part (DESIGN §7). An empty table is what an operator hopes to see.
create table private.payment_differences (
  id             uuid primary key default gen_random_uuid(),
  cause          text not null,
  kind           text not null check (kind in ('amount', 'fee')),
  expected_cents bigint not null,
  actual_cents   bigint not null,
  found_at       timestamptz not null default now(),
  resolved_at    timestamptz,
  constraint payment_differences_once unique (cause, kind)
);
comment on table private.payment_differences is 'Figures of the payment provider that differ from what we computed. The ledger holds the provider''s, for that is what moved.';
comment on column private.payment_differences.cause is 'The Stripe object that the figures are about, e.g. an invoice id.';
comment on column private.payment_differences.kind is 'amount: what was charged is not what the invoice says. fee: the platform''s share is not the share agreed on.';
comment on column private.payment_differences.resolved_at is 'When an operator has settled it; null while it is open.';
create index payment_differences_open_idx on private.payment_differences (found_at) where resolved_at is null;
alter table private.payment_differences enable row level security;
-- No policy: the server writes it, and the operator reads it.
