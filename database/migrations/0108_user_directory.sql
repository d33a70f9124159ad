-- Up Migration
-- The admin's list of users (RPC-04, ADM-16) and the numbers on the badges (GEN-21, GEN-22).
create index profiles_created_at_idx on private.profiles (created_at desc, id desc);
create index users_email_trgm_idx on auth.users using gin (email extensions.gin_trgm_ops);

create type public.user_with_email as (
  id uuid, user_id uuid, username text, display_name text, avatar_url text, bio text, is_creator boolean, is_verified boolean,
  is_private boolean, role text, followers_count int, following_count int, created_at timestamptz,
  email text, email_confirmed_at timestamptz, last_sign_in_at timestamptz, banned_until timestamptz, total_posts int, total_earnings numeric
);
comment on type public.user_with_email is 'A profile with what admins see of its account (ADM-16).';
comment on column public.user_with_email.id is 'profiles.id. Never null.';
comment on column public.user_with_email.user_id is 'auth.users.id. Never null.';
comment on column public.user_with_email.username is 'Never null.';
comment on column public.user_with_email.is_creator is 'Never null.';
comment on column public.user_with_email.is_verified is 'Never null.';
comment on column public.user_with_email.is_private is 'Never null.';
comment on column public.user_with_email.role is 'admin or user. Never null.';
comment on column public.user_with_email.followers_count is 'Never null.';
comment on column public.user_with_email.following_count is 'Never null.';
comment on column public.user_with_email.created_at is 'Never null.';
comment on column public.user_with_email.total_posts is 'Never null.';
comment on column public.user_with_email.total_earnings is 'Dollars after the fee. Never null.';

create function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_privileged() then
    raise exception 'Only admins may do this' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_admin is 'Refuses everybody but admins and the service.';

-- Each side of the union finds its own index; the page's rows alone are put together.
create function private.find_users(search text) returns setof uuid
language sql stable security definer rows 100 set search_path = ''
as $$
  select p.id from private.profiles p
  where p.username ilike private.like_pattern(search) or p.display_name ilike private.like_pattern(search)
  union
  select p.id from auth.users u join private.profiles p on p.user_id = u.id where u.email ilike private.like_pattern(search);
$$;
comment on function private.find_users is 'Profiles whose username, name or address holds the text.';

create function public.get_users_with_emails(
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
       p.total_posts, p.total_earnings
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
comment on function public.get_users_with_emails is
  'Users with their addresses, newest first, up to 1000 at a time (RPC-04); for admins. search matches username, display name and address. The next page: before and before_id take created_at and id of the last row.';
grant execute on function public.get_users_with_emails(text, int, timestamptz, uuid) to authenticated;

create function public.count_users(search text default null) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  if private.trimmed(search) is null then
    return (select count(*) from private.profiles);
  end if;
  return (select count(*) from private.find_users(search));
end;
$$;
comment on function public.count_users is 'How many users get_users_with_emails has for this search ("All Users" (count), ADM-04); for admins.';
grant execute on function public.count_users(text) to authenticated;

create type public.unread_counts as (notifications int, messages int);
comment on type public.unread_counts is 'The two badges of the top bar.';
comment on column public.unread_counts.notifications is 'Never null.';
comment on column public.unread_counts.messages is 'Never null.';

create function public.get_unread_counts() returns public.unread_counts
language sql stable security definer set search_path = ''
as $$
  select
    (select count(*)::int from (select from public.notifications n where n.user_id = me.id and not n.is_read limit 1000) unread),
    (select count(*)::int from (select from private.messages m where m.recipient_id = me.id and not m.is_read limit 1000) unread)
  from (select private.my_profile_id() as id) me;
$$;
comment on function public.get_unread_counts is 'What the caller has not read, both badges in one call (GEN-21, GEN-22). Counted up to 1000 each: a badge says 99+ long before.';
grant execute on function public.get_unread_counts() to authenticated;
