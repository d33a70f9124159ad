-- Up Migration
-- Supabase's migrations run unmodified: they add tables to supabase_realtime, and their triggers broadcast with the rights of the person
-- whose write fired them (supabase.com/docs/guides/realtime/broadcast).

-- The operator's own publication, beside the product's. A table in both is told once. Kept apart, because the usual recipe drops and
-- creates supabase_realtime again, and the product's screens must not lose their tables to it.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end;
$$;

-- A broadcast that can't be sent is a warning: what happened in the table it tells of has happened all the same. The topic is set
-- because policies on realtime.messages may ask for realtime.topic().
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
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
comment on function realtime.send_binary is 'As realtime.send, for a payload that isn''t JSON.';

-- None of them is security definer: the policies on realtime.messages decide, for the person whose write fired the trigger. Without
-- these grants that write would fail along with its broadcast.
grant execute on function
  realtime.send(jsonb, text, text, boolean),
  realtime.send_binary(bytea, text, text, boolean),
  realtime.broadcast_changes(text, text, text, text, text, record, record, text)
to anon, authenticated;
