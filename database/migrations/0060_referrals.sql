-- Up Migration
-- Who invited whom (DATA-29, DATA-30, REF-14..REF-17, REF-22, D17, D30, D31).
create table public.referrals (
  id            uuid primary key default gen_random_uuid(),
  referrer_id   uuid not null references private.profiles on delete cascade,
  referred_id   uuid not null references private.profiles on delete cascade,
  referral_code text not null,
  status        text not null default 'pending' check (status in ('pending', 'completed', 'paid')),
  reward_amount numeric(12, 2) not null default 0 check (reward_amount >= 0),
  created_at    timestamptz not null default now(),
  constraint referrals_invited_once unique (referred_id),
  constraint referrals_not_self check (referrer_id <> referred_id)
);
comment on table public.referrals is 'Invitations that led to an account. Recorded at sign-up and never by a client.';
comment on column public.referrals.referrer_id is 'Who invited: profiles.id.';
comment on column public.referrals.referred_id is 'Who joined: profiles.id. Nobody is invited twice.';
comment on column public.referrals.reward_amount is 'Dollars credited for this referral.';
create index referrals_referrer_id_idx on public.referrals (referrer_id, created_at desc); -- API-REST-41

-- An unknown code is no error: the person joins all the same.
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
comment on function private.record_referral is 'The code remembered until sign-up (AUTH-02) becomes a pending referral (REF-16).';
create trigger profiles_record_referral after insert on private.profiles for each row execute function private.record_referral();

create function private.complete_referral() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.referrals set status = 'completed' where referred_id = new.id and status = 'pending';
  return null;
end;
$$;
comment on function private.complete_referral is 'The referred person has become an approved creator (REF-17).';
create trigger profiles_complete_referral after update of is_verified on private.profiles
  for each row when (new.is_verified and not old.is_verified) execute function private.complete_referral();

alter table public.referrals enable row level security;
create policy select_party on public.referrals for select to authenticated
  using ((select private.my_profile_id()) in (referrer_id, referred_id) or (select private.is_admin()));
grant select on public.referrals to authenticated;
-- insert, update and delete are not granted: rewards hang on these rows.
