-- Up Migration
-- Four more pairs that could wait for one another in a circle, of which PostgreSQL then ends one (see 0173). One order for all: the account,
-- what others did to its posts and to it (likes, comments, follows, subscriptions), the post, the profile. A profile's row is locked as an
-- update of its columns locks it: others may go on referring to it.

-- Whoever likes a post holds it, and then wants its creator's profile; a pin held the profile, and then wanted the post.
create or replace function private.update_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_author boolean := private.is_service() or old.creator_id = private.my_profile_id();
  v_note text := private.trimmed(new.admin_note);
begin
  if not private.is_privileged() then
    if v_is_author is not true then
      return null;
    elsif (new.admin_note, new.admin_note_is_public) is distinct from (old.admin_note, old.admin_note_is_public) then
      raise exception 'Only admins can put a note on a post' using errcode = '42501';
    end if;
  else
    update private.posts set admin_note = v_note, admin_note_is_public = v_note is not null and coalesce(new.admin_note_is_public, false)
    where id = old.id;
    if v_note is distinct from old.admin_note and v_note is not null and v_is_author is not true then
      perform private.notify(old.creator_id, 'other', 'A note on your post', v_note, jsonb_build_object('post_id', old.id));
    end if;
  end if;
  if v_is_author then
    if new.is_pinned and not old.is_pinned then
      perform from private.posts p where p.id = old.id for no key update;
      perform from private.profiles c where c.id = old.creator_id for no key update; -- two pins at once count one another
      if (select count(*) from private.posts p where p.creator_id = old.creator_id and p.is_pinned) >= 3 then
        raise sqlstate 'PT409' using message = 'You can pin up to three posts', hint = 'Unpin another post first.';
      end if;
    end if;
    update private.posts set title = private.trimmed(new.title), content = coalesce(new.content, ''), is_pinned = new.is_pinned where id = old.id;
  end if;
  select v.* into new from public.posts v where v.id = old.id;
  return new;
end;
$$;

-- Two people who came by each other's invitation, and agree at the same moment: each held the own profile and referred to the other's.
create or replace function public.accept_terms(referral_code text default null) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  select * into v_profile from private.profiles p where p.user_id = auth.uid() for no key update;
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

-- Nobody waits for this one in a circle; but whoever followed the creator or wrote to them had to wait.
create or replace function public.message_subscribers(content text, price numeric default 0, subscriber_group text default 'current') returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_price numeric := round(coalesce(price, 0), 2);
  v_group text := coalesce(subscriber_group, 'current');
begin
  -- One at a time: two windows, or two presses, are one message.
  perform from private.profiles p where p.id = v_me for no key update;
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators can write to their subscribers' using errcode = '42501', hint = 'Apply at /creator-verification.';
  elsif coalesce(content, '') !~ '\S' then
    raise exception 'A message cannot be empty' using errcode = '23514', constraint = 'messages_content_required';
  elsif length(content) > 5000 then
    raise exception 'A message has at most 5000 characters' using errcode = '23514', constraint = 'messages_content_length';
  elsif v_price <> 0 and v_price not between 1.00 and 9999.99 then
    raise exception 'A paid message costs from $1.00 to $9,999.99' using errcode = '23514', constraint = 'messages_price_range';
  elsif v_group not in ('all', 'current', 'ending', 'past') then
    raise exception 'subscriber_group is all, current, ending or past' using errcode = '22023';
  elsif exists (select from private.group_messages g where g.creator_id = v_me and g.finished_at is null) then
    raise sqlstate 'PT409' using message = 'Your last message to a group is still on its way', hint = 'Try again in a moment.';
  end if;
  insert into private.group_messages (creator_id, subscriber_group, body, price) values (v_me, v_group, content, v_price);
  return (select count(*)::int from private.subscribers_in_group(v_me, v_group));
end;
$$;

-- An account that is deleted is held first and its profile then; a suspension and its end went the other way.
create or replace function public.suspend_user(profile_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_profile private.profiles;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Give a reason of at most 500 characters' using errcode = '23514', constraint = 'profiles_suspension_reason_length';
  end if;
  perform from auth.users u where u.id = (select p.user_id from private.profiles p where p.id = suspend_user.profile_id) for no key update;
  select * into v_profile from private.profiles p where p.id = suspend_user.profile_id for no key update;
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
  perform private.call_off_bookings(v_profile.id, 'The account of a party was suspended', 'admin');
  -- Kept with their words, under Content, for the day that the person is back.
  update public.scheduled_posts s set failure = 'Your account was suspended' where s.creator_id = v_profile.id and s.failure is null;
  perform private.notify(v_profile.id, 'other', 'Your account is suspended',
    v_reason || E'\n\nWrite to customer support if you think that this is a mistake.', '{}');
  perform private.write_audit('suspend_user', 'profiles', v_profile.id, '{"suspended": false}', '{"suspended": true}',
    jsonb_build_object('reason', v_reason));
  perform pg_notify('ovation_suspensions', v_profile.user_id::text);
end;
$$;

create or replace function public.reinstate_user(profile_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  perform private.require_admin();
  perform from auth.users u where u.id = (select p.user_id from private.profiles p where p.id = reinstate_user.profile_id) for no key update;
  select * into v_profile from private.profiles p where p.id = reinstate_user.profile_id for no key update;
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

-- Whoever withdraws a like, a comment or a follow holds its row and then wants the post's or the profile's, to count; so does what the
-- provider says of a subscription. An account that goes takes them first.
create or replace function private.delete_account(p_user uuid, p_actor uuid default null) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile private.profiles;
begin
  perform private.lock_books(); -- before the rows: a payment that comes now finds the account whole or gone
  perform from auth.users u where u.id = p_user for update;
  if not found then
    return false;
  end if;
  select * into v_profile from private.profiles p where p.user_id = p_user;
  perform from public.post_likes l where l.post_id in (select p.id from private.posts p where p.creator_id = v_profile.id) order by l.id for update;
  perform from public.comments c where c.post_id in (select p.id from private.posts p where p.creator_id = v_profile.id) order by c.id for update;
  perform from public.follows f where v_profile.id in (f.follower_id, f.following_id) order by f.id for update;
  perform from public.subscriptions s where v_profile.id in (s.subscriber_id, s.creator_id) order by s.id for update;
  perform private.write_audit('delete_account', 'users', p_user,
    jsonb_build_object('profile_id', v_profile.id, 'is_creator', v_profile.is_creator, 'is_verified', v_profile.is_verified,
      'subscribers', v_profile.subscribers_count, 'balance_cents', private.balance_of(v_profile.id)),
    null, jsonb_build_object('by', case when p_actor is null then 'server' when p_actor = p_user then 'self' else 'admin' end), p_actor);
  -- Nobody pays for, or to, someone who is gone. The provider's ids are in the wishes, for the rows that know them go now.
  insert into private.payment_tasks (kind, target, reason)
  select 'cancel_subscription', k.stripe_subscription_id, 'The account of a party was deleted'
  from public.subscriptions s join private.stripe_subscriptions k on k.subscription_id = s.id
  where v_profile.id in (s.subscriber_id, s.creator_id) and s.status not in ('canceled', 'incomplete_expired')
  on conflict (kind, target) do nothing;
  insert into private.payment_tasks (kind, target, reason)
  select 'delete_customer', c.customer_id, 'The account was deleted' from private.stripe_customers c where c.profile_id = v_profile.id
  on conflict (kind, target) do nothing;
  perform private.notify(s.subscriber_id, 'subscription', 'Subscription ended',
    'A creator you subscribed to has closed the account. You will not be charged again.', '{}')
  from public.subscriptions s where s.creator_id = v_profile.id and s.access_until > now();
  perform private.call_off_bookings(v_profile.id);
  with gone as (
    delete from storage.objects o
    where o.bucket_id in (select b.id from storage.buckets b)
      and o.name collate "C" >= p_user || '/' and o.name collate "C" < p_user || '0' -- '0' follows '/': all that lies in the folder
    returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  delete from public.notifications n where n.data ->> 'profile_id' = v_profile.id::text;
  delete from auth.audit_log_entries e where e.payload ->> 'actor_id' = p_user::text;
  update private.stripe_events e set payload = jsonb_build_object('id', e.id, 'type', e.type, 'redacted', true)
  from private.stripe_customers c
  where c.profile_id = v_profile.id and e.payload #>> '{data,object,customer}' = c.customer_id and e.processed_at is not null;
  delete from public.support_requests r where r.user_id = p_user; -- name, address and words
  delete from public.reports r where r.reported_id = v_profile.id; -- excerpts of what the person wrote
  delete from auth.users u where u.id = p_user;
  return true;
end;
$$;
