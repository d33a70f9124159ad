-- Up Migration
-- Private channels and broadcasts from the database, as Supabase has them (supabase.com/docs/guides/realtime/authorization): who may
-- hear and who may say something in a topic is said by policies on realtime.messages. Operators add policies for topics of their own.
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
comment on table realtime.messages is 'Broadcasts sent by the database or kept for replay. A policy for select lets people hear a topic, one for insert lets them say something in it; realtime.topic() is its name.';
comment on column realtime.messages.extension is 'broadcast or presence: what the right is about.';
comment on column realtime.messages.binary_payload is 'The body of a broadcast that is not JSON; payload is null then.';
comment on column realtime.messages.private is 'Whether it goes to the private channels of the topic, or to the public ones.';
comment on column realtime.messages.is_delivered is 'True: it went out when it was sent, and is kept for replay alone.';
comment on column realtime.messages.expires_at is 'When realtime.forget_messages takes it away.';
create index messages_replay_idx on realtime.messages (topic, inserted_at desc) where extension = 'broadcast' and private;
create index messages_expires_at_idx on realtime.messages (expires_at);

-- A publication of its own: what is taken away later is nobody's news, and these rows are no table that clients may follow.
create publication ovation_broadcasts for table realtime.messages with (publish = 'insert');

create function realtime.topic() returns text
language sql stable set search_path = ''
as $$
  select nullif(current_setting('realtime.topic', true), '');
$$;
comment on function realtime.topic is 'The topic whose rights are being asked for; for policies on realtime.messages.';
grant execute on function realtime.topic() to anon, authenticated;

-- A broadcast that can't be sent is a warning: what happened in the table it tells of has happened all the same.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql set search_path = ''
as $$
declare
  v_id uuid := gen_random_uuid();
begin
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
comment on function realtime.forget_messages is 'Takes away what has been kept long enough. Run by the clock.';

-- Not security definer: the gateway's login calls it, for only the session's own user may take on one role after another.
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
        null; -- they may not
      end;
    end loop;
    raise exception 'taken back' using errcode = 'PT205';
  exception when sqlstate 'PT205' then
    null; -- the answers stay: variables are not undone; rows, role and claims are
  end;
  return jsonb_build_object('hears', to_jsonb(coalesce(v_hears, '{}')), 'says', to_jsonb(v_says));
end;
$$;
comment on function realtime.topic_rights is 'What this role with these claims may do in a private topic: {hears, says}, each a list of broadcast and presence. Leaves nothing behind.';

-- The product's own topics (MSG-11, SET-19, D9): `conversation:A:B`, two profile ids in order, where people see each other type and
-- be there; and `user:A`, where the server tells a person something and others see whether the person is online.
create function private.conversation_partner(p_topic text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select case me.id when t.pair[1]::uuid then t.pair[2]::uuid when t.pair[2]::uuid then t.pair[1]::uuid end
  from (select private.my_profile_id() as id) me,
    regexp_match(p_topic, '^conversation:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$') t (pair)
  where t.pair[1] < t.pair[2];
$$;
comment on function private.conversation_partner is 'With whom the caller shares this topic; null when it is no conversation of theirs.';

create function private.topic_owner(p_topic text) returns uuid
language sql immutable set search_path = ''
as $$
  select (regexp_match(p_topic, '^user:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$'))[1]::uuid;
$$;
comment on function private.topic_owner is 'Whose topic this is (profiles.id); null when it is nobody''s.';

-- As profiles.last_seen_at: a closed profile shows nobody when its owner is here.
create function private.shows_online(p_profile uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.user_settings s join private.profiles p on p.id = s.user_id
    where s.user_id = p_profile and s.show_online_status and not p.is_private
  );
$$;
comment on function private.shows_online is 'Whether the person lets others see that they are online (SET-18, SET-19).';

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
comment on function private.may_hear is 'Whether the caller may hear broadcasts, or see who is there, in one of the product''s topics.';
grant execute on function private.may_hear(text, text) to authenticated;

create function private.may_say(p_topic text, p_extension text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case
    when p_extension = 'presence' then private.shows_online(private.my_profile_id()) and private.may_hear(p_topic, 'broadcast')
    -- To type is to be about to write; and in `user:` the server alone speaks.
    else coalesce(private.accepts_messages(private.conversation_partner(p_topic), private.my_profile_id()), false)
  end;
$$;
comment on function private.may_say is 'Whether the caller may broadcast to, or be shown in, one of the product''s topics.';
grant execute on function private.may_say(text, text) to authenticated;

alter table realtime.messages enable row level security;
create policy hear_own_topics on realtime.messages for select to authenticated using (private.may_hear(topic, extension));
create policy say_in_own_topics on realtime.messages for insert to authenticated with check (private.may_say(topic, extension));
-- Granted to both roles so that an operator's own policies take effect; no policy of ours lets a visitor in.
grant select, insert on realtime.messages to anon, authenticated;
-- update and delete are not granted: what was said was said.
