/**
 * Objects are kept as the JSON that the API shows, beside what it must not show (`hidden`) and the time at which
 * the clock has to look at them (`due_at`). `account` is the owner: '' is the platform, else `acct_…`.
 */
export const schema = `
pragma journal_mode = wal;
pragma synchronous = full;
pragma busy_timeout = 5000;

create table if not exists objects (
  seq     integer primary key,
  id      text not null unique,
  kind    text not null,
  account text not null,
  created integer not null,
  data    text not null check (json_valid(data)),
  hidden  text,
  due_at  integer
) strict;
create index if not exists objects_kind on objects (kind, account, seq);
create index if not exists objects_due on objects (due_at, seq) where due_at is not null;
-- The columns that lists filter by.
create index if not exists objects_customer on objects (json_extract(data, '$.customer')) where json_extract(data, '$.customer') is not null;
create index if not exists objects_charge on objects (json_extract(data, '$.charge')) where json_extract(data, '$.charge') is not null;
create index if not exists objects_invoice on objects (json_extract(data, '$.invoice')) where json_extract(data, '$.invoice') is not null;
create index if not exists objects_payment_intent on objects (json_extract(data, '$.payment_intent')) where json_extract(data, '$.payment_intent') is not null;

-- One row for each event and endpoint. done_at stays null until the endpoint has answered 2xx.
create table if not exists deliveries (
  seq        integer primary key,
  event      text not null,
  endpoint   text not null,
  attempts   integer not null default 0,
  queued_at_ms integer not null,
  next_at_ms integer not null,
  done_at_ms integer,
  last_error text,
  unique (event, endpoint)
) strict;
create index if not exists deliveries_due on deliveries (next_at_ms) where done_at_ms is null;

create table if not exists idempotency (
  account     text not null,
  key         text not null,
  fingerprint text not null,
  status      integer not null,
  body        text not null,
  created_ms  integer not null,
  primary key (account, key)
) strict;
create index if not exists idempotency_created on idempotency (created_ms);

create table if not exists settings (key text primary key, value text not null) strict;
`
