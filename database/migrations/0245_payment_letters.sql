-- Up Migration
-- What a fan is told by mail about their money: receipts, refunds, a charge that failed, and a renewal that they may have forgotten.
-- The letter is written with its reason, in one transaction, and a job sends it.
create table private.payment_letters (
  id              bigint generated always as identity primary key,
  kind            text not null check (kind in ('receipt', 'refund', 'payment_failed', 'trial_ends', 'renewal')),
  profile_id      uuid not null references private.profiles on delete cascade,
  transaction_id  uuid references public.transactions on delete cascade,
  subscription_id uuid references public.subscriptions on delete cascade,
  key             text not null constraint payment_letters_once unique,
  created_at      timestamptz not null default now(),
  attempts        int not null default 0,
  sent_at         timestamptz,
  constraint payment_letters_about_one check (num_nonnulls(transaction_id, subscription_id) = 1)
);
comment on table private.payment_letters is 'Letters to fans about their money, each written once. Sent, or left out because the person wants no mail (SET-16), it has a sent_at.';
comment on column private.payment_letters.key is 'What it is about, so that the same news is one letter: e.g. the subscription and the end of its period.';
create index payment_letters_open_idx on private.payment_letters (id) where sent_at is null;
create index payment_letters_profile_id_idx on private.payment_letters (profile_id);
create index payment_letters_transaction_id_idx on private.payment_letters (transaction_id);
create index payment_letters_subscription_id_idx on private.payment_letters (subscription_id);
alter table private.payment_letters enable row level security;
-- No policy: the job is the only reader.

create function private.write_receipt() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.payment_letters (kind, profile_id, transaction_id, key)
  values (case when new.transaction_type = 'refund' then 'refund' else 'receipt' end, new.from_user_id, new.id, 'transaction:' || new.id)
  on conflict on constraint payment_letters_once do nothing;
  return null;
end;
$$;
comment on function private.write_receipt is 'Trigger of payments and refunds: the fan gets it in writing. A dispute that is won brings no letter: its amount is positive.';
create trigger transactions_write_receipt after insert on public.transactions
  for each row when (new.from_user_id is not null and (
    new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') or (new.transaction_type = 'refund' and new.amount < 0)))
  execute function private.write_receipt();

create function private.write_dunning() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.payment_letters (kind, profile_id, subscription_id, key)
  values ('payment_failed', new.subscriber_id, new.id, 'failed:' || new.id || ':' || new.current_period_start)
  on conflict on constraint payment_letters_once do nothing;
  return null;
end;
$$;
comment on function private.write_dunning is 'Trigger of subscriptions: a renewal could not be charged, and access ends in three days (SUB-16).';
create trigger subscriptions_write_dunning after update of status on public.subscriptions
  for each row when (new.status = 'past_due' and old.status <> 'past_due') execute function private.write_dunning();

create function private.write_reminders() returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count int;
begin
  insert into private.payment_letters (kind, profile_id, subscription_id, key)
  select case s.status when 'trial' then 'trial_ends' else 'renewal' end, s.subscriber_id, s.id, 'renewal:' || s.id || ':' || s.current_period_end
  from public.subscriptions s join public.subscription_products p on p.id = s.tier_id
  where not s.cancel_at_period_end and s.current_period_end > now() and (
    (s.status = 'trial' and s.current_period_end <= now() + interval '3 days')
    or (s.status = 'active' and p.interval = 'year' and s.current_period_end <= now() + interval '14 days'))
  on conflict on constraint payment_letters_once do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.write_reminders is 'Letters about charges that are easily forgotten: three days before a trial ends, two weeks before a yearly plan renews. Returns how many.';

create type private.letter_to_send as (
  id bigint, kind text, email text, username text, creator_name text, plan_name text, price_cents bigint, plan_interval text,
  transaction_type text, amount_cents bigint, occurred_at timestamptz, reason text, due_at timestamptz, access_until timestamptz
);
comment on type private.letter_to_send is 'A letter with all that its words need.';

create function private.letters_to_send() returns setof private.letter_to_send
language sql stable security definer set search_path = ''
as $$
  select l.id, l.kind,
    -- Nothing goes to an address that nobody has confirmed, or to a person who wants no mail (SET-16).
    case when u.email_confirmed_at is not null and settings.email then u.email end,
    f.username, private.name_of(coalesce(t.to_user_id, s.creator_id)), p.name, p.price_cents, p.interval,
    coalesce(original.transaction_type, t.transaction_type), abs(t.amount * 100)::bigint, t.created_at, t.reason,
    s.current_period_end, case when isfinite(s.access_until) then s.access_until end
  from private.payment_letters l
  join private.profiles f on f.id = l.profile_id
  join auth.users u on u.id = f.user_id
  join private.user_settings settings on settings.user_id = f.id
  left join public.transactions t on t.id = l.transaction_id
  left join public.transactions original on original.id = t.original_transaction_id
  left join public.subscriptions s on s.id = l.subscription_id
  left join public.subscription_products p on p.id = coalesce(s.tier_id, t.product_id)
  where l.sent_at is null and l.attempts < 10
  order by l.attempts, l.id limit 200;
$$;
comment on function private.letters_to_send is 'Letters that wait, with their words. email is null for one that is not to be sent.';
