-- Up Migration

-- Tracking and trial links (LINK-01 to LINK-04). A visitor who opens /l/{code} is counted by a hash that nobody can trace back, and the browser
-- keeps which links it opened. After signing in, it hands them over (claim_link_visits): from then on, they belong to the account.

create function private.new_link_code() returns text
language sql volatile set search_path = ''
as $$
  select string_agg(substr('abcdefghjkmnpqrstuvwxyz23456789', 1 + get_byte(r.bytes, i) % 31, 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) r, unnest('{0,1,2,3,4,5,10,11}'::int[]) i;
$$;
comment on function private.new_link_code is 'A code that nobody can guess, without characters that look alike. The other bytes of a UUID aren''t random.';
grant execute on function private.new_link_code() to authenticated;

create table public.tracking_links (
  id            uuid primary key default gen_random_uuid(),
  creator_id    uuid not null default private.my_profile_id() references private.profiles on delete cascade,
  code          text not null default private.new_link_code() constraint tracking_links_code_once unique,
  name          text not null constraint tracking_links_name_format check (name ~ '^\S([^\n]*\S)?$' and length(name) <= 50),
  target        text not null constraint tracking_links_target_known check (target in ('profile', 'plan', 'post')),
  plan_id       uuid references public.subscription_products on delete set null,
  post_id       uuid references private.posts on delete set null,
  trial_days    int constraint tracking_links_trial_days_range check (trial_days between 1 and 90),
  trial_limit   int constraint tracking_links_trial_limit_range check (trial_limit between 1 and 100000),
  trial_until   timestamptz,
  is_archived   boolean not null default false,
  created_at    timestamptz not null default now(),
  visits        bigint not null default 0,
  sign_ups      bigint not null default 0,
  follows       bigint not null default 0,
  trials        bigint not null default 0,
  subscriptions bigint not null default 0,
  purchases     bigint not null default 0,
  earned_cents  bigint not null default 0,
  constraint tracking_links_trial_complete check (
    num_nonnulls(trial_days, trial_limit, trial_until) in (0, 3) and (trial_days is null or target = 'plan'))
);
comment on table public.tracking_links is 'Creators'' /l/{code} links with their figures. Only the creator sees the rows. Never deleted, because counts refer to them: the creator archives them.';
comment on column public.tracking_links.creator_id is 'profiles.id of the creator: the caller.';
comment on column public.tracking_links.target is 'Where it leads: the creator''s profile, a plan, or a post. If the plan or post is gone, to the profile.';
comment on column public.tracking_links.trial_days is 'Free days of the plan for new subscribers who came by the link (LINK-03); null for none.';
comment on column public.tracking_links.trial_limit is 'How many users can have the trial.';
comment on column public.tracking_links.trial_until is 'Until when the trial can be started.';
comment on column public.tracking_links.is_archived is 'An archived link still leads on, but counts nothing and gives no trial.';
comment on column public.tracking_links.visits is 'Visitors, each once a day. Maintained by private.roll_up_links, like the other figures: the sums of tracking_link_days.';
comment on column public.tracking_links.sign_ups is 'Accounts whose first opened link, within 30 days, was this one.';
comment on column public.tracking_links.trials is 'Trials that began within 30 days, or that the link gave; subscriptions counts what was paid for, including after a trial.';
comment on column public.tracking_links.purchases is 'Posts, messages, and sessions.';
comment on column public.tracking_links.earned_cents is 'Purchases, tips, and the subscriptions with their renewals, after fees and refunds.';
create index tracking_links_creator_idx on public.tracking_links (creator_id, is_archived, created_at desc, id desc);
create index tracking_links_plan_id_idx on public.tracking_links (plan_id) where plan_id is not null;
create index tracking_links_post_id_idx on public.tracking_links (post_id) where post_id is not null;
alter table public.tracking_links enable row level security;
create policy select_own on public.tracking_links for select to authenticated using (creator_id = (select private.my_profile_id()));
create policy insert_own on public.tracking_links for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.tracking_links for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
grant select, insert (name, target, plan_id, post_id, trial_days, trial_limit, trial_until),
  update (name, is_archived, trial_limit, trial_until) on public.tracking_links to authenticated;
-- delete is not granted: see the comment of the table.

create function private.require_tracking_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not new.is_archived and (tg_op = 'INSERT' or old.is_archived) then
    perform pg_advisory_xact_lock(hashtextextended('tracking_links:' || new.creator_id, 0));
    if (select count(*) from public.tracking_links l where l.creator_id = new.creator_id and not l.is_archived) >= 200 then
      raise sqlstate 'PT422' using message = 'You can have up to 200 links', hint = 'Archive one that you don''t need.';
    end if;
  end if;
  if tg_op = 'UPDATE' then
    return new;
  end if;
  if (new.target = 'plan') <> (new.plan_id is not null) or (new.target = 'post') <> (new.post_id is not null) then
    raise exception 'A link to a plan needs plan_id, one to a post needs post_id, and one to the profile neither' using errcode = '22023';
  elsif new.plan_id is not null
    and not exists (select from public.subscription_products p where p.id = new.plan_id and p.creator_id = new.creator_id and p.is_active)
  then
    raise exception 'plan_id must be the id of one of your active plans' using errcode = '22023';
  elsif new.post_id is not null and not exists (select from private.posts p where p.id = new.post_id and p.creator_id = new.creator_id) then
    raise exception 'post_id must be the id of one of your posts' using errcode = '22023';
  elsif new.trial_until <= now() then
    raise exception 'trial_until must be in the future' using errcode = '22023';
  end if;
  return new;
end;
$$;
comment on function private.require_tracking_link is 'Trigger of tracking_links: only to the creator''s own plans and posts, and at most 200 that aren''t archived.';
create trigger tracking_links_require before insert or update of is_archived on public.tracking_links
  for each row execute function private.require_tracking_link();

create table public.tracking_link_days (
  link_id       uuid not null references public.tracking_links on delete cascade,
  creator_id    uuid not null references private.profiles on delete cascade,
  day           date not null,
  visits        bigint not null default 0,
  sign_ups      bigint not null default 0,
  follows       bigint not null default 0,
  trials        bigint not null default 0,
  subscriptions bigint not null default 0,
  purchases     bigint not null default 0,
  earned_cents  bigint not null default 0,
  primary key (link_id, day)
);
comment on table public.tracking_link_days is 'The figures of links by day, in UTC, as in tracking_links. A refund counts on its own day. Only the creator sees them.';
comment on column public.tracking_link_days.creator_id is 'profiles.id of the link''s creator.';
create index tracking_link_days_creator_id_idx on public.tracking_link_days (creator_id);
alter table public.tracking_link_days enable row level security;
create policy select_own on public.tracking_link_days for select to authenticated using (creator_id = (select private.my_profile_id()));
grant select on public.tracking_link_days to authenticated;
-- insert, update, and delete are not granted: private.roll_up_links writes the rows.

-- Visits (LINK-02). Nothing of a visitor is stored but a hash of the address and the browser, and what it was salted with is deleted after a day.

-- Unlogged: neither the write-ahead log nor a standby nor a backup has it. After a crash, there is another salt.
create unlogged table private.link_salts (
  day  date primary key,
  salt bytea not null
);
comment on table private.link_salts is 'What the hashes of today''s visitors are salted with. Deleted when the day is over: from then on, no hash can be compared with an address.';
alter table private.link_salts enable row level security; -- and no policy: only private.link_salt reads it

create function private.link_salt(p_day date) returns bytea
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_salt bytea;
begin
  delete from private.link_salts s where s.day < p_day;
  insert into private.link_salts (day, salt) values (p_day, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) on conflict (day) do nothing;
  select s.salt into v_salt from private.link_salts s where s.day = p_day;
  return v_salt;
end;
$$;
comment on function private.link_salt is 'The salt for a day''s visitors, the same for all processes. Deletes those of earlier days.';

-- A visit is one insert, without an index, and without a foreign key, which would lock the link's row.
create table private.link_visits (
  link_id uuid not null,
  day     date not null,
  visitor bytea not null
);
comment on table private.link_visits is 'Visits that private.roll_up_links hasn''t counted yet.';
comment on column private.link_visits.visitor is 'A hash of link, address, and browser with the salt of the day.';
alter table private.link_visits enable row level security; -- and no policy: only the server writes it

create table private.link_visitors (
  day     date,
  link_id uuid,
  visitor bytea,
  primary key (day, link_id, visitor)
);
comment on table private.link_visitors is 'The visitors of today and yesterday, so that each counts once a day.';
alter table private.link_visitors enable row level security; -- and no policy: only private.roll_up_links uses it

create function private.find_link(p_code text) returns table (link_id uuid, creator_id uuid, address text, target text, post_id uuid, is_archived boolean)
language sql stable security definer rows 1 set search_path = ''
as $$
  select l.id, l.creator_id, coalesce(p.username, p.user_id::text), l.target, l.post_id, l.is_archived
  from public.tracking_links l join private.profiles p on p.id = l.creator_id
  where l.code = p_code and p.suspended_at is null;
$$;
comment on function private.find_link is 'Where a link leads: the last part of the creator''s address, the target, and its post if that exists. No row for a suspended creator''s.';

-- Attribution: what a user does within 30 days after first opening one of a creator's links counts for that link.

create table public.link_touches (
  fan_id     uuid not null references private.profiles on delete cascade,
  creator_id uuid not null references private.profiles on delete cascade,
  link_id    uuid not null references public.tracking_links on delete cascade,
  touched_at timestamptz not null,
  primary key (fan_id, creator_id, touched_at, link_id)
);
comment on table public.link_touches is 'Which links a user has opened in the last 30 days, each once a day. Only the user sees them.';
comment on column public.link_touches.fan_id is 'profiles.id of the user.';
comment on column public.link_touches.creator_id is 'profiles.id of the link''s creator.';
create index link_touches_creator_id_idx on public.link_touches (creator_id);
create index link_touches_link_id_idx on public.link_touches (link_id);
create index link_touches_touched_at_idx on public.link_touches (touched_at); -- private.forget_link_touches
alter table public.link_touches enable row level security;
create policy select_own on public.link_touches for select to authenticated using (fan_id = (select private.my_profile_id()));
grant select on public.link_touches to authenticated;
-- insert, update, and delete are not granted: claim_link_visits writes the rows.

create table private.link_events (
  id              bigint generated always as identity primary key,
  link_id         uuid not null references public.tracking_links on delete cascade,
  creator_id      uuid not null references private.profiles on delete cascade,
  fan_id          uuid references private.profiles on delete set null,
  kind            text not null check (kind in ('sign_up', 'follow', 'trial', 'subscription', 'purchase', 'payment')),
  at              timestamptz not null,
  subscription_id uuid,
  transaction_id  uuid references public.transactions on delete cascade,
  cents           bigint not null default 0,
  is_counted      boolean not null default false
);
comment on table private.link_events is 'What counts for links. Only added to; private.roll_up_links counts it.';
comment on column private.link_events.fan_id is 'Null after that account was deleted: the figures stay.';
comment on column private.link_events.kind is 'payment is money alone: a tip, a payment for a subscription, or a refund.';
comment on column private.link_events.subscription_id is 'Of a trial or subscription. No foreign key: the number stays.';
comment on column private.link_events.cents is 'What the creator earned, after the fee; negative for a refund.';
alter table private.link_events enable row level security; -- and no policy: only triggers and private.roll_up_links use it
create unique index link_events_sign_up_once on private.link_events (fan_id) where kind = 'sign_up';
create unique index link_events_follow_once on private.link_events (fan_id, creator_id) where kind = 'follow';
create unique index link_events_subscription_once on private.link_events (subscription_id, kind) where subscription_id is not null;
create unique index link_events_transaction_once on private.link_events (transaction_id) where transaction_id is not null;
create index link_events_to_count_idx on private.link_events (id) where not is_counted;
create index link_events_link_id_idx on private.link_events (link_id);
create index link_events_creator_id_idx on private.link_events (creator_id);
create index link_events_fan_id_idx on private.link_events (fan_id) where fan_id is not null;

create table private.link_fans (
  creator_id uuid references private.profiles on delete cascade,
  fan_id     uuid references private.profiles on delete cascade,
  link_id    uuid not null references public.tracking_links on delete cascade,
  came_at    timestamptz not null,
  primary key (creator_id, fan_id)
);
comment on table private.link_fans is 'By which link each fan came to a creator: those who weren''t fans when they first opened it. For smart lists, flows, and the fan sheet.';
alter table private.link_fans enable row level security; -- and no policy: functions read it for the creator
create index link_fans_fan_id_idx on private.link_fans (fan_id);
create index link_fans_link_id_idx on private.link_fans (link_id);

create table private.link_subscriptions (
  subscription_id uuid primary key,
  link_id         uuid not null references public.tracking_links on delete cascade,
  creator_id      uuid not null references private.profiles on delete cascade,
  started_at      timestamptz not null,
  until           timestamptz not null
);
comment on table private.link_subscriptions is 'The subscriptions that count for links: their payments do, too, and how long they last (LINK-04). Without the fan, so that a row can outlive the account.';
comment on column private.link_subscriptions.subscription_id is 'subscriptions.id. No foreign key: the row stays.';
comment on column private.link_subscriptions.until is 'Until when it gives or gave access, as in private.subscribed_until.';
alter table private.link_subscriptions enable row level security; -- and no policy: get_link_retention reads it for the creator
create index link_subscriptions_link_id_idx on private.link_subscriptions (link_id);
create index link_subscriptions_creator_id_idx on private.link_subscriptions (creator_id);

create function private.touched_link(p_fan uuid, p_creator uuid, p_at timestamptz) returns uuid
language sql stable security definer set search_path = ''
as $$
  select t.link_id from public.link_touches t
  where t.fan_id = p_fan and t.creator_id = p_creator and t.touched_at > p_at - interval '30 days'
    and t.touched_at <= p_at + interval '1 minute' -- Stripe's times have whole seconds, and another clock
  order by t.touched_at limit 1;
$$;
comment on function private.touched_link is 'The link of a creator that a user first opened in the 30 days before p_at; null for none.';

create function private.note_link_event(
  p_link uuid, p_creator uuid, p_fan uuid, p_kind text, p_at timestamptz,
  p_subscription uuid default null, p_transaction uuid default null, p_cents bigint default 0
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_touched_at timestamptz;
begin
  insert into private.link_events (link_id, creator_id, fan_id, kind, at, subscription_id, transaction_id, cents)
  values (p_link, p_creator, p_fan, p_kind, p_at, p_subscription, p_transaction, p_cents)
  on conflict do nothing;
  if not found or p_kind = 'sign_up' then
    return;
  end if;
  select min(t.touched_at) into v_touched_at from public.link_touches t
  where t.fan_id = p_fan and t.creator_id = p_creator and t.touched_at > p_at - interval '30 days';
  insert into private.link_fans (creator_id, fan_id, link_id, came_at)
  select p_creator, p_fan, p_link, p_at
  where v_touched_at is not null
    and not exists (select from private.fans f where f.creator_id = p_creator and f.fan_id = p_fan and f.since < v_touched_at)
  on conflict on constraint link_fans_pkey do nothing;
  if found then
    perform private.start_flows(p_creator, p_fan, 'link', 'link', p_link::text);
  end if;
end;
$$;
comment on function private.note_link_event is 'Counts something for a link, once. The first thing that a new fan does notes by which link they came, and starts flows.';

create function private.note_link_touches(p_fan uuid, p_visits text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_touch public.link_touches;
begin
  delete from public.link_touches t where t.fan_id = p_fan and t.touched_at <= now() - interval '30 days';
  insert into public.link_touches (fan_id, creator_id, link_id, touched_at)
  select distinct on (l.id, v.day) p_fan, l.creator_id, l.id, v.at
  from (
    select m[1] as code, to_timestamp(m[2]::bigint) as at, (to_timestamp(m[2]::bigint) at time zone 'UTC')::date as day
    from regexp_matches(left(p_visits, 1000), '([a-z0-9]{8})\.(\d{1,10})(?!\d)', 'g') m
  ) v
  join public.tracking_links l on l.code = v.code
  where l.creator_id <> p_fan and v.at > now() - interval '30 days' and v.at <= now() + interval '1 minute'
    and not exists (
      select from public.link_touches t
      where t.fan_id = p_fan and t.link_id = l.id and (t.touched_at at time zone 'UTC')::date = v.day)
    and (select count(*) from public.link_touches t where t.fan_id = p_fan) < 200
  order by l.id, v.day, v.at
  on conflict on constraint link_touches_pkey do nothing;
  select t.* into v_touch from public.link_touches t join private.profiles p on p.id = p_fan
  where t.fan_id = p_fan and t.touched_at <= p.created_at and t.touched_at > p.created_at - interval '30 days'
  order by t.touched_at limit 1;
  if v_touch.link_id is not null then
    perform private.note_link_event(v_touch.link_id, v_touch.creator_id, p_fan, 'sign_up', p.created_at) from private.profiles p where p.id = p_fan;
  end if;
end;
$$;
comment on function private.note_link_touches is
  'Stores which links a user has opened, as a browser keeps it: code.seconds, separated by ~. Unknown, old, and own links are left out. If the account is newer, it counts as a sign-up for the first of them.';

create function public.claim_link_visits(visits text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if v_me is null then
    raise exception 'Sign in to keep the links that you opened' using errcode = '42501';
  end if;
  perform from private.profiles p where p.id = v_me for key share; -- as in the deletion of an account: first the profile
  perform private.note_link_touches(v_me, visits);
end;
$$;
comment on function public.claim_link_visits is 'Moves the links that this browser has opened to the caller''s account (LINK-02), so that they count on every device.';
grant execute on function public.claim_link_visits(text) to authenticated;

-- With the sign-up, because the first sign-in may happen in another browser. Not kept there: the metadata is part of each token.
create function private.note_signed_up_by_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_visits text := (select u.raw_user_meta_data ->> 'links' from auth.users u where u.id = new.user_id);
begin
  if v_visits is not null then
    perform private.note_link_touches(new.id, v_visits);
    update auth.users u set raw_user_meta_data = u.raw_user_meta_data - 'links' where u.id = new.user_id;
  end if;
  return null;
end;
$$;
comment on function private.note_signed_up_by_link is 'Trigger of profiles: stores the links that came with the sign-up.';
create trigger profiles_note_links after insert on private.profiles for each row execute function private.note_signed_up_by_link();

-- Named to run after the triggers that keep private.fans, and before those that start flows, as the other triggers here.
create function private.note_link_follows() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.note_link_event(k.link_id, k.following_id, k.follower_id, 'follow', k.created_at)
  from (
    select c.*, private.touched_link(c.follower_id, c.following_id, c.created_at) as link_id from changed c order by c.following_id, c.follower_id
  ) k
  where k.link_id is not null;
  return null;
end;
$$;
comment on function private.note_link_follows is 'Trigger of follows: counts them for links.';
create trigger follows_note_link after insert on public.follows
  referencing new table as changed for each statement execute function private.note_link_follows();

create function private.note_link_subscription() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_before text := case tg_op when 'UPDATE' then old.status else 'incomplete' end;
  v_begins boolean := v_before in ('incomplete', 'incomplete_expired') and new.status in ('active', 'trial', 'past_due');
  v_link uuid;
begin
  if v_begins then
    if new.status = 'trial' then -- of a trial link, if the checkout was its
      update private.link_trials k set used_at = coalesce(k.used_at, now())
      where k.fan_id = new.subscriber_id and k.link_id = (
        select c.link_id from private.checkout_sessions c
        where c.profile_id = new.subscriber_id and c.creator_id = new.creator_id and c.kind = 'subscription' order by c.created_at desc limit 1)
      returning k.link_id into v_link;
    end if;
    v_link := coalesce(v_link, private.touched_link(new.subscriber_id, new.creator_id, new.created_at));
    if v_link is null then
      return null;
    end if;
    insert into private.link_subscriptions (subscription_id, link_id, creator_id, started_at, until)
    values (new.id, v_link, new.creator_id, coalesce(new.current_period_start, new.created_at), private.subscribed_until(new))
    on conflict on constraint link_subscriptions_pkey do nothing;
  end if;
  update private.link_subscriptions s set until = private.subscribed_until(new) where s.subscription_id = new.id
  returning s.link_id into v_link;
  if v_link is null then
    return null;
  elsif new.status = 'trial' and v_begins then
    perform private.note_link_event(v_link, new.creator_id, new.subscriber_id, 'trial', new.created_at, new.id);
  elsif new.status = 'active' and (v_begins or v_before = 'trial') then
    perform private.note_link_event(v_link, new.creator_id, new.subscriber_id, 'subscription', case when v_begins then new.created_at else now() end, new.id);
  end if;
  return null;
end;
$$;
comment on function private.note_link_subscription is 'Trigger of subscriptions: counts trials and subscriptions for links, and keeps until when they last.';
create trigger subscriptions_note_link after insert or update on public.subscriptions
  for each row execute function private.note_link_subscription();

create function private.end_link_subscription() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.link_subscriptions s set until = least(s.until, now()) where s.subscription_id = old.id;
  return null;
end;
$$;
comment on function private.end_link_subscription is 'Trigger of subscriptions: one that is deleted with its subscriber''s account has ended.';
create trigger subscriptions_end_link after delete on public.subscriptions for each row execute function private.end_link_subscription();

create function private.note_link_payment() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_link uuid := case new.transaction_type
    when 'refund' then (select e.link_id from private.link_events e where e.transaction_id = new.original_transaction_id)
    when 'subscription' then (select s.link_id from private.link_subscriptions s where s.subscription_id = new.subscription_id)
    else private.touched_link(new.from_user_id, new.to_user_id, new.created_at)
  end;
begin
  if v_link is not null then
    perform private.note_link_event(v_link, new.to_user_id, new.from_user_id,
      case when new.transaction_type in ('subscription', 'tip', 'refund') then 'payment' else 'purchase' end,
      new.created_at, null, new.id, new.net_amount);
  end if;
  return null;
end;
$$;
comment on function private.note_link_payment is 'Trigger of transactions: counts payments and refunds for links.';
create trigger transactions_note_link after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund')
    and new.to_user_id is not null) execute function private.note_link_payment();

-- The roll-up. One at a time, so that two don't add to the same days. It takes only committed rows, so nothing is lost or counted twice.
create function private.roll_up_links(p_size int default 10000) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_visits tid[];
  v_events bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('links', 0)) then
    return false;
  end if;
  v_visits := array(select v.ctid from private.link_visits v limit p_size);
  v_events := array(select e.id from private.link_events e where not e.is_counted order by e.id limit p_size);
  -- As in the deletion of an account: first the profiles.
  perform from private.profiles p
  where p.id in (
    select l.creator_id from public.tracking_links l where l.id in (select v.link_id from private.link_visits v where v.ctid = any (v_visits))
    union all
    select e.creator_id from private.link_events e where e.id = any (v_events))
  order by p.id for key share;

  with taken as (
    delete from private.link_visits v where v.ctid = any (v_visits) returning v.link_id, v.day, v.visitor
  ), fresh as (
    insert into private.link_visitors (day, link_id, visitor)
    select distinct t.day, t.link_id, t.visitor from taken t join public.tracking_links l on l.id = t.link_id
    on conflict on constraint link_visitors_pkey do nothing
    returning day, link_id
  ), sums as (
    select f.link_id, f.day, count(*) as visits from fresh f group by 1, 2
  ), days as (
    insert into public.tracking_link_days as d (link_id, creator_id, day, visits)
    select s.link_id, l.creator_id, s.day, s.visits from sums s join public.tracking_links l on l.id = s.link_id
    on conflict on constraint tracking_link_days_pkey do update set visits = d.visits + excluded.visits
  )
  update public.tracking_links l set visits = l.visits + s.visits
  from (select u.link_id, sum(u.visits) as visits from sums u group by 1) s where l.id = s.link_id;

  with taken as (
    update private.link_events e set is_counted = true where e.id = any (v_events)
    returning e.link_id, e.creator_id, (e.at at time zone 'UTC')::date as day, e.kind, e.cents
  ), sums as (
    select t.link_id, t.creator_id, t.day, count(*) filter (where t.kind = 'sign_up') as sign_ups, count(*) filter (where t.kind = 'follow') as follows,
      count(*) filter (where t.kind = 'trial') as trials, count(*) filter (where t.kind = 'subscription') as subscriptions,
      count(*) filter (where t.kind = 'purchase') as purchases, sum(t.cents)::bigint as earned_cents
    from taken t group by 1, 2, 3
  ), days as (
    insert into public.tracking_link_days as d (link_id, creator_id, day, sign_ups, follows, trials, subscriptions, purchases, earned_cents)
    select s.link_id, s.creator_id, s.day, s.sign_ups, s.follows, s.trials, s.subscriptions, s.purchases, s.earned_cents from sums s
    on conflict on constraint tracking_link_days_pkey do update set
      sign_ups = d.sign_ups + excluded.sign_ups, follows = d.follows + excluded.follows, trials = d.trials + excluded.trials,
      subscriptions = d.subscriptions + excluded.subscriptions, purchases = d.purchases + excluded.purchases,
      earned_cents = d.earned_cents + excluded.earned_cents
  )
  update public.tracking_links l set
    sign_ups = l.sign_ups + s.sign_ups, follows = l.follows + s.follows, trials = l.trials + s.trials,
    subscriptions = l.subscriptions + s.subscriptions, purchases = l.purchases + s.purchases, earned_cents = l.earned_cents + s.earned_cents
  from (
    select u.link_id, sum(u.sign_ups) as sign_ups, sum(u.follows) as follows, sum(u.trials) as trials, sum(u.subscriptions) as subscriptions,
      sum(u.purchases) as purchases, sum(u.earned_cents) as earned_cents
    from sums u group by 1
  ) s
  where l.id = s.link_id;
  return p_size in (cardinality(v_visits), cardinality(v_events));
end;
$$;
comment on function private.roll_up_links is 'Counts visits and events that weren''t counted yet, up to p_size of each. True if there may be more. False while another transaction does this.';

create function private.forget_link_visitors() returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.link_salts s where s.day < private.today();
  delete from private.link_visitors v where v.day < private.today() - 1;
  delete from public.link_touches t where t.touched_at <= now() - interval '30 days';
$$;
comment on function private.forget_link_visitors is 'Deletes the salts of past days, the visitors before yesterday, and what users opened more than 30 days ago.';

create function private.verify_links() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select l.creator_id, 'tracking_links.' || k.counter, k.kept, k.counted
  from public.tracking_links l
  left join (
    select d.link_id, sum(d.visits) as visits, sum(d.sign_ups) as sign_ups, sum(d.follows) as follows, sum(d.trials) as trials,
      sum(d.subscriptions) as subscriptions, sum(d.purchases) as purchases, sum(d.earned_cents) as earned_cents
    from public.tracking_link_days d group by 1
  ) d on d.link_id = l.id
  cross join lateral (values
    ('visits', l.visits, d.visits), ('sign_ups', l.sign_ups, d.sign_ups), ('follows', l.follows, d.follows), ('trials', l.trials, d.trials),
    ('subscriptions', l.subscriptions, d.subscriptions), ('purchases', l.purchases, d.purchases), ('earned_cents', l.earned_cents, d.earned_cents)
  ) k (counter, kept, counted)
  where k.kept <> coalesce(k.counted, 0)
  union all
  select coalesce(d.creator_id, e.creator_id), 'tracking_link_days.' || k.counter, k.kept, k.counted
  from public.tracking_link_days d
  full join (
    select v.link_id, v.creator_id, (v.at at time zone 'UTC')::date as day, count(*) filter (where v.kind = 'sign_up') as sign_ups,
      count(*) filter (where v.kind = 'follow') as follows, count(*) filter (where v.kind = 'trial') as trials,
      count(*) filter (where v.kind = 'subscription') as subscriptions, count(*) filter (where v.kind = 'purchase') as purchases,
      sum(v.cents) as earned_cents
    from private.link_events v where v.is_counted group by 1, 2, 3
  ) e on e.link_id = d.link_id and e.day = d.day
  cross join lateral (values
    ('sign_ups', d.sign_ups, e.sign_ups), ('follows', d.follows, e.follows), ('trials', d.trials, e.trials),
    ('subscriptions', d.subscriptions, e.subscriptions), ('purchases', d.purchases, e.purchases), ('earned_cents', d.earned_cents, e.earned_cents)
  ) k (counter, kept, counted)
  where coalesce(k.kept, 0) <> coalesce(k.counted, 0)
  union all
  -- Older days have no visitors anymore.
  select d.creator_id, 'tracking_link_days.visits', d.visits, coalesce(v.visits, 0)
  from public.tracking_link_days d
  left join (select n.link_id, n.day, count(*) as visits from private.link_visitors n group by 1, 2) v on v.link_id = d.link_id and v.day = d.day
  where d.day >= private.today() - 1 and d.visits <> coalesce(v.visits, 0)
  union all
  select e.creator_id, 'link_events.cents', e.cents, t.net_amount
  from private.link_events e join public.transactions t on t.id = e.transaction_id
  where e.cents <> t.net_amount
  union all
  select s.creator_id, 'link_subscriptions.until', extract(epoch from s.until), extract(epoch from private.subscribed_until(o))
  from private.link_subscriptions s join public.subscriptions o on o.id = s.subscription_id
  where s.until <> private.subscribed_until(o);
$$;
comment on function private.verify_links is 'Figures of links that differ from what they count, for private.verify_counters.';

-- Trial links (LINK-03).
create table private.link_trials (
  id         bigint generated always as identity primary key,
  link_id    uuid not null references public.tracking_links on delete cascade,
  fan_id     uuid references private.profiles on delete set null,
  held_until timestamptz not null,
  used_at    timestamptz,
  constraint link_trials_once unique (link_id, fan_id)
);
comment on table private.link_trials is 'Who has started a trial of a link, or is about to: a checkout holds its place, so that no more users pay nothing than the link says.';
comment on column private.link_trials.fan_id is 'Null after that account was deleted: the place stays taken.';
comment on column private.link_trials.held_until is 'Until when the place is held for a checkout session that isn''t stored yet. One that is open holds it longer.';
alter table private.link_trials enable row level security; -- and no policy: functions use it
create index link_trials_fan_id_idx on private.link_trials (fan_id);

alter table private.checkout_sessions add column link_id uuid references public.tracking_links on delete set null;
comment on column private.checkout_sessions.link_id is 'The link whose trial the session begins with; null for none.';
create index checkout_sessions_link_id_idx on private.checkout_sessions (link_id) where link_id is not null;

create function private.has_open_trial(p_link public.tracking_links, p_fan uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_link.trial_days is not null and not p_link.is_archived and p_link.trial_until > now()
    and not exists (select from private.link_trials k where k.link_id = p_link.id and k.fan_id = p_fan and k.used_at is not null)
    -- The trial is for new subscribers, as a plan's (private.quote_subscription).
    and not exists (
      select from public.subscriptions s
      where s.subscriber_id = p_fan and s.creator_id = p_link.creator_id and s.status not in ('incomplete', 'incomplete_expired'))
    and p_link.trial_limit > (
      select count(*) from private.link_trials k
      where k.link_id = p_link.id and (p_fan is null or k.fan_id is distinct from p_fan)
        and (k.used_at is not null or k.held_until > now() or exists (
          select from private.checkout_sessions c where c.link_id = k.link_id and c.profile_id = k.fan_id and c.status = 'open')));
$$;
comment on function private.has_open_trial is 'Whether a user can start the trial of a link now. p_fan: null for a visitor.';

create function private.offered_trial(p_fan uuid, p_plan uuid) returns table (link_id uuid, trial_days int)
language sql stable security definer rows 1 set search_path = ''
as $$
  select l.id, l.trial_days
  from public.tracking_links l
  where l.plan_id = p_plan and private.has_open_trial(l, p_fan)
    and exists (
      select from public.link_touches t
      where t.fan_id = p_fan and t.creator_id = l.creator_id and t.link_id = l.id and t.touched_at > now() - interval '30 days')
  order by l.trial_days desc, l.created_at, l.id limit 1;
$$;
comment on function private.offered_trial is 'The longest trial of a plan by the links that the user has opened. No row for none.';

create function private.hold_trial(p_link uuid, p_fan uuid) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_link public.tracking_links;
  v_until timestamptz;
begin
  -- One at a time: two would both see the last place.
  select * into v_link from public.tracking_links l where l.id = p_link for no key update;
  if v_link.id is null or not private.has_open_trial(v_link, p_fan) then
    raise sqlstate 'PT409' using message = 'The free trials of this link are taken', detail = 'trial_taken', hint = 'Reload to see the plan''s price.';
  end if;
  insert into private.link_trials as k (link_id, fan_id, held_until) values (p_link, p_fan, now() + interval '1 hour')
  on conflict on constraint link_trials_once do update
    -- Two clicks get the same time, so that Stripe returns the same session. It must be half an hour ahead.
    set held_until = case when k.held_until < now() + interval '31 minutes' then now() + interval '1 hour' else k.held_until end
  returning k.held_until into v_until;
  return v_until;
end;
$$;
comment on function private.hold_trial is 'Holds a place in the trials of a link for a checkout. Returns when the checkout must end. PT409 if none is left.';

create function public.trials_used(public.tracking_links) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from private.link_trials k
  where k.link_id = $1.id and k.used_at is not null
    and exists (select from public.tracking_links l where l.id = $1.id and l.creator_id = private.my_profile_id());
$$;
comment on function public.trials_used is 'How many users have started the trial of one of the caller''s links, as a column of tracking_links.';
grant execute on function public.trials_used(public.tracking_links) to authenticated;

create type public.trial_offer as (
  plan_id uuid,
  trial_days integer,
  trial_until timestamptz
);
comment on type public.trial_offer is 'A free trial of a plan by a link that the caller has opened (LINK-03).';
comment on column public.trial_offer.plan_id is 'Never null.';
comment on column public.trial_offer.trial_days is 'Never null.';
comment on column public.trial_offer.trial_until is 'Until when it can be started. Never null.';

-- security definer: nobody but its creator reads a link. Those who have opened it learn its trial.
create function public.get_trial_offers(creator_profile_id uuid, visits text default null) returns setof public.trial_offer
language sql stable security definer rows 2 set search_path = ''
as $$
  select distinct on (l.plan_id) l.plan_id, l.trial_days, l.trial_until
  from (select private.my_profile_id() as id, array(select m[1] from regexp_matches(left(visits, 1000), '([a-z0-9]{8})\.', 'g') m) as codes) me
  join public.tracking_links l on l.creator_id = creator_profile_id and l.plan_id is not null and l.trial_days is not null
  where (l.code = any (me.codes) or exists (
      select from public.link_touches t
      where t.fan_id = me.id and t.creator_id = l.creator_id and t.link_id = l.id and t.touched_at > now() - interval '30 days'))
    and private.has_open_trial(l, me.id)
  order by l.plan_id, l.trial_days desc, l.trial_until desc;
$$;
comment on function public.get_trial_offers is
  'The free trials of a creator''s plans by links that the caller has opened: the account''s, and those that the browser names (as in claim_link_visits).';
grant execute on function public.get_trial_offers(uuid, text) to anon, authenticated;

-- Who stays (LINK-04).
create type public.link_retention as (
  month date,
  subscribers integer,
  remaining integer[]
);
comment on type public.link_retention is 'The subscribers who began in a month, with those on trial, and how many remain.';
comment on column public.link_retention.month is 'Its first day, in UTC. Never null.';
comment on column public.link_retention.subscribers is 'Never null.';
comment on column public.link_retention.remaining is 'After 1, 2, 3, … months, up to 12: those that have passed for all of them. Never null.';

-- Whole months from the begin of the subscription: a subscriber who cancels in the first one doesn't remain after it.
create function public.get_link_retention(link_id uuid default null) returns setof public.link_retention
language sql stable security definer rows 12 set search_path = ''
as $$
  with subscribers as (
    select s.started_at at time zone 'UTC' as began, least(s.until, now()) at time zone 'UTC' as ended
    from private.link_subscriptions s
    where s.creator_id = (select private.my_profile_id()) and (get_link_retention.link_id is null or s.link_id = get_link_retention.link_id)
  ), aged as (
    select b.began, b.ended, greatest((extract(year from a.age) * 12 + extract(month from a.age))::int, 0) as months
    from subscribers b cross join lateral (select age(b.ended, b.began) as age) a
  ), stayed as (
    -- The 31st and the last of a shorter month: age counts by days.
    select date_trunc('month', a.began)::date as month,
      a.months + (a.began + make_interval(months => a.months + 1) < a.ended)::int
        - (a.months > 0 and a.began + make_interval(months => a.months) >= a.ended)::int as months,
      count(*) as subscribers
    from aged a group by 1, 2
  )
  select s.month, sum(s.subscribers)::int, array(
    select coalesce(sum(r.subscribers), 0)::int
    from generate_series(1, 12) n
    left join stayed r on r.month = s.month and r.months >= n
    where s.month + make_interval(months => n + 1) <= now() at time zone 'UTC'
    group by n order by n)
  from stayed s group by s.month order by s.month desc;
$$;
comment on function public.get_link_retention is 'How many subscribers who came by one of the caller''s links, or by any, remain after 1, 2, 3, … months, by the month in which they began (LINK-04). Newest month first.';
grant execute on function public.get_link_retention(uuid) to authenticated;

-- Smart lists, flows, and the fan sheet know by which link a fan came (LIST-02, LIST-04, AUTO-01).
insert into private.audience_conditions (name, fields, sql) values
  ('came_by_link', '{"link": "link"}',
    $$f.fan_id in (select k.fan_id from private.link_fans k where k.creator_id = $1 and {link} in ('any', k.link_id::text))$$);
comment on column private.audience_conditions.fields is
  'The fields and their types: days, cents, date, plan, list, link, or the possible values with | between them. All are required.';
insert into private.flow_parts (part, name, fields) values ('trigger', 'link', '{"link": "link"}');

create function private.is_own_link(p_creator uuid, p_value jsonb) returns boolean
language sql stable set search_path = ''
as $$
  select p_value = '"any"' or exists (select from public.tracking_links l where l.id::text = p_value #>> '{}' and l.creator_id = p_creator);
$$;
comment on function private.is_own_link is 'Whether a field of a rule or flow names one of the creator''s links, or "any".';

create or replace function private.rule_value(p_creator uuid, p_condition text, p_field text, p_type text, p_value jsonb) returns text
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
  elsif p_type = 'link' then
    if not private.is_own_link(p_creator, p_value) then
      raise exception '"%" of the condition "%" must be the id of one of your links, or "any"', p_field, p_condition using errcode = '22023';
    end if;
    return format('%L::text', v_text);
  elsif jsonb_typeof(p_value) <> 'string' or v_text <> all (string_to_array(p_type, '|')) then
    raise exception '"%" of the condition "%" must be one of: %', p_field, p_condition, replace(p_type, '|', ', ') using errcode = '22023';
  end if;
  return format('%L::text', v_text);
end;
$$;

create or replace function private.require_flow_field(p_creator uuid, p_part text, p_field text, p_type text, p_value jsonb) returns void
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
  elsif p_type = 'link' then
    if private.is_own_link(p_creator, p_value) is not true then
      raise exception '"%" of "%" must be the id of one of your links, or "any"', p_field, p_part using errcode = '22023';
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

create or replace function private.start_flows(p_creator uuid, p_fan uuid, p_trigger text, p_cause text, p_value text default null) returns void
language sql volatile set search_path = ''
as $$
  insert into public.flow_runs (flow_id, creator_id, fan_id, cause)
  select f.id, f.creator_id, p_fan, p_cause
  from public.flows f
  where f.creator_id = p_creator and f.status = 'active' and f.trigger ->> 'trigger' = p_trigger and p_fan <> p_creator
    and case p_trigger
      when 'payment' then (f.trigger ->> 'cents')::bigint <= p_value::bigint
      when 'list' then f.trigger ->> 'list' = p_value
      when 'link' then f.trigger ->> 'link' in ('any', p_value)
      else true
    end
  order by f.id
  on conflict on constraint flow_runs_once do nothing;
$$;
comment on function private.start_flows is 'Starts the active flows of a creator with this trigger for a fan, at most once for the same cause. p_value: the cents of a payment, the list, or the link.';

alter type public.fan_sheet add attribute came_by text;
comment on column public.fan_sheet.came_by is 'The name of the link by which the fan came; null for none.';
create or replace function public.get_fan_sheet(fan_profile_id uuid) returns setof public.fan_sheet
language sql stable security definer rows 1 set search_path = ''
as $$
  select p.id, p.username, p.display_name, p.avatar_url, p.updated_at, p.last_seen_at, f.created_at,
    s.plan_name, s.status, s.created_at, s.runs_until, s.cancel_at_period_end,
    money.spent, money.recent, money.by_type, money.purchases, sent.paid, sent.unlocked, source.name
  from (select private.my_profile_id() as id) me
  cross join lateral (select v.* from public.profiles v where v.id = fan_profile_id and v.id <> me.id offset 0) p
  left join public.follows f on f.follower_id = p.id and f.following_id = me.id
  left join lateral (
    select t.name as plan_name, o.status, o.created_at, o.cancel_at_period_end, case
        when o.status in ('active', 'trial') then o.current_period_end
        -- At the end of a period that was paid for, or before.
        when o.status = 'canceled' then case when o.cancel_at_period_end then o.current_period_end else least(o.canceled_at, o.current_period_end) end
      end as runs_until
    from public.subscriptions o join public.subscription_products t on t.id = o.tier_id
    where o.creator_id = me.id and o.subscriber_id = p.id and o.status not in ('incomplete', 'incomplete_expired')
    order by o.access_until > now() desc, o.created_at desc limit 1
  ) s on true
  cross join lateral (
    select coalesce(sum(k.cents), 0)::bigint as spent, coalesce(sum(k.recent), 0)::bigint as recent,
      coalesce(jsonb_object_agg(k.kind, k.cents) filter (where k.cents <> 0), '{}') as by_type,
      coalesce(sum(k.purchases), 0)::int as purchases
    from (
      select coalesce(o.transaction_type, m.transaction_type) as kind, sum(m.amount) as cents,
        sum(m.amount) filter (where coalesce(o.created_at, m.created_at) > now() - interval '30 days') as recent,
        count(*) filter (where m.transaction_type in ('ppv', 'paid_message', 'private_session') and m.refunded_amount < m.amount) as purchases
      from public.transactions m
      left join public.transactions o on o.id = m.original_transaction_id
      where m.from_user_id = p.id and m.to_user_id = me.id
      group by 1
    ) k
  ) money
  cross join lateral (
    select count(*)::int as paid, count(*) filter (where m.is_unlocked)::int as unlocked
    from private.messages m where m.sender_id = me.id and m.recipient_id = p.id and m.is_paid
  ) sent
  left join lateral (
    select l.name from private.link_fans k join public.tracking_links l on l.id = k.link_id where k.creator_id = me.id and k.fan_id = p.id
  ) source on true
  where private.is_approved_creator(me.id);
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
  select * from private.verify_links();
$$;
