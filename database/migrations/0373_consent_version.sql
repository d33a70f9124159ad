-- Up Migration
-- To which words a person consented (AUTH-07, D16): the page shows today's date (D18), so that the date of the consent alone does not
-- tell. The version comes from the texts, with the operator's settings at start.
alter table private.profiles add column terms_version text constraint profiles_terms_version_length check (length(terms_version) between 1 and 40);
comment on column private.profiles.terms_version is 'Of the Terms of Service and the Privacy Policy that terms_accepted_at is about; null for a consent from before versions were kept.';

create function private.note_terms_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.terms_version := case when new.terms_accepted_at is not null then private.setting('terms_version') end;
  return new;
end;
$$;
comment on function private.note_terms_version is 'Trigger of profiles: a consent is to the words of its day.';
create trigger profiles_note_terms_version before insert or update of terms_accepted_at on private.profiles
  for each row execute function private.note_terms_version();
