-- Up Migration
-- Commissions and rewards are the platform's to pay: what the ledger credits to somebody is transferred to their account at the
-- provider, as soon as they have one that can be paid (REF-18, REF-19, REF-21, D17).
create table private.referral_transfers (
  id                 bigint generated always as identity primary key,
  profile_id         uuid not null,
  stripe_account_id  text not null,
  amount_cents       bigint not null check (amount_cents > 0),
  stripe_transfer_id text unique,
  created_at         timestamptz not null default now(),
  done_at            timestamptz,
  constraint referral_transfers_done_has_transfer check ((done_at is null) = (stripe_transfer_id is null))
);
comment on table private.referral_transfers is 'Referral money on its way to a person''s account at the provider. Written before the provider is asked, so that an answer that was lost is asked for again, with the same key.';
comment on column private.referral_transfers.profile_id is 'Whose it is. No foreign key: the record outlives a deleted profile.';
create index referral_transfers_profile_id_idx on private.referral_transfers (profile_id);
create unique index referral_transfers_one_open on private.referral_transfers (profile_id) where done_at is null;
alter table private.referral_transfers enable row level security;
-- No policy: the job is the only reader.

create function private.owed_for_referrals(p_profile uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce((
      select sum(t.amount) * 100 from public.transactions t
      where t.to_user_id = p_profile and t.transaction_type in ('referral_reward', 'referral_commission')
    ), 0)::bigint
    - coalesce((select sum(r.amount_cents) from private.referral_transfers r where r.profile_id = p_profile), 0)::bigint;
$$;
comment on function private.owed_for_referrals is 'Cents of commissions and rewards not transferred yet. Negative when a refund took back what was transferred already: the next credits make it good.';

create function private.begin_referral_transfers() returns setof private.referral_transfers
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_books(); -- what is owed does not change while it is written down
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
comment on function private.begin_referral_transfers is 'Writes down what is owed to those who can be paid, and returns all that is on its way.';
