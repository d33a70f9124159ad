-- Up Migration

-- Everyone a creator knows: one row for each user who follows the creator, has ever subscribed or paid, or is on a list. Lists, the fans of
-- the dashboard, and the order of the inbox read it, and can't add up a fan's payments for a hundred thousand fans at once (LIST-06).
create table private.fans (
  creator_id          uuid not null references private.profiles on delete cascade,
  fan_id              uuid not null references private.profiles on delete cascade,
  since               timestamptz not null,
  spent               bigint not null default 0,
  tipped              bigint not null default 0,
  posts_bought        int not null default 0,
  messages_bought     int not null default 0,
  sessions_bought     int not null default 0,
  plan_id             uuid,
  subscription_status text,
  subscribed_at       timestamptz,
  subscribed_until    timestamptz,
  renewal_off         boolean,
  primary key (creator_id, fan_id)
);
comment on table private.fans is
  'Who follows a creator, has ever subscribed or paid, or is on one of the creator''s lists. Maintained from those tables, and checked against private.compute_fans.';
comment on column private.fans.creator_id is 'profiles.id of the creator.';
comment on column private.fans.fan_id is 'profiles.id of the fan.';
comment on column private.fans.since is 'When the fan first did any of that.';
comment on column private.fans.spent is 'Everything the fan has paid this creator, in cents, after refunds.';
comment on column private.fans.tipped is 'The part of spent that was tips, in cents.';
comment on column private.fans.posts_bought is 'Posts that the fan has paid for, without those that were refunded in full. So are messages_bought and sessions_bought.';
comment on column private.fans.plan_id is 'The plan of the subscription that gives access longest, or that ended last; null for a fan who has never subscribed, like the columns after it.';
comment on column private.fans.subscribed_until is 'When that subscription ends or has ended: the fan has access while it is later than now.';
alter table private.fans enable row level security; -- and no policy: functions read it for the creator
create index fans_spent_idx on private.fans (creator_id, spent, fan_id); -- the biggest spenders, and threads in that order
create index fans_since_idx on private.fans (creator_id, since, fan_id);
create index fans_fan_id_idx on private.fans (fan_id); -- the deletion of the fan's account

-- Lists (LIST-01): of members, or smart, with a rule (LIST-02). Only the creator sees them.
create table public.fan_lists (
  id         uuid primary key default gen_random_uuid(),
  creator_id uuid not null default private.my_profile_id() references private.profiles on delete cascade,
  name       text not null constraint fan_lists_name_format check (name ~ '^\S([^\n]*\S)?$' and length(name) <= 50),
  rule       jsonb constraint fan_lists_rule_length check (length(rule::text) <= 10000),
  created_at timestamptz not null default now()
);
comment on table public.fan_lists is 'A creator''s lists of fans. Only the creator sees them.';
comment on column public.fan_lists.creator_id is 'profiles.id of the creator: the caller.';
comment on column public.fan_lists.rule is 'Who is on a smart list (private.compile_rule); null for a list of members.';
create unique index fan_lists_name_once on public.fan_lists (creator_id, lower(name));

create table public.fan_list_members (
  list_id    uuid not null references public.fan_lists on delete cascade,
  creator_id uuid not null references private.profiles on delete cascade,
  fan_id     uuid not null,
  added_at   timestamptz not null default now(),
  primary key (list_id, fan_id),
  -- Everyone on a list has a row among the fans, so that one table has all of them.
  foreign key (creator_id, fan_id) references private.fans on delete cascade
);
comment on table public.fan_list_members is 'The fans on lists without a rule. Only the creator sees them.';
comment on column public.fan_list_members.creator_id is 'profiles.id of the list''s creator.';
comment on column public.fan_list_members.fan_id is 'profiles.id of the fan.';
create index fan_list_members_fan_idx on public.fan_list_members (creator_id, fan_id); -- the lists of a fan

create function public.members_count(public.fan_lists) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::int from public.fan_list_members m where m.list_id = $1.id;
$$;
comment on function public.members_count is 'How many fans are on a list without a rule, as a column of fan_lists.';
grant execute on function public.members_count(public.fan_lists) to authenticated;

-- A subscription that was ended at once has no access_until that says when (private.set_access_until). Its end is never later than the change
-- that ended it, so the latest end is that of a subscription that gives access, if there is one.
create function private.subscribed_until(p_subscription public.subscriptions) returns timestamptz
language sql immutable set search_path = ''
as $$
  select case
    when p_subscription.access_until > '-infinity' then p_subscription.access_until
    when p_subscription.status = 'unpaid' then least(p_subscription.past_due_since + interval '72 hours', p_subscription.updated_at)
    else least(p_subscription.canceled_at, p_subscription.current_period_end, p_subscription.updated_at)
  end;
$$;
comment on function private.subscribed_until is 'Until when a subscription gives or gave access.';

-- Only of payments: a refund changes refunded_amount of its payment.
create function private.compute_fans() returns setof private.fans
language sql stable set search_path = ''
as $$
  select e.*, s.tier_id, s.status, s.created_at, private.subscribed_until(s), s.cancel_at_period_end
  from (
    select e.creator_id, e.fan_id, min(e.at), sum(e.cents)::bigint, coalesce(sum(e.cents) filter (where e.kind = 'tip'), 0)::bigint,
      count(*) filter (where e.kind = 'ppv' and e.cents > 0)::int, count(*) filter (where e.kind = 'paid_message' and e.cents > 0)::int,
      count(*) filter (where e.kind = 'private_session' and e.cents > 0)::int
    from (
      select f.following_id as creator_id, f.follower_id as fan_id, f.created_at as at, 'follow' as kind, 0 as cents from public.follows f
      union all
      select s.creator_id, s.subscriber_id, s.created_at, 'plan', 0 from public.subscriptions s
      where s.status not in ('incomplete', 'incomplete_expired')
      union all
      select t.to_user_id, t.from_user_id, t.created_at, t.transaction_type, t.amount - t.refunded_amount from public.transactions t
      where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session')
        and t.from_user_id is not null and t.to_user_id is not null
      union all
      select m.creator_id, m.fan_id, m.added_at, 'list', 0 from public.fan_list_members m
    ) e
    group by 1, 2
  ) e
  left join (
    select distinct on (s.creator_id, s.subscriber_id) s.* from public.subscriptions s where s.status not in ('incomplete', 'incomplete_expired')
    order by s.creator_id, s.subscriber_id, private.subscribed_until(s) desc nulls last, s.created_at desc
  ) s0 on s0.creator_id = e.creator_id and s0.subscriber_id = e.fan_id
  left join public.subscriptions s on s.id = s0.id;
$$;
comment on function private.compute_fans is 'private.fans as its sources have it, for the first fill and for private.verify_counters.';

create function private.forget_former_fans(p_creator uuid, p_fans uuid[]) returns void
language plpgsql set search_path = ''
as $$
begin
  -- A payment at this moment waits here, or is waited for: each statement sees what was committed before it.
  perform from private.fans f where f.creator_id = p_creator and f.fan_id = any (p_fans) order by f.fan_id for update;
  delete from private.fans f
  where f.creator_id = p_creator and f.fan_id = any (p_fans)
    and not exists (select from public.follows o where o.following_id = f.creator_id and o.follower_id = f.fan_id)
    and not exists (select from public.subscriptions s where s.creator_id = f.creator_id and s.subscriber_id = f.fan_id
      and s.status not in ('incomplete', 'incomplete_expired'))
    and not exists (select from public.transactions t where t.from_user_id = f.fan_id and t.to_user_id = f.creator_id)
    and not exists (select from public.fan_list_members m where m.creator_id = f.creator_id and m.fan_id = f.fan_id);
end;
$$;
comment on function private.forget_former_fans is 'Deletes those of the rows in private.fans that nothing justifies anymore.';

create function private.keep_followers() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_creator uuid;
begin
  if tg_op = 'INSERT' then
    insert into private.fans as f (creator_id, fan_id, since)
    select c.following_id, c.follower_id, c.created_at from changed c order by c.following_id, c.follower_id
    -- Even without a change, this locks the row against forget_former_fans.
    on conflict (creator_id, fan_id) do update set since = excluded.since where f.since > excluded.since;
  else
    for v_creator in select distinct c.following_id from changed c order by 1 loop
      perform private.forget_former_fans(v_creator, array(select c.follower_id from changed c where c.following_id = v_creator));
    end loop;
  end if;
  return null;
end;
$$;
comment on function private.keep_followers is 'Trigger of follows: maintains private.fans.';

-- Named to run after the triggers that lock the two profiles, as with transactions and subscriptions below: profiles first, then fans.
create trigger follows_keep_fans after insert on public.follows
  referencing new table as changed for each statement execute function private.keep_followers();
create trigger follows_update_fans after delete on public.follows
  referencing old table as changed for each statement execute function private.keep_followers();

create function private.keep_subscribed_fan() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.fans as f (creator_id, fan_id, since) values (new.creator_id, new.subscriber_id, new.created_at)
  on conflict (creator_id, fan_id) do update set since = excluded.since where f.since > excluded.since; -- as in keep_followers
  -- A statement of its own, which sees what another one has committed while this one waited for the row.
  update private.fans f set plan_id = s.tier_id, subscription_status = s.status, subscribed_at = s.created_at,
    subscribed_until = private.subscribed_until(s), renewal_off = s.cancel_at_period_end
  from (
    select s.id from public.subscriptions s
    where s.creator_id = new.creator_id and s.subscriber_id = new.subscriber_id and s.status not in ('incomplete', 'incomplete_expired')
    order by private.subscribed_until(s) desc nulls last, s.created_at desc limit 1
  ) latest
  join public.subscriptions s on s.id = latest.id
  where f.creator_id = new.creator_id and f.fan_id = new.subscriber_id;
  return null;
end;
$$;
comment on function private.keep_subscribed_fan is 'Trigger of subscriptions: maintains the subscriber''s row in private.fans.';
create trigger subscriptions_keep_fan after insert or update on public.subscriptions
  for each row when (new.status not in ('incomplete', 'incomplete_expired')) execute function private.keep_subscribed_fan();

create function private.keep_paying_fan() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_left bigint := new.amount - new.refunded_amount;
  v_left_before bigint := case tg_op when 'UPDATE' then new.amount - old.refunded_amount else 0 end;
  v_cents bigint := v_left - v_left_before;
  v_bought int := (v_left > 0)::int - (v_left_before > 0)::int;
begin
  insert into private.fans as f (creator_id, fan_id, since, spent, tipped, posts_bought, messages_bought, sessions_bought)
  values (new.to_user_id, new.from_user_id, new.created_at, v_cents,
    case new.transaction_type when 'tip' then v_cents else 0 end,
    case new.transaction_type when 'ppv' then v_bought else 0 end,
    case new.transaction_type when 'paid_message' then v_bought else 0 end,
    case new.transaction_type when 'private_session' then v_bought else 0 end)
  on conflict (creator_id, fan_id) do update set
    since = least(f.since, excluded.since),
    spent = f.spent + excluded.spent,
    tipped = f.tipped + excluded.tipped,
    posts_bought = f.posts_bought + excluded.posts_bought,
    messages_bought = f.messages_bought + excluded.messages_bought,
    sessions_bought = f.sessions_bought + excluded.sessions_bought;
  return null;
end;
$$;
comment on function private.keep_paying_fan is 'Trigger of transactions: maintains the sums in private.fans, with the row of this one fan.';
create trigger transactions_keep_fan after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session')
    and new.from_user_id is not null and new.to_user_id is not null) execute function private.keep_paying_fan();
create trigger transactions_recount_fan after update of refunded_amount on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session')
    and new.from_user_id is not null and new.to_user_id is not null and new.refunded_amount <> old.refunded_amount)
  execute function private.keep_paying_fan();

-- The triggers exist: from here on, the tables wait for this fill.
insert into private.fans select * from private.compute_fans();
analyze private.fans;

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
  select f.creator_id, 'vault_files.post_uses + message_uses', f.post_uses + f.message_uses, coalesce(u.posts + u.messages, 0)
  from public.vault_files f
  left join (select file_id, count(post_id) as posts, count(message_id) as messages from private.vault_uses group by 1) u on u.file_id = f.id
  where (f.post_uses, f.message_uses) is distinct from (coalesce(u.posts, 0), coalesce(u.messages, 0))
  union all
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

-- The conditions of rules. A new one is a new row: its fields with their types, and the SQL that is true for a fan f of the creator $1. Each
-- {field} becomes a checked and quoted value.
create table private.audience_conditions (
  name   text primary key,
  fields jsonb not null,
  sql    text not null
);
comment on table private.audience_conditions is 'The conditions that rules are made of (LIST-02).';
comment on column private.audience_conditions.fields is
  'The fields and their types: days, cents, date, plan, list, or the possible values with | between them. All are required.';
comment on column private.audience_conditions.sql is 'True for a row f of private.fans of the creator $1 that meets the condition.';
alter table private.audience_conditions enable row level security; -- and no policy: only the compiler reads it

insert into private.audience_conditions (name, fields, sql) values
  ('plan', '{"plan": "plan"}', 'f.subscribed_until > now() and f.plan_id = {plan}'),
  ('subscribed', '{"status": "any|active|trial|past_due"}',
    $$f.subscribed_until > now() and {status} in ('any', f.subscription_status)$$),
  ('not_subscribed', '{"before": "ever|never|any"}', $$case {before}
    when 'ever' then f.subscribed_until <= now() when 'never' then f.plan_id is null else f.plan_id is null or f.subscribed_until <= now() end$$),
  ('subscribed_for', '{"days": "days"}', 'f.subscribed_until > now() and f.subscribed_at <= now() - make_interval(days => {days})'),
  ('subscribed_since', '{"date": "date"}', $$f.subscribed_until > now() and f.subscribed_at >= {date} at time zone 'UTC'$$),
  ('renewal_off', '{}', 'f.subscribed_until > now() and f.renewal_off'),
  ('expired', '{"is": "at_least|at_most", "days": "days"}', $$f.subscribed_until <= now() and case {is}
    when 'at_least' then f.subscribed_until <= now() - make_interval(days => {days})
    else f.subscribed_until >= now() - make_interval(days => {days}) end$$),
  ('spent', '{"is": "at_least|at_most", "cents": "cents"}', $$case {is} when 'at_least' then f.spent >= {cents} else f.spent <= {cents} end$$),
  -- A fan's payments are all that leads from a fan to a creator, except refunds. Integers add up in half the time of bigints.
  ('spent_lately', '{"is": "at_least|at_most", "cents": "cents", "days": "days"}', $$case {is}
    when 'at_least' then {cents} = 0 or f.fan_id in (
      select t.from_user_id from public.transactions t
      where t.to_user_id = $1 and t.created_at >= now() - make_interval(days => {days}) and t.from_user_id is not null
        and t.transaction_type <> 'refund'
      group by 1 having sum((t.amount - t.refunded_amount)::int) >= {cents})
    else f.fan_id not in (
      select t.from_user_id from public.transactions t
      where t.to_user_id = $1 and t.created_at >= now() - make_interval(days => {days}) and t.from_user_id is not null
        and t.transaction_type <> 'refund'
      group by 1 having sum((t.amount - t.refunded_amount)::int) > {cents})
  end$$),
  ('tipped', '{"is": "at_least|at_most", "cents": "cents"}', $$case {is} when 'at_least' then f.tipped >= {cents} else f.tipped <= {cents} end$$),
  ('bought', '{"what": "anything|post|message|session"}', $$case {what}
    when 'post' then f.posts_bought when 'message' then f.messages_bought when 'session' then f.sessions_bought
    else f.posts_bought + f.messages_bought + f.sessions_bought end > 0$$),
  ('never_bought', '{"what": "anything|post|message|session"}', $$case {what}
    when 'post' then f.posts_bought when 'message' then f.messages_bought when 'session' then f.sessions_bought
    else f.posts_bought + f.messages_bought + f.sessions_bought end = 0$$),
  -- As in the view profiles: a fan who doesn't show it, or whose profile the creator can't read, meets neither.
  ('last_seen', '{"is": "at_least|at_most", "days": "days"}', $$f.fan_id in (
    select v.profile_id
    from private.presence v
    join private.user_settings o on o.user_id = v.profile_id and o.show_online_status
    join private.profiles p on p.id = v.profile_id and not p.is_private
    where case {is}
        when 'at_least' then v.last_seen_at <= now() - make_interval(days => {days})
        else v.last_seen_at >= now() - make_interval(days => {days})
      end
      and not exists (
        select from public.blocks b
        where (b.blocker_id = $1 and b.blocked_id = v.profile_id) or (b.blocked_id = $1 and b.blocker_id = v.profile_id)))$$),
  ('only_follows', '{}', $$(f.plan_id is null or f.subscribed_until <= now())
    and exists (select from public.follows o where o.following_id = $1 and o.follower_id = f.fan_id)$$),
  ('in_list', '{"list": "list"}', $${list}$$);

-- What fans spent lately is added up from this index alone. It takes the place of the one without the amounts.
create index transactions_lately_idx on public.transactions (to_user_id, created_at)
  include (from_user_id, transaction_type, amount, refunded_amount);
drop index public.transactions_to_user_id_created_at_idx;

create function private.rule_value(p_creator uuid, p_condition text, p_field text, p_type text, p_value jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_text text := p_value #>> '{}';
  v_most bigint := case p_type when 'days' then 3650 when 'cents' then 100000000 end;
  v_is_right boolean;
begin
  if p_value is null then
    raise exception 'The condition "%" needs "%"', p_condition, p_field using errcode = '22023';
  elsif p_type in ('days', 'cents') then
    v_is_right := jsonb_typeof(p_value) = 'number' and p_value::numeric between 0 and v_most and p_value::numeric = trunc(p_value::numeric);
    if not v_is_right then
      raise exception '"%" of the condition "%" must be a whole number from 0 to %', p_field, p_condition, v_most using errcode = '22023';
    end if;
    return format(case p_type when 'days' then '%L::int' else '%L::bigint' end, trunc(p_value::numeric));
  elsif p_type = 'date' then
    begin
      v_is_right := jsonb_typeof(p_value) = 'string' and v_text ~ '^\d{4}-\d\d-\d\d$' and v_text::date is not null;
    exception when datetime_field_overflow or invalid_datetime_format then
      v_is_right := false;
    end;
    if not v_is_right then
      raise exception '"%" of the condition "%" must be a date as in "2026-12-31"', p_field, p_condition using errcode = '22023';
    end if;
    return format('%L::timestamp', v_text);
  elsif p_type = 'plan' then
    if not exists (select from public.subscription_products p where p.id::text = v_text and p.creator_id = p_creator) then
      raise exception '"%" of the condition "%" must be the id of one of your plans', p_field, p_condition using errcode = '22023';
    end if;
    return format('%L::uuid', v_text);
  elsif jsonb_typeof(p_value) <> 'string' or v_text <> all (string_to_array(p_type, '|')) then
    raise exception '"%" of the condition "%" must be one of: %', p_field, p_condition, replace(p_type, '|', ', ') using errcode = '22023';
  end if;
  return format('%L::text', v_text);
end;
$$;
comment on function private.rule_value is 'The value of a field in a rule, checked by its type, as an SQL literal. 22023 with the reason for any other value.';

create function private.compile_rule(p_creator uuid, p_rule jsonb, p_lists uuid[] default '{}', p_depth integer default 1) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_group text := case when p_rule ? 'all' then 'all' when p_rule ? 'any' then 'any' end;
  v_keys int := case when jsonb_typeof(p_rule) = 'object' then (select count(*) from jsonb_object_keys(p_rule)) end;
  v_name text := p_rule ->> 'condition';
  v_condition private.audience_conditions;
  v_list public.fan_lists;
  v_field text;
  v_type text;
  v_sql text;
begin
  if v_keys is null or (v_group is null and (p_depth = 1 or v_name is null)) then
    raise exception 'A rule is an object with "all" or "any", and in them a list of conditions and groups' using errcode = '22023';
  elsif v_group is not null then
    if v_keys > 1 then
      raise exception 'A group has "all" or "any", and nothing else' using errcode = '22023';
    elsif p_depth > 3 then
      raise exception 'Groups can be nested up to 3 deep' using errcode = '22023';
    elsif jsonb_typeof(p_rule -> v_group) <> 'array' or jsonb_array_length(p_rule -> v_group) = 0 then
      raise exception '"%" needs a list with at least one condition', v_group using errcode = '22023';
    end if;
    select string_agg(private.compile_rule(p_creator, m.member, p_lists, p_depth + 1), case v_group when 'all' then ' and ' else ' or ' end)
    into v_sql from jsonb_array_elements(p_rule -> v_group) m (member);
    if p_depth = 1 and jsonb_array_length(jsonb_path_query_array(p_rule, 'strict $.** ? (exists (@.condition))')) > 20 then
      raise exception 'A rule can have up to 20 conditions' using errcode = '22023';
    elsif length(v_sql) > 200000 then
      raise exception 'The lists in this rule are too large together' using errcode = '22023'; -- lists in lists multiply
    end if;
    return '(' || v_sql || ')';
  end if;

  select * into v_condition from private.audience_conditions c where c.name = v_name;
  if v_condition.name is null then
    raise exception 'There is no condition "%"', left(v_name, 50) using errcode = '22023';
  end if;
  select k into v_field from jsonb_object_keys(p_rule) k where k <> 'condition' and not v_condition.fields ? k order by k limit 1;
  if v_field is not null then
    raise exception 'The condition "%" has no field "%"', v_name, left(v_field, 50) using errcode = '22023';
  end if;
  v_sql := v_condition.sql;
  for v_field, v_type in select * from jsonb_each_text(v_condition.fields) loop
    if v_type <> 'list' then
      v_sql := replace(v_sql, '{' || v_field || '}', private.rule_value(p_creator, v_name, v_field, v_type, p_rule -> v_field));
      continue;
    end if;
    select * into v_list from public.fan_lists l where l.id::text = p_rule ->> v_field and l.creator_id = p_creator;
    if v_list.id is null then
      raise exception '"%" of the condition "%" must be the id of one of your lists', v_field, v_name using errcode = '22023';
    elsif v_list.id = any (p_lists) then
      raise exception 'A list can''t be in itself, not even through other lists' using errcode = '22023';
    elsif v_list.rule is not null and cardinality(p_lists) >= 5 then
      raise exception 'A smart list can be in another one up to 5 deep' using errcode = '22023';
    end if;
    v_sql := replace(v_sql, '{' || v_field || '}', case
      when v_list.rule is null
        then format('exists (select from public.fan_list_members m where m.list_id = %L::uuid and m.fan_id = f.fan_id)', v_list.id)
      else private.compile_rule(p_creator, v_list.rule, p_lists || v_list.id)
    end);
  end loop;
  return '(' || v_sql || ')';
end;
$$;
comment on function private.compile_rule is
  'The condition on a row f of private.fans that a rule stands for: {"all": […]} or {"any": […]}, with conditions {"condition": name, …fields} (private.audience_conditions) and further groups in them. Nothing in it comes from the rule but checked and quoted values. p_lists: the lists that contain the rule. 22023 with the reason for any other document.';

create function private.select_audience(p_creator uuid, p_rule jsonb, p_after uuid default null, p_count integer default 1000) returns setof uuid
language plpgsql stable set search_path = '' set work_mem = '32MB' set jit = off
as $$
begin
  return query execute format('select f.fan_id from private.fans f where f.creator_id = $1 and ($2 is null or f.fan_id > $2) and %s order by f.fan_id limit $3',
    private.compile_rule(p_creator, p_rule))
  using p_creator, p_after, p_count;
end;
$$;
comment on function private.select_audience is 'The profiles.id of those fans who meet a rule now, in their order. p_after: the last one of the page before.';

create function private.require_approved_creator() returns uuid
language plpgsql stable set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if v_me is null or not private.is_approved_creator(v_me) then
    raise exception 'Only approved creators have lists of fans' using errcode = '42501';
  end if;
  return v_me;
end;
$$;
comment on function private.require_approved_creator is 'The calling creator''s profiles.id. 42501 for anyone else.';

-- security definer: fans, payments, and presence are read without their policies. The caller's own fans only, and of those only their number.
create function public.count_audience(rule jsonb) returns integer
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set jit = off
as $$
declare
  v_me uuid := private.require_approved_creator();
  v_count int;
begin
  execute 'select count(*)::int from private.fans f where f.creator_id = $1 and ' || private.compile_rule(v_me, rule) into v_count using v_me;
  return v_count;
end;
$$;
comment on function public.count_audience is 'How many of the calling creator''s fans meet a rule (LIST-02). 22023 with the reason for an invalid rule.';
grant execute on function public.count_audience(jsonb) to authenticated;

create type public.fan as (
  fan_id uuid,
  user_id uuid,
  username text,
  display_name text,
  custom_name text,
  avatar_url text,
  updated_at timestamptz,
  since timestamptz,
  spent bigint,
  plan_name text,
  subscription_status text,
  position text
);
comment on type public.fan is 'A fan in the tables of a creator.';
comment on column public.fan.fan_id is 'profiles.id of the fan. Never null.';
comment on column public.fan.user_id is 'Never null.';
comment on column public.fan.username is 'Never null.';
comment on column public.fan.custom_name is 'What the creator calls the fan; null for the fan''s own name.';
comment on column public.fan.updated_at is 'updated_at of the profile, which versions the URLs of its pictures. Never null.';
comment on column public.fan.since is 'When the fan first followed, subscribed, paid, or was put on a list. Never null.';
comment on column public.fan.spent is 'Everything the fan has paid this creator, in cents, after refunds. Never null.';
comment on column public.fan.plan_name is 'The plan of the current subscription; null without one, as subscription_status is.';
comment on column public.fan.position is 'after_value for the page after this fan. Never null.';

-- security definer, as above. The page is found first; what its rows show is read for them alone.
create function public.get_fans(
  list_id uuid default null, search text default null, sort text default 'since', ascending boolean default false,
  after_value text default null, after_id uuid default null, page_size integer default 50
) returns setof public.fan
language plpgsql stable security definer rows 50 set search_path = '' set work_mem = '32MB' set jit = off
as $$
declare
  v_me uuid := private.require_approved_creator();
  v_pattern text := case when private.trimmed(search) is not null then private.like_pattern(left(search, 100)) end;
  v_key text := case sort when 'since' then 'f.since' when 'spent' then 'f.spent' when 'name' then 'lower(coalesce(n.custom_name, p.display_name, p.username)) collate "C"' end;
  v_type text := case sort when 'since' then 'timestamptz' when 'spent' then 'bigint' else 'text' end;
  v_way text := case when ascending then 'asc' else 'desc' end;
begin
  if v_key is null then
    raise exception 'sort must be name, since, or spent' using errcode = '22023';
  end if;
  return query execute format($query$
    select p.id, p.user_id, p.username, p.display_name, n.custom_name, p.avatar_url, p.updated_at, f.since, f.spent, t.name,
      case when t.id is not null then f.subscription_status end, f.key::text
    from (
      select f.*, %1$s as key from private.fans f %2$s
      where f.creator_id = $1 %3$s %4$s %5$s
      order by %1$s %6$s, f.fan_id %6$s limit $2
    ) f
    join private.profiles p on p.id = f.fan_id
    left join public.fan_notes n on n.creator_id = $1 and n.fan_id = f.fan_id
    left join public.subscription_products t on t.id = f.plan_id and f.subscribed_until > now()
    order by f.key %6$s, f.fan_id %6$s
    $query$,
    v_key,
    case when sort = 'name' then 'join private.profiles p on p.id = f.fan_id left join public.fan_notes n on n.creator_id = $1 and n.fan_id = f.fan_id' else '' end,
    case when list_id is not null then 'and ' || private.compile_rule(v_me, jsonb_build_object('all', jsonb_build_array(
      jsonb_build_object('condition', 'in_list', 'list', list_id)))) else '' end,
    case when v_pattern is not null then 'and f.fan_id in (
      select p.id from private.profiles p where p.username ilike $3 or p.display_name ilike $3
      union all select n.fan_id from public.fan_notes n where n.creator_id = $1 and n.custom_name ilike $3)' else '' end,
    case when after_id is not null then format('and (%s, f.fan_id) %s ($4::%s, $5)', v_key, case when ascending then '>' else '<' end, v_type) else '' end,
    v_way)
  using v_me, least(greatest(page_size, 1), 200), v_pattern, after_value, after_id;
end;
$$;
comment on function public.get_fans is
  'A page of the calling creator''s fans, or of those on one of their lists. sort: name, since, or spent. search matches names. For the next page: after_value and after_id are position and fan_id of the last row.';
grant execute on function public.get_fans(uuid, text, text, boolean, text, uuid, integer) to authenticated;

-- Otherwise two lists could come to refer to each other, or to one that is deleted, and there could be more than a hundred.
create function private.lock_fan_lists(p_creator uuid) returns void
language sql set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('fan_lists:' || p_creator, 0));
$$;
comment on function private.lock_fan_lists is 'Lets only one transaction at a time change which lists a creator has, and their rules.';

-- Locks in one order: the creator's profile, the list, its fans, its members. The deletion of an account has the same.
create function private.lock_fan_list(p_list uuid) returns public.fan_lists
language plpgsql set search_path = ''
as $$
declare
  v_me uuid := private.require_approved_creator();
  v_list public.fan_lists;
begin
  perform from private.profiles p where p.id = v_me for key share;
  select * into v_list from public.fan_lists l where l.id = p_list and l.creator_id = v_me for no key update;
  if v_list.id is null then
    raise sqlstate 'PT404' using message = 'List not found';
  end if;
  return v_list;
end;
$$;
comment on function private.lock_fan_list is 'Locks a list of the calling creator and returns it. PT404 for any other list.';

-- security definer, as remove_from_fan_list and delete_fan_list: rows of private.fans come and go with it. The caller's own list only.
create function public.add_to_fan_list(list_id uuid, fan_ids uuid[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_list public.fan_lists := private.lock_fan_list(list_id);
  v_fans uuid[] := array(select p.id from private.profiles p where p.id = any (fan_ids) and p.id <> v_list.creator_id order by p.id);
  v_count int;
begin
  if v_list.rule is not null then
    raise exception 'A smart list takes fans by its rule' using errcode = '22023';
  elsif fan_ids is null or cardinality(fan_ids) not between 1 and 1000 then
    raise exception 'fan_ids must name 1 to 1000 users' using errcode = '22023';
  elsif cardinality(v_fans) < (select count(distinct i) from unnest(fan_ids) i) or array_position(fan_ids, null) is not null then
    raise sqlstate 'PT404' using message = 'User not found';
  end if;
  insert into private.fans as f (creator_id, fan_id, since) select v_list.creator_id, i, now() from unnest(v_fans) i
  on conflict (creator_id, fan_id) do update set since = f.since where false; -- locks the row against forget_former_fans
  insert into public.fan_list_members (list_id, creator_id, fan_id) select v_list.id, v_list.creator_id, i from unnest(v_fans) i
  on conflict on constraint fan_list_members_pkey do nothing;
  get diagnostics v_count = row_count;
  if v_count > 0 and (select count(*) from public.fan_list_members m where m.list_id = v_list.id) > 100000 then
    raise sqlstate 'PT422' using message = 'A list can have up to 100,000 fans';
  end if;
  return v_count;
end;
$$;
comment on function public.add_to_fan_list is
  'Adds up to 1,000 users to a list of the calling creator (LIST-01), and returns how many were not on it. They don''t find out. PT404 for an unknown user or list.';
grant execute on function public.add_to_fan_list(uuid, uuid[]) to authenticated;

create function public.remove_from_fan_list(list_id uuid, fan_ids uuid[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_list public.fan_lists := private.lock_fan_list(list_id);
  v_count int;
begin
  perform from private.fans f where f.creator_id = v_list.creator_id and f.fan_id = any (fan_ids) order by f.fan_id for update;
  delete from public.fan_list_members m where m.list_id = v_list.id and m.fan_id = any (fan_ids);
  get diagnostics v_count = row_count;
  perform private.forget_former_fans(v_list.creator_id, fan_ids);
  return v_count;
end;
$$;
comment on function public.remove_from_fan_list is 'Removes fans from a list of the calling creator, and returns how many were on it.';
grant execute on function public.remove_from_fan_list(uuid, uuid[]) to authenticated;

create function public.delete_fan_list(list_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_list public.fan_lists := private.lock_fan_list(list_id);
  v_fans uuid[] := array(select m.fan_id from public.fan_list_members m where m.list_id = v_list.id);
  v_user text;
begin
  perform private.lock_fan_lists(v_list.creator_id);
  select l.name into v_user from public.fan_lists l
  where l.creator_id = v_list.creator_id and l.id <> v_list.id and strpos(l.rule::text, v_list.id::text) > 0 order by l.name limit 1;
  if v_user is not null then
    raise sqlstate 'PT409' using message = format('The smart list "%s" uses this list', v_user), hint = 'Change its rule first.';
  end if;
  perform from private.fans f where f.creator_id = v_list.creator_id and f.fan_id = any (v_fans) order by f.fan_id for update;
  delete from public.fan_lists l where l.id = v_list.id;
  perform private.forget_former_fans(v_list.creator_id, v_fans);
end;
$$;
comment on function public.delete_fan_list is 'Deletes a list of the calling creator, with its members. PT409 while a smart list uses it.';
grant execute on function public.delete_fan_list(uuid) to authenticated;

create function private.require_fan_list() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_fan_lists(new.creator_id);
  if tg_op = 'INSERT' and (select count(*) from public.fan_lists l where l.creator_id = new.creator_id) >= 100 then
    raise sqlstate 'PT422' using message = 'You can have up to 100 lists';
  elsif tg_op = 'UPDATE' and (old.rule is null) <> (new.rule is null) then
    raise exception 'A list of fans can''t become a smart list, or the reverse' using errcode = '22023';
  end if;
  if new.rule is not null then
    perform private.compile_rule(new.creator_id, new.rule, array[new.id]);
  end if;
  return new;
end;
$$;
comment on function private.require_fan_list is 'Trigger of fan_lists: at most 100 for a creator, and only valid rules.';
create trigger fan_lists_require before insert or update of rule on public.fan_lists for each row execute function private.require_fan_list();

alter table public.fan_lists enable row level security;
create policy select_own on public.fan_lists for select to authenticated using (creator_id = (select private.my_profile_id()));
create policy insert_own on public.fan_lists for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.fan_lists for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
grant select, insert (name, rule), update (name, rule) on public.fan_lists to authenticated;
-- delete is not granted: delete_fan_list locks the fans first.

alter table public.fan_list_members enable row level security;
create policy select_own on public.fan_list_members for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.fan_list_members to authenticated;
-- insert, update, and delete are not granted: add_to_fan_list and remove_from_fan_list write the rows.
