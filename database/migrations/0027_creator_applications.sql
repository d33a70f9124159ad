-- Up Migration

-- Applications to become a creator (DATA-23, DATA-24, VER, ADM-06..ADM-15, D10, D25, D32).
create table public.creator_applications (
  id               uuid primary key default gen_random_uuid(),
  user_id          uuid not null references auth.users on delete cascade,
  full_name        text not null constraint creator_applications_full_name_length check (full_name ~ '\S' and length(full_name) <= 120),
  address          text not null constraint creator_applications_address_length check (address ~ '\S' and length(address) <= 300),
  full_ssn         text constraint creator_applications_ssn_never_stored check (full_ssn is null),
  ssn_last4        text not null check (ssn_last4 ~ '^\d{4}$'),
  id_front_url     text not null,
  id_back_url      text not null,
  status           text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  rejection_reason text constraint creator_applications_reason_length check (length(rejection_reason) <= 500),
  submitted_at     timestamptz not null default now(),
  reviewed_at      timestamptz,
  reviewed_by      uuid references auth.users on delete set null,
  created_at       timestamptz not null default now(),
  constraint creator_applications_two_images check (id_front_url <> id_back_url),
  constraint creator_applications_rejection_needs_reason check (status <> 'rejected' or coalesce(rejection_reason, '') ~ '\S')
);
comment on table public.creator_applications is 'Applications to become a creator, with an identity check. A user has at most one pending or approved application, and can apply again after a rejection (VER-11).';
comment on column public.creator_applications.user_id is 'The applicant''s auth.users.id, not profiles.id.';
comment on column public.creator_applications.full_ssn is 'Write-only: the insert trigger encrypts it into private.application_ssns and sets it to null (VER-09).';
comment on column public.creator_applications.id_front_url is 'Path in bucket verification, in the applicant''s own folder.';
comment on column public.creator_applications.reviewed_by is 'The admin''s auth.users.id.';
alter table public.creator_applications enable row level security;

-- Named, because users see the error of a second application.
create unique index creator_applications_one_open on public.creator_applications (user_id) where status in ('pending', 'approved');
create index creator_applications_user_id_idx on public.creator_applications (user_id, submitted_at desc); -- API-REST-30
create index creator_applications_submitted_at_idx on public.creator_applications (submitted_at desc); -- API-REST-29
create index creator_applications_reviewed_by_idx on public.creator_applications (reviewed_by);

create trigger creator_applications_audit after update of status on public.creator_applications
  for each row when (new.status <> old.status) execute function private.audit_review();

create trigger creator_applications_hold_images before insert on public.creator_applications
  for each row execute function private.hold_filed_files();

create trigger creator_applications_lock_books before update of status on public.creator_applications
  for each statement execute function private.lock_books_first();

create table private.application_ssns (
  -- Deferred, because the number is encrypted before the application's own row is written.
  application_id uuid primary key references public.creator_applications on delete cascade deferrable initially deferred,
  ciphertext     bytea not null
);
comment on table private.application_ssns is 'Social security numbers, encrypted (OpenPGP, AES-256). Only the gateway has the key: a dump or a stolen disk contains nothing but ciphertext.';
alter table private.application_ssns enable row level security;
revoke select, insert, update, delete on private.application_ssns from service_role; -- only the trigger writes it, and only reveal_ssn reads it
create function private.encryption_key() returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_key text := current_setting('app.encryption_key', true);
begin
  if coalesce(length(v_key), 0) < 32 then
    raise sqlstate 'PT503' using message = 'Encryption is not set up on this server',
      hint = 'The gateway sets app.encryption_key, at least 32 characters, on each of its connections.';
  end if;
  return v_key;
end;
$$;
comment on function private.encryption_key is 'The encryption key of this connection. Without a key it raises an error, so that nothing sensitive is ever stored as plain text.';
revoke execute on function private.encryption_key() from service_role;
create function private.receive_application() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_path text;
begin
  if new.user_id is distinct from auth.uid() and not private.is_service() then
    raise exception 'You can only apply for yourself' using errcode = '42501';
  elsif new.full_ssn is null or new.full_ssn !~ '^(\d{3}-\d{2}-\d{4}|\d{9})$' then
    raise exception 'Enter the nine digits of the social security number as 123-45-6789' using errcode = '23514', constraint = 'creator_applications_ssn_format';
  end if;
  foreach v_path in array array[new.id_front_url, new.id_back_url] loop
    if (storage.foldername(v_path))[1] is distinct from new.user_id::text then
      raise sqlstate 'PT403' using message = 'ID images must be in your own folder of bucket verification', detail = coalesce(v_path, 'null');
    elsif not exists (select from storage.objects o where o.bucket_id = 'verification' and o.name = v_path) then
      raise sqlstate 'PT422' using message = 'An ID image has not been uploaded', detail = v_path;
    end if;
  end loop;
  insert into private.application_ssns (application_id, ciphertext)
  values (new.id, extensions.pgp_sym_encrypt(replace(new.full_ssn, '-', ''), private.encryption_key(), 'cipher-algo=aes256'));
  new.ssn_last4 := right(new.full_ssn, 4);
  new.full_ssn := null;
  return new;
end;
$$;
comment on function private.receive_application is 'Trigger of creator_applications: checks the application, encrypts the number, and keeps only its last four digits.';
create trigger creator_applications_receive before insert on public.creator_applications
  for each row execute function private.receive_application();
create function private.review_application() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status = old.status then
    new.reviewed_at := old.reviewed_at;
    return new;
  elsif old.status = 'rejected' or new.status = 'pending' then
    raise sqlstate 'PT409' using message = 'This application has already been reviewed', hint = 'The applicant can submit a new one.';
  elsif new.status = 'rejected' and coalesce(new.rejection_reason, '') !~ '\S' then
    raise exception 'A rejection needs a reason' using errcode = '23514', constraint = 'creator_applications_rejection_needs_reason';
  end if;
  new.reviewed_at := now();
  new.reviewed_by := auth.uid();
  new.rejection_reason := case new.status when 'rejected' then private.trimmed(new.rejection_reason) end;
  return new;
end;
$$;
comment on function private.review_application is 'Trigger of creator_applications: a pending application is decided once. An approval can later be revoked with a reason. The server sets time and reviewer.';
create trigger creator_applications_review before update on public.creator_applications
  for each row execute function private.review_application();
create function private.carry_out_review() returns trigger
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
  perform private.notify(
    v_profile,
    'verification',
    case new.status when 'approved' then 'Application approved' else 'Application rejected' end,
    case new.status when 'approved' then 'You''re verified. Set up payments and publish your first post.' else new.rejection_reason end,
    jsonb_build_object('application_id', new.id, 'status', new.status)
  );
  return null;
end;
$$;
comment on function private.carry_out_review is 'Trigger of creator_applications: approves or disables the creator (ADM-06) and notifies the applicant.';
create trigger creator_applications_carry_out after update of status on public.creator_applications
  for each row when (new.status <> old.status) execute function private.carry_out_review();
create policy select_own on public.creator_applications for select to authenticated using (user_id = (select auth.uid()));
create policy select_admin on public.creator_applications for select to authenticated using ((select private.is_admin()));
create policy not_for_apps on public.creator_applications as restrictive for all to authenticated using (not (select auth.jwt() ? 'client_id'));
create policy insert_own on public.creator_applications for insert to authenticated with check (user_id = (select auth.uid()));
create policy update_admin on public.creator_applications for update to authenticated using ((select private.is_admin()));
grant select on public.creator_applications to authenticated;
grant insert (id, user_id, full_name, address, full_ssn, id_front_url, id_back_url) on public.creator_applications to authenticated;

-- reviewed_at is updatable because clients send it (API-REST-32); the trigger writes its own time.
grant update (status, reviewed_at, rejection_reason) on public.creator_applications to authenticated;

-- delete is not granted: applications are deleted with their account.

-- Volatile on purpose: the access is logged in the same transaction, or the number isn't returned.
create function public.reveal_ssn(application_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_number text;
begin
  if not private.is_admin() then
    raise exception 'Only admins can see a social security number' using errcode = '42501';
  end if;
  select extensions.pgp_sym_decrypt(s.ciphertext, private.encryption_key()) into v_number
  from private.application_ssns s where s.application_id = reveal_ssn.application_id;
  if v_number is null then
    raise sqlstate 'PT404' using message = 'Application not found';
  end if;
  insert into public.audit_log (actor_id, action, subject_type, subject_id)
  values (auth.uid(), 'reveal_ssn', 'creator_applications', reveal_ssn.application_id);
  return substr(v_number, 1, 3) || '-' || substr(v_number, 4, 2) || '-' || substr(v_number, 6, 4);
end;
$$;
comment on function public.reveal_ssn is 'The full number of one application; for admins, and recorded in audit_log each time (ADM-14).';
grant execute on function public.reveal_ssn(uuid) to authenticated;
