-- Up Migration

-- Goals (OFFER-07): an amount of tips, or a number of subscribers, that a creator wants to reach by a date.
-- A contribution is a tip with a goal, so that its fee, receipt, refund, and dispute are those of any tip. Progress is what the ledger has for it.

create table public.goals (
  id                uuid primary key default gen_random_uuid(),
  creator_id        uuid not null references private.profiles on delete cascade,
  title             text not null constraint goals_title_length check (title ~ '\S' and length(title) <= 100),
  description       text constraint goals_description_length check (length(description) <= 1000),
  cover_path        text constraint goals_cover_path_key unique,
  kind              text not null constraint goals_kind_known check (kind in ('money', 'subscribers')),
  target            bigint not null,
  progress          bigint not null default 0,
  refunds_if_missed boolean not null default false,
  status            text not null default 'open' constraint goals_status_known check (status in ('open', 'reached', 'missed', 'removed')),
  ends_at           timestamptz not null,
  reached_at        timestamptz,
  closed_at         timestamptz,
  closed_progress   bigint,
  announced_at      timestamptz,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  constraint goals_target_range check (target between case kind when 'money' then 100 else 1 end and case kind when 'money' then 100000000 else 1000000 end),
  constraint goals_only_money_is_refunded check (kind = 'money' or not refunds_if_missed),
  constraint goals_closed_has_progress check ((closed_at is null) = (closed_progress is null)),
  constraint goals_missed_is_closed check (status in ('open', 'reached') or closed_at is not null)
);
comment on table public.goals is 'Goals of creators. Kind, target, end, and the promise of refunds never change, except that a creator can end a goal early.';
comment on column public.goals.creator_id is 'The creator''s profiles.id.';
comment on column public.goals.cover_path is 'A picture in the creator''s folder of bucket covers; null for none.';
comment on column public.goals.kind is 'money: tips toward the goal. subscribers: all subscribers of the creator.';
comment on column public.goals.target is 'US cents, or a number of subscribers.';
comment on column public.goals.progress is 'US cents of the tips toward the goal, less refunds and disputes; or the creator''s subscribers, until it is closed. Maintained by triggers.';
comment on column public.goals.refunds_if_missed is 'The promise to refund all tips toward the goal when it is missed.';
comment on column public.goals.status is 'A goal that was reached stays reached, whatever happens to its tips. removed: by an admin.';
comment on column public.goals.ends_at is 'When it stops taking tips. It is closed some minutes later, when payments of the last moment have arrived.';
comment on column public.goals.closed_at is 'When it was closed; null before.';
comment on column public.goals.closed_progress is 'Its progress when it was closed. Refunds after that change only progress.';
comment on column public.goals.announced_at is 'When all contributors had been notified of the result; null before.';
create index goals_creator_id_idx on public.goals (creator_id, created_at desc, id desc);
create index goals_due_idx on public.goals (ends_at) where closed_at is null;
create index goals_to_announce_idx on public.goals (id) where announced_at is null and status <> 'open';
create trigger goals_touch before update on public.goals for each row execute function private.touch_updated_at();
create trigger goals_remove_cover after delete on public.goals
  for each row when (old.cover_path is not null) execute function private.remove_post_cover();
create trigger goals_replace_cover after update of cover_path on public.goals
  for each row when (old.cover_path is not null and new.cover_path is distinct from old.cover_path) execute function private.remove_post_cover();
comment on function private.remove_post_cover is 'Trigger of posts, products, and goals: deletes the file of a cover that the row no longer has.';

create table private.goal_contributors (
  goal_id     uuid not null references public.goals on delete cascade,
  fan_id      uuid not null references private.profiles on delete cascade,
  notified_at timestamptz,
  primary key (goal_id, fan_id)
);
comment on table private.goal_contributors is 'Fans who have tipped toward a goal or, once it has a result, have subscribed since it began.';
comment on column private.goal_contributors.notified_at is 'When the fan was notified of the result; null before. Set for a fan who tips after all others were notified.';
create index goal_contributors_fan_id_idx on private.goal_contributors (fan_id);
create index goal_contributors_to_notify_idx on private.goal_contributors (goal_id, fan_id) where notified_at is null;
alter table private.goal_contributors enable row level security; -- and no policy: nobody reads who else contributed

create function private.contributed_to(p_goal uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.goal_contributors c where c.goal_id = p_goal and c.fan_id = (select private.my_profile_id()));
$$;
comment on function private.contributed_to is 'True when the caller has contributed to the goal.';
grant execute on function private.contributed_to to authenticated;

alter table public.goals enable row level security;
-- A result is shown for two weeks. Contributors keep it, because it names their payments.
create policy select_shown on public.goals for select to anon, authenticated
  using (status <> 'removed' and coalesce(closed_at > now() - interval '14 days', true) and not private.is_private_profile(creator_id)
    and not private.is_suspended(creator_id) and creator_id <> all ((select private.my_blocks())::uuid[]));
create policy select_own on public.goals for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy select_contributed on public.goals for select to authenticated using (private.contributed_to(id));
grant select on public.goals to anon, authenticated;
-- insert, update, and delete are not granted: functions keep the promises that a goal makes.
alter publication ovation_realtime add table public.goals;

-- Payments.
alter table public.transactions add goal_id uuid references public.goals on delete set null;
comment on column public.transactions.goal_id is 'The goal that a tip was given toward; null for other payments, and after the goal was deleted.';
create index transactions_goal_id_idx on public.transactions (goal_id) where goal_id is not null;
alter table private.checkout_sessions add goal_id uuid references public.goals on delete set null;
comment on column private.checkout_sessions.goal_id is 'The goal that a tip is given toward; null for other payments, and after the goal was deleted.';
create index checkout_sessions_goal_id_idx on private.checkout_sessions (goal_id) where goal_id is not null;

create function private.goal_words(p_kind text, p_number bigint) returns text
language sql stable set search_path = ''
as $$
  select case when p_kind = 'money' then private.dollars(p_number) else p_number || case p_number when 1 then ' subscriber' else ' subscribers' end end;
$$;
comment on function private.goal_words is 'A goal''s target or progress in words: $500.00, or 100 subscribers.';

create function private.reach_goal(p_goal uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_goal public.goals;
begin
  -- Not now(): subscriptions that began while this transaction waited for the goal have helped to reach it.
  update public.goals g set status = 'reached', reached_at = clock_timestamp()
  where g.id = p_goal and g.status = 'open' and g.closed_at is null and g.progress >= g.target returning * into v_goal;
  if v_goal.id is not null then
    perform private.notify(v_goal.creator_id, 'payment', 'Goal reached: ' || v_goal.title,
      'You''ve reached ' || private.goal_words(v_goal.kind, v_goal.target) || '.', jsonb_build_object('goal_id', v_goal.id));
  end if;
end;
$$;
comment on function private.reach_goal is 'Marks an open goal as reached once its progress is enough, and notifies the creator. Its row is locked, so this happens once.';

create function private.count_goal_tip() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_before bigint := case when old.goal_id = new.goal_id then old.amount - old.refunded_amount else 0 end;
begin
  update public.goals g set progress = g.progress + new.amount - new.refunded_amount - v_before where g.id = new.goal_id;
  perform private.reach_goal(new.goal_id);
  return null;
end;
$$;
comment on function private.count_goal_tip is 'Trigger of transactions: maintains goals.progress of goals for money.';
create trigger transactions_count_goal after update of goal_id, refunded_amount on public.transactions
  for each row when (new.goal_id is not null and (new.goal_id is distinct from old.goal_id or new.refunded_amount <> old.refunded_amount))
  execute function private.count_goal_tip();

create function private.count_goal_subscribers() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_goal uuid;
begin
  for v_goal in
    select g.id from public.goals g where g.creator_id = new.id and g.kind = 'subscribers' and g.closed_at is null order by g.id for update
  loop
    update public.goals g set progress = new.subscribers_count where g.id = v_goal;
    perform private.reach_goal(v_goal);
  end loop;
  return null;
end;
$$;
comment on function private.count_goal_subscribers is 'Trigger of profiles: maintains goals.progress of goals for subscribers.';
create trigger profiles_count_goal after update of subscribers_count on private.profiles
  for each row when (new.subscribers_count <> old.subscribers_count) execute function private.count_goal_subscribers();

create function private.verify_goals() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable set search_path = ''
as $$
  -- From the ledger itself: what came to the provider with the tips, less what went back.
  select g.creator_id, 'goals.progress', g.progress, coalesce(booked.cents, 0)
  from public.goals g
  left join lateral (
    select sum(e.amount_cents) as cents
    from public.transactions t
    join public.transactions moved on moved.id = t.id or (moved.original_transaction_id = t.id and moved.transaction_type = 'refund')
    join private.ledger_entries e on e.transaction_id = moved.ledger_transaction_id
    join private.ledger_accounts a on a.id = e.account_id and a.code = 'stripe'
    where t.goal_id = g.id
  ) booked on true
  where g.kind = 'money' and g.progress <> coalesce(booked.cents, 0)
  union all
  select g.creator_id, 'goals.progress', g.progress, p.subscribers_count
  from public.goals g join private.profiles p on p.id = g.creator_id
  where g.kind = 'subscribers' and g.closed_at is null and g.progress <> p.subscribers_count;
$$;
comment on function private.verify_goals is 'Progress of goals that differs from what it counts.';

-- Contract: both functions get a parameter with a default, which a server of the last version leaves out.
drop function private.quote_tip(uuid, uuid, bigint);
create function private.quote_tip(p_fan uuid, p_creator uuid, p_cents bigint, p_goal uuid default null) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_creator private.profiles;
  v_settings public.monetization_settings;
  v_goal public.goals;
begin
  perform private.require_tip_amount(p_cents);
  v_creator := private.require_payable(p_fan, p_creator);
  select * into v_settings from public.monetization_settings s where s.creator_id = p_creator;
  if not v_settings.takes_tips then
    raise sqlstate 'PT409' using message = 'This creator doesn''t accept tips';
  elsif p_cents < v_settings.tip_min_cents then
    raise sqlstate 'PT400' using message = 'The minimum tip for this creator is ' || private.dollars(v_settings.tip_min_cents);
  elsif p_goal is not null then
    select * into v_goal from public.goals g where g.id = p_goal and g.creator_id = p_creator and g.kind = 'money' and g.status <> 'removed';
    if v_goal.id is null then
      raise sqlstate 'PT404' using message = 'Goal not found', detail = 'goal_not_found';
    elsif v_goal.closed_at is not null or v_goal.ends_at <= now() then
      raise sqlstate 'PT409' using message = 'This goal has ended', hint = 'You can still give a tip without a goal.', detail = 'goal_ended';
    end if;
  end if;
  return (v_creator.id, v_creator.stripe_account_id, p_cents::int,
    'Tip for ' || private.name_of(v_creator.id) || coalesce(' toward "' || v_goal.title || '"', ''))::private.quote;
end;
$$;
comment on function private.quote_tip is 'Whether the fan may tip this creator this amount (PROF-21, D28), and toward this goal (OFFER-07): PT404 for a goal that isn''t theirs or isn''t for money, PT409 for one that has ended.';

drop function private.post_tip(text, uuid, uuid, bigint, bigint, text, timestamptz, uuid, text);
create function private.post_tip(p_cause text, p_fan uuid, p_creator uuid, p_gross_cents bigint, p_fee_cents bigint, p_currency text,
  p_occurred_at timestamptz, p_post uuid default null, p_note text default null, p_goal uuid default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_goal public.goals;
begin
  perform private.require_tip_amount(p_gross_cents);
  select * into v_payment from private.post_payment(
    'tip', p_cause, p_fan, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, null, p_post);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  elsif p_goal is not null then
    select * into v_goal from public.goals g
    where g.id = p_goal and g.creator_id = p_creator and g.kind = 'money' and g.closed_at is null for update;
    if v_goal.id is null then
      perform private.request_refund(v_payment.transaction_id, 'The goal had ended when the payment arrived.');
      perform private.notify(f.id, 'payment', 'Your tip arrived too late', 'The goal had already ended. You''ll get a full refund.',
        jsonb_build_object('transaction_id', v_payment.transaction_id))
      from private.profiles f where f.id = p_fan;
      return v_payment.transaction_id;
    end if;
  end if;
  perform private.notify(
    c.id, 'tip',
    coalesce(private.name_of(p_fan), 'Someone') || ' tipped you ' || private.dollars(p_gross_cents),
    'You earned ' || private.dollars(p_gross_cents - p_fee_cents) || coalesce(' toward "' || v_goal.title || '"', '') || '.'
      || coalesce(' “' || nullif(p_note, '') || '”', ''),
    jsonb_strip_nulls(jsonb_build_object('profile_id', p_fan, 'post_id', p_post, 'transaction_id', v_payment.transaction_id))
  )
  from private.profiles c where c.id = p_creator;
  if v_goal.id is not null then
    insert into private.goal_contributors (goal_id, fan_id, notified_at)
    select v_goal.id, f.id, case when v_goal.announced_at is not null then now() end from private.profiles f where f.id = p_fan
    on conflict (goal_id, fan_id) do nothing;
    update public.transactions set goal_id = v_goal.id where id = v_payment.transaction_id;
  end if;
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_tip is
  'Books a tip, counts it toward its goal, and notifies the creator. Idempotent by p_cause. p_post: the post that it was given on. p_note: what the fan wrote with it. p_goal: the goal that it was given toward; when that is closed or gone, a refund is requested. Returns transactions.id.';

create function private.refund_goal(p_goal uuid, p_reason text) returns void
language sql security definer set search_path = ''
as $$
  -- Also those in a dispute: the provider rejects these, and private.restore_access requests them again if the dispute is won.
  insert into private.payment_tasks (kind, target, transaction_id, reason)
  select 'refund', l.cause, t.id, p_reason
  from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
  where t.goal_id = p_goal and t.status in ('completed', 'partially_refunded', 'disputed')
  on conflict (kind, target) do nothing;
$$;
comment on function private.refund_goal is 'Requests the refund of everything that is left of the tips toward a goal, each once.';

create function private.close_goals() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_goal public.goals;
begin
  perform private.close_checkouts(array(
    select c.id from public.goals g join private.checkout_sessions c on c.goal_id = g.id
    where g.closed_at is null and g.ends_at <= now() and c.status = 'open'
  ));
  if not exists (select from public.goals g where g.closed_at is null and g.ends_at <= now() - interval '5 minutes') then
    return;
  end if;
  perform private.lock_books(); -- before the rows, as a tip or a refund does
  for v_goal in
    select g.* from public.goals g
    where g.closed_at is null and g.ends_at <= now() - interval '5 minutes'
      -- Someone may be paying at this moment. No provider takes longer than an hour to say how that went.
      and (g.ends_at <= now() - interval '1 hour'
        or not exists (select from private.checkout_sessions c where c.goal_id = g.id and c.status = 'open'))
    order by g.id limit 100 for update skip locked
  loop
    update public.goals g set closed_at = now(), closed_progress = g.progress, status = case g.status when 'open' then 'missed' else g.status end
    where g.id = v_goal.id;
    if v_goal.status = 'open' and v_goal.refunds_if_missed then
      perform private.refund_goal(v_goal.id, 'The goal wasn''t reached.');
    end if;
    perform private.notify(v_goal.creator_id, 'payment',
      case v_goal.status when 'open' then 'Goal missed: ' else 'Goal ended: ' end || v_goal.title,
      'It ended at ' || case v_goal.kind when 'money' then private.dollars(v_goal.progress) else v_goal.progress::text end || ' of '
        || private.goal_words(v_goal.kind, v_goal.target) || '.'
        || case when v_goal.status = 'open' and v_goal.refunds_if_missed and v_goal.progress > 0
          then ' As you promised, the tips toward it are refunded.' else '' end,
      jsonb_build_object('goal_id', v_goal.id));
  end loop;
end;
$$;
comment on function private.close_goals is
  'Closes goals that have ended, together with the requests of the refunds that a missed one promised, and notifies their creators. private.announce_goals notifies the contributors.';
grant execute on function private.close_goals to service_role;

create function private.announce_goals() returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_goal public.goals;
  v_fans uuid[];
  v_name text;
begin
  select * into v_goal from public.goals g where g.announced_at is null and g.status <> 'open' order by g.id limit 1 for no key update skip locked;
  if v_goal.id is null then
    return 0;
  end if;
  if v_goal.kind = 'subscribers' then
    insert into private.goal_contributors (goal_id, fan_id)
    select distinct v_goal.id, s.subscriber_id from public.subscriptions s
    where s.creator_id = v_goal.creator_id and s.created_at between v_goal.created_at and coalesce(v_goal.reached_at, v_goal.closed_at)
      and s.status in ('active', 'trial', 'past_due')
    on conflict (goal_id, fan_id) do nothing;
  end if;
  -- The accounts before the rows: deleting an account locks them in this order.
  v_fans := array(
    select p.id from private.profiles p
    where p.id in (
      select c.fan_id from private.goal_contributors c where c.goal_id = v_goal.id and c.notified_at is null order by c.fan_id limit 500
    )
    order by p.id for key share
  );
  if cardinality(v_fans) = 0 then
    update public.goals g set announced_at = now() where g.id = v_goal.id;
    return 1;
  end if;
  update private.goal_contributors c set notified_at = now() where c.goal_id = v_goal.id and c.fan_id = any (v_fans);
  v_name := private.name_of(v_goal.creator_id);
  insert into public.notifications (user_id, type, title, message, data)
  select f.id, 'payment', 'Goal ' || v_goal.status || ': ' || v_goal.title,
    case v_goal.status
      when 'reached' then 'You helped ' || v_name || ' reach ' || private.goal_words(v_goal.kind, v_goal.target) || '. Thank you!'
      when 'removed' then 'We removed this goal of ' || v_name || '.' || case v_goal.kind when 'money' then ' The tips toward it are refunded.' else '' end
      else v_name || ' reached ' || case v_goal.kind when 'money' then private.dollars(v_goal.closed_progress) else v_goal.closed_progress::text end
        || ' of ' || private.goal_words(v_goal.kind, v_goal.target) || '.'
        || case when v_goal.refunds_if_missed then ' The tips toward it are refunded.'
          when v_goal.kind = 'money' then ' The goal promised no refunds, so ' || v_name || ' keeps the tips.' else '' end
    end,
    jsonb_build_object('profile_id', v_goal.creator_id)
  from unnest(v_fans) as f (id);
  return cardinality(v_fans);
end;
$$;
comment on function private.announce_goals is 'Notifies up to 500 contributors of a goal''s result. Returns 0 when nothing is left to do.';
grant execute on function private.announce_goals to service_role;

create function private.close_goals_of_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_goal public.goals;
begin
  -- Also those that are closed: their contributors may not have been notified yet.
  for v_goal in
    select g.* from public.goals g
    where g.creator_id = old.id and (g.closed_at is null or g.announced_at is null) order by g.id for update
  loop
    if v_goal.status = 'open' and v_goal.refunds_if_missed then
      perform private.refund_goal(v_goal.id, 'The creator closed their account before the goal was reached.');
    end if;
    -- Without a profile_id: notifications that name the deleted account go with it.
    perform private.notify(c.fan_id, 'payment', 'Goal ended: ' || v_goal.title,
      'The creator closed their account.' || case when (v_goal.status in ('open', 'missed') and v_goal.refunds_if_missed) or v_goal.status = 'removed'
        then ' The tips toward it are refunded.' else '' end, '{}')
    from private.goal_contributors c where c.goal_id = v_goal.id and c.notified_at is null;
  end loop;
  return old;
end;
$$;
comment on function private.close_goals_of_profile is
  'Trigger of profiles: ends the goals of a deleted creator. Refunds the tips toward those that promised it, and notifies the contributors.';
create trigger profiles_close_goals before delete on private.profiles for each row execute function private.close_goals_of_profile();

-- What creators do with goals.
create function public.create_goal(
  title text,
  kind text,
  target bigint,
  ends_at timestamptz,
  description text default null,
  cover_path text default null,
  refunds_if_missed boolean default false
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_creator private.profiles;
  v_refunds boolean := coalesce(create_goal.refunds_if_missed, false);
  v_id uuid;
begin
  if v_me is null or not private.is_approved_creator(v_me) then
    raise sqlstate 'PT403' using message = 'Only approved creators can set goals', hint = 'Apply at /creator-verification.';
  elsif coalesce(create_goal.kind not in ('money', 'subscribers'), true) then
    raise exception 'kind must be money or subscribers.' using errcode = '22023';
  elsif create_goal.kind = 'money' and coalesce(create_goal.target not between 100 and 100000000, true) then
    raise sqlstate 'PT422' using message = 'A goal must be between $1.00 and $1,000,000.00', detail = 'goal_target';
  elsif create_goal.kind = 'subscribers' and coalesce(create_goal.target not between 1 and 1000000, true) then
    raise sqlstate 'PT422' using message = 'A goal must be between 1 and 1,000,000 subscribers', detail = 'goal_target';
  elsif create_goal.kind = 'subscribers' and v_refunds then
    raise sqlstate 'PT422' using message = 'Only a goal for money can promise refunds', detail = 'goal_refunds';
  elsif coalesce(not isfinite(create_goal.ends_at) or create_goal.ends_at < now() + interval '1 hour', true) then
    raise sqlstate 'PT422' using message = 'A goal must end at least an hour from now', detail = 'goal_end';
  elsif create_goal.ends_at > now() + interval '366 days' then
    raise sqlstate 'PT422' using message = 'A goal must end within a year', detail = 'goal_end';
  elsif v_refunds and create_goal.ends_at > now() + interval '91 days' then
    -- Later, banks may reject refunds.
    raise sqlstate 'PT422' using message = 'A goal with refunds must end within 90 days', detail = 'goal_end';
  end if;
  -- Two goals at once wait for each other here, and so does a subscriber who would count for neither.
  select * into v_creator from private.profiles p where p.id = v_me for no key update;
  if (select count(*) from public.goals g where g.creator_id = v_me and g.closed_at is null) >= 3 then
    raise sqlstate 'PT409' using message = 'You already have 3 goals', hint = 'Wait until one ends, or end one.', detail = 'goals_open';
  elsif create_goal.kind = 'subscribers' and create_goal.target <= v_creator.subscribers_count then
    raise sqlstate 'PT409' using message = 'You already have ' || private.goal_words('subscribers', v_creator.subscribers_count), detail = 'goal_target';
  elsif create_goal.kind = 'money' and (v_creator.stripe_account_id is null or not v_creator.stripe_charges_enabled) then
    raise sqlstate 'PT409' using message = 'Set up payouts before you set a goal for money', hint = 'Set up payments at /creator-onboarding.';
  elsif create_goal.kind = 'money' and exists (select from public.monetization_settings s where s.creator_id = v_me and not s.takes_tips) then
    raise sqlstate 'PT409' using message = 'Turn on tips before you set a goal for money', hint = 'Tips are in the dashboard, under Monetization.';
  end if;
  perform private.require_own_cover(v_me, null, 'ppv', create_goal.cover_path);
  insert into public.goals (creator_id, title, description, cover_path, kind, target, progress, refunds_if_missed, ends_at)
  values (v_me, private.trimmed(create_goal.title), private.trimmed(create_goal.description), create_goal.cover_path, create_goal.kind, create_goal.target,
    case create_goal.kind when 'money' then 0 else v_creator.subscribers_count end, v_refunds, create_goal.ends_at)
  returning id into v_id;
  return v_id;
end;
$$;
comment on function public.create_goal is
  'Sets a goal of the calling creator, which everyone sees at once (OFFER-07). target: US cents of tips (kind money), or subscribers. refunds_if_missed: promises that a missed goal refunds its tips. Returns goals.id. PT409 for a fourth open goal.';
grant execute on function public.create_goal to authenticated;

create function private.own_goal(p_goal uuid) returns public.goals
language plpgsql security definer set search_path = ''
as $$
declare
  v_goal public.goals;
begin
  select * into v_goal from public.goals g where g.id = p_goal and g.creator_id = private.my_profile_id() for update;
  if v_goal.id is null then
    raise sqlstate 'PT404' using message = 'Goal not found', detail = 'goal_not_found';
  end if;
  return v_goal;
end;
$$;
comment on function private.own_goal is 'The calling creator''s goal, locked. PT404 for other goals.';

create function public.change_goal(goal_id uuid, title text, description text default null, cover_path text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_goal public.goals := private.own_goal(change_goal.goal_id);
begin
  if v_goal.closed_at is not null then
    raise sqlstate 'PT409' using message = 'This goal has ended', detail = 'goal_ended';
  end if;
  if change_goal.cover_path is distinct from v_goal.cover_path then
    perform private.require_own_cover(v_goal.creator_id, null, 'ppv', change_goal.cover_path);
  end if;
  update public.goals g set title = private.trimmed(change_goal.title), description = private.trimmed(change_goal.description),
    cover_path = change_goal.cover_path
  where g.id = v_goal.id;
end;
$$;
comment on function public.change_goal is
  'Changes the words and the picture of the calling creator''s goal until it ends. What fans rely on can''t change: the target, the end, and the promise of refunds.';
grant execute on function public.change_goal to authenticated;

create function public.end_goal(goal_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_goal public.goals := private.own_goal(end_goal.goal_id);
begin
  if v_goal.closed_at is not null then
    raise sqlstate 'PT409' using message = 'This goal has ended', detail = 'goal_ended';
  end if;
  update public.goals g set ends_at = least(g.ends_at, now()) where g.id = v_goal.id;
end;
$$;
comment on function public.end_goal is
  'Ends the calling creator''s goal now. It is closed a few minutes later (private.close_goals): one that wasn''t reached is missed, with the refunds that it promised.';
grant execute on function public.end_goal to authenticated;

create function public.delete_goal(goal_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_goal public.goals := private.own_goal(delete_goal.goal_id);
begin
  if exists (select from public.transactions t where t.goal_id = v_goal.id) then
    raise sqlstate 'PT409' using message = 'Fans have tipped toward this goal', hint = 'End it instead.', detail = 'goal_with_tips';
  elsif v_goal.status = 'removed' then
    raise sqlstate 'PT409' using message = 'An admin has removed this goal', detail = 'goal_removed';
  end if;
  perform private.close_checkouts(array(select c.id from private.checkout_sessions c where c.goal_id = v_goal.id and c.status = 'open'));
  delete from public.goals g where g.id = v_goal.id;
end;
$$;
comment on function public.delete_goal is 'Deletes the calling creator''s goal. PT409 when fans have tipped toward it.';
grant execute on function public.delete_goal to authenticated;

create function public.take_down_goal(goal_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(take_down_goal.reason);
  v_goal public.goals;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise sqlstate 'PT422' using message = 'Enter a reason of up to 500 characters';
  end if;
  perform private.lock_books(); -- before the row, as a tip or a refund does
  select * into v_goal from public.goals g where g.id = take_down_goal.goal_id for update;
  if v_goal.id is null then
    raise sqlstate 'PT404' using message = 'Goal not found', detail = 'goal_not_found';
  elsif v_goal.status = 'removed' then
    raise sqlstate 'PT409' using message = 'This goal was already removed';
  end if;
  perform private.close_checkouts(array(select c.id from private.checkout_sessions c where c.goal_id = v_goal.id and c.status = 'open'));
  update public.goals g set status = 'removed', closed_at = coalesce(g.closed_at, now()), closed_progress = coalesce(g.closed_progress, g.progress),
    announced_at = null
  where g.id = v_goal.id;
  update private.goal_contributors c set notified_at = null where c.goal_id = v_goal.id;
  perform private.refund_goal(v_goal.id, 'The goal was removed.');
  perform private.notify(v_goal.creator_id, 'payment', 'Your goal was removed: ' || v_goal.title,
    v_reason || case v_goal.kind when 'money' then E'\n\nThe tips toward it are refunded.' else '' end, jsonb_build_object('goal_id', v_goal.id));
  perform private.write_audit('take_down_goal', 'goals', v_goal.id, jsonb_build_object('status', v_goal.status), '{"status": "removed"}',
    jsonb_build_object('reason', v_reason));
end;
$$;
comment on function public.take_down_goal is
  'Removes a goal for a reason that is sent to its creator, and refunds the tips toward it; for admins. Its contributors are notified.';
grant execute on function public.take_down_goal to authenticated;

-- The functions that know tips, with goals.
create or replace function private.payment_target(p_payment public.transactions) returns text
language sql stable security definer set search_path = ''
as $$
  select case p_payment.transaction_type
    when 'subscription' then (select s.name from public.subscription_products s where s.id = p_payment.product_id)
    when 'private_session' then (select b.title from public.session_bookings b where b.transaction_id = p_payment.id order by b.id limit 1)
    when 'product' then (select '"' || p.title || '"' from public.products p where p.id = p_payment.bought_product_id)
    when 'gift' then (
      select private.months_of(g.months, s.name) from private.gifts g join public.subscription_products s on s.id = g.product_id
      where g.transaction_id = p_payment.id
    )
    when 'tip' then coalesce(
      (select '"' || g.title || '"' from public.goals g where g.id = p_payment.goal_id), private.post_label(p_payment.post_id))
    else private.post_label(p_payment.post_id)
  end;
$$;
comment on function private.payment_target(public.transactions) is 'What a payment was for, in words: the plan''s name, the session''s, product''s, or goal''s title, or the post as in private.post_label. Null for a message or another tip without a post, and after the post, product, or goal was deleted.';

create or replace function private.is_repeated_payment(p_payment public.transactions) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_payment.status in ('completed', 'partially_refunded') and exists (
    select from public.transactions o
    where o.from_user_id = p_payment.from_user_id and o.to_user_id = p_payment.to_user_id and o.id is distinct from p_payment.id
      and o.transaction_type is not distinct from p_payment.transaction_type and o.status in ('completed', 'partially_refunded')
      and case p_payment.transaction_type
        when 'ppv' then o.post_id = p_payment.post_id
        when 'paid_message' then o.message_id = p_payment.message_id
        when 'product' then o.bought_product_id = p_payment.bought_product_id
        -- A renewal is a whole period later, and another amount for the same subscription within one is the switch to another term.
        when 'subscription' then o.product_id = p_payment.product_id and (o.subscription_id = p_payment.subscription_id and o.amount <> p_payment.amount) is not true and (
          select greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at)
            < case s."interval" when 'day' then interval '12 hours' when 'week' then interval '84 hours' when 'month' then interval '15 days' else interval '182 days' end
              * coalesce((select min(b.interval_count) from public.subscriptions b where b.id in (o.subscription_id, p_payment.subscription_id)), 1)
          from public.subscription_products s where s.id = p_payment.product_id
        )
        -- Someone may give the same tip again, but seldom within the hour.
        when 'tip' then o.amount = p_payment.amount and o.post_id is not distinct from p_payment.post_id and o.goal_id is not distinct from p_payment.goal_id
          and greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at) < interval '1 hour'
        -- A second payment for a booking isn't linked to it. Two linked payments are for two sessions.
        when 'private_session' then o.amount = p_payment.amount
          and greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at) < interval '1 day'
          and (
            not exists (select from public.session_bookings b where b.transaction_id = p_payment.id)
            or not exists (select from public.session_bookings b where b.transaction_id = o.id)
          )
      end
  );
$$;

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
  select * from private.verify_flows()
  union all
  select * from private.verify_links()
  union all
  select * from private.verify_products()
  union all
  select * from private.verify_goals();
$$;

alter type private.email_to_send add attribute goal_title text;
create or replace function private.emails_to_send() returns SETOF private.email_to_send
language sql stable security definer set search_path = ''
as $$
  select e.id, e.kind,
    -- Nothing is sent to an unconfirmed email, or to a user who has turned emails off (SET-16).
    -- Between queueing and sending, the charge may have succeeded or the renewal been canceled. A renewal that is paused because the
    -- creator can't be paid doesn't blame the fan's card.
    case when u.email_confirmed_at is not null and case e.kind
      -- The notice protects its reader, and without it the price can't rise: no setting holds it back.
      when 'price_change' then move.id is not null and s.status in ('trial', 'active', 'past_due')
      else settings.email and (s.id is null or (
        private.renewal_block_reason(s.subscriber_id, s.creator_id) is null and case e.kind
          when 'payment_failed' then s.status in ('past_due', 'unpaid')
          else s.status in ('trial', 'active') and not s.cancel_at_period_end end))
      end then u.email end,
    f.username, private.name_of(coalesce(t.to_user_id, s.creator_id)), p.name, coalesce(s.price_cents, p.price_cents), p.interval,
    coalesce(original.transaction_type, t.transaction_type), abs(t.amount), t.created_at, t.reason,
    s.current_period_end, case when isfinite(s.access_until) then s.access_until end, confirmation.url, coalesce(s.interval_count, 1),
    move.to_cents, move.moves_at, goal.title
  from private.payment_emails e
  join private.profiles f on f.id = e.profile_id
  join auth.users u on u.id = f.user_id
  join private.user_settings settings on settings.user_id = f.id
  left join public.transactions t on t.id = e.transaction_id
  left join public.transactions original on original.id = t.original_transaction_id
  left join public.goals goal on goal.id = coalesce(original.goal_id, t.goal_id)
  left join public.subscriptions s on s.id = e.subscription_id
  left join public.subscription_products p on p.id = coalesce(s.tier_id, t.product_id)
  left join public.price_moves move on e.kind = 'price_change' and e.key = 'price_change:' || move.id
  left join private.subscription_confirmations confirmation on confirmation.subscription_id = s.id and confirmation.product_id is null
  where e.sent_at is null and e.attempts < 10
  order by e.attempts, e.id limit 200;
$$;

create or replace function auth.open_unseen_data() returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_account uuid := (select a.id from private.ledger_accounts a where a.code = 'creator:' || v_me);
  v_rows refcursor := 'own_unseen_data';
begin
  open v_rows no scroll for
    (select 'promotion_codes' as section, (to_jsonb(c) - array['stripe_coupon_id', 'stripe_promotion_id'])::text as item
      from private.promotion_codes c where c.creator_id = v_me order by c.created_at)
    union all
    (select 'push_subscriptions', jsonb_build_object('user_agent', s.user_agent, 'created_at', s.created_at)::text
      from private.push_subscriptions s where s.user_id = v_me order by s.created_at)
    union all
    (select 'feed_addresses', jsonb_build_object('creator_id', f.creator_id, 'created_at', f.created_at, 'paused_at', f.paused_at)::text
      from private.feed_addresses f where f.fan_id = v_me order by f.created_at)
    union all
    (select 'video_captions', jsonb_build_object('video', o.name, 'language', v.language, 'content', v.content)::text
      from private.video_captions v join storage.objects o on o.id = v.object_id where o.owner_id = auth.uid()::text order by o.name, v.language)
    union all
    (select 'tip_notes', jsonb_build_object('creator_id', c.creator_id, 'post_id', c.post_id, 'goal_id', c.goal_id, 'amount_cents', c.amount_cents, 'note', c.note,
        'status', c.status, 'created_at', c.created_at)::text
      from private.checkout_sessions c where c.profile_id = v_me and c.note is not null order by c.created_at)
    union all
    (select 'restrictions', jsonb_build_object('fan_id', r.fan_id, 'created_at', r.created_at)::text
      from private.restrictions r where r.creator_id = v_me order by r.created_at)
    union all
    (select 'muted_offers', jsonb_build_object('creator_id', o.creator_id, 'created_at', o.created_at)::text
      from private.offer_mutes o where o.fan_id = v_me order by o.created_at)
    union all
    -- Without the secret of the link. A recipient sees who it is from where the gift is shown.
    (select 'gifts', jsonb_build_object('side', case when g.giver_id = v_me then 'given' else 'received' end, 'creator_id', g.creator_id,
        'plan_id', g.product_id, 'months', g.months, 'recipient_id', g.recipient_id,
        'recipient_email', case when g.giver_id = v_me then g.recipient_email end, 'message', g.message, 'amount_cents', g.amount_cents,
        'state', g.state, 'created_at', g.created_at, 'deliver_at', g.deliver_at, 'redeemed_at', g.redeemed_at)::text
      from private.gifts g where g.giver_id = v_me or g.redeemed_by = v_me or (g.recipient_id = v_me and g.sent_count > 0) order by g.created_at)
    union all
    (select 'gift_batches', to_jsonb(b)::text from private.gift_batches b where b.creator_id = v_me order by b.created_at)
    union all
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'push_subscriptions', 'feed_addresses', 'video_captions', 'tip_notes', 'restrictions', 'muted_offers', 'gifts', 'gift_batches', 'statement'];
end;
$$;

comment on column public.notifications.data is 'Ids that the client links to, by type: post_id, profile_id, transaction_id, poll_id, message_id, booking_id, gift_code, product_id, and goal_id, which is the receiver''s own goal. Of grouped notifications also: group, count, and since, when the group began. Of new posts also: new_posts, their number.';
