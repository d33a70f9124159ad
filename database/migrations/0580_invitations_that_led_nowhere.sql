-- Up Migration
-- An invitation stays when the invited person's account is deleted, for what it earned its referrer. One that is still pending has earned
-- nothing and can be completed by nobody any more: it goes with the account (REF-11, REF-16).
delete from public.referrals where referred_id is null and status = 'pending';
alter table public.referrals
  add constraint referrals_pending_has_person check (referred_id is not null or status <> 'pending');
comment on column public.referrals.referred_id is 'Who joined: profiles.id. Nobody is invited twice. Null once that account is deleted: what it earned the referrer stays; a pending invitation goes with it.';

create function private.drop_pending_referral() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.referrals r where r.referred_id = old.id and r.status = 'pending';
  return old;
end;
$$;
comment on function private.drop_pending_referral is 'Trigger of profiles: who leaves will not become a creator.';
create trigger profiles_drop_pending_referral before delete on private.profiles
  for each row execute function private.drop_pending_referral();
