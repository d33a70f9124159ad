-- Up Migration
-- The bell rings for likes, comments and new followers too (NOTI-15), together: until it is read, one entry a post, or one for all
-- followers, names the last person and counts the rest, so that a popular post does not bury what came before it. What is taken back
-- is counted back. Writers of one group come one after the other, for each holds the counter of the same post or profile by then.
create index notifications_open_groups_idx on public.notifications (user_id, (data ->> 'group')) where not is_read and data ? 'group';
comment on column public.notifications.data is
  'Ids the client links to, by type: post_id, profile_id, transaction_id, poll_id, message_id. Of entries that ring together: group, count, and since, when the group began.';

create function private.group_words(p_kind text, p_actor uuid, p_count int, p_post uuid, out title text, out message text)
language sql stable security definer set search_path = ''
as $$
  select
    case p_kind when 'like' then 'New like' when 'comment' then 'New comment' else 'New follower' end || case when p_count > 1 then 's' else '' end,
    coalesce(private.name_of(p_actor), 'Someone')
      || case
        when p_count < 2 then ''
        when p_kind = 'comment' then ' and others' -- one person may write more than one
        when p_count = 2 then ' and one other'
        else ' and ' || (p_count - 1) || ' others'
      end
      || case
        when p_kind = 'follow' then ' started following you.'
        when p_kind = 'like' then ' liked '
        when p_count > 1 then ' wrote ' || p_count || ' comments on '
        else ' commented on '
      end
      || case when p_kind = 'follow' then '' else coalesce((select '"' || p.title || '"' from private.posts p where p.id = p_post), 'your post') || '.' end;
$$;
comment on function private.group_words is 'What an entry says that rings for several people. It quotes nobody: a comment may be withdrawn.';

create function private.ring_together(p_user uuid, p_kind text, p_actor uuid, p_post uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_group text := concat_ws(':', p_kind, p_post);
  v_entry public.notifications;
  v_words record;
begin
  if p_user = p_actor then
    return; -- one's own heart rings nobody's bell
  end if;
  select n.* into v_entry from public.notifications n
  where n.user_id = p_user and not n.is_read and n.data ? 'group' and n.data ->> 'group' = v_group
  limit 1 for update;
  v_words := private.group_words(p_kind, p_actor, coalesce((v_entry.data ->> 'count')::int, 0) + 1, p_post);
  if v_entry.id is null then
    perform private.notify(p_user, case p_kind when 'like' then 'like' else 'other' end, v_words.title, v_words.message,
      jsonb_strip_nulls(jsonb_build_object('group', v_group, 'count', 1, 'since', now(), 'profile_id', p_actor, 'post_id', p_post)));
  else
    update public.notifications n set
      title = v_words.title,
      message = v_words.message,
      data = n.data || jsonb_build_object('count', (n.data ->> 'count')::int + 1, 'profile_id', p_actor),
      created_at = now()
    where n.id = v_entry.id;
  end if;
end;
$$;
comment on function private.ring_together is 'Tells a person what others did, in one unread entry for each group (NOTI-15).';

-- `p_since`: what was done before the group began is not counted in it. `p_next`: who is named now, when the person named took it back.
create function private.take_back(p_user uuid, p_kind text, p_actor uuid, p_post uuid, p_since timestamptz, p_next uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_entry public.notifications;
  v_count int;
  v_actor uuid;
  v_words record;
begin
  select n.* into v_entry from public.notifications n
  where n.user_id = p_user and not n.is_read and n.data ? 'group' and n.data ->> 'group' = concat_ws(':', p_kind, p_post)
    and p_since >= (n.data ->> 'since')::timestamptz
  limit 1 for update;
  v_count := (v_entry.data ->> 'count')::int - 1;
  v_actor := case when v_entry.data ->> 'profile_id' = p_actor::text then p_next else (v_entry.data ->> 'profile_id')::uuid end;
  if v_count < 1 or v_actor is null then
    delete from public.notifications n where n.id = v_entry.id;
  else
    v_words := private.group_words(p_kind, v_actor, v_count, p_post);
    update public.notifications n set
      title = v_words.title,
      message = v_words.message,
      data = n.data || jsonb_build_object('count', v_count, 'profile_id', v_actor)
    where n.id = v_entry.id;
  end if;
end;
$$;
comment on function private.take_back is 'Counts back what rang together and was withdrawn before it was read; the entry goes with the last of it.';

create function private.ring_for_like() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.ring_together(p.creator_id, 'like', new.user_id, p.id) from private.posts p where p.id = new.post_id;
  else
    -- With a deleted post there is nothing to look up, and its entries go below.
    perform private.take_back(p.creator_id, 'like', old.user_id, p.id, old.created_at, (
      select l.user_id from public.post_likes l where l.post_id = p.id and l.user_id <> p.creator_id limit 1
    )) from private.posts p where p.id = old.post_id;
  end if;
  return null;
end;
$$;
comment on function private.ring_for_like is 'Trigger of post_likes: tells the creator.';
create trigger post_likes_ring after insert or delete on public.post_likes for each row execute function private.ring_for_like();

create function private.ring_for_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.ring_together(p.creator_id, 'comment', new.user_id, p.id) from private.posts p where p.id = new.post_id;
  elsif old.user_id <> (select p.creator_id from private.posts p where p.id = old.post_id) then
    perform private.take_back(p.creator_id, 'comment', old.user_id, p.id, old.created_at, (
      select c.user_id from public.comments c where c.post_id = p.id and c.user_id <> p.creator_id order by c.created_at desc limit 1
    )) from private.posts p where p.id = old.post_id;
  end if;
  return null;
end;
$$;
comment on function private.ring_for_comment is 'Trigger of comments: tells the creator.';
create trigger comments_ring after insert or delete on public.comments for each row execute function private.ring_for_comment();

create function private.ring_for_follow() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.ring_together(new.following_id, 'follow', new.follower_id, null);
  else
    perform private.take_back(old.following_id, 'follow', old.follower_id, null, old.created_at, (
      select f.follower_id from public.follows f where f.following_id = old.following_id order by f.created_at desc limit 1
    ));
  end if;
  return null;
end;
$$;
comment on function private.ring_for_follow is 'Trigger of follows: tells the person who is followed.';
-- After follows_refuse_blocked, by its name: nobody hears of a follow that was refused.
create trigger follows_ring after insert or delete on public.follows for each row execute function private.ring_for_follow();

create function private.silence_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n
  where n.user_id = old.creator_id and not n.is_read and n.data ? 'group' and n.data ->> 'group' in ('like:' || old.id, 'comment:' || old.id);
  return null;
end;
$$;
comment on function private.silence_post is 'Trigger of posts: nobody is called to a post that is gone.';
create trigger posts_silence after delete on private.posts for each row execute function private.silence_post();

-- As before (0107); a comment is as hidden to a reporter as it is to a reader: its author may stand behind a block (0100).
create or replace function private.receive_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.target_type = 'post' then
    select v.creator_id, coalesce(v.title || ': ', '') || v.content into new.reported_id, new.excerpt from public.posts v where v.id = new.target_id;
  elsif new.target_type = 'comment' then
    select c.user_id, c.content into new.reported_id, new.excerpt
    from public.comments c
    where c.id = new.target_id and private.can_view_post(c.post_id)
      and (c.user_id <> all ((select private.my_blocks())::uuid[]) or (select private.is_admin()));
  elsif new.target_type = 'message' then
    select v.sender_id, v.content into new.reported_id, new.excerpt from public.messages v where v.id = new.target_id;
  elsif new.target_type = 'profile' then
    select v.id, concat_ws(E'\n', v.display_name, v.bio) into new.reported_id, new.excerpt from public.profiles v where v.id = new.target_id;
  end if;
  if new.reported_id is null then
    raise sqlstate 'PT404' using message = 'There is nothing to report here';
  elsif new.reported_id = new.reporter_id then
    raise exception 'You cannot report yourself' using errcode = '23514', constraint = 'reports_not_self';
  end if;
  -- The service sees everything; what the reporter saw can't be told from there, so nothing is kept.
  new.excerpt := case when not private.is_service() then left(new.excerpt, 500) end;
  new.details := private.trimmed(new.details);
  return new;
end;
$$;

-- Who was first approved: the creator that /protected-content shows when none is named (PREM-02).
create index profiles_first_creator_idx on private.profiles (created_at) where is_verified;
