-- Up Migration
-- What each account of the ledger holds, kept with each movement: a page that shows it reads a row, however long the books have become.
create table private.ledger_balances (
  account_id    uuid primary key references private.ledger_accounts on delete restrict,
  balance_cents bigint not null
);
comment on table private.ledger_balances is 'The sum of each account''s entries. Written by the trigger of ledger_entries alone; private.verify_ledger adds the entries up again.';
comment on column private.ledger_balances.balance_cents is 'Positive is debit, as in ledger_entries.';
alter table private.ledger_balances enable row level security;
-- No policy, and nobody writes it by hand.
revoke insert, update, delete on private.ledger_balances from service_role;

insert into private.ledger_balances (account_id, balance_cents)
select e.account_id, sum(e.amount_cents) from private.ledger_entries e group by e.account_id;

create function private.add_to_balances() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- The rows are free: chain_ledger_entry holds the accounts' locks until this transaction ends.
  insert into private.ledger_balances as b (account_id, balance_cents)
  select e.account_id, sum(e.amount_cents) from written e group by e.account_id order by e.account_id
  on conflict (account_id) do update set balance_cents = b.balance_cents + excluded.balance_cents;
  return null;
end;
$$;
comment on function private.add_to_balances is 'Trigger of ledger_entries: adds what was written to the balances of its accounts.';
create trigger ledger_entries_balances after insert on private.ledger_entries
  referencing new table as written for each statement execute function private.add_to_balances();

create or replace function private.balance_of(p_profile uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select -b.balance_cents
    from private.ledger_accounts a join private.ledger_balances b on b.account_id = a.id
    where a.code = 'creator:' || p_profile
  ), 0);
$$;

-- As before (0040), with the balances that are kept.
create or replace function private.verify_ledger() returns table (account_code text, seq bigint, problem text)
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
  select c.code, c.seq, 'an entry is missing before this one' from chain c where c.seq <> c.expected_seq
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
  select a.code, null, 'has another balance than its entries add up to'
  from private.ledger_accounts a
  left join private.ledger_balances b on b.account_id = a.id
  left join lateral (select sum(e.amount_cents) as cents from private.ledger_entries e where e.account_id = a.id) added on true
  where coalesce(b.balance_cents, 0) <> coalesce(added.cents, 0);
$$;
comment on function private.verify_ledger is 'Every broken link, changed entry, unbalanced movement and wrong balance; none in sound books.';

-- All accounts together are nothing, so what creators are owed is what lies at the provider less what the platform has kept.
create or replace function public.get_platform_balances() returns public.platform_balances
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_balances public.platform_balances;
begin
  perform private.require_admin();
  select coalesce(sum(b.balance_cents), 0) / 100.0,
    coalesce(-sum(b.balance_cents) filter (where a.code = 'platform_fees'), 0) / 100.0
  into v_balances
  from private.ledger_accounts a join private.ledger_balances b on b.account_id = a.id where a.code in ('stripe', 'platform_fees');
  return v_balances;
end;
$$;
