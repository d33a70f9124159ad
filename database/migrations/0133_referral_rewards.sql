-- Up Migration
-- What inviting creators earns (REF-05, REF-17..REF-22, DATA-33, RPC-03, D17, D31).
alter table public.referrals
  alter column referred_id drop not null,
  drop constraint referrals_referred_id_fkey,
  add constraint referrals_referred_id_fkey foreign key (referred_id) references private.profiles on delete set null,
  add column completed_at timestamptz,
  add column paid_at timestamptz,
  add column commission_amount numeric(12, 2) not null default 0
    constraint referrals_commission_cap check (commission_amount between 0 and 750);
update public.referrals set completed_at = now() where status = 'completed';
alter table public.referrals
  add constraint referrals_completed_has_time check ((status = 'pending') = (completed_at is null)),
  add constraint referrals_paid_has_time check ((status = 'paid') = (paid_at is not null));
comment on column public.referrals.referred_id is 'Who joined: profiles.id. Nobody is invited twice. Null once that account is deleted: what it earned the referrer stays.';
comment on column public.referrals.completed_at is 'When the referred person became an approved creator; the six months of commission count from here (REF-19).';
comment on column public.referrals.paid_at is 'When this referral''s share of a reward was credited.';
comment on column public.referrals.reward_amount is 'Dollars of the $10 reward that fell to this referral: a tenth each, for ten of them earn it together.';
comment on column public.referrals.commission_amount is 'Dollars of commission credited from this person''s earnings, less what was refunded; at most $750 (REF-20).';
create index referrals_completed_idx on public.referrals (referrer_id, completed_at) where status = 'completed';

-- A review makes movements of money. It takes the lock of the books before the row locks that payments want after it.
create function private.lock_books_first() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_books();
  return null;
end;
$$;
comment on function private.lock_books_first is 'Trigger of statements that may end in a movement of money.';
create trigger creator_applications_lock_books before update of status on public.creator_applications
  for each statement execute function private.lock_books_first();

create or replace function private.complete_referral() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_referrer uuid;
begin
  update public.referrals set status = 'completed', completed_at = now() where referred_id = new.id and status = 'pending'
  returning referrer_id into v_referrer;
  if v_referrer is not null then
    perform private.notify(v_referrer, 'other', 'Referral completed', private.name_of(new.id) || ' became a creator on your invitation.',
      jsonb_build_object('profile_id', new.id));
    perform private.credit_rewards(v_referrer);
  end if;
  return null;
end;
$$;

create function private.credit_rewards(p_referrer uuid) returns int
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
    values (p_referrer, 'referral_reward', 10, v_ledger, now())
    returning id into v_id;
    update public.referrals set status = 'paid', paid_at = now(), reward_amount = 1 where id = any(v_ten);
    perform private.notify(p_referrer, 'payment', 'Referral reward', 'Ten people you invited became creators. You earned $10.00.',
      jsonb_build_object('transaction_id', v_id));
    v_rewards := v_rewards + 1;
  end loop;
  return v_rewards;
end;
$$;
comment on function private.credit_rewards is '$10 for every ten completed referrals, which become paid (REF-18, REF-21). Returns how many rewards were credited now.';

-- 5 % of what the creator earned, out of the platform's fee and never more than it, for six months, at most $750 a creator.
create function private.credit_commission() returns trigger
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
  v_cents := least(round(new.net_amount * 5), new.fee_amount * 100, 75000 - v_referral.commission_amount * 100);
  if v_referral.id is null or v_cents < 1 then
    return null;
  end if;
  v_ledger := private.post_ledger('commission:' || new.id, 'referral_commission', new.currency, new.created_at,
    jsonb_build_object('platform_fees', v_cents, 'creator:' || v_referral.referrer_id, -v_cents));
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_referral.referrer_id, 'referral_commission', v_cents / 100.0, new.currency, new.id, v_ledger, new.created_at);
  update public.referrals set commission_amount = commission_amount + v_cents / 100.0 where id = v_referral.id;
  return null;
end;
$$;
comment on function private.credit_commission is 'Trigger of payments: the commission of whoever invited the creator (REF-19, REF-20). The books are locked by the payment.';
create trigger transactions_credit_commission after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') and new.to_user_id is not null)
  execute function private.credit_commission();

-- The commission follows the payment: what is refunded of one is taken back of the other, and a dispute that is won returns it,
-- as far as the $750 still have room.
create function private.follow_refund() returns trigger
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
  if v_first.to_user_id is null then -- no commission, or its receiver is gone: the platform bears it
    return null;
  end if;
  select sum(t.amount) * 100 into v_held from public.transactions t
  where t.original_transaction_id = new.id and t.transaction_type = 'referral_commission';
  select 75000 - r.commission_amount * 100 into v_room from public.referrals r where r.referred_id = new.to_user_id for update;
  v_due := private.cents(v_first.amount)
    - private.share_of(private.cents(v_first.amount), private.cents(new.amount), private.cents(new.refunded_amount)) - v_held;
  v_due := least(v_due, coalesce(v_room, v_due));
  if v_due = 0 then
    return null;
  end if;
  -- Named by what the payment has lost, so that the same step is one movement, and another step another.
  v_ledger := private.post_ledger(
    'commission:' || new.id || ':' || (select count(*) from public.transactions t where t.original_transaction_id = new.id and t.transaction_type = 'referral_commission'),
    'referral_commission', new.currency, now(), jsonb_build_object('platform_fees', v_due, 'creator:' || v_first.to_user_id, -v_due));
  insert into public.transactions (to_user_id, transaction_type, amount, currency, original_transaction_id, ledger_transaction_id, created_at)
  values (v_first.to_user_id, 'referral_commission', v_due / 100.0, new.currency, new.id, v_ledger, now());
  update public.referrals set commission_amount = commission_amount + v_due / 100.0 where referred_id = new.to_user_id;
  return null;
end;
$$;
comment on function private.follow_refund is 'Trigger of payments: keeps the commission in proportion to what is left of the payment.';
create trigger transactions_follow_refund after update of refunded_amount on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') and new.refunded_amount <> old.refunded_amount)
  execute function private.follow_refund();

create type public.referral_stats as (
  total_referrals int, completed_referrals int, pending_referrals int, total_earned numeric, pending_rewards numeric
);
comment on type public.referral_stats is 'Referral stats result (DATA-33). Dollars.';
comment on column public.referral_stats.total_referrals is 'Never null.';
comment on column public.referral_stats.completed_referrals is 'Completed and paid ones: a paid referral was completed (D31). Never null.';
comment on column public.referral_stats.pending_referrals is 'Signed up, and not an approved creator yet. Never null.';
comment on column public.referral_stats.total_earned is 'Rewards and commissions credited, less what was taken back. Never null.';
comment on column public.referral_stats.pending_rewards is 'What completed referrals add up to on the way to the next $10: $1.00 each. Never null.';

create function public.get_referral_stats(user_profile_id uuid) returns public.referral_stats
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_stats public.referral_stats;
begin
  if not private.is_privileged() and user_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the person and admins may see these numbers' using errcode = '42501';
  end if;
  select
    count(*), count(*) filter (where r.status <> 'pending'), count(*) filter (where r.status = 'pending'),
    (select coalesce(sum(t.amount), 0) from public.transactions t
     where t.to_user_id = user_profile_id and t.transaction_type in ('referral_reward', 'referral_commission')),
    count(*) filter (where r.status = 'completed') * 1.00
  into v_stats
  from public.referrals r where r.referrer_id = user_profile_id;
  return v_stats;
end;
$$;
comment on function public.get_referral_stats is 'The numbers of the referral screen (RPC-03): one''s own, or anybody''s for admins.';
grant execute on function public.get_referral_stats(uuid) to authenticated;

create type public.referrer as (id uuid, username text, display_name text, avatar_url text);
comment on type public.referrer is 'Who invited the caller (D31).';
comment on column public.referrer.id is 'profiles.id. Never null.';
comment on column public.referrer.username is 'Never null.';

create function public.get_my_referrer() returns setof public.referrer
language sql stable security definer set search_path = ''
as $$
  select p.id, p.username, p.display_name, p.avatar_url
  from public.referrals r join private.profiles p on p.id = r.referrer_id
  where r.referred_id = (select private.my_profile_id());
$$;
comment on function public.get_my_referrer is 'Who invited the caller, no row when nobody did. A private profile shows its name here as everywhere (PROF-22).';
grant execute on function public.get_my_referrer() to authenticated;
