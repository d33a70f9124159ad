-- Up Migration

-- Former usernames (PAGE-02). For 90 days after a change, the old address of a profile leads to its present one, and nobody but its user can
-- take the old name: links to a creator would otherwise lead to the first user who took it.
create table public.former_usernames (
  username    text primary key constraint former_usernames_format check (username ~ '^[a-z0-9_-]{3,30}$'),
  profile_id  uuid not null references private.profiles on delete cascade,
  released_at timestamptz not null default now()
);
comment on table public.former_usernames is 'Usernames that were changed, for 90 days. They are deleted with the account, whose present username becomes available then, too (SET-14).';
comment on column public.former_usernames.username is 'Lowercase, as in profiles. No profile has it: a user who takes it back deletes the row.';
comment on column public.former_usernames.profile_id is 'Whose username it was: profiles.id.';
alter table public.former_usernames enable row level security;
create index former_usernames_profile_id_idx on public.former_usernames (profile_id, released_at); -- the cascade, and the limit of ten
create index former_usernames_released_at_idx on public.former_usernames (released_at); -- private.forget_former_usernames

-- A scheduled job deletes the rows once a day, so each reader checks the time.
create function private.is_username_kept(released_at timestamptz) returns boolean
language sql stable
as $$
  select released_at > now() - interval '90 days';
$$;
comment on function private.is_username_kept is 'True for 90 days after a username was changed.';
create function private.is_username_reserved(p_username text, p_profile uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.former_usernames f
    where f.username = p_username and f.profile_id is distinct from p_profile and private.is_username_kept(f.released_at)
  );
$$;
comment on function private.is_username_reserved is 'True while the username is kept for another user than this one, who had it before (PAGE-02). p_profile: null for a user without a profile.';

-- After the row and not before it: the unique index waits for a change that is still open, and only then the former name can be seen.
create function private.keep_former_username() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_username_reserved(new.username, new.id) then
    perform private.username_taken();
  end if;
  delete from public.former_usernames f where f.username = new.username;
  if tg_op = 'UPDATE' then
    insert into public.former_usernames (username, profile_id) values (old.username, new.id);
    -- Otherwise, one user could reserve any number of names.
    delete from public.former_usernames f where f.username in (
      select o.username from public.former_usernames o where o.profile_id = new.id order by o.released_at desc, o.username = old.username desc offset 10
    );
  end if;
  return null;
end;
$$;
comment on function private.keep_former_username is 'Trigger of profiles: rejects a username that is kept for another user, and keeps the one that was changed; at most the last ten of a user.';
create trigger profiles_reserve_username after insert on private.profiles
  for each row execute function private.keep_former_username();
create trigger profiles_keep_former_username after update of username on private.profiles
  for each row when (new.username <> old.username) execute function private.keep_former_username();

-- The condition of profiles.bio: a link to an old name must not reveal who a user is who has become private, or is across a block.
create function public.get_present_username(former_username text) returns text
language sql stable security definer set search_path = ''
as $$
  select p.username
  from public.former_usernames f
  join private.profiles p on p.id = f.profile_id
  where f.username = lower(former_username) and private.is_username_kept(f.released_at)
    and (
      coalesce(p.user_id = auth.uid(), false) or private.is_privileged()
      or (not p.is_private and p.id <> all (private.my_blocks()))
    );
$$;
comment on function public.get_present_username is 'The present username of the user who had this one until at most 90 days ago (PAGE-02). Null if there is none, and to a viewer who may not read that profile.';
grant execute on function public.get_present_username(text) to anon, authenticated;

-- Forms check a name before they send it. The answer is what an attempt to take it would reveal.
create function public.is_username_reserved(candidate text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_username_reserved(private.normalize_username(candidate), private.my_profile_id());
$$;
comment on function public.is_username_reserved is 'True while this username is kept for another user, who had it before. Whether a profile has it, profiles shows.';
grant execute on function public.is_username_reserved(text) to anon, authenticated;

create function private.forget_former_usernames() returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.former_usernames f where not private.is_username_kept(f.released_at);
$$;
comment on function private.forget_former_usernames is 'Deletes former usernames after 90 days.';

create policy select_own on public.former_usernames for select to authenticated
  using (profile_id = (select private.my_profile_id()) or (select private.is_admin()));
grant select on public.former_usernames to authenticated;
-- insert, update, and delete are not granted: the trigger of profiles writes the rows.

-- As in 0034_account_lifecycle.sql, with the former usernames.
comment on function private.delete_account is
  'Deletes an account and all personal data (SET-14, ADM-19). The ledger and the transactions stay, without the user; bookings are canceled; requests to Stripe and the removal of files are queued; the username and the former ones become available. p_actor: auth.users.id of the user or admin who deletes it. False when there is no such account.';
