-- Up Migration

-- The states of a subscription can arrive in any order, so one that has counted can become incomplete after all. The fan's row follows then, too.
create or replace function private.keep_subscribed_fan() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status in ('incomplete', 'incomplete_expired') then
    perform private.forget_former_fans(new.creator_id, array[new.subscriber_id]);
  else
    insert into private.fans as f (creator_id, fan_id, since) values (new.creator_id, new.subscriber_id, new.created_at)
    on conflict (creator_id, fan_id) do update set since = excluded.since where f.since > excluded.since; -- as in keep_followers
  end if;
  -- A statement of its own, which sees what another one has committed while this one waited for the row.
  update private.fans f set plan_id = s.tier_id, subscription_status = s.status, subscribed_at = s.created_at,
    subscribed_until = private.subscribed_until(s), renewal_off = s.cancel_at_period_end
  from (values (new.creator_id, new.subscriber_id)) changed (creator_id, fan_id)
  left join lateral (
    select s.id from public.subscriptions s
    where s.creator_id = changed.creator_id and s.subscriber_id = changed.fan_id and s.status not in ('incomplete', 'incomplete_expired')
    order by private.subscribed_until(s) desc nulls last, s.created_at desc limit 1
  ) latest on true
  left join public.subscriptions s on s.id = latest.id
  where f.creator_id = changed.creator_id and f.fan_id = changed.fan_id;
  return null;
end;
$$;
create trigger subscriptions_lose_fan after update on public.subscriptions
  for each row when (new.status in ('incomplete', 'incomplete_expired') and old.status not in ('incomplete', 'incomplete_expired'))
  execute function private.keep_subscribed_fan();

-- What private.verify_counters compares, by area.
create function private.verify_fans() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable set search_path = ''
as $$
  select coalesce(f.creator_id, c.creator_id), 'fans.' || k.counter, k.kept, k.counted
  from private.fans f
  full join private.compute_fans() c on c.creator_id = f.creator_id and c.fan_id = f.fan_id
  cross join lateral (values
    ('fan_id', num_nonnulls(f.fan_id), num_nonnulls(c.fan_id)), ('spent', f.spent, c.spent), ('tipped', f.tipped, c.tipped),
    ('posts_bought', f.posts_bought, c.posts_bought), ('messages_bought', f.messages_bought, c.messages_bought),
    ('sessions_bought', f.sessions_bought, c.sessions_bought),
    ('subscription', ((f.plan_id, f.subscription_status, f.subscribed_at, f.subscribed_until, f.renewal_off)
      is distinct from (c.plan_id, c.subscription_status, c.subscribed_at, c.subscribed_until, c.renewal_off))::int, 0)
  ) k (counter, kept, counted)
  where coalesce(k.kept, 0) <> coalesce(k.counted, 0);
$$;
comment on function private.verify_fans is 'The rows of private.fans that differ from private.compute_fans.';

create function private.verify_vault() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable set search_path = ''
as $$
  select f.creator_id, 'vault_files.post_uses + message_uses', f.post_uses + f.message_uses, coalesce(u.posts + u.messages, 0)
  from public.vault_files f
  left join (select file_id, count(post_id) as posts, count(*) filter (where post_id is null) as messages from private.vault_uses group by 1) u on u.file_id = f.id
  where (f.post_uses, f.message_uses) is distinct from (coalesce(u.posts, 0), coalesce(u.messages, 0))
  union all
  select f.creator_id, 'vault_files.earned_cents', f.earned_cents, coalesce(k.earned, 0)
  from public.vault_files f
  left join (
    select s.file_id, count(*) filter (where t.status in ('completed', 'partially_refunded')) as sales, sum(t.net_amount + coalesce(r.net_amount, 0)) as earned
    from private.vault_sales s
    join public.transactions t on t.id = s.transaction_id
    left join (
      select original_transaction_id, sum(net_amount) as net_amount from public.transactions where transaction_type = 'refund' group by 1
    ) r on r.original_transaction_id = t.id
    group by 1
  ) k on k.file_id = f.id
  where (f.sales, f.earned_cents) is distinct from (coalesce(k.sales, 0), coalesce(k.earned, 0))
  union all
  select a.creator_id, 'vault_albums.file_count', a.file_count, coalesce(k.files, 0)
  from public.vault_albums a
  left join (select album_id, count(*) as files from public.vault_album_files group by 1) k on k.album_id = a.id
  where a.file_count <> coalesce(k.files, 0)
  union all
  select a.creator_id, 'vault_album_files.uses', a.uses, f.uses
  from public.vault_album_files a join public.vault_files f on f.id = a.file_id
  where (a.kind, a.uses, a.size_bytes, a.earned_cents, a.created_at) is distinct from (f.kind, f.uses, f.size_bytes, f.earned_cents, f.created_at);
$$;
comment on function private.verify_vault is 'The counters of the vault''s files and albums that differ from what they count.';

create or replace function private.verify_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select * from private.verify_profile_counters()
  union all
  select coalesce(c.profile_id, m.recipient_id), 'message_counts.received', c.received, m.received
  from private.message_counts c
  full join (select recipient_id, count(*) as received from private.messages group by 1) m on m.recipient_id = c.profile_id
  where coalesce(c.received, 0) <> coalesce(m.received, 0)
  union all
  select * from private.verify_vault()
  union all
  select * from private.verify_fans();
$$;

-- A conversation that begins while the fan pays, subscribes, or is restricted. Neither transaction sees the row of the other, so without a lock
-- the conversation would keep the state from before. Once it exists, its own row is what they wait for.
create function private.lock_pair(p_one uuid, p_other uuid) returns void
language sql set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('pair:' || least(p_one, p_other) || ':' || greatest(p_one, p_other), 0));
$$;
comment on function private.lock_pair is 'Lets only one transaction at a time begin the conversation of these two users, or change what it shows of them.';

create or replace function private.keep_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_to_many boolean;
begin
  if tg_op = 'INSERT' then
    if (
      select count(*) from private.conversations c
      where (c.profile_id, c.other_id) in ((new.sender_id, new.recipient_id), (new.recipient_id, new.sender_id))
    ) < 2 then
      perform private.lock_pair(new.sender_id, new.recipient_id);
    end if;
    v_is_to_many := exists (
      select from private.group_messages g where g.creator_id = new.sender_id and g.finished_at is null and g.body = new.body
    );
    insert into private.conversations as c
      (profile_id, other_id, last_message_id, last_message_at, unread_count, waiting_since, is_subscriber, is_restricted, spent)
    select s.profile_id, s.other_id, new.id, new.created_at, s.unread, case when not s.is_sender and not v_is_to_many then new.created_at end,
      private.is_subscriber(s.profile_id, s.other_id), private.restricts(s.profile_id, s.other_id),
      coalesce((select f.spent from private.fans f where f.creator_id = s.profile_id and f.fan_id = s.other_id), 0)
    from (values
      (new.sender_id, new.recipient_id, 0, true),
      (new.recipient_id, new.sender_id, case when new.is_read then 0 else 1 end, false)
    ) as s (profile_id, other_id, unread, is_sender)
    order by s.profile_id
    on conflict (profile_id, other_id) do update set
      last_message_id = case when excluded.last_message_at >= c.last_message_at then excluded.last_message_id else c.last_message_id end,
      last_message_at = greatest(excluded.last_message_at, c.last_message_at),
      unread_count = c.unread_count + excluded.unread_count,
      waiting_since = case
        when v_is_to_many then c.waiting_since
        when c.profile_id = new.recipient_id then coalesce(c.waiting_since, excluded.waiting_since)
      end,
      is_archived = c.is_archived and (c.profile_id = new.sender_id or c.is_restricted),
      is_marked_unread = c.is_marked_unread and (c.profile_id = new.recipient_id or v_is_to_many);
  elsif tg_op = 'UPDATE' then
    update private.conversations c set
      unread_count = c.unread_count + case when new.is_read then -1 else 1 end,
      is_marked_unread = c.is_marked_unread and not new.is_read
    where c.profile_id = new.recipient_id and c.other_id = new.sender_id;
  else
    perform from private.conversations c
    where (c.profile_id, c.other_id) in ((old.sender_id, old.recipient_id), (old.recipient_id, old.sender_id))
    order by c.profile_id for no key update;
    update private.conversations c set
      unread_count = c.unread_count - case when old.is_read then 0 else 1 end,
      waiting_since = case when c.waiting_since = old.created_at then private.waiting_since(c.profile_id, c.other_id) else c.waiting_since end
    where c.profile_id = old.recipient_id and c.other_id = old.sender_id and (not old.is_read or c.waiting_since = old.created_at);
    -- It may have been the answer.
    update private.conversations c set waiting_since = w.since
    from private.waiting_since(old.sender_id, old.recipient_id) w (since)
    where c.profile_id = old.sender_id and c.other_id = old.recipient_id and c.waiting_since is distinct from w.since;
    update private.conversations c set last_message_id = m.id, last_message_at = m.created_at
    from private.newest_message(old.sender_id, old.recipient_id) m
    where c.last_message_id = old.id and m.id is not null;
    delete from private.conversations c where c.last_message_id = old.id;
  end if;
  return null;
end;
$$;

create or replace function private.keep_spent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_pair(new.creator_id, new.fan_id);
  update private.conversations c set spent = new.spent
  where c.profile_id = new.creator_id and c.other_id = new.fan_id and c.spent <> new.spent;
  return null;
end;
$$;

create or replace function private.keep_subscriber() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_pair(coalesce(new.creator_id, old.creator_id), coalesce(new.subscriber_id, old.subscriber_id));
  update private.conversations c set is_subscriber = not c.is_subscriber
  where c.profile_id = coalesce(new.creator_id, old.creator_id) and c.other_id = coalesce(new.subscriber_id, old.subscriber_id)
    and c.is_subscriber <> private.is_subscriber(c.profile_id, c.other_id);
  return null;
end;
$$;

create or replace function private.keep_restricted() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_row private.restrictions := case tg_op when 'INSERT' then new else old end;
  v_step int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform pg_advisory_xact_lock(hashtextextended('restriction ' || v_row.creator_id || v_row.fan_id, 0));
  perform from private.posts p
  where p.creator_id = v_row.creator_id and p.id in (select c.post_id from public.comments c where c.user_id = v_row.fan_id)
  order by p.id for no key update;
  update private.posts p set restricted_comments_count = p.restricted_comments_count + v_step * c.comments
  from (select k.post_id, count(*)::int as comments from public.comments k where k.user_id = v_row.fan_id group by 1) c
  where p.id = c.post_id and p.creator_id = v_row.creator_id;
  perform private.lock_pair(v_row.creator_id, v_row.fan_id);
  update private.conversations c set is_restricted = tg_op = 'INSERT'
  where c.profile_id = v_row.creator_id and c.other_id = v_row.fan_id;
  if tg_op = 'INSERT' then
    update public.notifications n set is_read = true
    where n.user_id = v_row.creator_id and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = v_row.fan_id::text;
  end if;
  return null;
end;
$$;

-- A like that arrives after the others are locked can be taken back at once: that transaction has the like and waits for the post, and this one has
-- the post and would wait for the like. It lets go of the post instead, and starts over. So with comments.
create or replace function private.delete_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_privileged() and old.creator_id is distinct from private.my_profile_id() then
    return null;
  end if;
  loop
    begin
      perform from public.post_likes l where l.post_id = old.id order by l.id for update;
      perform from public.comments c where c.post_id = old.id order by c.id for update;
      perform from private.posts p where p.id = old.id for update; -- from here on, nobody can add one
      perform from public.post_likes l where l.post_id = old.id for update nowait;
      perform from public.comments c where c.post_id = old.id for update nowait;
      delete from private.posts where id = old.id;
      return old;
    exception when lock_not_available then
      perform pg_sleep(0.01);
    end;
  end loop;
end;
$$;
