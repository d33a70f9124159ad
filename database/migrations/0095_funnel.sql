-- Up Migration

-- From the first look to the payment, what content earns, and how far viewers get in it (STATX-02). What happens is one insert into a table
-- without shared rows; private.roll_up_funnel counts it a minute later, one at a time.

-- A view is one insert, without an index, and without a foreign key, which would lock the creator's row.
create table private.page_views (
  creator_id uuid not null,
  page       text not null check (page in ('profile', 'plans', 'product')),
  product_id uuid,
  at         timestamptz not null,
  visitor    bytea not null
);
comment on table private.page_views is 'Views of profiles, plans, and products that private.roll_up_funnel hasn''t counted yet.';
comment on column private.page_views.product_id is 'Null unless the page is a product''s.';
comment on column private.page_views.visitor is 'A hash of the page and the account, or the address and browser, with the salt of the day.';
alter table private.page_views enable row level security; -- and no policy: only the server writes it

create table private.page_viewers (
  day        date not null,
  creator_id uuid not null,
  page       text not null,
  visitor    bytea not null,
  at         timestamptz not null,
  product_id uuid,
  primary key (day, creator_id, page, visitor)
);
comment on table private.page_viewers is 'The viewers of today and yesterday, so that each counts once a day.';
comment on column private.page_viewers.day is 'In UTC, as that of the salt.';
comment on column private.page_viewers.at is 'The first view of the day.';
alter table private.page_viewers enable row level security; -- and no policy: only private.roll_up_funnel uses it

create function private.count_page_view(p_page text, p_id uuid, p_viewer uuid, p_visitor bytea) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.page_views (creator_id, page, product_id, at, visitor)
  select c.id, p_page, g.id, now(), p_visitor
  from (select p_id) wanted (id)
  left join public.products g on p_page = 'product' and g.id = wanted.id and g.status = 'published'
  join private.profiles c on c.id = case p_page when 'product' then g.creator_id else wanted.id end
  where private.is_approved_creator(c.id) and c.suspended_at is null and c.user_id is distinct from p_viewer;
$$;
comment on function private.count_page_view is
  'Notes that someone has seen a creator''s profile or plans (p_id: profiles.id) or a product (products.id). p_viewer: the viewer''s auth.users.id; null for a visitor. Unknown pages and a creator''s own views don''t count.';

-- Checkouts and payments wait here, too. The id is their order: a refund comes after its payment.
create table private.funnel_events (
  id             bigint generated always as identity primary key,
  creator_id     uuid not null,
  at             timestamptz not null,
  is_plan        boolean not null,
  transaction_id uuid
);
comment on table private.funnel_events is 'Checkouts and payments that private.roll_up_funnel hasn''t counted yet.';
comment on column private.funnel_events.is_plan is 'Whether it is for a subscription. Of a refund, that of its payment counts.';
comment on column private.funnel_events.transaction_id is 'The payment or refund; null for a checkout. No foreign key: it would lock the payment.';
alter table private.funnel_events enable row level security; -- and no policy: only triggers and private.roll_up_funnel use it

create function private.note_funnel_checkout() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.funnel_events (creator_id, at, is_plan) values (new.creator_id, new.created_at, new.kind = 'subscription');
  return null;
end;
$$;
comment on function private.note_funnel_checkout is 'Trigger of checkout_sessions: notes that a fan began to pay, with one click, too.';
create trigger checkout_sessions_note_funnel after insert on private.checkout_sessions
  for each row execute function private.note_funnel_checkout();

create function private.note_funnel_payment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.funnel_events (creator_id, at, is_plan, transaction_id)
  values (new.to_user_id, new.created_at, new.transaction_type = 'subscription', new.id);
  return null;
end;
$$;
comment on function private.note_funnel_payment is 'Trigger of transactions: notes payments and refunds for the funnel and for the earnings of products.';
create trigger transactions_note_funnel after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund')
    and new.to_user_id is not null) execute function private.note_funnel_payment();

create table private.first_payments (
  subscription_id uuid primary key,
  transaction_id  uuid not null unique
);
comment on table private.first_payments is 'With which payment each subscription began: the funnel counts that one, and no renewal.';
comment on column private.first_payments.subscription_id is 'subscriptions.id. No foreign key: the row stays.';
alter table private.first_payments enable row level security; -- and no policy: only functions use it

-- Quarters of an hour, because every time zone begins its days at one of them.
create table private.funnel_quarters (
  creator_id    uuid not null references private.profiles on delete cascade,
  at            timestamptz not null,
  profile_views int not null default 0,
  plan_views    int not null default 0,
  checkouts     int not null default 0,
  payments      int not null default 0,
  net_cents     bigint not null default 0,
  plan_checkouts int not null default 0,
  plan_payments  int not null default 0,
  plan_net_cents bigint not null default 0,
  primary key (creator_id, at)
);
comment on table private.funnel_quarters is 'The funnel of each creator by quarter of an hour. Maintained by private.roll_up_funnel.';
comment on column private.funnel_quarters.at is 'When the quarter begins.';
comment on column private.funnel_quarters.profile_views is 'Viewers, each once a day (UTC), as plan_views.';
comment on column private.funnel_quarters.checkouts is 'Checkout pages that were opened, and payments with one click. Of them, plan_checkouts are for subscriptions.';
comment on column private.funnel_quarters.payments is 'Payments without renewals; of them, plan_payments are the first ones of subscriptions.';
comment on column private.funnel_quarters.net_cents is 'What they earned, in cents after fees. A refund counts when it was made, and may make it negative.';
alter table private.funnel_quarters enable row level security; -- and no policy: get_funnel reads it for the creator

create table private.product_figures (
  product_id uuid primary key references public.products on delete cascade,
  views      bigint not null default 0,
  net_cents  bigint not null default 0
);
comment on table private.product_figures is 'Views and earnings of products. Maintained by private.roll_up_funnel; a product without either has no row.';
comment on column private.product_figures.views is 'Viewers, each once a day (UTC).';
comment on column private.product_figures.net_cents is 'Cents after fees and refunds.';
alter table private.product_figures enable row level security; -- and no policy: get_content_figures reads it for the creator

-- How far viewers got. One row for each viewer and file, in which only the furthest position moves.
create table private.media_progress (
  file         text not null,
  viewer_id    uuid not null references private.profiles on delete cascade,
  curve        text not null,
  step         smallint not null check (step between 0 and 20),
  counted_step smallint not null default -1,
  moved_at     timestamptz not null default now(),
  primary key (file, viewer_id)
);
comment on table private.media_progress is 'How far each viewer got in a video or in audio, for 180 days. Nobody sees who: creators get the numbers (get_media_reach).';
comment on column private.media_progress.file is 'Bucket and path, as in posts/….';
comment on column private.media_progress.viewer_id is 'profiles.id of the viewer.';
comment on column private.media_progress.curve is 'Where it counts: the file, or for a message to one fan "singles/" and the profiles.id of its creator.';
comment on column private.media_progress.step is 'The furthest position in steps of 5 %. 0: it began.';
comment on column private.media_progress.counted_step is 'The step that media_reach counts; -1 for none yet.';
create index media_progress_viewer_id_idx on private.media_progress (viewer_id);
create index media_progress_moved_at_idx on private.media_progress (moved_at);
create index media_progress_to_count_idx on private.media_progress (file) where step > counted_step;
alter table private.media_progress enable row level security; -- and no policy: no one can see who watched

create table private.media_reach (
  curve     text not null,
  step      smallint not null,
  viewers   bigint not null default 0,
  forgotten bigint not null default 0,
  primary key (curve, step)
);
comment on table private.media_reach is 'How many viewers got exactly as far as each step, by curve. Maintained by private.roll_up_funnel.';
comment on column private.media_reach.viewers is 'With those whose row in media_progress is gone.';
comment on column private.media_reach.forgotten is 'How many of them are gone: after 180 days, or with their account.';
alter table private.media_reach enable row level security; -- and no policy: get_media_reach reads it for the creator

create table private.media_forgotten (
  curve text not null,
  step  smallint not null
);
comment on table private.media_forgotten is 'Rows of media_progress that are gone, until private.roll_up_funnel has noted it.';
alter table private.media_forgotten enable row level security; -- and no policy: only a trigger and private.roll_up_funnel use it

create function private.note_forgotten_progress() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.media_forgotten (curve, step) select g.curve, g.counted_step from gone g where g.counted_step >= 0;
  return null;
end;
$$;
comment on function private.note_forgotten_progress is 'Trigger of media_progress: the numbers stay when a viewer is forgotten.';
create trigger media_progress_note_forgotten after delete on private.media_progress
  referencing old table as gone for each statement execute function private.note_forgotten_progress();

-- First the viewers' rows, as in the roll-up, so that neither waits for the other in a circle.
create function private.forget_reach() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.media_progress p using gone g where p.file = tg_argv[0] || '/' || g.path;
  delete from private.media_reach r using gone g where r.curve = tg_argv[0] || '/' || g.path;
  return null;
end;
$$;
comment on function private.forget_reach is 'Trigger of post_media and message_media: with a file, what is known of its viewers goes. Its argument is the bucket.';
create trigger post_media_forget_reach after delete on private.post_media
  referencing old table as gone for each statement execute function private.forget_reach('posts');
create trigger message_media_forget_reach after delete on private.message_media
  referencing old table as gone for each statement execute function private.forget_reach('messages');

create function public.record_media_progress(file text, percent int) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_bucket text := split_part(file, '/', 1);
  v_path text := substr(file, length(split_part(file, '/', 1)) + 2);
  v_step int := percent / 5;
  v_curve text;
begin
  if v_me is null or v_step is null or v_step not between 0 and 20 then
    return false;
  elsif v_bucket = 'posts' then
    select 'posts/' || m.path into v_curve
    from private.post_media m join private.posts p on p.id = m.post_id
    where m.path = v_path and m.media_type = 'video' and m.removed_at is null and p.creator_id <> v_me and private.can_read_post_file(m.path);
  elsif v_bucket = 'messages' then
    select case when f.message_id is null then 'messages/' || f.path else 'singles/' || m.sender_id end into v_curve
    from private.message_media f
    left join private.messages m on m.id = f.message_id
    left join public.mass_messages g on g.id = f.mass_message_id
    join storage.objects o on o.bucket_id = 'messages' and o.name = f.path and o.metadata ->> 'mimetype' ~ '^(video|audio)/'
    where f.path = v_path and coalesce(m.sender_id, g.creator_id) <> v_me and private.is_approved_creator(coalesce(m.sender_id, g.creator_id))
      and private.can_read_message_file(f.path);
  end if;
  if v_curve is null then
    return false;
  end if;
  insert into private.media_progress as p (file, viewer_id, curve, step) values (v_bucket || '/' || v_path, v_me, v_curve, v_step)
  on conflict on constraint media_progress_pkey do update set step = excluded.step, moved_at = now() where p.step < excluded.step;
  return true;
end;
$$;
comment on function public.record_media_progress is
  'Records how far the caller got in a video, or in audio, of a creator''s post or message (STATX-02): file is bucket and path, percent the furthest position. Only the furthest counts. Returns false for files that the caller may not read, for their own, and for others that aren''t counted.';
revoke execute on function public.record_media_progress(text, int) from public;
grant execute on function public.record_media_progress(text, int) to authenticated;

create function private.funnel_quarter(p_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$
  select date_bin('15 minutes', p_at, timestamptz '2000-01-01 00:00:00+00');
$$;
comment on function private.funnel_quarter is 'The quarter of an hour in which something happened.';

-- The roll-up. One at a time, so that two don't add to the same rows. It takes only committed rows, so nothing is lost or counted twice.
create function private.roll_up_funnel(p_size int default 10000) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_views tid[];
  v_events bigint[];
  v_forgotten tid[];
  v_moved int;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('funnel', 0)) then
    return false;
  end if;
  v_views := array(select v.ctid from private.page_views v limit p_size);
  v_events := array(select e.id from private.funnel_events e order by e.id limit p_size);
  v_forgotten := array(select f.ctid from private.media_forgotten f limit p_size);
  -- As in the deletion of an account: first the profiles.
  perform from private.profiles p
  where p.id in (
    select v.creator_id from private.page_views v where v.ctid = any (v_views)
    union all
    select e.creator_id from private.funnel_events e where e.id = any (v_events))
  order by p.id for key share;

  with taken as (
    delete from private.page_views v where v.ctid = any (v_views) returning v.*
  ), fresh as (
    insert into private.page_viewers (day, creator_id, page, visitor, at, product_id)
    select distinct on (1, 2, 3, 4) (t.at at time zone 'UTC')::date, t.creator_id, t.page, t.visitor, t.at, t.product_id
    from taken t join private.profiles p on p.id = t.creator_id
    order by 1, 2, 3, 4, t.at
    on conflict on constraint page_viewers_pkey do nothing
    returning creator_id, page, at, product_id
  ), products as (
    insert into private.product_figures as g (product_id, views)
    select f.product_id, count(*) from fresh f join public.products p on p.id = f.product_id group by 1 order by 1
    on conflict on constraint product_figures_pkey do update set views = g.views + excluded.views
  )
  insert into private.funnel_quarters as q (creator_id, at, profile_views, plan_views)
  select f.creator_id, private.funnel_quarter(f.at), count(*) filter (where f.page = 'profile'), count(*) filter (where f.page = 'plans')
  from fresh f where f.page in ('profile', 'plans') group by 1, 2 order by 1, 2
  on conflict on constraint funnel_quarters_pkey do update set
    profile_views = q.profile_views + excluded.profile_views, plan_views = q.plan_views + excluded.plan_views;

  insert into private.first_payments (subscription_id, transaction_id)
  select distinct on (t.subscription_id) t.subscription_id, t.id
  from private.funnel_events e join public.transactions t on t.id = e.transaction_id
  where e.id = any (v_events) and t.transaction_type = 'subscription' and t.subscription_id is not null
  order by t.subscription_id, t.created_at, t.id
  on conflict on constraint first_payments_pkey do nothing;
  with taken as (
    delete from private.funnel_events e where e.id = any (v_events) returning e.*
  ), facts as (
    select t.creator_id, t.at, t.is_plan, 1 as checkouts, 0 as payments, 0 as net_cents, null::uuid as product_id
    from taken t where t.transaction_id is null
    union all
    select t.creator_id, m.created_at, f.transaction_type = 'subscription', 0, (m.transaction_type <> 'refund')::int, m.net_amount, f.bought_product_id
    from taken t
    join public.transactions m on m.id = t.transaction_id
    join public.transactions f on f.id = coalesce(m.original_transaction_id, m.id)
    where f.transaction_type <> 'subscription' or exists (select from private.first_payments k where k.transaction_id = f.id)
  ), products as (
    insert into private.product_figures as g (product_id, net_cents)
    select f.product_id, sum(f.net_cents) from facts f join public.products p on p.id = f.product_id group by 1 order by 1
    on conflict on constraint product_figures_pkey do update set net_cents = g.net_cents + excluded.net_cents
  )
  insert into private.funnel_quarters as q (creator_id, at, checkouts, payments, net_cents, plan_checkouts, plan_payments, plan_net_cents)
  select f.creator_id, private.funnel_quarter(f.at), sum(f.checkouts), sum(f.payments), sum(f.net_cents),
    coalesce(sum(f.checkouts) filter (where f.is_plan), 0), coalesce(sum(f.payments) filter (where f.is_plan), 0),
    coalesce(sum(f.net_cents) filter (where f.is_plan), 0)
  from facts f join private.profiles p on p.id = f.creator_id group by 1, 2 order by 1, 2
  on conflict on constraint funnel_quarters_pkey do update set
    checkouts = q.checkouts + excluded.checkouts, payments = q.payments + excluded.payments, net_cents = q.net_cents + excluded.net_cents,
    plan_checkouts = q.plan_checkouts + excluded.plan_checkouts, plan_payments = q.plan_payments + excluded.plan_payments,
    plan_net_cents = q.plan_net_cents + excluded.plan_net_cents;

  -- Viewers who move on at this moment are counted the next time.
  with moved as (
    select p.file, p.viewer_id, p.curve, p.step, p.counted_step from private.media_progress p
    where p.step > p.counted_step limit p_size for update skip locked
  ), counted as (
    update private.media_progress p set counted_step = m.step from moved m where p.file = m.file and p.viewer_id = m.viewer_id
  ), changes as (
    select m.curve, m.step, 1 as viewers from moved m
    union all
    select m.curve, m.counted_step, -1 from moved m where m.counted_step >= 0
  ), kept as (
    insert into private.media_reach as r (curve, step, viewers)
    select c.curve, c.step, sum(c.viewers) from changes c group by 1, 2 order by 1, 2
    on conflict on constraint media_reach_pkey do update set viewers = r.viewers + excluded.viewers
  )
  select count(*) into v_moved from moved;
  with taken as (
    delete from private.media_forgotten f where f.ctid = any (v_forgotten) returning f.curve, f.step
  )
  update private.media_reach r set forgotten = r.forgotten + t.viewers
  from (select k.curve, k.step, count(*) as viewers from taken k group by 1, 2) t
  where r.curve = t.curve and r.step = t.step;
  return p_size in (cardinality(v_views), cardinality(v_events), cardinality(v_forgotten), v_moved);
end;
$$;
comment on function private.roll_up_funnel is
  'Counts views, checkouts, payments, and how far viewers got, up to p_size of each. True if there may be more. False while another transaction does this.';

create function private.forget_page_viewers() returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.page_viewers v where v.day < private.today() - 1;
$$;
comment on function private.forget_page_viewers is 'Deletes the viewers of pages before yesterday.';

create function private.forget_media_progress(p_size int default 10000) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count int;
begin
  delete from private.media_progress p
  where (p.file, p.viewer_id) in (
    select o.file, o.viewer_id from private.media_progress o
    where o.moved_at < now() - interval '180 days' and o.step = o.counted_step
    limit p_size for update skip locked);
  get diagnostics v_count = row_count;
  delete from private.media_reach r
  where r.curve like 'singles/%' and not exists (select from private.profiles p where p.id::text = substr(r.curve, 9));
  return v_count = p_size;
end;
$$;
comment on function private.forget_media_progress is 'Deletes who got how far in which file 180 days after they last went on. The numbers stay. True if there may be more.';

-- What was before this migration, and what bulk data brings: as the roll-up would have counted it.
create function private.fill_funnel() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.first_payments (subscription_id, transaction_id)
  select distinct on (t.subscription_id) t.subscription_id, t.id
  from public.transactions t
  where t.transaction_type = 'subscription' and t.subscription_id is not null and t.to_user_id is not null
    and not exists (select from private.funnel_events e where e.transaction_id = t.id)
  order by t.subscription_id, t.created_at, t.id
  on conflict on constraint first_payments_pkey do nothing;
  -- The hashes of these viewers were never made: nobody can be compared with them.
  insert into private.page_viewers (day, creator_id, page, visitor, at)
  select v.viewed_on, v.profile_id, 'profile', uuid_send(gen_random_uuid()), greatest(v.created_at, v.viewed_on::timestamp at time zone 'UTC')
  from public.profile_views v where v.viewed_on >= private.today() - 1
    and not exists (select from private.funnel_quarters q where q.creator_id = v.profile_id);
  insert into private.funnel_quarters (creator_id, at, profile_views, checkouts, payments, net_cents, plan_checkouts, plan_payments, plan_net_cents)
  select f.creator_id, private.funnel_quarter(f.at), sum(f.views), sum(f.checkouts), sum(f.payments), sum(f.net_cents),
    coalesce(sum(f.checkouts) filter (where f.is_plan), 0), coalesce(sum(f.payments) filter (where f.is_plan), 0),
    coalesce(sum(f.net_cents) filter (where f.is_plan), 0)
  from (
    select v.profile_id as creator_id, greatest(v.created_at, v.viewed_on::timestamp at time zone 'UTC') as at, 1 as views, 0 as checkouts,
      0 as payments, 0 as net_cents, false as is_plan
    from public.profile_views v
    union all
    select c.creator_id, c.created_at, 0, 1, 0, 0, c.kind = 'subscription' from private.checkout_sessions c
    union all
    select m.to_user_id, m.created_at, 0, 0, (m.transaction_type <> 'refund')::int, m.net_amount, o.transaction_type = 'subscription'
    from public.transactions m
    join public.transactions o on o.id = coalesce(m.original_transaction_id, m.id)
    where m.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund')
      and m.to_user_id is not null
      and (o.transaction_type <> 'subscription' or exists (select from private.first_payments k where k.transaction_id = o.id))
  ) f
  where not exists (select from private.funnel_quarters q where q.creator_id = f.creator_id)
    and not exists (select from private.funnel_events e where e.creator_id = f.creator_id)
  group by 1, 2;
  insert into private.product_figures (product_id, net_cents)
  select o.bought_product_id, sum(m.net_amount)
  from public.transactions m
  join public.transactions o on o.id = coalesce(m.original_transaction_id, m.id)
  where o.bought_product_id is not null and not exists (select from private.funnel_events e where e.transaction_id = m.id)
  group by 1
  on conflict on constraint product_figures_pkey do nothing;
end;
$$;
comment on function private.fill_funnel is 'Counts what is there for creators whose funnel has nothing yet, from profile_views, checkout_sessions, and transactions.';
select private.fill_funnel();

create function private.verify_funnel() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select coalesce(q.creator_id, t.to_user_id), 'funnel_quarters.' || k.counter, k.kept, k.counted
  from private.funnel_quarters q
  full join (
    select m.to_user_id, private.funnel_quarter(m.created_at) as at,
      count(*) filter (where m.transaction_type <> 'refund') as payments, sum(m.net_amount) as net_cents,
      count(*) filter (where m.transaction_type <> 'refund' and o.transaction_type = 'subscription') as plan_payments,
      sum(m.net_amount) filter (where o.transaction_type = 'subscription') as plan_net_cents
    from public.transactions m
    join public.transactions o on o.id = coalesce(m.original_transaction_id, m.id)
    where m.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund')
      and m.to_user_id is not null and not exists (select from private.funnel_events e where e.transaction_id = m.id)
      and (o.transaction_type <> 'subscription' or exists (select from private.first_payments f where f.transaction_id = o.id))
    group by 1, 2
  ) t on t.to_user_id = q.creator_id and t.at = q.at
  cross join lateral (values
    ('payments', q.payments, t.payments), ('net_cents', q.net_cents, t.net_cents),
    ('plan_payments', q.plan_payments, t.plan_payments), ('plan_net_cents', q.plan_net_cents, t.plan_net_cents)
  ) k (counter, kept, counted)
  where coalesce(k.kept, 0) <> coalesce(k.counted, 0)
  union all
  -- Of a subscription that is gone, the payments don't say which they were of.
  select m.to_user_id, 'first_payments', count(f.transaction_id), 1
  from public.transactions m
  left join private.first_payments f on f.transaction_id = m.id
  where m.transaction_type = 'subscription' and m.subscription_id is not null and m.to_user_id is not null
    and not exists (select from private.funnel_events e where e.transaction_id = m.id)
  group by m.to_user_id, m.subscription_id having count(f.transaction_id) <> 1
  union all
  -- The checkouts of deleted accounts are gone, and stay counted.
  select c.creator_id, 'funnel_quarters.' || k.counter, k.kept, k.counted
  from (
    select s.creator_id, private.funnel_quarter(s.created_at) as at, count(*) as checkouts,
      count(*) filter (where s.kind = 'subscription') as plan_checkouts
    from private.checkout_sessions s group by 1, 2
  ) c
  left join (
    select e.creator_id, private.funnel_quarter(e.at) as at, count(*) as checkouts, count(*) filter (where e.is_plan) as plan_checkouts
    from private.funnel_events e where e.transaction_id is null group by 1, 2
  ) e on e.creator_id = c.creator_id and e.at = c.at
  left join private.funnel_quarters q on q.creator_id = c.creator_id and q.at = c.at
  cross join lateral (values
    ('checkouts', coalesce(q.checkouts, 0) + coalesce(e.checkouts, 0), c.checkouts),
    ('plan_checkouts', coalesce(q.plan_checkouts, 0) + coalesce(e.plan_checkouts, 0), c.plan_checkouts)
  ) k (counter, kept, counted)
  where k.kept < k.counted
  union all
  -- Older days have no viewers anymore.
  select coalesce(q.creator_id, v.creator_id), 'funnel_quarters.' || k.counter, k.kept, k.counted
  from (select f.* from private.funnel_quarters f where f.at >= (private.today() - 1)::timestamp at time zone 'UTC') q
  full join (
    select n.creator_id, private.funnel_quarter(n.at) as at, count(*) filter (where n.page = 'profile') as profile_views,
      count(*) filter (where n.page = 'plans') as plan_views
    from private.page_viewers n
    where n.page <> 'product' and n.day >= private.today() - 1 and exists (select from private.profiles p where p.id = n.creator_id)
    group by 1, 2
  ) v on v.creator_id = q.creator_id and v.at = q.at
  cross join lateral (values ('profile_views', q.profile_views, v.profile_views), ('plan_views', q.plan_views, v.plan_views)) k (counter, kept, counted)
  where coalesce(k.kept, 0) <> coalesce(k.counted, 0)
  union all
  select p.creator_id, 'product_figures.' || k.counter, k.kept, k.counted
  from public.products p
  left join private.product_figures g on g.product_id = p.id
  left join (
    select o.bought_product_id, sum(m.net_amount) as net_cents
    from public.transactions m
    join public.transactions o on o.id = coalesce(m.original_transaction_id, m.id)
    where o.bought_product_id is not null and (m.id = o.id or m.transaction_type = 'refund') -- no commission of the one who invited the creator
      and not exists (select from private.funnel_events e where e.transaction_id = m.id)
    group by 1
  ) t on t.bought_product_id = p.id
  left join (select n.product_id, count(*) as views from private.page_viewers n where n.product_id is not null group by 1) v on v.product_id = p.id
  cross join lateral (values
    ('net_cents', coalesce(g.net_cents, 0), coalesce(t.net_cents, 0)),
    ('views', least(coalesce(g.views, 0), coalesce(v.views, 0)), coalesce(v.views, 0))
  ) k (counter, kept, counted)
  where k.kept <> k.counted
  union all
  select null, 'media_reach ' || coalesce(r.curve, p.curve), coalesce(r.viewers - r.forgotten - coalesce(f.viewers, 0), 0), coalesce(p.viewers, 0)
  from private.media_reach r
  full join (
    select m.curve, m.counted_step as step, count(*) as viewers from private.media_progress m where m.counted_step >= 0 group by 1, 2
  ) p on p.curve = r.curve and p.step = r.step
  left join (select g.curve, g.step, count(*) as viewers from private.media_forgotten g group by 1, 2) f on f.curve = r.curve and f.step = r.step
  where coalesce(r.viewers - r.forgotten - coalesce(f.viewers, 0), 0) <> coalesce(p.viewers, 0);
$$;
comment on function private.verify_funnel is 'Figures of the funnel, of products, and of viewers that differ from what they count, for private.verify_counters.';

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
  select * from private.verify_goals()
  union all
  select * from private.verify_subscribers()
  union all
  select * from private.verify_funnel();
$$;

-- What the creator reads.

create type public.funnel_day as (
  day date,
  profile_views bigint,
  plan_views bigint,
  checkouts bigint,
  payments bigint,
  net_cents bigint,
  plan_checkouts bigint,
  plan_payments bigint,
  plan_net_cents bigint
);
comment on type public.funnel_day is 'One day of a creator''s funnel (STATX-02). No column is null.';
comment on column public.funnel_day.day is 'In the time zone of the call. Never null.';
comment on column public.funnel_day.profile_views is 'Viewers of the profile, each once a day. Never null.';
comment on column public.funnel_day.plan_views is 'Viewers of the plans, each once a day. Never null.';
comment on column public.funnel_day.checkouts is 'Checkouts that fans began. Never null.';
comment on column public.funnel_day.payments is 'Payments, without renewals. Never null.';
comment on column public.funnel_day.net_cents is 'What they earned, after fees; a refund is negative on its own day. Never null.';
comment on column public.funnel_day.plan_checkouts is 'Of the checkouts, those for subscriptions. Never null.';
comment on column public.funnel_day.plan_payments is 'Of the payments, the first ones of subscriptions. Never null.';
comment on column public.funnel_day.plan_net_cents is 'What these earned. Never null.';

create function private.require_own_figures() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if private.is_approved_creator(v_me) is not true then
    raise exception 'Only approved creators have these numbers' using errcode = '42501';
  end if;
  return v_me;
end;
$$;
comment on function private.require_own_figures is 'profiles.id of the calling creator. 42501 for others.';

create function public.get_funnel(from_day date, to_day date, zone text) returns setof public.funnel_day
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.require_own_figures();
begin
  if zone is null then
    raise exception 'zone must be the name of a time zone, such as Europe/Lisbon' using errcode = '22023';
  end if;
  perform private.require_own_dashboard(v_me, from_day, to_day);
  return query
    select d.day::date, coalesce(s.profile_views, 0), coalesce(s.plan_views, 0), coalesce(s.checkouts, 0), coalesce(s.payments, 0),
      coalesce(s.net_cents, 0)::bigint, coalesce(s.plan_checkouts, 0), coalesce(s.plan_payments, 0), coalesce(s.plan_net_cents, 0)::bigint
    from generate_series(from_day::timestamp, to_day::timestamp, interval '1 day') d (day)
    -- Day by day: the time zone is then asked for twice a day, and not for each quarter.
    cross join lateral (
      select sum(q.profile_views) as profile_views, sum(q.plan_views) as plan_views, sum(q.checkouts) as checkouts, sum(q.payments) as payments,
        sum(q.net_cents) as net_cents, sum(q.plan_checkouts) as plan_checkouts, sum(q.plan_payments) as plan_payments,
        sum(q.plan_net_cents) as plan_net_cents
      from private.funnel_quarters q
      where q.creator_id = v_me and q.at >= d.day at time zone zone and q.at < (d.day + interval '1 day') at time zone zone
    ) s
    order by 1;
end;
$$;
comment on function public.get_funnel is
  'The calling creator''s funnel by day (STATX-02): profile views, plan views, checkouts, and payments. zone: in which the days are, such as Europe/Lisbon. At most 367 days.';

create type public.content_figure as (
  id uuid,
  title text,
  post_type text,
  media_types text[],
  created_at timestamptz,
  recipients bigint,
  views bigint,
  purchases bigint,
  net_cents bigint,
  sort_value bigint
);
comment on type public.content_figure is 'A post, mass message, or product with what it earned and who saw it.';
comment on column public.content_figure.id is 'posts.id, mass_messages.id, or products.id. Never null.';
comment on column public.content_figure.created_at is 'Of a message, when the sending began. Never null.';
comment on column public.content_figure.title is 'Of a post without one, and of a message, its first 100 characters; empty for files alone. Never null.';
comment on column public.content_figure.post_type is 'free, subscription, or ppv; null for messages and products.';
comment on column public.content_figure.media_types is 'image, video, or audio, one for each file. Never null.';
comment on column public.content_figure.recipients is 'How many fans have the message; null for posts and products.';
comment on column public.content_figure.views is 'Of a post or product, its viewers, each once a day; of a message, the fans who opened it. Never null.';
comment on column public.content_figure.purchases is 'Without refunded ones. Never null.';
comment on column public.content_figure.net_cents is 'Cents after fees and refunds; of a post, with the tips on it. Never null.';
comment on column public.content_figure.sort_value is 'By which it is sorted, for the next page. Never null.';

create function public.get_content_figures(
  kind text, sort text default 'newest', search text default null, page_size int default 25, before_value bigint default null, before_id uuid default null
) returns setof public.content_figure
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.require_own_figures();
  v_search text := lower(private.trimmed(search));
  v_size int := least(greatest(coalesce(page_size, 25), 1), 500);
begin
  if kind is null or kind not in ('posts', 'messages', 'products') then
    raise exception 'kind must be posts, messages, or products' using errcode = '22023';
  elsif sort is null or sort not in ('newest', 'views', 'purchases', 'earnings') then
    raise exception 'sort must be newest, views, purchases, or earnings' using errcode = '22023';
  end if;
  return query
    select c.id, left(c.title, 100), c.post_type, c.media_types, c.created_at, c.recipients, c.views, c.purchases, c.net_cents, v.value
    from (
      select p.id, coalesce(p.title, p.content) as title, p.post_type, p.media_types, p.created_at, null::bigint as recipients,
        p.views_count::bigint as views, coalesce(e.purchases, 0)::bigint as purchases, coalesce(e.net_cents, 0) as net_cents
      from private.posts p left join private.post_earnings e on e.post_id = p.id
      where kind = 'posts' and p.creator_id = v_me
      union all
      select g.id, g.content, null, g.media_types, coalesce(g.sent_at, g.created_at), k.delivered, k.viewed, k.purchased, k.earned
      from public.mass_messages g
      cross join lateral (
        select coalesce(sum(n.delivered), 0) as delivered, coalesce(sum(n.viewed), 0) as viewed, coalesce(sum(n.purchased), 0) as purchased,
          coalesce(sum(n.earned_cents), 0)::bigint as earned
        from private.mass_message_counts n where n.mass_message_id = g.id
      ) k
      where kind = 'messages' and g.creator_id = v_me and g.status not in ('draft', 'scheduled')
      union all
      select p.id, p.title, null, '{}', p.created_at, null, coalesce(f.views, 0), coalesce(s.sold, 0)::bigint, coalesce(f.net_cents, 0)
      from public.products p
      left join private.product_figures f on f.product_id = p.id
      left join private.product_sales s on s.product_id = p.id
      where kind = 'products' and p.creator_id = v_me and p.status <> 'draft'
    ) c
    cross join lateral (select case sort
      when 'views' then c.views when 'purchases' then c.purchases when 'earnings' then c.net_cents
      else (extract(epoch from c.created_at) * 1000000)::bigint end as value) v
    where (v_search is null or position(v_search in lower(c.title)) > 0)
      and (before_value is null or before_id is null or (v.value, c.id) < (before_value, before_id))
    order by v.value desc, c.id desc limit v_size;
end;
$$;
comment on function public.get_content_figures is
  'The calling creator''s posts, mass messages, or products (kind) with their earnings and viewers (STATX-02), sorted by newest, views, purchases, or earnings, most first. search: a part of the title or text. The next page: before_value and before_id from the last row.';

create type public.single_message_figures as (
  viewers bigint,
  purchases bigint,
  net_cents bigint
);
comment on type public.single_message_figures is 'Paid messages to one fan each, together. No column is null.';
comment on column public.single_message_figures.viewers is 'How many of them were opened. Never null.';
comment on column public.single_message_figures.purchases is 'How many of them are bought. Never null.';
comment on column public.single_message_figures.net_cents is 'Cents after fees and refunds, also of messages that are gone. Never null.';

create index messages_paid_singles_idx on private.messages (sender_id, is_read, is_unlocked) where is_paid and mass_message_id is null;

create function public.get_single_message_figures() returns public.single_message_figures
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.require_own_figures();
begin
  return (
    select (count(*) filter (where m.is_read), count(*) filter (where m.is_unlocked),
      (select coalesce(sum(d.net_cents), 0) from private.daily_earnings d where d.creator_id = v_me and d.source = 'paid_message')
        - (select coalesce(sum(n.earned_cents), 0) from public.mass_messages g join private.mass_message_counts n on n.mass_message_id = g.id
          where g.creator_id = v_me)
    )::public.single_message_figures
    from private.messages m where m.sender_id = v_me and m.is_paid and m.mass_message_id is null);
end;
$$;
comment on function public.get_single_message_figures is
  'What the calling creator''s paid messages to one fan each earned, together: all paid messages without the mass messages, from sums that are kept (STATX-02).';

create type public.media_reach as (
  position int,
  media_type text,
  reached bigint[]
);
comment on type public.media_reach is 'How far viewers got in a file.';
comment on column public.media_reach.position is 'Of the file in the post or message, from 1. Never null.';
comment on column public.media_reach.media_type is 'video or audio; null for all files of messages to one fan.';
comment on column public.media_reach.reached is 'How many viewers began, and how many reached each twentieth of the file: 21 numbers. Never null.';

create function public.get_media_reach(post_id uuid default null, mass_message_id uuid default null) returns setof public.media_reach
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.require_own_figures();
begin
  if num_nonnulls(get_media_reach.post_id, get_media_reach.mass_message_id) > 1 then
    raise exception 'Give post_id or mass_message_id' using errcode = '22023';
  end if;
  return query
    select f.position, f.media_type, array(
      select coalesce(sum(r.viewers), 0)::bigint
      from generate_series(0, 20) n left join private.media_reach r on r.curve = f.curve and r.step >= n
      group by n order by n)
    from (
      select row_number() over (order by m.position)::int as position, m.media_type, 'posts/' || m.path as curve
      from private.post_media m join private.posts p on p.id = m.post_id
      where p.id = get_media_reach.post_id and p.creator_id = v_me and m.removed_at is null
      union all
      select u.position::int, u.media_type, 'messages/' || u.path
      from public.mass_messages g cross join unnest(g.media_paths, g.media_types) with ordinality u (path, media_type, position)
      where g.id = get_media_reach.mass_message_id and g.creator_id = v_me
      union all
      select 1, null, 'singles/' || v_me where num_nonnulls(get_media_reach.post_id, get_media_reach.mass_message_id) = 0
    ) f
    where f.media_type is null or f.media_type in ('video', 'audio')
    order by f.position;
end;
$$;
comment on function public.get_media_reach is
  'How far viewers got in the videos and audio of a post or a mass message of the calling creator, or in those of all their messages to one fan (STATX-02). No row for a post or message without any, and for those of others.';

revoke execute on function public.get_funnel(date, date, text), public.get_content_figures(text, text, text, int, bigint, uuid),
  public.get_single_message_figures(), public.get_media_reach(uuid, uuid) from public;
grant execute on function public.get_funnel(date, date, text), public.get_content_figures(text, text, text, int, bigint, uuid),
  public.get_single_message_figures(), public.get_media_reach(uuid, uuid) to authenticated;
