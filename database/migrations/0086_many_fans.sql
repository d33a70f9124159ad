-- Up Migration

-- A server has room for some thousand advisory locks. A creator with 100,000 subscribers could not be deleted: each subscription that the
-- deletion takes along locked its pair. Whose account is gone has no conversation whose state could be missed.
create or replace function private.lock_pair(p_one uuid, p_other uuid) returns void
language sql set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('pair:' || least(p_one, p_other) || ':' || greatest(p_one, p_other), 0))
  from private.profiles one join private.profiles other on other.id = p_other
  where one.id = p_one;
$$;
comment on function private.lock_pair is 'Lets only one transaction at a time begin the conversation of these two users, or change what it shows of them. Takes no lock for an account that is being deleted.';

-- A fan who hasn't spent anything changes no conversation, and one who follows is such a fan.
create or replace function private.keep_spent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' and new.spent = 0 then
    return null;
  end if;
  perform private.lock_pair(new.creator_id, new.fan_id);
  update private.conversations c set spent = new.spent
  where c.profile_id = new.creator_id and c.other_id = new.fan_id and c.spent <> new.spent;
  return null;
end;
$$;

-- After five batches, PostgreSQL keeps a plan for any creator and any recipients, which is one for few of them: it read all copies of a creator
-- for each recipient, ten seconds for a batch. The two functions plan each time. A setting of the whole step would plan its triggers, too.
create function private.lock_copies(p_creator uuid, p_recipients uuid[]) returns void
language plpgsql set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
begin
  perform from private.conversations c
  where c.profile_id = any (p_recipients) and c.other_id = p_creator order by c.profile_id for no key update;
  perform from private.offer_threads t
  where t.profile_id = any (p_recipients) and t.other_id = p_creator order by t.profile_id for no key update;
end;
$$;
comment on function private.lock_copies is 'Locks the recipients'' rows about this creator in the order of unsend_message, before copies are taken back.';

create function private.withdraw_notifications(p_creator uuid, p_recipients uuid[]) returns void
language plpgsql set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
begin
  delete from public.notifications n
  where n.user_id = any (p_recipients) and not n.is_read and n.type = 'message' and n.data ->> 'profile_id' = p_creator::text
    and not exists (select from private.messages m where m.recipient_id = n.user_id and m.sender_id = p_creator and not m.is_read);
end;
$$;
comment on function private.withdraw_notifications is 'Deletes unread notifications about this creator''s messages where no unread message is left.';

create or replace function private.take_back_copies(p_mass public.mass_messages) returns void
language plpgsql set search_path = ''
as $$
declare
  v_recipients uuid[] := private.copies_to_take_back(p_mass, 1000);
begin
  perform private.lock_copies(p_mass.creator_id, v_recipients);
  -- A copy that is being read or bought right now is for the next turn.
  delete from private.messages m
  where m.id in (
    select o.id from private.messages o
    where o.mass_message_id = p_mass.id and o.recipient_id = any (v_recipients) and not o.is_unlocked
    for update skip locked
  );
  perform private.withdraw_notifications(p_mass.creator_id, v_recipients);
  if private.copies_to_take_back(p_mass, 1) = '{}' then
    update public.mass_messages g set is_taking_back = false where g.id = p_mass.id;
    if not exists (select from private.messages m where m.mass_message_id = p_mass.id) then
      delete from private.message_media f where f.mass_message_id = p_mass.id;
    end if;
  else
    update public.mass_messages g set updated_at = now() where g.id = p_mass.id; -- the others first
  end if;
end;
$$;

-- Promotion codes of flows that can't be made now go to the back: twenty of one creator held up those of all others.
drop index public.flow_runs_code_idx;
create index flow_runs_code_idx on public.flow_runs (due_at, id) where state = 'code';
create or replace function private.flow_codes_to_make() returns table (
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
  order by r.due_at, r.id limit 20;
$$;

create function private.requeue_flow_code(p_run bigint) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.flow_runs r set due_at = clock_timestamp() where r.id = p_run and r.state = 'code';
$$;
comment on function private.requeue_flow_code is 'Lets the codes of other fans be made first, after this one couldn''t be made.';
revoke execute on function private.requeue_flow_code from public;
grant execute on function private.requeue_flow_code to service_role;
