-- Up Migration

-- Referrals, and the rewards and commissions for referring creators (DATA-29, DATA-30, DATA-33, REF-05, REF-14..REF-22, RPC-03, D17, D30, D31).
create table public.referrals (
  id            uuid primary key default gen_random_uuid(),
  referrer_id   uuid not null references private.profiles on delete cascade,
  referred_id   uuid,
  referral_code text not null,
  status        text not null default 'pending' check (status in ('pending', 'completed', 'paid')),
  reward_amount integer not null default 0,
  created_at    timestamptz not null default now(),
  completed_at timestamptz,
  paid_at timestamptz,
  commission_amount integer not null default 0,
  constraint referrals_invited_once unique (referred_id),
  constraint referrals_not_self check (referrer_id <> referred_id),
  constraint referrals_referred_id_fkey foreign key (referred_id) references private.profiles on delete set null,
  constraint referrals_completed_has_time check ((status = 'pending') = (completed_at is null)),
  constraint referrals_paid_has_time check ((status = 'paid') = (paid_at is not null)),
  constraint referrals_pending_has_person check (referred_id is not null or status <> 'pending'),
  constraint referrals_reward_amount_check check (reward_amount >= 0),
  constraint referrals_commission_cap check (commission_amount between 0 and 75000)
);
comment on table public.referrals is 'Referrals that led to an account. Recorded by the server at sign-up.';
comment on column public.referrals.referrer_id is 'The profiles.id of the user who referred.';
comment on column public.referrals.referred_id is 'The profiles.id of the user who joined. Each user is referred at most once. Null after that account was deleted: what it earned for the referrer stays; a pending referral is deleted.';
comment on column public.referrals.reward_amount is 'This referral''s share of the $10 reward, in cents: a tenth, because ten referrals earn it together.';
comment on column public.referrals.completed_at is 'When the referred user became an approved creator; the six months of commission begin here (REF-19).';
comment on column public.referrals.paid_at is 'When the reward was credited.';
comment on column public.referrals.commission_amount is 'Commission from the referred creator''s earnings, in cents, after refunds; at most 75000, which is $750 (REF-20).';
alter table public.referrals enable row level security;
create index referrals_referrer_id_idx on public.referrals (referrer_id, created_at desc); -- API-REST-41

-- An unknown code isn't an error: the user joins without a referral.
create function private.record_referral() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.referrals (referrer_id, referred_id, referral_code)
  select r.id, new.id, private.referral_code(r.id)
  from auth.users u
  join private.profiles r on private.referral_code(r.id) = upper(trim(u.raw_user_meta_data ->> 'ref')) and r.id <> new.id
  where u.id = new.user_id;
  return null;
end;
$$;
comment on function private.record_referral is 'Trigger of profiles: the referral code from the sign-up (AUTH-02) becomes a pending referral (REF-16).';
create trigger profiles_record_referral after insert on private.profiles for each row execute function private.record_referral();
create function private.complete_referral() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_referrer uuid;
begin
  update public.referrals set status = 'completed', completed_at = now() where referred_id = new.id and status = 'pending'
  returning referrer_id into v_referrer;
  if v_referrer is not null then
    perform private.notify(v_referrer, 'other', 'Referral completed', private.name_of(new.id) || ' became a creator through your referral.',
      jsonb_build_object('profile_id', new.id));
    perform private.credit_rewards(v_referrer);
  end if;
  return null;
end;
$$;
comment on function private.complete_referral is 'Trigger of profiles: completes the referral when the referred user is an approved creator (REF-17) who has confirmed to be 18 or older (REF-23).';
create trigger profiles_complete_referral after update of is_verified, terms_accepted_at on private.profiles
  for each row when (
    new.is_verified and new.terms_accepted_at is not null and not (old.is_verified and old.terms_accepted_at is not null))
  execute function private.complete_referral();
create policy select_party on public.referrals for select to authenticated
  using ((select private.my_profile_id()) in (referrer_id, referred_id) or (select private.is_admin()));
grant select on public.referrals to authenticated;

create index referrals_completed_idx on public.referrals (referrer_id, completed_at) where status = 'completed';

-- Approving an application may credit a reward. The trigger locks the ledger before the row, in the same order as payments.
create function private.lock_books_first() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_books();
  return null;
end;
$$;
comment on function private.lock_books_first is 'Trigger of statements that may move money: locks the ledger first.';
create function private.credit_rewards(p_referrer uuid)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_ten uuid[];
  v_ledger uuid;
  v_id uuid;
  v_rewards int := 0;
begin
  perform private.lock_books();
  loop
    select array_agg(ten.id) into v_ten from (
      select r.id from public.referrals r where r.referrer_id = p_referrer and r.status = 'completed'
      order by r.completed_at, r.id limit 10 for update
    ) ten;
    exit when coalesce(cardinality(v_ten), 0) < 10;
    v_ledger := private.post_ledger('reward:' || v_ten[10], 'referral_reward', 'usd', now(),
      jsonb_build_object('platform_fees', 1000, 'creator:' || p_referrer, -1000));
    insert into public.transactions (to_user_id, transaction_type, amount, ledger_transaction_id, created_at)
    values (p_referrer, 'referral_reward', 1000, v_ledger, now())
    returning id into v_id;
    update public.referrals set status = 'paid', paid_at = now(), reward_amount = 100 where id = any(v_ten);
    perform private.notify(p_referrer, 'payment', 'Referral reward', 'Ten people you invited became creators. You earned $10.00.',
      jsonb_build_object('transaction_id', v_id));
    v_rewards := v_rewards + 1;
  end loop;
  return v_rewards;
end;
$$;
comment on function private.credit_rewards is 'Credits $10 for every ten completed referrals, which become paid (REF-18, REF-21). Returns how many rewards it credited.';

-- 5% of the creator's net earnings, out of the platform's fee and never more than the fee, for six months, and at most $750 for each creator.
create function private.credit_commission()
returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_referral public.referrals;
  v_cents bigint;
  v_ledger uuid;
begin
  select * into v_referral from public.referrals r
  where r.referred_id = new.to_user_id and r.status <> 'pending' and new.created_at < r.completed_at + interval '6 months'
  for update;
  v_cents := least(round(new.net_amount * 0.05), new.fee_amount, 75000 - v_referral.commission_amount);
  if v_referral.id is null or v_cents < 1 then
    return null;
  end if;
  v_ledger := private.post_ledger('commission:' || new.id, 'referral_commission', new.currency, new.created_at,
    jsonb_build_object('platform_fees', v_cents, 'creator:' || v_referral.referrer_id, -v_cents));
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_referral.referrer_id, 'referral_commission', v_cents, new.currency, new.id, v_ledger, new.created_at);
  update public.referrals set commission_amount = commission_amount + v_cents where id = v_referral.id;
  return null;
end;
$$;
comment on function private.credit_commission is 'Trigger of transactions: credits the commission of the creator''s referrer (REF-19, REF-20). The payment has locked the ledger.';
create trigger transactions_credit_commission after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') and new.to_user_id is not null)
  execute function private.credit_commission();

-- The commission stays in proportion to the payment: a refund takes back its share, and a won dispute returns it, within the limit of $750.
create function private.follow_refund()
returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_first public.transactions;
  v_held bigint;
  v_due bigint;
  v_room bigint;
  v_ledger uuid;
begin
  select * into v_first from public.transactions t
  where t.original_transaction_id = new.id and t.transaction_type = 'referral_commission' order by t.amount desc limit 1;
  if v_first.to_user_id is null then -- no commission, or its receiver was deleted: the platform bears it
    return null;
  end if;
  select sum(t.amount) into v_held from public.transactions t
  where t.original_transaction_id = new.id and t.transaction_type = 'referral_commission';
  select 75000 - r.commission_amount into v_room from public.referrals r where r.referred_id = new.to_user_id for update;
  v_due := v_first.amount
    - private.share_of(v_first.amount, new.amount, new.refunded_amount) - v_held;
  v_due := least(v_due, coalesce(v_room, v_due));
  if v_due = 0 then
    return null;
  end if;
  -- The cause contains the number of earlier movements, so that each step is one movement.
  v_ledger := private.post_ledger(
    'commission:' || new.id || ':' || (select count(*) from public.transactions t where t.original_transaction_id = new.id and t.transaction_type = 'referral_commission'),
    'referral_commission', new.currency, now(), jsonb_build_object('platform_fees', v_due, 'creator:' || v_first.to_user_id, -v_due));
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_first.to_user_id, 'referral_commission', v_due, new.currency, new.id, v_ledger, now());
  update public.referrals set commission_amount = commission_amount + v_due where referred_id = new.to_user_id;
  return null;
end;
$$;
comment on function private.follow_refund is 'Trigger of transactions: keeps the commission in proportion to what is left of the payment.';
create trigger transactions_follow_refund after update of refunded_amount on public.transactions for each row
  when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') and new.refunded_amount <> old.refunded_amount)
  execute function private.follow_refund();
create type public.referral_stats as (
  total_referrals integer,
  completed_referrals integer,
  pending_referrals integer,
  total_earned bigint,
  pending_rewards bigint
);
comment on type public.referral_stats is 'Referral stats result (DATA-33). In cents.';
comment on column public.referral_stats.total_referrals is 'Never null.';
comment on column public.referral_stats.completed_referrals is 'Completed and paid referrals: a paid referral was completed, too (D31). Never null.';
comment on column public.referral_stats.pending_referrals is 'Signed up, but not an approved creator yet. Never null.';
comment on column public.referral_stats.total_earned is 'Rewards and commissions, after refunds. Never null.';
comment on column public.referral_stats.pending_rewards is 'Progress toward the next $10, in cents: 100 for each completed referral. Never null.';
create function public.get_referral_stats(user_profile_id uuid)
returns public.referral_stats
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_stats public.referral_stats;
begin
  if not private.is_privileged() and user_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the user and admins can see these numbers' using errcode = '42501';
  end if;
  select
    count(*), count(*) filter (where r.status <> 'pending'), count(*) filter (where r.status = 'pending'),
    (select coalesce(sum(t.amount), 0) from public.transactions t
     where t.to_user_id = user_profile_id and t.transaction_type in ('referral_reward', 'referral_commission')),
    count(*) filter (where r.status = 'completed') * 100
  into v_stats
  from public.referrals r where r.referrer_id = user_profile_id;
  return v_stats;
end;
$$;
comment on function public.get_referral_stats is 'The numbers of the referral screen (RPC-03), for the user and admins.';
grant execute on function public.get_referral_stats(uuid) to authenticated;
create type public.referrer as (
  id uuid,
  username text,
  display_name text,
  avatar_url text
);
comment on type public.referrer is 'The user who referred the caller (D31).';
comment on column public.referrer.id is 'profiles.id. Never null.';
comment on column public.referrer.username is 'Never null.';
create function public.get_my_referrer() returns setof public.referrer
language sql stable security definer set search_path = ''
as $$
  select p.id, p.username, p.display_name, p.avatar_url
  from public.referrals r join private.profiles p on p.id = r.referrer_id
  where r.referred_id = (select private.my_profile_id());
$$;
comment on function public.get_my_referrer is 'The user who referred the caller; no row when there is none. A private profile shows its name here, as everywhere (PROF-22).';
grant execute on function public.get_my_referrer() to authenticated;

-- The platform pays commissions and rewards: a job transfers them to the user's Stripe account, as soon as it can receive payouts
-- (REF-18, REF-19, REF-21, D17).
create table private.referral_transfers (
  id                 bigint generated always as identity primary key,
  profile_id         uuid not null,
  stripe_account_id  text not null,
  amount_cents       bigint not null check (amount_cents > 0),
  stripe_transfer_id text unique,
  created_at         timestamptz not null default now(),
  done_at            timestamptz,
  refusals int not null default 0 check (refusals >= 0),
  constraint referral_transfers_done_has_transfer check ((done_at is null) = (stripe_transfer_id is null))
);
comment on table private.referral_transfers is 'Transfers of referral earnings to users'' Stripe accounts. Written before the request to Stripe, so that a lost response is retried with the same idempotency key.';
comment on column private.referral_transfers.profile_id is 'The receiver. No foreign key: the record outlives a deleted profile.';
comment on column private.referral_transfers.refusals is 'How often the provider definitely rejected the transfer. Each changes the next idempotency key; a lost response doesn''t.';
alter table private.referral_transfers enable row level security;
create index referral_transfers_profile_id_idx on private.referral_transfers (profile_id);
create unique index referral_transfers_one_open on private.referral_transfers (profile_id) where done_at is null;

-- No policy: the job is the only reader.
create function private.owed_for_referrals(p_profile uuid)
returns bigint
language sql stable security definer
set search_path = ''
as $$
  select coalesce((
      select sum(t.amount) from public.transactions t
      where t.to_user_id = p_profile and t.transaction_type in ('referral_reward', 'referral_commission')
    ), 0)::bigint
    - coalesce((select sum(r.amount_cents) from private.referral_transfers r where r.profile_id = p_profile), 0)::bigint;
$$;
comment on function private.owed_for_referrals is 'Commissions and rewards that haven''t been transferred, in cents. Negative when a refund took back what was already transferred; the next credits offset it.';
create function private.begin_referral_transfers() returns setof private.referral_transfers
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_books(); -- so that the owed amount doesn't change in the meantime
  insert into private.referral_transfers (profile_id, stripe_account_id, amount_cents)
  select p.id, p.stripe_account_id, private.owed_for_referrals(p.id)
  from private.profiles p
  where p.stripe_account_id is not null and p.stripe_payouts_enabled
    and p.id in (
      select t.to_user_id from public.transactions t where t.transaction_type in ('referral_reward', 'referral_commission')
    )
    and not exists (select from private.referral_transfers r where r.profile_id = p.id and r.done_at is null)
    and private.owed_for_referrals(p.id) > 0;
  return query select * from private.referral_transfers r where r.done_at is null order by r.id;
end;
$$;
comment on function private.begin_referral_transfers is 'Creates a transfer for each user who is owed money and can be paid, and returns all open transfers.';

create function private.drop_pending_referral() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.referrals r where r.referred_id = old.id and r.status = 'pending';
  return old;
end;
$$;
comment on function private.drop_pending_referral is 'Trigger of profiles: deletes the pending referral of a deleted user.';
create trigger profiles_drop_pending_referral before delete on private.profiles
  for each row execute function private.drop_pending_referral();
