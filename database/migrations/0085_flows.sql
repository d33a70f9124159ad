-- Up Migration

-- Automated messages (AUTO-01..05). A creator's flow starts for a fan with an event, and a job then takes the fan from step to step.
create table public.flows (
  id          uuid primary key default gen_random_uuid(),
  creator_id  uuid not null references private.profiles on delete cascade,
  name        text not null constraint flows_name_format check (name ~ '^\S([^\n]*\S)?$' and length(name) <= 50),
  trigger     jsonb not null constraint flows_trigger_length check (length(trigger::text) <= 1000),
  status      text not null default 'draft' check (status in ('draft', 'active', 'paused')),
  quiet_from  time,
  quiet_until time,
  watched_until timestamptz,
  tested_at   timestamptz,
  created_at  timestamptz not null default now(),
  constraint flows_quiet_hours check (num_nonnulls(quiet_from, quiet_until) in (0, 2) and quiet_from is distinct from coalesce(quiet_until, '24:00'))
);
comment on table public.flows is 'Creators'' automated messages: what starts them, and when they are silent. Only the creator sees them.';
comment on column public.flows.creator_id is 'profiles.id of the creator.';
comment on column public.flows.trigger is 'What starts the flow for a fan: {"trigger": name, …fields} (private.flow_parts).';
comment on column public.flows.status is 'draft until it is first active. Only an active flow starts, and takes fans further.';
comment on column public.flows.quiet_from is 'From when to quiet_until, by the fan''s clock, no message is sent; null for never.';
comment on column public.flows.watched_until is 'Up to when fans'' absences have started the flow (private.start_inactive_flows). Since it was last activated, so that no absence from before starts it.';
comment on column public.flows.tested_at is 'When the creator last sent themself a test.';
create index flows_creator_idx on public.flows (creator_id, created_at);
create index flows_starting_idx on public.flows (creator_id, (trigger ->> 'trigger')) where status = 'active'; -- private.start_flows
create index flows_absence_idx on public.flows (id) where status = 'active' and trigger ->> 'trigger' = 'inactive';

create table public.flow_steps (
  flow_id      uuid not null references public.flows on delete cascade,
  id           uuid not null,
  creator_id   uuid not null references private.profiles on delete cascade,
  position     double precision not null,
  kind         text not null,
  settings     jsonb not null,
  is_removed   boolean not null default false,
  entered      int not null default 0,
  waiting      int not null default 0,
  sent         int not null default 0,
  bought       int not null default 0,
  earned_cents bigint not null default 0,
  primary key (flow_id, id)
);
comment on table public.flow_steps is 'The steps of flows with their numbers (AUTO-05). Only the creator sees them.';
comment on column public.flow_steps.id is 'Named by the client, and kept when the flow is edited: fans in the step stay in it.';
comment on column public.flow_steps.position is 'The order in the flow. A removed step has the place before the step that followed it.';
comment on column public.flow_steps.kind is 'wait, condition, send, add_to_list, remove_from_list, promotion_code, or end (private.flow_parts).';
comment on column public.flow_steps.is_removed is 'Removed by the creator after fans entered it. Those in it go on to the next step.';
comment on column public.flow_steps.entered is 'How many fans have entered the step. Maintained from flow_entries, as sent, bought, and earned_cents are.';
comment on column public.flow_steps.waiting is 'How many are in it now. Maintained from flow_runs.';
comment on column public.flow_steps.bought is 'How many bought its message, or subscribed with its promotion code, without refunds.';
comment on column public.flow_steps.earned_cents is 'What the creator earned from that, after the fee and refunds.';
create index flow_steps_creator_id_idx on public.flow_steps (creator_id);

create table public.flow_runs (
  id          bigint generated always as identity primary key,
  flow_id     uuid not null references public.flows on delete cascade,
  creator_id  uuid not null references private.profiles on delete cascade,
  fan_id      uuid not null references private.profiles on delete cascade,
  cause       text not null,
  step_id     uuid,
  state       text not null default 'waiting' check (state in ('waiting', 'parked', 'code', 'done', 'left')),
  due_at      timestamptz not null default now(),
  started_at  timestamptz not null default now(),
  -- The same event never starts a flow twice, whatever the clock says (AUTO-02, AUTO-03).
  constraint flow_runs_once unique (flow_id, fan_id, cause)
);
comment on table public.flow_runs is 'The fans in flows: one row for each event that started a flow for a fan. Only the creator sees them.';
comment on column public.flow_runs.creator_id is 'profiles.id of the flow''s creator.';
comment on column public.flow_runs.fan_id is 'profiles.id of the fan.';
comment on column public.flow_runs.cause is 'The event that started it.';
comment on column public.flow_runs.step_id is 'The step that the fan is in, or was in last; null before the first.';
comment on column public.flow_runs.state is
  'waiting until due_at; parked when it came due while the flow was paused; code while the server makes a promotion code at Stripe; done after the last step; left when a rule didn''t hold, or the fan can''t get messages.';
create index flow_runs_due_idx on public.flow_runs (due_at) where state = 'waiting'; -- private.advance_flow: the one index of due steps
create index flow_runs_parked_idx on public.flow_runs (flow_id) where state = 'parked';
create index flow_runs_code_idx on public.flow_runs (id) where state = 'code';
create index flow_runs_creator_id_idx on public.flow_runs (creator_id);
create index flow_runs_fan_id_idx on public.flow_runs (fan_id);

create table public.flow_entries (
  run_id         bigint not null references public.flow_runs on delete cascade,
  step_id        uuid not null,
  flow_id        uuid not null,
  creator_id     uuid not null references private.profiles on delete cascade,
  fan_id         uuid not null,
  entered_at     timestamptz not null default now(),
  sent_at        timestamptz,
  message_id     uuid,
  code           text,
  promotion_id   uuid,
  transaction_id uuid,
  bought         boolean not null default false,
  earned_cents   bigint not null default 0,
  -- No fan enters a step twice, not even when the steps change places, so no message is sent twice.
  primary key (run_id, step_id)
);
comment on table public.flow_entries is 'Which steps a fan went through, with what was sent, bought, and earned there. Only the creator sees them.';
comment on column public.flow_entries.creator_id is 'profiles.id of the flow''s creator.';
comment on column public.flow_entries.fan_id is 'profiles.id of the fan.';
comment on column public.flow_entries.message_id is 'messages.id of what was sent. No foreign key: the number stays when the message is unsent.';
comment on column public.flow_entries.code is 'The name of the promotion code that is made for this fan.';
comment on column public.flow_entries.promotion_id is 'promotion_codes.id of it, once it exists at Stripe.';
comment on column public.flow_entries.transaction_id is 'transactions.id of the payment for the message, or of the first one with the code.';
create index flow_entries_sent_idx on public.flow_entries (creator_id, fan_id, sent_at desc) where sent_at is not null; -- two a day
create index flow_entries_creator_id_idx on public.flow_entries (creator_id);
create unique index flow_entries_message_id_idx on public.flow_entries (message_id) where message_id is not null;
create unique index flow_entries_promotion_id_idx on public.flow_entries (promotion_id) where promotion_id is not null;
create unique index flow_entries_transaction_id_idx on public.flow_entries (transaction_id) where transaction_id is not null;

-- Numbers of the steps (AUTO-05).
create function private.count_flow_runs() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' and old.state in ('waiting', 'parked', 'code') then
    update public.flow_steps s set waiting = s.waiting - 1 where s.flow_id = old.flow_id and s.id = old.step_id;
  end if;
  if tg_op <> 'DELETE' and new.state in ('waiting', 'parked', 'code') then
    update public.flow_steps s set waiting = s.waiting + 1 where s.flow_id = new.flow_id and s.id = new.step_id;
  end if;
  return null;
end;
$$;
comment on function private.count_flow_runs is 'Trigger of flow_runs: maintains flow_steps.waiting.';
create trigger flow_runs_count after delete on public.flow_runs for each row when (old.step_id is not null) execute function private.count_flow_runs();
create trigger flow_runs_recount after update of step_id, state on public.flow_runs
  for each row when ((old.step_id, old.state) is distinct from (new.step_id, new.state)) execute function private.count_flow_runs();

create function private.count_flow_entries() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_sign int := case tg_op when 'DELETE' then -1 else 1 end;
  v_entry public.flow_entries := case tg_op when 'DELETE' then old else new end;
  v_before public.flow_entries := case tg_op when 'UPDATE' then old end;
begin
  update public.flow_steps s set
    entered = s.entered + case tg_op when 'UPDATE' then 0 else v_sign end,
    sent = s.sent + v_sign * (v_entry.sent_at is not null)::int - (v_before.sent_at is not null)::int,
    bought = s.bought + v_sign * v_entry.bought::int - coalesce(v_before.bought, false)::int,
    earned_cents = s.earned_cents + v_sign * v_entry.earned_cents - coalesce(v_before.earned_cents, 0)
  where s.flow_id = v_entry.flow_id and s.id = v_entry.step_id;
  return null;
end;
$$;
comment on function private.count_flow_entries is 'Trigger of flow_entries: maintains the other numbers of flow_steps.';
create trigger flow_entries_count after insert or update or delete on public.flow_entries for each row execute function private.count_flow_entries();

create function private.verify_flows() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select s.creator_id, 'flow_steps.' || k.counter, k.kept, k.counted
  from public.flow_steps s
  left join (
    select e.flow_id, e.step_id, count(*) as entered, count(e.sent_at) as sent, count(*) filter (where e.bought) as bought,
      sum(e.earned_cents) as earned
    from public.flow_entries e group by 1, 2
  ) e on e.flow_id = s.flow_id and e.step_id = s.id
  left join (
    select r.flow_id, r.step_id, count(*) as waiting from public.flow_runs r where r.state in ('waiting', 'parked', 'code') group by 1, 2
  ) r on r.flow_id = s.flow_id and r.step_id = s.id
  cross join lateral (values
    ('entered', s.entered, e.entered), ('sent', s.sent, e.sent), ('bought', s.bought, e.bought), ('earned_cents', s.earned_cents, e.earned),
    ('waiting', s.waiting, r.waiting)
  ) k (counter, kept, counted)
  where k.kept <> coalesce(k.counted, 0)
  union all
  select e.creator_id, 'flow_entries.earned_cents', e.earned_cents, coalesce(t.earned, 0)
  from public.flow_entries e
  left join (
    select t.id, t.status, t.net_amount + coalesce((
        select sum(r.net_amount) from public.transactions r where r.original_transaction_id = t.id and r.transaction_type = 'refund'), 0) as earned
    from public.transactions t
  ) t on t.id = e.transaction_id
  where (e.bought, e.earned_cents) is distinct from (coalesce(t.status in ('completed', 'partially_refunded'), false), coalesce(t.earned, 0));
$$;
comment on function private.verify_flows is 'Numbers of flows that differ from what they count, for private.verify_counters.';

-- What triggers and steps are made of, as private.audience_conditions for rules.
create table private.flow_parts (
  part   text not null check (part in ('trigger', 'step')),
  name   text not null,
  fields jsonb not null,
  primary key (part, name)
);
comment on table private.flow_parts is 'The triggers and the kinds of steps that flows are made of (AUTO-01, AUTO-02).';
comment on column private.flow_parts.fields is 'The fields and their types (private.require_flow_field). All are required, except those whose type ends with "?".';
alter table private.flow_parts enable row level security; -- and no policy: only private.require_flow_part reads it
insert into private.flow_parts (part, name, fields) values
  ('trigger', 'follow', '{}'),
  ('trigger', 'subscribed', '{}'),
  ('trigger', 'trial', '{}'),
  ('trigger', 'renewed', '{}'),
  ('trigger', 'payment_failed', '{}'),
  ('trigger', 'renewal_off', '{}'),
  ('trigger', 'subscription_ended', '{}'),
  ('trigger', 'first_purchase', '{}'),
  ('trigger', 'payment', '{"cents": "cents"}'),
  ('trigger', 'inactive', '{"days": "days"}'),
  ('trigger', 'list', '{"list": "list"}'),
  ('step', 'wait', '{"minutes": "minutes"}'),
  ('step', 'condition', '{"rule": "rule"}'),
  ('step', 'send', '{"content": "content", "price_cents": "price?", "file_ids": "files?", "preview_index": "preview?"}'),
  ('step', 'add_to_list', '{"list": "list"}'),
  ('step', 'remove_from_list', '{"list": "list"}'),
  ('step', 'promotion_code', '{"percent_off": "percent", "valid_days": "days"}'),
  ('step', 'end', '{}');

create function private.require_flow_field(p_creator uuid, p_part text, p_field text, p_type text, p_value jsonb) returns void
language plpgsql stable set search_path = ''
as $$
declare
  v_least int := case p_type when 'price' then 100 when 'preview' then 0 else 1 end;
  v_most int := case p_type when 'cents' then 100000000 when 'price' then 999999 when 'days' then 365 when 'minutes' then 525600 when 'percent' then 100 when 'preview' then 9 end;
  v_is_right boolean;
begin
  if v_most is not null then
    v_is_right := jsonb_typeof(p_value) = 'number' and p_value::numeric between v_least and v_most and p_value::numeric = trunc(p_value::numeric);
    if v_is_right is not true then
      raise exception '"%" of "%" must be a whole number from % to %', p_field, p_part, v_least, v_most using errcode = '22023';
    end if;
  elsif p_type = 'rule' then
    perform private.compile_rule(p_creator, p_value);
  elsif p_type = 'list' then
    if not exists (select from public.fan_lists l where l.id::text = p_value #>> '{}' and l.creator_id = p_creator and l.rule is null) then
      raise exception '"%" of "%" must be the id of one of your lists without a rule', p_field, p_part using errcode = '22023';
    end if;
  elsif p_type = 'content' then
    if jsonb_typeof(p_value) is distinct from 'string' or length(p_value #>> '{}') > 5000 then
      raise exception 'A message can have up to 5000 characters' using errcode = '22023';
    end if;
  else
    if jsonb_typeof(p_value) <> 'array' or jsonb_array_length(p_value) > 10
      or exists (select from jsonb_array_elements(p_value) f (id) where jsonb_typeof(f.id) <> 'string' or f.id #>> '{}' !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
    then
      raise exception 'A message can have up to 10 files' using errcode = '22023';
    elsif exists (
      select from jsonb_array_elements_text(p_value) f (id)
      where not exists (select from public.vault_files v where v.id = f.id::uuid and v.creator_id = p_creator)
    ) then
      raise sqlstate 'PT404' using message = 'A file isn''t in your vault anymore';
    end if;
  end if;
end;
$$;
comment on function private.require_flow_field is 'Rejects a field of a trigger or step that doesn''t have its type. 22023 with the reason, PT404 for a file that isn''t in the vault.';

create function private.require_flow_part(p_creator uuid, p_part text, p_name text, p_fields jsonb) returns void
language plpgsql stable set search_path = ''
as $$
declare
  v_types jsonb := (select p.fields from private.flow_parts p where p.part = p_part and p.name = p_name);
  v_field text;
  v_type text;
begin
  if v_types is null then
    raise exception 'There is no % "%"', p_part, left(coalesce(p_name, ''), 50) using errcode = '22023';
  end if;
  select k into v_field from jsonb_object_keys(p_fields) k where not v_types ? k order by k limit 1;
  if v_field is not null then
    raise exception '"%" has no field "%"', p_name, left(v_field, 50) using errcode = '22023';
  end if;
  for v_field, v_type in select * from jsonb_each_text(v_types) loop
    if v_type not like '%?' or jsonb_typeof(p_fields -> v_field) <> 'null' then
      perform private.require_flow_field(p_creator, p_name, v_field, rtrim(v_type, '?'), p_fields -> v_field);
    end if;
  end loop;
end;
$$;
comment on function private.require_flow_part is 'Rejects a trigger or step that isn''t one of private.flow_parts, or has other fields.';

create function private.require_flow_steps(p_creator uuid, p_steps jsonb) returns void
language plpgsql stable set search_path = ''
as $$
declare
  v_step jsonb;
  v_has_code boolean := false;
begin
  if jsonb_typeof(p_steps) is distinct from 'array' or jsonb_array_length(p_steps) not between 1 and 30 then
    raise exception 'A flow has 1 to 30 steps' using errcode = '22023';
  end if;
  for v_step in select s from jsonb_array_elements(p_steps) s loop
    if jsonb_typeof(v_step) <> 'object' or coalesce(v_step ->> 'id', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      raise exception 'Each step needs an id' using errcode = '22023';
    end if;
    perform private.require_flow_part(p_creator, 'step', v_step ->> 'kind', v_step - '{id,kind}'::text[]);
    v_has_code := v_has_code or v_step ->> 'kind' = 'promotion_code';
    if v_step ->> 'kind' = 'send' then
      if v_step ->> 'content' !~ '\S' and coalesce(jsonb_array_length(nullif(v_step -> 'file_ids', 'null')), 0) = 0 then
        raise exception 'A message can''t be empty' using errcode = '22023';
      elsif (v_step ->> 'preview_index')::int >= coalesce(jsonb_array_length(nullif(v_step -> 'file_ids', 'null')), 0) then
        raise exception 'preview_index must be the position of one of file_ids' using errcode = '22023';
      elsif strpos(v_step ->> 'content', '{code}') > 0 and not v_has_code then
        raise exception 'A message with {code} must follow a step that makes a promotion code' using errcode = '22023';
      end if;
    end if;
  end loop;
  if (select count(distinct s ->> 'id') from jsonb_array_elements(p_steps) s) < jsonb_array_length(p_steps) then
    raise exception 'Each step needs an id of its own' using errcode = '22023';
  end if;
end;
$$;
comment on function private.require_flow_steps is 'Rejects steps that no flow can have.';

create function private.own_flow(p_flow uuid) returns public.flows
language plpgsql set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_flow public.flows;
begin
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators have flows' using errcode = '42501';
  end if;
  perform from private.profiles p where p.id = v_me for key share; -- as in the deletion of an account: first the profile
  select * into v_flow from public.flows f where f.id = p_flow and f.creator_id = v_me for no key update;
  if p_flow is not null and v_flow.id is null then
    raise sqlstate 'PT404' using message = 'Flow not found';
  end if;
  return v_flow;
end;
$$;
comment on function private.own_flow is 'Locks a flow of the calling creator and returns it. PT404 for any other flow, 42501 for anyone but an approved creator.';

-- security definer, as the other functions for callers here: they check what they write, and read numbers without policies. Own flows only.
create function public.save_flow(name text, trigger jsonb, steps jsonb, quiet_from time default null, quiet_until time default null, flow_id uuid default null)
returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_flow public.flows := private.own_flow(save_flow.flow_id);
  v_me uuid := private.my_profile_id();
  v_id uuid := v_flow.id;
begin
  perform private.lock_fan_lists(v_me); -- no list of the flow is deleted now
  if jsonb_typeof(save_flow.trigger) is distinct from 'object' then
    raise exception 'A trigger is an object with "trigger", its name' using errcode = '22023';
  end if;
  perform private.require_flow_part(v_me, 'trigger', save_flow.trigger ->> 'trigger', save_flow.trigger - 'trigger');
  perform private.require_flow_steps(v_me, save_flow.steps);
  if v_id is null then
    if (select count(*) from public.flows f where f.creator_id = v_me) >= 50 then
      raise sqlstate 'PT422' using message = 'You can have up to 50 flows', hint = 'Delete one that you don''t need.';
    end if;
    insert into public.flows as f (creator_id, name, trigger, quiet_from, quiet_until)
    values (v_me, save_flow.name, save_flow.trigger, save_flow.quiet_from, save_flow.quiet_until) returning f.id into v_id;
  else
    update public.flows f
    set name = save_flow.name, trigger = save_flow.trigger, quiet_from = save_flow.quiet_from, quiet_until = save_flow.quiet_until,
      -- A new trigger looks at what happens from now on.
      watched_until = case when f.trigger = save_flow.trigger then f.watched_until when f.status = 'active' then now() end
    where f.id = v_id;
  end if;
  if exists (
    select from jsonb_array_elements(save_flow.steps) s
    join public.flow_steps o on o.flow_id = v_id and o.id = (s ->> 'id')::uuid and o.kind <> s ->> 'kind'
  ) then
    raise exception 'A step keeps its kind' using errcode = '22023';
  end if;
  -- Fans in a removed step go on to the step that followed it and is still there.
  with kept as (
    select o.position as old_position, n.position from jsonb_array_elements(save_flow.steps) with ordinality n (step, position)
    join public.flow_steps o on o.flow_id = v_id and o.id = (n.step ->> 'id')::uuid
  )
  update public.flow_steps o set is_removed = true, position = coalesce(
    (select k.position - 0.5 from kept k where k.old_position > o.position order by k.old_position limit 1),
    jsonb_array_length(save_flow.steps) + 1)
  where o.flow_id = v_id and not exists (select from jsonb_array_elements(save_flow.steps) s where (s ->> 'id')::uuid = o.id);
  delete from public.flow_steps o where o.flow_id = v_id and o.is_removed and o.entered = 0;
  insert into public.flow_steps as s (flow_id, id, creator_id, position, kind, settings)
  select v_id, (n.step ->> 'id')::uuid, v_me, n.position, n.step ->> 'kind', n.step - '{id,kind}'::text[]
  from jsonb_array_elements(save_flow.steps) with ordinality n (step, position)
  on conflict on constraint flow_steps_pkey do update set position = excluded.position, settings = excluded.settings, is_removed = false;
  return v_id;
end;
$$;
comment on function public.save_flow is
  'Adds a flow of the calling creator, as a draft, or changes the one with flow_id (AUTO-01, AUTO-02). trigger: {trigger, …fields}; steps: [{id, kind, …fields}], as in private.flow_parts. Fans in the flow stay in their step. Returns its id. 22023 with the reason for an invalid flow.';
grant execute on function public.save_flow(text, jsonb, jsonb, time, time, uuid) to authenticated;

create function public.set_flow_status(flow_id uuid, status text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_flow public.flows := private.own_flow(coalesce(set_flow_status.flow_id, '00000000-0000-0000-0000-000000000000'));
begin
  if set_flow_status.status is null or set_flow_status.status not in ('active', 'paused') then
    raise exception 'status must be active or paused' using errcode = '22023';
  elsif v_flow.status = set_flow_status.status then
    return;
  end if;
  update public.flows f set status = set_flow_status.status, watched_until = case set_flow_status.status when 'active' then now() end
  where f.id = v_flow.id;
  if set_flow_status.status = 'active' then
    update public.flow_runs r set state = 'waiting' where r.flow_id = v_flow.id and r.state = 'parked';
  end if;
end;
$$;
comment on function public.set_flow_status is
  'Starts, pauses, or resumes a flow of the calling creator (AUTO-04). While it is paused, no event starts it, and the fans in it wait.';
grant execute on function public.set_flow_status(uuid, text) to authenticated;

create function public.delete_flow(flow_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  -- The fans first, as when the job takes them further.
  delete from public.flow_runs r where r.flow_id = delete_flow.flow_id and r.creator_id = v_me;
  delete from public.flows f where f.id = delete_flow.flow_id and f.creator_id = v_me;
  if not found then
    raise sqlstate 'PT404' using message = 'Flow not found';
  end if;
end;
$$;
comment on function public.delete_flow is 'Deletes a flow of the caller with its numbers. Messages that were sent stay.';
grant execute on function public.delete_flow(uuid) to authenticated;

create function private.keep_flow_lists() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text;
begin
  select f.name into v_user from public.flows f
  where f.creator_id = old.creator_id and (strpos(f.trigger::text, old.id::text) > 0
    or exists (select from public.flow_steps s where s.flow_id = f.id and not s.is_removed and strpos(s.settings::text, old.id::text) > 0))
    -- Without the profile, the account is being deleted, with all of this.
    and exists (select from private.profiles p where p.id = old.creator_id)
  order by f.name limit 1;
  if v_user is not null then
    raise sqlstate 'PT409' using message = format('The flow "%s" uses this list', v_user), hint = 'Change the flow first.';
  end if;
  return old;
end;
$$;
comment on function private.keep_flow_lists is 'Trigger of fan_lists: rejects the deletion of a list that a flow uses.';
create trigger fan_lists_keep_for_flows before delete on public.fan_lists for each row execute function private.keep_flow_lists();

create type public.flow as (
  id uuid,
  name text,
  trigger jsonb,
  status text,
  quiet_from time,
  quiet_until time,
  created_at timestamptz,
  steps jsonb
);
comment on type public.flow is 'A flow with its steps and their numbers.';
comment on column public.flow.id is 'Never null.';
comment on column public.flow.name is 'Never null.';
comment on column public.flow.trigger is 'Never null.';
comment on column public.flow.status is 'draft, active, or paused. Never null.';
comment on column public.flow.created_at is 'Never null.';
comment on column public.flow.steps is
  'In order: {id, kind, …fields, entered, waiting, sent, bought, earned_cents, files: those of file_ids that are still in the vault, as in saved_reply}. Never null.';

create function public.get_flows() returns setof public.flow
language sql stable security definer rows 50 set search_path = ''
as $$
  select f.id, f.name, f.trigger, f.status, f.quiet_from, f.quiet_until, f.created_at, steps.list
  from (select private.my_profile_id() as id) me
  join public.flows f on f.creator_id = me.id
  cross join lateral (
    select jsonb_agg(s.settings || jsonb_build_object('id', s.id, 'kind', s.kind, 'entered', s.entered, 'waiting', s.waiting, 'sent', s.sent,
      'bought', s.bought, 'earned_cents', s.earned_cents, 'files', coalesce(files.list, '[]')) order by s.position) as list
    from public.flow_steps s
    cross join lateral (
      select jsonb_agg(jsonb_build_object(
        'id', v.id, 'path', o.name, 'kind', v.kind, 'name', v.name, 'preview', o.metadata -> 'preview', 'duration', o.metadata -> 'duration',
        'created_at', v.created_at) order by named.position) as list
      from jsonb_array_elements_text(nullif(s.settings -> 'file_ids', 'null')) with ordinality as named (id, position)
      join public.vault_files v on v.id = named.id::uuid and v.creator_id = me.id
      join storage.objects o on o.id = v.id
    ) files
    where s.flow_id = f.id and not s.is_removed
  ) steps
  order by f.created_at desc, f.id;
$$;
comment on function public.get_flows is 'The caller''s flows with their steps and numbers (AUTO-05), newest first.';
grant execute on function public.get_flows() to authenticated;

-- A creator can't message themself, so a test is a notification for each message.
create function public.test_flow(flow_id uuid) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_flow public.flows := private.own_flow(coalesce(test_flow.flow_id, '00000000-0000-0000-0000-000000000000'));
  v_step record;
  v_count int := 0;
begin
  if v_flow.tested_at > now() - interval '10 seconds' then
    raise sqlstate 'PT429' using message = 'You''ve just sent this test', hint = 'Try again in ten seconds.';
  end if;
  update public.flows f set tested_at = now() where f.id = v_flow.id;
  for v_step in
    select s.settings, row_number() over (order by s.position) as place, count(*) over () as total
    from public.flow_steps s where s.flow_id = v_flow.id and s.kind = 'send' and not s.is_removed order by s.position
  loop
    v_count := v_count + 1;
    perform private.notify(v_flow.creator_id, 'other', format('Test of "%s": message %s of %s', v_flow.name, v_step.place, v_step.total),
      concat_ws(E'\n', nullif(private.flow_text(v_step.settings ->> 'content', private.name_of(v_flow.creator_id), 'TEST-CODE'), ''),
        nullif(concat_ws(' · ',
          case when v_step.settings ->> 'price_cents' is not null then 'Locked for ' || private.dollars((v_step.settings ->> 'price_cents')::int) end,
          case jsonb_array_length(coalesce(nullif(v_step.settings -> 'file_ids', 'null'), '[]')) when 0 then null when 1 then '1 file'
            else jsonb_array_length(v_step.settings -> 'file_ids') || ' files' end), '')));
  end loop;
  return v_count;
end;
$$;
comment on function public.test_flow is
  'Sends the calling creator a notification for each message of a flow, with their own name for {name} (AUTO-04). Returns how many. PT429 within ten seconds of the last test.';
grant execute on function public.test_flow(uuid) to authenticated;

create function private.flow_text(p_text text, p_name text, p_code text) returns text
language sql immutable set search_path = ''
as $$
  select left(replace(replace(p_text, '{code}', coalesce(p_code, '')), '{name}', coalesce(p_name, '')), 5000);
$$;
comment on function private.flow_text is 'The text of a message with the fan''s name and code in it.';

alter table public.flows enable row level security;
create policy select_own on public.flows for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.flows to authenticated;
alter table public.flow_steps enable row level security;
create policy select_own on public.flow_steps for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.flow_steps to authenticated;
alter table public.flow_runs enable row level security;
create policy select_own on public.flow_runs for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.flow_runs to authenticated;
alter table public.flow_entries enable row level security;
create policy select_own on public.flow_entries for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.flow_entries to authenticated;
-- insert, update, and delete are granted on none of them: save_flow checks a flow, and the rest is the engine's.

-- Triggers (AUTO-01). Each event looks up one index, flows_starting_idx.
create function private.start_flows(p_creator uuid, p_fan uuid, p_trigger text, p_cause text, p_value text default null) returns void
language sql volatile set search_path = ''
as $$
  insert into public.flow_runs (flow_id, creator_id, fan_id, cause)
  select f.id, f.creator_id, p_fan, p_cause
  from public.flows f
  where f.creator_id = p_creator and f.status = 'active' and f.trigger ->> 'trigger' = p_trigger and p_fan <> p_creator
    and case p_trigger when 'payment' then (f.trigger ->> 'cents')::bigint <= p_value::bigint when 'list' then f.trigger ->> 'list' = p_value else true end
  order by f.id
  on conflict on constraint flow_runs_once do nothing;
$$;
comment on function private.start_flows is 'Starts the active flows of a creator with this trigger for a fan, at most once for the same cause. p_value: the cents of a payment, or the list.';

-- Named to run last, after private.fans has the fan, as the triggers below. A subscriber or buyer who follows by that is no new follower, as
-- in private.ring_for_follows. Someone who follows again isn't new either.
create function private.start_follow_flows() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.start_flows(c.following_id, c.follower_id, 'follow', 'follow')
  from changed c
  where not exists (
      select from public.subscriptions s where s.subscriber_id = c.follower_id and s.creator_id = c.following_id and s.access_until > now())
    and not exists (
      select from public.transactions t
      where t.from_user_id = c.follower_id and t.to_user_id = c.following_id
        and t.transaction_type in ('ppv', 'tip', 'paid_message', 'private_session'));
  return null;
end;
$$;
comment on function private.start_follow_flows is 'Trigger of follows: starts flows for new followers.';
create trigger follows_start_flows after insert on public.follows
  referencing new table as changed for each statement execute function private.start_follow_flows();

create function private.start_subscription_flows() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_before text := case tg_op when 'UPDATE' then old.status else 'incomplete' end;
begin
  if new.status = 'active' and v_before in ('incomplete', 'incomplete_expired', 'trial') then
    perform private.start_flows(new.creator_id, new.subscriber_id, 'subscribed', 'subscribed:' || new.id);
  elsif new.status = 'trial' and v_before = 'incomplete' then
    perform private.start_flows(new.creator_id, new.subscriber_id, 'trial', 'trial:' || new.id);
  elsif new.status = 'past_due' and v_before in ('active', 'trial') then
    perform private.start_flows(new.creator_id, new.subscriber_id, 'payment_failed', format('failed:%s:%s', new.id, new.current_period_start));
  elsif new.status in ('canceled', 'unpaid') and v_before in ('active', 'trial', 'past_due') and not exists (
    select from public.subscriptions s
    where s.creator_id = new.creator_id and s.subscriber_id = new.subscriber_id and s.id <> new.id and s.access_until > now()
  ) then
    perform private.start_flows(new.creator_id, new.subscriber_id, 'subscription_ended', format('ended:%s:%s', new.id, new.current_period_start));
  end if;
  if tg_op = 'UPDATE' and new.cancel_at_period_end and not old.cancel_at_period_end and new.status in ('active', 'trial', 'past_due') then
    perform private.start_flows(new.creator_id, new.subscriber_id, 'renewal_off', format('renewal_off:%s:%s', new.id, new.current_period_end));
  end if;
  return null;
end;
$$;
comment on function private.start_subscription_flows is 'Trigger of subscriptions: starts flows when one begins, can''t be charged, isn''t going to renew, or ends.';
create trigger subscriptions_start_flows after insert on public.subscriptions
  for each row when (new.status in ('active', 'trial')) execute function private.start_subscription_flows();
create trigger subscriptions_start_flows_later after update of status, cancel_at_period_end on public.subscriptions
  for each row when ((old.status, old.cancel_at_period_end) is distinct from (new.status, new.cancel_at_period_end))
  execute function private.start_subscription_flows();

create function private.start_payment_flows() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.transaction_type = 'subscription' then
    if exists (
      select from public.transactions t
      where t.subscription_id = new.subscription_id and t.transaction_type = 'subscription' and t.id <> new.id
    ) then
      perform private.start_flows(new.to_user_id, new.from_user_id, 'renewed', 'renewed:' || new.id);
    end if;
    return null;
  end if;
  perform private.start_flows(new.to_user_id, new.from_user_id, 'payment', 'payment:' || new.id, new.amount::text);
  if new.transaction_type <> 'tip' and not exists (
    select from public.transactions t
    where t.from_user_id = new.from_user_id and t.to_user_id = new.to_user_id and t.id <> new.id
      and t.transaction_type in ('ppv', 'paid_message', 'private_session')
  ) then
    perform private.start_flows(new.to_user_id, new.from_user_id, 'first_purchase', 'first_purchase');
  end if;
  return null;
end;
$$;
comment on function private.start_payment_flows is 'Trigger of transactions: starts flows for renewals, first purchases, and payments of at least an amount.';
create trigger transactions_start_flows after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session')
    and new.from_user_id is not null and new.to_user_id is not null) execute function private.start_payment_flows();

-- A fan whom flows put on lists in turns would go around forever: what a flow adds starts each other flow only once for a fan.
create function private.start_list_flows() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.start_flows(c.creator_id, c.fan_id, 'list', format('list:%s:%s', c.list_id,
    case when current_setting('app.in_flow', true) = 'yes' then 'flow' else c.added_at::text end), c.list_id::text)
  from changed c;
  return null;
end;
$$;
comment on function private.start_list_flows is 'Trigger of fan_list_members: starts flows for fans who are added to a list.';
create trigger fan_list_members_start_flows after insert on public.fan_list_members
  referencing new table as changed for each statement execute function private.start_list_flows();

-- As in the condition last_seen: only fans who show it. An absence has the time of its beginning, so it starts a flow once.
create function private.start_inactive_flows() returns integer
language plpgsql security definer set search_path = '' set work_mem = '32MB' set jit = off
as $$
declare
  v_flow public.flows;
  v_started int;
  v_all int := 0;
begin
  for v_flow in
    select f.* from public.flows f where f.status = 'active' and f.trigger ->> 'trigger' = 'inactive' order by f.id for no key update skip locked
  loop
    insert into public.flow_runs (flow_id, creator_id, fan_id, cause)
    select v_flow.id, v_flow.creator_id, v.profile_id, 'inactive:' || extract(epoch from v.last_seen_at)
    from private.fans f
    join private.presence v on v.profile_id = f.fan_id
    join private.user_settings o on o.user_id = v.profile_id and o.show_online_status
    join private.profiles p on p.id = v.profile_id and not p.is_private
    where f.creator_id = v_flow.creator_id
      and v.last_seen_at > v_flow.watched_until - make_interval(days => (v_flow.trigger ->> 'days')::int)
      and v.last_seen_at <= now() - make_interval(days => (v_flow.trigger ->> 'days')::int)
      and not private.are_blocked(v_flow.creator_id, v.profile_id)
    on conflict on constraint flow_runs_once do nothing;
    get diagnostics v_started = row_count;
    v_all := v_all + v_started;
    update public.flows f set watched_until = greatest(f.watched_until, now()) where f.id = v_flow.id;
  end loop;
  return v_all;
end;
$$;
comment on function private.start_inactive_flows is 'Starts flows for fans who have now been away for the days that the flow says. Returns how many.';
revoke execute on function private.start_inactive_flows from public;
grant execute on function private.start_inactive_flows to service_role;

-- The engine (AUTO-02, AUTO-03).
create function private.flow_send_time(p_flow public.flows, p_fan uuid) returns timestamptz
language plpgsql stable set search_path = ''
as $$
declare
  v_zone text := coalesce((select s.time_zone from private.user_settings s where s.user_id = p_fan), 'UTC');
  v_at timestamptz := greatest(now(), (
    select e.sent_at + interval '24 hours' from public.flow_entries e
    where e.creator_id = p_flow.creator_id and e.fan_id = p_fan and e.sent_at is not null order by e.sent_at desc offset 1 limit 1));
  v_local timestamp := v_at at time zone v_zone;
begin
  if (case when p_flow.quiet_from < p_flow.quiet_until then v_local::time >= p_flow.quiet_from and v_local::time < p_flow.quiet_until
    else v_local::time >= p_flow.quiet_from or v_local::time < p_flow.quiet_until end)
  then
    return greatest(v_at, (v_local::date + p_flow.quiet_until + case when v_local::time >= p_flow.quiet_until then interval '1 day' else interval '0' end) at time zone v_zone);
  end if;
  return v_at;
end;
$$;
comment on function private.flow_send_time is 'When a flow may send a fan a message: not in the quiet hours of the fan''s time zone, and not as a third within 24 hours from this creator.';

create function private.meets_rule(p_creator uuid, p_fan uuid, p_rule jsonb) returns boolean
language plpgsql stable set search_path = '' set jit = off
as $$
declare
  v_meets boolean;
begin
  execute 'select exists (select from private.fans f where f.creator_id = $1 and f.fan_id = $2 and ' || private.compile_rule(p_creator, p_rule) || ')'
  into v_meets using p_creator, p_fan;
  return v_meets;
exception when invalid_parameter_value then
  return false; -- its plan or list was deleted
end;
$$;
comment on function private.meets_rule is 'Whether one fan meets a rule now.';

create function private.send_flow_message(p_flow public.flows, p_fan uuid, p_message uuid, p_content text, p_price int, p_files uuid[], p_preview int)
returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_creator uuid := p_flow.creator_id;
  v_paths text[] := case when cardinality(p_files) > 0 then private.copy_vault_files(v_creator, p_files, 'messages') else '{}' end;
  v_types text[] := array(select f.kind from unnest(p_files) with ordinality n (id, position) join public.vault_files f on f.id = n.id order by n.position);
  v_before private.conversations;
begin
  perform from private.conversations c
  where (c.profile_id, c.other_id) in ((v_creator, p_fan), (p_fan, v_creator)) order by c.profile_id for no key update;
  select * into v_before from private.conversations c where c.profile_id = v_creator and c.other_id = p_fan;
  insert into private.messages
    (id, sender_id, recipient_id, body, is_paid, price, media_paths, media_types, preview_index, author_kind, author_id, author_name)
  values (p_message, v_creator, p_fan, p_content, p_price > 0, p_price, v_paths, v_types, p_preview, 'automation', p_flow.id, p_flow.name);
  update private.conversations c set waiting_since = v_before.waiting_since, is_marked_unread = v_before.is_marked_unread
  where c.profile_id = v_creator and c.other_id = p_fan
    and (c.waiting_since, c.is_marked_unread) is distinct from (v_before.waiting_since, v_before.is_marked_unread) and v_before.profile_id is not null;
end;
$$;
comment on function private.send_flow_message is 'Sends a message of a flow as its creator, with files of the vault.';

create function private.change_flow_list(p_creator uuid, p_fan uuid, p_list text, p_adds boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_list uuid;
begin
  select l.id into v_list from public.fan_lists l where l.id::text = p_list and l.creator_id = p_creator and l.rule is null for no key update;
  if v_list is null then
    return;
  elsif not p_adds then
    perform from private.fans f where f.creator_id = p_creator and f.fan_id = p_fan for update;
    delete from public.fan_list_members m where m.list_id = v_list and m.fan_id = p_fan;
    perform private.forget_former_fans(p_creator, array[p_fan]);
  elsif not exists (select from public.fan_list_members m where m.list_id = v_list offset 99999 limit 1) then -- as in add_to_fan_list
    perform set_config('app.in_flow', 'yes', true);
    insert into private.fans as f (creator_id, fan_id, since) values (p_creator, p_fan, now())
    on conflict (creator_id, fan_id) do update set since = f.since where false; -- locks the row against forget_former_fans
    insert into public.fan_list_members (list_id, creator_id, fan_id) values (v_list, p_creator, p_fan)
    on conflict on constraint fan_list_members_pkey do nothing;
  end if;
end;
$$;
comment on function private.change_flow_list is 'Adds a fan to a list for a flow, or removes the fan from it. A list that is full or was deleted stays as it is.';

-- An automated message is no reply.
create or replace trigger messages_note_reply_time after insert on private.messages
  for each row when (new.created_at > now() - interval '30 days' and new.mass_message_id is null and new.author_kind <> 'automation')
  execute function private.note_reply_time();

-- The numbers are written before the message: a purchase locks the step first, and then the conversation.
create function private.take_flow_step(p_run public.flow_runs) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_flow public.flows := (select f from public.flows f where f.id = p_run.flow_id);
  v_step public.flow_steps := (select s from public.flow_steps s where s.flow_id = p_run.flow_id and s.id = p_run.step_id);
  v_kind text := case when not v_step.is_removed then v_step.kind end;
  v_next public.flow_steps;
  v_end text;
  v_at timestamptz;
  v_message uuid;
  v_code text;
  v_wanted uuid[];
  v_files uuid[];
  v_price int := coalesce((v_step.settings ->> 'price_cents')::int, 0);
begin
  if v_flow.status <> 'active' then
    update public.flow_runs r set state = 'parked' where r.id = p_run.id;
    return;
  elsif not private.is_approved_creator(p_run.creator_id) then
    update public.flow_runs r set due_at = now() + interval '1 day' where r.id = p_run.id;
    return;
  elsif private.are_blocked(p_run.creator_id, p_run.fan_id) then
    v_end := 'left';
  elsif v_kind = 'end' then
    v_end := 'done';
  elsif v_kind = 'condition' and not private.meets_rule(p_run.creator_id, p_run.fan_id, v_step.settings -> 'rule') then
    v_end := 'left';
  elsif v_kind = 'promotion_code' and not exists (
    select from public.flow_entries e where e.run_id = p_run.id and e.step_id = v_step.id and e.promotion_id is not null
  ) then
    update public.flow_entries e set code = 'FOR-YOU-' || upper(substr(replace(gen_random_uuid()::text, '-', ''), 1, 10))
    where e.run_id = p_run.id and e.step_id = v_step.id and e.code is null;
    update public.flow_runs r set state = 'code' where r.id = p_run.id;
    return;
  elsif v_kind = 'send' and not private.accepts_messages(p_run.fan_id, p_run.creator_id) then
    v_end := 'left';
  elsif v_kind = 'send' then
    v_at := private.flow_send_time(v_flow, p_run.fan_id);
    if v_at > now() then
      update public.flow_runs r set due_at = v_at where r.id = p_run.id;
      return;
    end if;
    v_wanted := array(select i::uuid from jsonb_array_elements_text(nullif(v_step.settings -> 'file_ids', 'null')) i);
    v_files := array(
      select f.id from unnest(v_wanted) with ordinality n (id, position)
      join public.vault_files f on f.id = n.id and f.creator_id = p_run.creator_id order by n.position);
    v_code := (
      select e.code from public.flow_entries e where e.run_id = p_run.id and e.promotion_id is not null order by e.entered_at desc limit 1);
    -- Files may have been deleted since. Nothing is sold with less than it says, and no message is empty or without its code.
    if (v_price = 0 or cardinality(v_files) = cardinality(v_wanted)) and (v_step.settings ->> 'content' ~ '\S' or cardinality(v_files) > 0)
      and (v_code is not null or strpos(v_step.settings ->> 'content', '{code}') = 0)
    then
      v_message := gen_random_uuid();
      update public.flow_entries e set sent_at = now(), message_id = v_message
      where e.run_id = p_run.id and e.step_id = v_step.id and e.sent_at is null;
      if not found then
        v_message := null;
      end if;
    end if;
  end if;

  if v_end is null then
    select * into v_next from public.flow_steps s
    where s.flow_id = p_run.flow_id and not s.is_removed and s.position > coalesce(v_step.position, 0)
      and not exists (select from public.flow_entries e where e.run_id = p_run.id and e.step_id = s.id)
    order by s.position limit 1;
  end if;
  if v_next.id is null then
    update public.flow_runs r set state = coalesce(v_end, 'done') where r.id = p_run.id;
  else
    insert into public.flow_entries (run_id, step_id, flow_id, creator_id, fan_id)
    values (p_run.id, v_next.id, p_run.flow_id, p_run.creator_id, p_run.fan_id);
    update public.flow_runs r set step_id = v_next.id,
      due_at = now() + case v_next.kind when 'wait' then make_interval(mins => (v_next.settings ->> 'minutes')::int) else interval '0' end
    where r.id = p_run.id;
  end if;

  if v_message is not null then
    perform private.send_flow_message(v_flow, p_run.fan_id, v_message,
      private.flow_text(v_step.settings ->> 'content', private.name_of(p_run.fan_id), v_code), v_price, v_files,
      case when v_price > 0 then (v_step.settings ->> 'preview_index')::int end);
  elsif v_end is null and v_kind in ('add_to_list', 'remove_from_list') then
    perform private.change_flow_list(p_run.creator_id, p_run.fan_id, v_step.settings ->> 'list', v_kind = 'add_to_list');
  end if;
end;
$$;
comment on function private.take_flow_step is 'Does what the step of a fan in a flow says, and takes the fan to the next one.';

-- One fan and one step in each transaction, so that what it locks is what a message or a change of a list locks. The fan''s place in the flow is
-- in the same transaction as the message: a crash undoes both or neither. One at a time: two would both see room for a second message a day.
create function private.advance_flow() returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_run public.flow_runs;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('flows', 0)) then
    return false;
  end if;
  select * into v_run from public.flow_runs r where r.state = 'waiting' and r.due_at <= now() order by r.due_at limit 1;
  if v_run.id is null then
    return false;
  end if;
  perform from private.profiles p where p.id in (v_run.creator_id, v_run.fan_id) order by p.id for key share; -- before the deletion of an account
  select * into v_run from public.flow_runs r where r.id = v_run.id and r.state = 'waiting' for update;
  if v_run.id is not null then
    begin
      perform private.take_flow_step(v_run);
    exception when others then
      raise warning 'Fan % of flow % stays in step %: %', v_run.fan_id, v_run.flow_id, v_run.step_id, sqlerrm;
      update public.flow_runs r set due_at = now() + interval '5 minutes' where r.id = v_run.id; -- others don't wait for it
    end;
  end if;
  return true;
end;
$$;
comment on function private.advance_flow is
  'Takes the fan who has been due longest one step further in a flow. False when nobody is due, or while another transaction does this.';
revoke execute on function private.advance_flow from public;
grant execute on function private.advance_flow to service_role;

-- Promotion codes that flows make for one fan (AUTO-02). Only the server can make one, at Stripe: private.flow_codes_to_make says which.
alter table private.promotion_codes add column fan_id uuid references private.profiles on delete cascade;
comment on column private.promotion_codes.fan_id is 'The only fan who can use the code; null for all who have it.';
create index promotion_codes_fan_id_idx on private.promotion_codes (fan_id) where fan_id is not null;

-- As in 0019_payments.sql, with codes for one fan.
create or replace function private.quote_subscription(p_fan uuid, p_plan uuid, p_code text default null) returns private.subscription_quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_quote private.subscription_quote := private.quote_plan(p_fan, p_plan);
  v_promotion private.promotion_codes;
begin
  -- Stripe bills these, or may bill them again: a second subscription beside one of them would be paid twice.
  if exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.tier_id = p_plan and s.status in ('active', 'trial', 'past_due', 'unpaid', 'paused')
  ) then
    raise sqlstate 'PT409' using message = 'You''re already subscribed to this plan', detail = 'already_subscribed';
  elsif exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.creator_id = v_quote.creator_id and s.status in ('active', 'trial', 'past_due', 'unpaid', 'paused')
  ) then
    raise sqlstate 'PT409' using message = 'You already have a plan with this creator. Switch plans instead of buying a second one.', detail = 'switch_instead';
  end if;
  if p_code is not null then
    v_promotion := private.require_promotion(p_plan, p_code);
    if v_promotion.fan_id <> p_fan then
      raise sqlstate 'PT404' using message = 'This code isn''t valid for this plan', detail = 'promotion_not_found'; -- as for a code that doesn't exist
    end if;
    v_quote.promotion_id := v_promotion.id;
    v_quote.stripe_promotion_id := v_promotion.stripe_promotion_id;
    v_quote.max_redemptions := v_promotion.max_redemptions;
    -- The code replaces the free trial: it discounts the first invoice, and a trial's first invoice is zero.
    v_quote.trial_days := 0;
  end if;
  -- The trial is for new subscribers: canceling and coming back does not start another one.
  if exists (
    select from public.subscriptions s
    where s.subscriber_id = p_fan and s.creator_id = v_quote.creator_id and s.status not in ('incomplete', 'incomplete_expired')
  ) then
    v_quote.trial_days := 0;
  end if;
  return v_quote;
end;
$$;

create function private.flow_codes_to_make() returns table (
  run_id bigint, step_id uuid, creator_id uuid, fan_id uuid, code text, percent_off int, expires_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select r.id, r.step_id, r.creator_id, r.fan_id, e.code, (s.settings ->> 'percent_off')::int,
    e.entered_at + make_interval(days => (s.settings ->> 'valid_days')::int)
  from public.flow_runs r
  join public.flow_entries e on e.run_id = r.id and e.step_id = r.step_id
  join public.flow_steps s on s.flow_id = r.flow_id and s.id = r.step_id
  where r.state = 'code'
  order by r.id limit 20;
$$;
comment on function private.flow_codes_to_make is 'Fans in flows who wait for a promotion code, with what it is.';
revoke execute on function private.flow_codes_to_make from public;
grant execute on function private.flow_codes_to_make to service_role;

create function private.finish_flow_code(p_run bigint, p_step uuid, p_promotion uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.flow_runs r set state = case when p_promotion is null then 'left' else 'waiting' end, due_at = now()
  where r.id = p_run and r.step_id = p_step and r.state = 'code';
  if found then
    update public.flow_entries e set promotion_id = p_promotion where e.run_id = p_run and e.step_id = p_step;
  end if;
end;
$$;
comment on function private.finish_flow_code is 'Takes a fan further whose promotion code exists. Without one (the creator has no plan for it), the fan leaves the flow.';
revoke execute on function private.finish_flow_code from public;
grant execute on function private.finish_flow_code to service_role;

-- What a step earned (AUTO-05): the payment for its message, or the first one with its code.
create function private.note_flow_sale() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.transaction_type = 'refund' then
    update public.flow_entries e set earned_cents = e.earned_cents + new.net_amount where e.transaction_id = new.original_transaction_id;
  elsif tg_op = 'UPDATE' and old.message_id is not distinct from new.message_id then
    update public.flow_entries e set bought = new.status in ('completed', 'partially_refunded') where e.transaction_id = new.id;
  elsif new.transaction_type = 'subscription' then
    -- Stripe reports the invoice and the checkout in any order, so the checkout may still be open here.
    update public.flow_entries e set transaction_id = new.id, bought = new.status in ('completed', 'partially_refunded'), earned_cents = new.net_amount
    where e.transaction_id is null and e.promotion_id = (
      select c.promotion_id from private.checkout_sessions c
      where c.profile_id = new.from_user_id and c.creator_id = new.to_user_id and c.kind = 'subscription' order by c.created_at desc limit 1);
  else
    update public.flow_entries e set transaction_id = new.id, bought = new.status in ('completed', 'partially_refunded'), earned_cents = new.net_amount
    where e.message_id = new.message_id and e.transaction_id is null;
  end if;
  return null;
end;
$$;
comment on function private.note_flow_sale is 'Trigger of transactions: notes payments for messages of flows, the first ones with their codes, and refunds.';
create trigger transactions_note_flow_message after update of message_id on public.transactions
  for each row when (new.transaction_type = 'paid_message' and old.message_id is null and new.message_id is not null)
  execute function private.note_flow_sale();
create trigger transactions_note_flow_subscription after insert on public.transactions
  for each row when (new.transaction_type = 'subscription' and new.from_user_id is not null and new.to_user_id is not null)
  execute function private.note_flow_sale();
create trigger transactions_note_flow_refund after insert on public.transactions
  for each row when (new.transaction_type = 'refund') execute function private.note_flow_sale();
create trigger transactions_note_flow_status after update of status on public.transactions
  for each row when (new.transaction_type in ('paid_message', 'subscription') and new.status <> old.status) execute function private.note_flow_sale();

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
  select * from private.verify_fans()
  union all
  select * from private.verify_mass_messages()
  union all
  select * from private.verify_flows();
$$;
