-- Up Migration

-- An application begins with the country (LOOP-08). Only one from the United States has a Social Security number, so nobody else's is ever
-- asked for or stored. The default stands for clients that send no country (API-REST-31), and for earlier applications.
alter table public.creator_applications
  add column country text not null default 'US' constraint creator_applications_country_code check (country ~ '^[A-Z]{2}$'),
  alter column ssn_last4 drop not null,
  add constraint creator_applications_ssn_only_in_us check ((country = 'US') = (ssn_last4 is not null));
comment on column public.creator_applications.country is 'Where the applicant lives, as an ISO 3166-1 code. It decides whether the application needs a Social Security number.';
comment on column public.creator_applications.ssn_last4 is 'The last four digits of the number; null outside the United States.';
grant insert (country) on public.creator_applications to authenticated;

create or replace function private.receive_application() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_path text;
begin
  if new.user_id is distinct from auth.uid() and not private.is_service() then
    raise exception 'You can only apply for yourself' using errcode = '42501';
  elsif new.country = 'US' and (new.full_ssn is null or new.full_ssn !~ '^(\d{3}-\d{2}-\d{4}|\d{9})$') then
    raise exception 'Enter the nine digits of the social security number as 123-45-6789' using errcode = '23514', constraint = 'creator_applications_ssn_format';
  elsif new.country <> 'US' and new.full_ssn is not null then
    raise exception 'full_ssn must be empty outside the United States' using errcode = '23514', constraint = 'creator_applications_ssn_only_in_us';
  end if;
  foreach v_path in array array[new.id_front_url, new.id_back_url] loop
    if (storage.foldername(v_path))[1] is distinct from new.user_id::text then
      raise sqlstate 'PT403' using message = 'ID images must be in your own folder of bucket verification', detail = coalesce(v_path, 'null');
    elsif not exists (select from storage.objects o where o.bucket_id = 'verification' and o.name = v_path) then
      raise sqlstate 'PT422' using message = 'An ID image has not been uploaded', detail = v_path;
    end if;
  end loop;
  new.ssn_last4 := null;
  if new.full_ssn is not null then
    insert into private.application_ssns (application_id, ciphertext)
    values (new.id, extensions.pgp_sym_encrypt(replace(new.full_ssn, '-', ''), private.encryption_key(), 'cipher-algo=aes256'));
    new.ssn_last4 := right(new.full_ssn, 4);
    new.full_ssn := null;
  end if;
  return new;
end;
$$;
comment on function private.receive_application is 'Trigger of creator_applications: checks the application, encrypts the number of one from the United States, and keeps only its last four digits.';

-- security definer: whether a creator waits doesn't depend on what the caller may read of the application.
create function private.awaits_review(profile uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.profiles p join public.creator_applications a on a.user_id = p.user_id
    where p.id = profile and a.status = 'pending'
  );
$$;
comment on function private.awaits_review is 'True while an admin has yet to decide about the user''s application (LOOP-08).';
revoke execute on function private.awaits_review(uuid) from public;
grant execute on function private.awaits_review(uuid) to service_role;

create or replace function private.require_seller() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_approved_creator(new.creator_id) then
    if not private.awaits_review(new.creator_id) then
      raise sqlstate 'PT403' using message = 'Only approved creators can sell subscriptions', hint = 'Apply at /creator-verification.';
    end if;
    new.is_active := false; -- until the approval
  end if;
  if not exists (
    select from private.profiles p where p.id = new.creator_id and p.stripe_account_id is not null and p.stripe_charges_enabled
  ) then
    raise sqlstate 'PT409' using message = 'Please complete Stripe onboarding before creating products', hint = 'Set up payouts at /creator-onboarding.';
  end if;
  return new;
end;
$$;
comment on function private.require_seller is 'Trigger of subscription_products, also for the server: a plan needs an approved creator (D25) whose account can take charges (PROD-08, PROD-09). A creator who waits for the review can prepare plans, which are inactive until the approval (LOOP-08).';

create function private.require_approval_to_activate() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_approved_creator(new.creator_id) then
    raise sqlstate 'PT403' using message = 'Only approved creators can sell subscriptions', hint = 'The plan opens once you are approved.';
  end if;
  return new;
end;
$$;
comment on function private.require_approval_to_activate is 'Trigger of subscription_products, also for the server: only an approved creator''s plan is ever open (D25).';
create trigger subscription_products_require_approval before update of is_active on public.subscription_products
  for each row when (new.is_active and not old.is_active) execute function private.require_approval_to_activate();

create or replace function private.carry_out_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile uuid;
begin
  update private.profiles set
    is_verified = new.status = 'approved',
    is_creator = is_creator or new.status = 'approved'
  where user_id = new.user_id
  returning id into v_profile;
  if new.status = 'approved' then
    -- The plans that were prepared while the application waited. Older ones were deactivated on purpose.
    update public.subscription_products s set is_active = true
    where s.creator_id = v_profile and not s.is_active and s.created_at >= new.submitted_at;
  end if;
  perform private.notify(
    v_profile,
    'verification',
    case new.status when 'approved' then 'Application approved' else 'Application rejected' end,
    case new.status when 'approved' then 'You''re verified. Set up payouts and publish your first post.' else new.rejection_reason end,
    jsonb_build_object('application_id', new.id, 'status', new.status)
  );
  return null;
end;
$$;
comment on function private.carry_out_review is 'Trigger of creator_applications: approves or disables the creator (ADM-06), opens the plans prepared in the meantime, and notifies the applicant.';
