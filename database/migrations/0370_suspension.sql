-- Up Migration
-- An operator closes an account without deleting it, and opens it again (GEN-05, GEN-35). A suspended person is nobody to the
-- database, at once and on every door: the access token that they still hold tells who they are, and my_profile_id() no longer does.
-- To others their profile is closed as a private one is: what is paid for stays open until it runs out, and nothing new is sold.
alter table private.profiles
  add column suspended_at timestamptz,
  add column suspension_reason text constraint profiles_suspension_reason_length check (length(suspension_reason) between 1 and 500),
  add column was_private boolean,
  add constraint profiles_suspension_whole check (num_nulls(suspended_at, suspension_reason, was_private) in (0, 3));
comment on column private.profiles.suspended_at is 'Since when an admin keeps the person out; null for everybody else.';
comment on column private.profiles.suspension_reason is 'Why, in words that the person reads.';
comment on column private.profiles.was_private is 'Whether the profile was private before: a suspension closes it.';

create or replace function private.my_profile_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select p.id from private.profiles p where p.user_id = auth.uid() and p.suspended_at is null;
$$;
comment on function private.my_profile_id is 'The caller''s profiles.id, null for a visitor and for whoever is suspended.';

-- security definer: the answer does not depend on what the caller may read of profiles.
create function auth.is_suspended() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.profiles p where p.user_id = auth.uid() and p.suspended_at is not null);
$$;
comment on function auth.is_suspended is 'True for a caller whom an admin keeps out. For restrictive policies, and for doors that say why they refuse.';
grant execute on function auth.is_suspended() to anon, authenticated;

-- Where the account itself owns rows, not its profile.
create policy not_suspended on storage.objects as restrictive for all to authenticated using (not (select auth.is_suspended()));
create policy not_suspended on public.creator_applications as restrictive for all to authenticated using (not (select auth.is_suspended()));
-- support_requests have no such policy: a suspended person may write to support, and export_own_data still answers.

create function private.refuse_suspended_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.user_id = auth.uid() and not private.is_privileged() then
    raise exception 'Your account is suspended' using errcode = '42501';
  end if;
  return new;
end;
$$;
comment on function private.refuse_suspended_change is 'Trigger of profiles: the profile''s own columns stay as they are while its owner is suspended. What others cause (counters) goes on.';
create trigger profiles_refuse_suspended
  before update of username, display_name, avatar_url, cover_url, bio, website_url, is_creator, is_private, tiered_access, categories
  on private.profiles for each row when (old.suspended_at is not null) execute function private.refuse_suspended_change();

-- Follows, messages, payments and presence ask this one.
create or replace function private.are_blocked(p_one uuid, p_other uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.blocks b where b.blocker_id = p_one and b.blocked_id = p_other)
    or exists (select from public.blocks b where b.blocker_id = p_other and b.blocked_id = p_one)
    or exists (select from private.profiles p where p.id in (p_one, p_other) and p.suspended_at is not null);
$$;
comment on function private.are_blocked is 'True when nothing new may pass between the two: either has blocked the other, or is suspended.';

alter table private.payment_tasks
  drop constraint payment_tasks_kind_known,
  add constraint payment_tasks_kind_known check (kind in
    ('refund', 'cancel_subscription', 'delete_customer', 'take_back_transfer', 'return_transfer', 'stop_renewal', 'resume_renewal'));

create function private.wish_renewals(p_profile uuid, p_kind text, p_reason text, p_since timestamptz default now()) returns void
language sql volatile security definer set search_path = ''
as $$
  with theirs as materialized (
    select k.stripe_subscription_id as target, s.cancel_at_period_end
    from public.subscriptions s join private.stripe_subscriptions k on k.subscription_id = s.id
    where p_profile in (s.subscriber_id, s.creator_id) and s.status not in ('canceled', 'incomplete_expired')
  ), stopped as materialized (
    select t.target from private.payment_tasks t join theirs on theirs.target = t.target
    where t.kind = 'stop_renewal' and t.created_at >= p_since
  ), overtaken as (
    -- The opposite wish may not have been carried out yet.
    update private.payment_tasks t set done_at = now()
    where t.done_at is null and t.kind in ('stop_renewal', 'resume_renewal') and t.kind <> p_kind and t.target in (select target from theirs)
  )
  insert into private.payment_tasks (kind, target, reason)
  select p_kind, t.target, p_reason from theirs t
  -- Those alone that the suspension had stopped: what a fan ended stays ended.
  where case p_kind when 'stop_renewal' then not t.cancel_at_period_end else t.target in (select target from stopped) end
  on conflict (kind, target) do update set done_at = null, attempts = 0, error = null, reason = excluded.reason, created_at = now();
$$;
comment on function private.wish_renewals is 'Nobody is charged again for, or by, an account that is closed; a reinstated one takes up the renewals that were stopped since (kind: stop_renewal, resume_renewal).';

create function public.suspend_user(profile_id uuid, reason text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_profile private.profiles;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Give a reason of at most 500 characters' using errcode = '23514', constraint = 'profiles_suspension_reason_length';
  end if;
  select * into v_profile from private.profiles p where p.id = suspend_user.profile_id for update;
  if v_profile.id is null then
    raise sqlstate 'PT404' using message = 'User not found';
  elsif v_profile.user_id = auth.uid() then
    raise sqlstate 'PT409' using message = 'You cannot suspend yourself';
  elsif public.has_role(v_profile.user_id, 'admin') then
    raise sqlstate 'PT409' using message = 'An admin cannot be suspended', hint = 'Take the role away first.';
  elsif v_profile.suspended_at is not null then
    raise sqlstate 'PT409' using message = 'This account is suspended already';
  end if;
  update private.profiles p
  set suspended_at = now(), suspension_reason = v_reason, was_private = p.is_private, is_private = true
  where p.id = v_profile.id;
  -- A hundred years: for good, and still a date that clients of auth/v1 can read.
  update auth.users u set banned_until = now() + interval '100 years', updated_at = now() where u.id = v_profile.user_id;
  delete from auth.sessions s where s.user_id = v_profile.user_id;
  perform private.wish_renewals(v_profile.id, 'stop_renewal', 'The account of a party is suspended');
  perform private.notify(v_profile.id, 'other', 'Your account is suspended',
    v_reason || E'\n\nWrite to customer support if you think that this is a mistake.', '{}');
  perform private.write_audit('suspend_user', 'profiles', v_profile.id, '{"suspended": false}', '{"suspended": true}',
    jsonb_build_object('reason', v_reason));
  perform pg_notify('ovation_suspensions', v_profile.user_id::text);
end;
$$;
comment on function public.suspend_user is
  'Keeps a person out from now on, by profiles.id, for a reason that they are told (GEN-05); for admins. Ends their sessions, closes their profile, and stops renewals to and by them. PT409 for an admin and for who is suspended already.';
grant execute on function public.suspend_user(uuid, text) to authenticated;

create function public.reinstate_user(profile_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  perform private.require_admin();
  select * into v_profile from private.profiles p where p.id = reinstate_user.profile_id for update;
  if v_profile.id is null then
    raise sqlstate 'PT404' using message = 'User not found';
  elsif v_profile.suspended_at is null then
    raise sqlstate 'PT409' using message = 'This account is not suspended';
  end if;
  update private.profiles p
  set suspended_at = null, suspension_reason = null, is_private = p.was_private, was_private = null
  where p.id = v_profile.id;
  update auth.users u set banned_until = null, updated_at = now() where u.id = v_profile.user_id;
  perform private.wish_renewals(v_profile.id, 'resume_renewal', 'The account is open again', v_profile.suspended_at);
  perform private.notify(v_profile.id, 'other', 'Your account is open again', 'Sign in to go on where you were.', '{}');
  perform private.write_audit('reinstate_user', 'profiles', v_profile.id, '{"suspended": true}', '{"suspended": false}',
    jsonb_build_object('reason', v_profile.suspension_reason));
end;
$$;
comment on function public.reinstate_user is 'Lets a suspended person in again, by profiles.id; for admins. The profile is as it was, and renewals that were stopped go on. PT409 for who is not suspended.';
grant execute on function public.reinstate_user(uuid) to authenticated;

alter type public.user_with_email add attribute suspended_at timestamptz, add attribute suspension_reason text;
comment on column public.user_with_email.suspended_at is 'Since when an admin keeps the person out.';

-- As before (0108), with suspensions.
create or replace function public.get_users_with_emails(
  search text default null,
  page_size int default 1000,
  before timestamptz default null,
  before_id uuid default null
) returns setof public.user_with_email
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query execute
    'select p.id, p.user_id, p.username, p.display_name, p.avatar_url, p.bio, p.is_creator, p.is_verified, p.is_private,
       case when public.has_role(p.user_id, ''admin'') then ''admin'' else ''user'' end,
       p.followers_count, p.following_count, p.created_at, u.email::text, u.email_confirmed_at, u.last_sign_in_at, u.banned_until,
       p.total_posts, p.total_earnings, p.suspended_at, p.suspension_reason
     from (
       select f.* from private.profiles f
       where ($2 is null or (f.created_at, f.id) < ($2, coalesce($3, ''ffffffff-ffff-ffff-ffff-ffffffffffff'')))'
    || case when private.trimmed(search) is null then '' else ' and f.id in (select private.find_users($1))' end
    || ' order by f.created_at desc, f.id desc limit $4
     ) p
     join auth.users u on u.id = p.user_id
     order by p.created_at desc, p.id desc'
    using search, before, before_id, least(greatest(page_size, 0), 1000);
end;
$$;
