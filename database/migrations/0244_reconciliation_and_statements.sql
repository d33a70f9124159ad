-- Up Migration
-- What the daily comparison with the payment provider may find, and a person's own account as a list that can be checked offline.
alter table private.payment_differences
  drop constraint payment_differences_kind_known,
  add constraint payment_differences_kind_known
    check (kind in ('amount', 'fee', 'dispute', 'payout', 'missing', 'unknown', 'returned'));
comment on column private.payment_differences.kind is
  'amount: what was charged is not what the invoice says. fee: the platform''s share is not the share agreed on. dispute: more was disputed than was left of the payment. payout: more was paid out than the books have. missing: the provider has a payment of ours that is not in the books. unknown: the books have one that the provider does not know. returned: refunds and disputes add up to another sum.';

create function private.note_difference(p_cause text, p_kind text, p_expected_cents bigint, p_actual_cents bigint) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
  values (p_cause, p_kind, p_expected_cents, p_actual_cents)
  on conflict on constraint payment_differences_once do update set
    expected_cents = excluded.expected_cents, actual_cents = excluded.actual_cents, resolved_at = null,
    found_at = case when payment_differences.resolved_at is null then payment_differences.found_at else now() end;
$$;
comment on function private.note_difference is 'A difference that reconciliation sees now; one that was settled is open again.';

-- A payout that was booked before the payments behind it looked too large, and so does one that went out before a refund or a dispute
-- took the money back. Neither is wrong: it is when more went out than had ever come in.
create function private.was_covered(p_payout_cause text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(other.amount_cents), 0) <= 0
  from private.ledger_transactions payout
  join private.ledger_entries e on e.transaction_id = payout.id
  join private.ledger_accounts a on a.id = e.account_id and a.code like 'creator:%'
  join private.ledger_entries other on other.account_id = a.id
  join private.ledger_transactions moved on moved.id = other.transaction_id and moved.occurred_at <= payout.occurred_at and moved.type <> 'refund'
  where payout.cause = p_payout_cause;
$$;
comment on function private.was_covered is 'Whether a payout was no more than had come into its account by that moment, by the provider''s clock, and not been paid out.';

create function private.settle_differences(p_since timestamptz, p_seen text[]) returns int
language sql volatile security definer set search_path = ''
as $$
  with settled as (
    update private.payment_differences d set resolved_at = now()
    where d.resolved_at is null and (
      (d.kind in ('missing', 'unknown', 'returned') and d.found_at < p_since and not (d.kind || ' ' || d.cause = any(p_seen)))
      or (d.kind = 'payout' and private.was_covered(d.cause))
    )
    returning 1
  )
  select count(*)::int from settled;
$$;
comment on function private.settle_differences is 'Closes what reconciliation had found before and does not find any more. Returns how many.';

create type private.statement_line as (
  seq bigint, account text, occurred_at text, type text, cause text, currency text, amount_cents bigint, balance_cents bigint,
  previous_hash text, hash text
);
comment on type private.statement_line is 'An entry of a person''s account in the ledger. amount_cents: negative is a credit, which is what a creator earns. balance_cents: what was owed to them after it.';

create function private.read_statement(p_profile uuid) returns setof private.statement_line
language sql stable security definer set search_path = ''
as $$
  select e.seq, a.code, to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), t.type, t.cause, t.currency,
    e.amount_cents, (-sum(e.amount_cents) over (order by e.seq))::bigint, encode(e.previous_hash, 'hex'), encode(e.hash, 'hex')
  from private.ledger_accounts a
  join private.ledger_entries e on e.account_id = a.id
  join private.ledger_transactions t on t.id = e.transaction_id
  where a.code = 'creator:' || p_profile
  order by e.seq;
$$;
comment on function private.read_statement is 'All entries of a person''s account, oldest first, with what private.ledger_entry_text needs to recompute each hash.';
