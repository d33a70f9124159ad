-- Up Migration

-- A creator whose account at Stripe was lost opens another one. An open checkout session would still pay the lost one, which Stripe rejects.
create function private.close_checkouts_of_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.close_checkouts(
    array(select c.id from private.checkout_sessions c where c.creator_id = new.id and c.status = 'open'));
  return null;
end;
$$;
comment on function private.close_checkouts_of_account is 'Trigger of profiles: closes the checkout sessions of a creator who has replaced a lost Stripe account.';
revoke execute on function private.close_checkouts_of_account from public;
create trigger profiles_close_checkouts_of_account after update of stripe_account_id on private.profiles
  for each row when (old.stripe_account_id is not null and new.stripe_account_id is distinct from old.stripe_account_id)
  execute function private.close_checkouts_of_account();

-- Without the last condition, the transfer to a lost account is rejected each time.
create or replace function private.begin_referral_transfers() returns setof private.referral_transfers
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
  return query
  select * from private.referral_transfers r
  where r.done_at is null
    and not exists (select from private.profiles p where p.id = r.profile_id and not p.stripe_payouts_enabled)
  order by r.id;
end;
$$;
comment on function private.begin_referral_transfers is 'Creates a transfer for each user who is owed money and can be paid, and returns all open transfers but those to users who can''t be paid now.';
