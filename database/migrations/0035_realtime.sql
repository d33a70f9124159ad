-- Up Migration

-- Realtime: row changes, channels, and broadcasts.

-- Row changes are sent only to users who may read the row (API-RT-04). An existing row is read by its key, as the receiver. A deleted row is
-- inserted again in a subtransaction, which no one else sees, and rolled back.
-- Not security definer: the owner calls it, because only the session's own user can switch between roles.
create function realtime.who_saw(p_table regclass, p_seen_as regclass, p_key text[], p_row jsonb, p_callers jsonb) returns boolean[]
language plpgsql set search_path = ''
as $$
declare
  v_columns   text;
  v_condition text;
  v_caller    jsonb;
  v_saw_it    boolean;
  v_answers   boolean[] := '{}';
begin
  select string_agg(quote_ident(a.attname), ', ') into v_columns
  from pg_catalog.pg_attribute a
  where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  select string_agg(format('%I = %L', k.name, p_row ->> k.name), ' and ') into v_condition from unnest(p_key) k (name);
  begin
    -- As a replica, so that no triggers fire and no foreign keys are checked. The subtransaction ends with an error, which rolls it back.
    perform set_config('session_replication_role', 'replica', true);
    execute format(
      'insert into %1$s (%2$s) overriding system value select %2$s from pg_catalog.jsonb_populate_record(null::%1$s, $1) on conflict do nothing',
      p_table, v_columns
    ) using p_row;
    for v_caller in select c.value from jsonb_array_elements(p_callers) with ordinality c (value, position) order by c.position loop
      perform set_config('request.jwt.claims', v_caller ->> 'claims', true), set_config('role', v_caller ->> 'role', true);
      execute format('select exists (select from %s where %s)', p_seen_as, v_condition) into v_saw_it;
      perform set_config('role', 'none', true);
      v_answers := v_answers || v_saw_it;
    end loop;
    raise exception 'taken back' using errcode = 'PT205';
  exception when sqlstate 'PT205' then
    null; -- variables aren't rolled back, so the answers stay
  end;
  return v_answers;
end;
$$;
comment on function realtime.who_saw is 'For each caller {role, claims}, whether they could read this row before it was deleted. p_seen_as is the table or view that clients know.';
revoke execute on function realtime.who_saw from service_role; -- only the log reader calls it

-- Private channels and broadcasts from the database, as in Supabase (supabase.com/docs/guides/realtime/authorization): policies on
-- realtime.messages decide who may receive and who may send in a topic. Operators add policies for topics of their own.
create table realtime.messages (
  id             uuid primary key default gen_random_uuid(),
  topic          text not null,
  extension      text not null check (extension in ('broadcast', 'presence')),
  event          text,
  payload        jsonb,
  binary_payload bytea,
  private        boolean not null default true,
  is_delivered   boolean not null default false,
  inserted_at    timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  expires_at     timestamptz not null default now() + interval '72 hours'
);
comment on table realtime.messages is 'Broadcasts sent by the database or kept for replay. A policy for select lets users receive a topic, a policy for insert lets them send; realtime.topic() is its name.';
comment on column realtime.messages.extension is 'broadcast or presence: what the permission is for.';
comment on column realtime.messages.binary_payload is 'The body of a broadcast that isn''t JSON; then payload is null.';
comment on column realtime.messages.private is 'True for the private channels of the topic, false for the public ones.';
comment on column realtime.messages.is_delivered is 'True when it was already delivered and is only kept for replay.';
comment on column realtime.messages.expires_at is 'When realtime.forget_messages deletes it.';
alter table realtime.messages enable row level security;
create index messages_replay_idx on realtime.messages (topic, inserted_at desc) where extension = 'broadcast' and private;
create index messages_expires_at_idx on realtime.messages (expires_at);

-- A publication of its own, because only inserts matter, and clients can't follow this table.
create publication ovation_broadcasts for table realtime.messages with (publish = 'insert');

-- The call of a private session (0026_private_sessions.sql).
create policy hear_own_sessions on realtime.messages for select to authenticated using (private.may_meet(topic));

create policy say_in_own_sessions on realtime.messages for insert to authenticated with check (private.may_meet(topic));

create function realtime.topic() returns text
language sql stable set search_path = ''
as $$
  select nullif(current_setting('realtime.topic', true), '');
$$;
comment on function realtime.topic is 'The topic that is being checked; for policies on realtime.messages.';
grant execute on function realtime.topic() to anon, authenticated;
create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text default 'ROW'
) returns void
language plpgsql set search_path = ''
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  elsif operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object('schema', table_schema, 'table', table_name, 'operation', operation, 'record', new, 'old_record', old),
    event_name, topic_name
  );
end;
$$;
comment on function realtime.broadcast_changes is 'For a row trigger: broadcasts the change to a private topic.';
create function realtime.forget_messages() returns void
language sql volatile set search_path = ''
as $$
  delete from realtime.messages m where m.expires_at < now();
$$;
comment on function realtime.forget_messages is 'Deletes expired messages. Called by a scheduled job.';

-- Not security definer: the gateway's login calls it, because only the session's own user can switch between roles.
create function realtime.topic_rights(p_topic text, p_role text, p_claims text) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  v_laid  uuid[];
  v_hears text[];
  v_says  text[] := '{}';
  v_extension text;
begin
  begin
    with laid as (
      insert into realtime.messages (topic, extension) values (p_topic, 'broadcast'), (p_topic, 'presence') returning id
    )
    select array_agg(l.id) into v_laid from laid l;
    perform set_config('request.jwt.claims', p_claims, true), set_config('realtime.topic', p_topic, true), set_config('role', p_role, true);
    select array_agg(m.extension) into v_hears from realtime.messages m where m.id = any(v_laid);
    foreach v_extension in array array['broadcast', 'presence'] loop
      begin
        insert into realtime.messages (topic, extension) values (p_topic, v_extension);
        v_says := v_says || v_extension;
      exception when insufficient_privilege then
        null; -- not allowed
      end;
    end loop;
    raise exception 'taken back' using errcode = 'PT205';
  exception when sqlstate 'PT205' then
    null; -- rows, role, and claims are rolled back; variables aren't, so the answers stay
  end;
  return jsonb_build_object('hears', to_jsonb(coalesce(v_hears, '{}')), 'says', to_jsonb(v_says));
end;
$$;
comment on function realtime.topic_rights is 'What this role with these claims may do in a private topic: {hears, says} for receiving and sending, each a list of broadcast and presence. Leaves nothing behind.';

-- The product's own topics (MSG-11, SET-19, D9): `conversation:A:B`, with two profile ids in order, where users see each other typing and
-- present; and `user:A`, where the server sends to the user and others see whether the user is online.
create function private.conversation_partner(p_topic text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select case me.id when t.pair[1]::uuid then t.pair[2]::uuid when t.pair[2]::uuid then t.pair[1]::uuid end
  from (select private.my_profile_id() as id) me,
    regexp_match(p_topic, '^conversation:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$') t (pair)
  where t.pair[1] < t.pair[2];
$$;
comment on function private.conversation_partner is 'The other user of a conversation topic; null when it isn''t a conversation of the caller.';
create function private.topic_owner(p_topic text) returns uuid
language sql immutable set search_path = ''
as $$
  select (regexp_match(p_topic, '^user:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$'))[1]::uuid;
$$;
comment on function private.topic_owner is 'The profiles.id of a user topic; null for other topics.';

-- Like profiles.last_seen_at: a private profile doesn't show when its user is online.
create function private.shows_online(p_profile uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.user_settings s join private.profiles p on p.id = s.user_id
    where s.user_id = p_profile and s.show_online_status and not p.is_private
  );
$$;
comment on function private.shows_online is 'Whether others can see that the user is online (SET-18, SET-19).';
create function private.may_hear(p_topic text, p_extension text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    case
      when t.partner is not null then not private.are_blocked(t.me, t.partner)
      when t.owner = t.me then true
      else p_extension = 'presence' and t.me is not null and private.shows_online(t.owner) and not private.are_blocked(t.me, t.owner)
    end,
    false
  )
  from (
    select private.my_profile_id() as me, private.conversation_partner(p_topic) as partner, private.topic_owner(p_topic) as owner
  ) t;
$$;
comment on function private.may_hear is 'Whether the caller may receive broadcasts, or see who is present, in one of the product''s topics.';
grant execute on function private.may_hear(text, text) to authenticated;
create function private.may_say(p_topic text, p_extension text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case
    when p_extension = 'presence' then private.shows_online(private.my_profile_id()) and private.may_hear(p_topic, 'broadcast')
    -- Typing needs the permission to message; in `user:`, only the server sends.
    else coalesce(private.accepts_messages(private.conversation_partner(p_topic), private.my_profile_id()), false)
  end;
$$;
comment on function private.may_say is 'Whether the caller may broadcast to, or be shown as present in, one of the product''s topics.';
grant execute on function private.may_say(text, text) to authenticated;
create policy hear_own_topics on realtime.messages for select to authenticated using (private.may_hear(topic, extension));
create policy say_in_own_topics on realtime.messages for insert to authenticated with check (private.may_say(topic, extension));

-- Granted to both roles, so that an operator's own policies take effect; none of our policies admits visitors.
grant select, insert on realtime.messages to anon, authenticated;

-- Each receiver gets a row as they see it; one query of the gateway reads it for many receivers (API-RT-04). A filter on a column that a view
-- masks is applied to what the receiver sees. A filter on a plain column is applied to the row itself, which saves the query.
create table private.followed_views (
  view_name     text primary key,
  plain_columns text[] not null
);
comment on table private.followed_views is 'Views that clients follow, each in front of a table with the same name in schema private.';
comment on column private.followed_views.plain_columns is 'Columns that the view doesn''t mask.';
alter table private.followed_views enable row level security; -- and no policy
insert into private.followed_views (view_name, plain_columns) values
  ('posts', '{id,creator_id,title,post_type,media_types,required_tier_id,ppv_price,likes_count,comments_count,is_pinned,created_at,admin_note_is_public}'),
  ('messages', '{id,sender_id,recipient_id,is_paid,price,is_read,created_at,media_types}'),
  ('profiles', '{id,user_id,username,display_name,avatar_url,is_creator,is_verified,is_private,tiered_access,followers_count,following_count,total_photos,total_videos,total_posts,created_at,updated_at}');

-- Not security definer: the gateway's login calls it, because only the session's own user can switch between roles. The
-- statement was prepared in the session, so that it is planned once and not for each receiver.
create function realtime.seen_by(p_statement text, p_role text, p_keys text[], p_claims text[]) returns setof text
language plpgsql volatile set search_path = '' rows 100
as $$
declare
  v_claims text;
  v_seen   text;
begin
  perform set_config('role', p_role, true);
  for v_position in 1 .. cardinality(p_keys) loop
    if p_claims[v_position] is distinct from v_claims then
      v_claims := p_claims[v_position];
      perform set_config('request.jwt.claims', v_claims, true);
    end if;
    execute format('execute %I (%L)', p_statement, p_keys[v_position]) into v_seen;
    return next v_seen;
  end loop;
end;
$$;
comment on function realtime.seen_by is 'For each key, the row as JSON, as seen with this role and the claims at the same position; null when it isn''t visible.';

-- New posts and comments, the numbers of likes and comments, changed profiles, and payments.
alter publication ovation_realtime add table private.posts, private.profiles, public.comments, public.transactions;

-- Migrations written for Supabase run unmodified: they add tables to supabase_realtime, and their triggers broadcast with the permissions of
-- the user whose write fired them (supabase.com/docs/guides/realtime/broadcast). It is the operator's own publication, separate from the
-- product's, because the usual recipe drops and recreates it. A table in both is sent once.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end;
$$;
create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
language plpgsql set search_path = ''
as $$
begin
  perform set_config('realtime.topic', send_binary.topic, true);
  insert into realtime.messages (topic, extension, event, binary_payload, private)
  values (send_binary.topic, 'broadcast', send_binary.event, send_binary.payload, send_binary.private);
exception when others then
  raise warning 'realtime.send_binary to % failed: %', send_binary.topic, sqlerrm;
end;
$$;
comment on function realtime.send_binary is 'Like realtime.send, for a payload that isn''t JSON.';

-- A broadcast that can't be sent is only a warning, so that it doesn't roll back the change that it is about. The topic is set, because
-- policies on realtime.messages may use realtime.topic().
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql set search_path = ''
as $$
declare
  v_id uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', send.topic, true);
  insert into realtime.messages (id, topic, extension, event, payload, private)
  values (
    v_id, send.topic, 'broadcast', send.event,
    case when jsonb_typeof(send.payload) = 'object' then jsonb_build_object('id', v_id) || send.payload else send.payload end,
    send.private
  );
exception when others then
  raise warning 'realtime.send to % failed: %', send.topic, sqlerrm;
end;
$$;
comment on function realtime.send is 'Broadcasts to a topic once the transaction is committed. An object without an id gets one.';
grant execute on function
  realtime.send(jsonb, text, text, boolean),
  realtime.send_binary(bytea, text, text, boolean),
  realtime.broadcast_changes(text, text, text, text, text, record, record, text)
to anon, authenticated;
