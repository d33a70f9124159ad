-- Up Migration
-- Referred creators must be 18+ (REF-23). Whoever signs up says so with the terms; somebody who came in by another service and has not
-- said it yet counts as soon as they do.
comment on function private.complete_referral is 'The referred person is an approved creator (REF-17) and has confirmed to be 18 or older (REF-23).';
drop trigger profiles_complete_referral on private.profiles;
create trigger profiles_complete_referral after update of is_verified, terms_accepted_at on private.profiles
  for each row when (
    new.is_verified and new.terms_accepted_at is not null and not (old.is_verified and old.terms_accepted_at is not null))
  execute function private.complete_referral();

-- The invitation is written before the consent, so that the consent completes it for somebody who is approved already.
create or replace function public.accept_terms(referral_code text default null) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  select * into v_profile from private.profiles p where p.user_id = auth.uid() for update;
  if v_profile.id is null or v_profile.terms_accepted_at is not null then
    -- Given before: its time stays, and an invitation that comes later is none.
    return v_profile.terms_accepted_at;
  end if;
  insert into public.referrals (referrer_id, referred_id, referral_code)
  select r.id, v_profile.id, private.referral_code(r.id)
  from private.profiles r
  where private.referral_code(r.id) = upper(trim(accept_terms.referral_code)) and r.id <> v_profile.id
  on conflict do nothing;
  update private.profiles p set terms_accepted_at = now() where p.id = v_profile.id returning p.* into v_profile;
  return v_profile.terms_accepted_at;
end;
$$;
