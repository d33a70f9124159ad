-- Up Migration

-- The ledger: double entry, integer cents, append-only, chained by hashes (D5). Users see public.transactions.
create table private.ledger_accounts (
  id         uuid primary key default gen_random_uuid(),
  code       text not null constraint ledger_accounts_code_key unique check (code ~ '^[a-z_]+(:[0-9a-f-]+)?$'),
  kind       text not null check (kind in ('asset', 'liability', 'revenue', 'expense')),
  profile_id uuid,
  created_at timestamptz not null default now()
);
comment on table private.ledger_accounts is 'Accounts of the ledger: `stripe` (money at the provider), `platform_fees`, and `creator:{profiles.id}` (earnings that haven''t been paid out).';
comment on column private.ledger_accounts.profile_id is 'The owner of the account. No foreign key: the ledger outlives a deleted profile.';
alter table private.ledger_accounts enable row level security;
create index ledger_accounts_profile_id_idx on private.ledger_accounts (profile_id);
create table private.ledger_transactions (
  id          uuid primary key default gen_random_uuid(),
  cause       text not null constraint ledger_transactions_cause_key unique check (cause ~ '^[^|[:cntrl:]]{1,255}$'),
  type        text not null constraint ledger_transactions_type_known check (type in ('subscription', 'ppv', 'tip', 'paid_message',
    'private_session', 'refund', 'referral_reward', 'referral_commission', 'payout')),
  currency    text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
  occurred_at timestamptz not null,
  created_at  timestamptz not null default now()
);
comment on table private.ledger_transactions is 'One movement of money. The amounts of its entries sum to zero.';
comment on column private.ledger_transactions.cause is 'The id of the Stripe object that moved the money, such as an invoice. Unique, so that nothing is counted twice.';
comment on column private.ledger_transactions.occurred_at is 'The provider''s time of the movement.';
alter table private.ledger_transactions enable row level security;
create table private.ledger_entries (
  id             uuid primary key default gen_random_uuid(),
  transaction_id uuid not null references private.ledger_transactions on delete restrict,
  account_id     uuid not null references private.ledger_accounts on delete restrict,
  amount_cents   bigint not null check (amount_cents <> 0),
  seq            bigint not null check (seq >= 1),
  previous_hash  bytea not null check (length(previous_hash) = 32),
  hash           bytea not null check (length(hash) = 32),
  created_at     timestamptz not null default now(),
  constraint ledger_entries_once_per_account unique (transaction_id, account_id),
  constraint ledger_entries_chain unique (account_id, seq)
);
comment on table private.ledger_entries is 'The two or more entries of a movement. The entries of each account form a chain of hashes.';
comment on column private.ledger_entries.amount_cents is 'Positive is a debit, negative is a credit. A creator''s earnings are credits.';
comment on column private.ledger_entries.seq is '1, 2, 3, … within the account.';
comment on column private.ledger_entries.hash is 'sha256 of private.ledger_entry_text; the first entry follows 32 zero bytes.';
alter table private.ledger_entries enable row level security;

-- The canonical form of an entry. A creator with a statement, which contains these values line by line, can recompute the chain with any
-- SHA-256 tool:
--   v1|seq|account code|cause|type|amount in cents, signed|currency|occurred_at in UTC, microseconds|previous hash in hex
create function private.ledger_entry_text(
  seq bigint, account_code text, cause text, type text, amount_cents bigint, currency text, occurred_at timestamptz, previous_hash bytea
) returns text
language sql stable set search_path = ''
as $$
  select concat_ws('|', 'v1', seq, account_code, cause, type, amount_cents, currency,
    to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), encode(previous_hash, 'hex'));
$$;
comment on function private.ledger_entry_text is 'The text that is hashed for an entry. Its format never changes; a new format would get a new version.';

-- The database sets seq and the hashes, no matter what the writer sends.
create function private.chain_ledger_entry() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_code text;
  v_transaction private.ledger_transactions;
begin
  -- One writer for each account at a time, until its transaction ends. Writers lock accounts in the order of their ids (private.post_ledger).
  perform pg_advisory_xact_lock(hashtextextended('ledger:' || new.account_id, 0));
  select a.code into v_code from private.ledger_accounts a where a.id = new.account_id;
  select t.* into v_transaction from private.ledger_transactions t where t.id = new.transaction_id;
  select e.seq + 1, e.hash into new.seq, new.previous_hash
  from private.ledger_entries e where e.account_id = new.account_id order by e.seq desc limit 1;
  new.seq := coalesce(new.seq, 1);
  if new.seq = 1 then
    new.previous_hash := decode(repeat('00', 32), 'hex');
  end if;
  new.hash := sha256(convert_to(private.ledger_entry_text(new.seq, v_code, v_transaction.cause, v_transaction.type, new.amount_cents,
    v_transaction.currency, v_transaction.occurred_at, new.previous_hash), 'UTF8'));
  return new;
end;
$$;
comment on function private.chain_ledger_entry is 'Trigger of ledger_entries: sets the number and the hash of an entry in its account''s chain.';
create trigger ledger_entries_chain before insert on private.ledger_entries for each row execute function private.chain_ledger_entry();
create function private.require_balance() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid := case tg_table_name when 'ledger_transactions' then new.id else (to_jsonb(new) ->> 'transaction_id')::uuid end;
  v_sum bigint;
  v_count int;
begin
  select coalesce(sum(e.amount_cents), 0), count(*) into v_sum, v_count from private.ledger_entries e where e.transaction_id = v_id;
  if v_sum <> 0 or v_count < 2 then
    raise exception 'Ledger transaction % does not balance: % entries, sum % cents', v_id, v_count, v_sum using errcode = '23514';
  end if;
  return null;
end;
$$;
comment on function private.require_balance is 'Constraint trigger, checked at commit: a movement has at least two entries, and they sum to zero.';
create constraint trigger ledger_transactions_balance after insert on private.ledger_transactions
  deferrable initially deferred for each row execute function private.require_balance();
create constraint trigger ledger_entries_balance after insert on private.ledger_entries
  deferrable initially deferred for each row execute function private.require_balance();
create trigger ledger_accounts_append_only before update or delete on private.ledger_accounts for each row execute function private.reject_change();
create trigger ledger_accounts_no_truncate before truncate on private.ledger_accounts execute function private.reject_change();
create trigger ledger_transactions_append_only before update or delete on private.ledger_transactions for each row execute function private.reject_change();
create trigger ledger_transactions_no_truncate before truncate on private.ledger_transactions execute function private.reject_change();
create trigger ledger_entries_append_only before update or delete on private.ledger_entries for each row execute function private.reject_change();
create trigger ledger_entries_no_truncate before truncate on private.ledger_entries execute function private.reject_change();
revoke update, delete on private.ledger_accounts, private.ledger_transactions, private.ledger_entries from service_role;
create function private.ledger_account(p_code text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  insert into private.ledger_accounts (code, kind, profile_id)
  values (
    p_code,
    case split_part(p_code, ':', 1) when 'stripe' then 'asset' when 'platform_fees' then 'revenue' else 'liability' end,
    nullif(split_part(p_code, ':', 2), '')::uuid
  )
  on conflict (code) do nothing;
  select a.id into v_id from private.ledger_accounts a where a.code = p_code;
  return v_id;
end;
$$;
comment on function private.ledger_account is 'The account with this code; creates it if necessary.';
create function private.post_ledger(p_cause text, p_type text, p_currency text, p_occurred_at timestamptz, p_entries jsonb) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.lock_books();
  insert into private.ledger_transactions (cause, type, currency, occurred_at)
  values (p_cause, p_type, p_currency, p_occurred_at)
  on conflict (cause) do nothing
  returning id into v_id;
  if v_id is null then
    return null;
  end if;
  insert into private.ledger_entries (transaction_id, account_id, amount_cents)
  select v_id, e.account_id, e.amount_cents
  from (
    select private.ledger_account(j.key) as account_id, j.value::bigint as amount_cents from jsonb_each_text(p_entries) j
  ) e
  where e.amount_cents <> 0
  order by e.account_id;
  return v_id;
end;
$$;
comment on function private.post_ledger is
  'Writes one movement. p_entries maps account codes to signed cents. Returns its id, or null when the cause is already in the ledger.';

-- Recomputes every chain and balance. An empty result proves that the ledger is intact.
create function private.verify_ledger() returns table (account_code text, seq bigint, problem text)
language sql stable security definer set search_path = ''
as $$
  with chain as (
    select a.code, e.seq, e.hash, e.previous_hash, t.cause, t.type, e.amount_cents, t.currency, t.occurred_at,
      lag(e.hash, 1, decode(repeat('00', 32), 'hex')) over w as expected_previous,
      row_number() over w as expected_seq
    from private.ledger_entries e
    join private.ledger_accounts a on a.id = e.account_id
    join private.ledger_transactions t on t.id = e.transaction_id
    window w as (partition by e.account_id order by e.seq)
  )
  select c.code, c.seq, 'the entry before this one is missing' from chain c where c.seq <> c.expected_seq
  union all
  select c.code, c.seq, 'does not follow the entry before it' from chain c where c.previous_hash <> c.expected_previous
  union all
  select c.code, c.seq, 'was changed after it was written' from chain c
  where c.hash <> sha256(convert_to(private.ledger_entry_text(c.seq, c.code, c.cause, c.type, c.amount_cents, c.currency, c.occurred_at, c.previous_hash), 'UTF8'))
  union all
  select t.cause, null, 'does not sum to zero'
  from private.ledger_transactions t left join private.ledger_entries e on e.transaction_id = t.id
  group by t.id having coalesce(sum(e.amount_cents), 0) <> 0 or count(e.id) < 2
  union all
  select a.code, null, 'has a balance that differs from the sum of its entries'
  from private.ledger_accounts a
  left join private.ledger_balances b on b.account_id = a.id
  left join lateral (select sum(e.amount_cents) as cents from private.ledger_entries e where e.account_id = a.id) added on true
  where coalesce(b.balance_cents, 0) <> coalesce(added.cents, 0);
$$;
comment on function private.verify_ledger is 'Broken links, changed entries, unbalanced movements, and wrong balances. No rows when the ledger is intact.';

-- The balance of each account, updated with each movement, so that reading it takes one row, no matter how many entries there are.
create table private.ledger_balances (
  account_id    uuid primary key references private.ledger_accounts on delete restrict,
  balance_cents bigint not null
);
comment on table private.ledger_balances is 'The sum of each account''s entries. Only the trigger of ledger_entries writes it; private.verify_ledger recomputes it.';
comment on column private.ledger_balances.balance_cents is 'Positive is a debit, as in ledger_entries.';
alter table private.ledger_balances enable row level security;

-- No policy, and no role can write it directly.
revoke insert, update, delete on private.ledger_balances from service_role;
create function private.add_to_balances() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- No one else writes these rows: private.chain_ledger_entry holds the accounts' locks until this transaction ends.
  insert into private.ledger_balances as b (account_id, balance_cents)
  select e.account_id, sum(e.amount_cents) from written e group by e.account_id order by e.account_id
  on conflict (account_id) do update set balance_cents = b.balance_cents + excluded.balance_cents;
  return null;
end;
$$;
comment on function private.add_to_balances is 'Trigger of ledger_entries: adds the new entries to the balances of their accounts.';
create trigger ledger_entries_balances after insert on private.ledger_entries
  referencing new table as written for each statement execute function private.add_to_balances();
