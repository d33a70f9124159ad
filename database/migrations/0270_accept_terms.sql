-- Up Migration
-- The consent of who joined through another service (AUTH-07, D16): there was no form with the box, so it is asked for afterwards.
-- The invitation that the browser remembered comes with it (AUTH-02, REF-16).
create function public.accept_terms(referral_code text default null) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  update private.profiles p set terms_accepted_at = now()
  where p.user_id = auth.uid() and p.terms_accepted_at is null
  returning p.* into v_profile;
  if not found then
    -- Given before: its time stays, and an invitation that comes later is none.
    return (select p.terms_accepted_at from private.profiles p where p.user_id = auth.uid());
  end if;
  insert into public.referrals (referrer_id, referred_id, referral_code)
  select r.id, v_profile.id, private.referral_code(r.id)
  from private.profiles r
  where private.referral_code(r.id) = upper(trim(accept_terms.referral_code)) and r.id <> v_profile.id
  on conflict do nothing;
  return v_profile.terms_accepted_at;
end;
$$;
comment on function public.accept_terms is 'Stores the time at which the caller confirmed age and terms, once, and with the first time who invited them. Returns that time; null without a profile.';
revoke execute on function public.accept_terms(text) from public, anon;
grant execute on function public.accept_terms(text) to authenticated;
