-- Up Migration
-- What a post brought is kept as the payments come, like the days (0136): a post that a hundred thousand people bought is read in one row
-- (DASH-11, DASH-14, D7). private.verify_money counts it anew.
create table private.post_earnings (
  post_id   uuid primary key references private.posts on delete cascade,
  purchases int not null default 0,
  net_cents bigint not null default 0
);
comment on table private.post_earnings is 'What came in for a post, kept from transactions. A post that nobody paid for has no row.';
comment on column private.post_earnings.purchases is 'Payments for it that have not been given back or disputed whole: those of status completed and partially_refunded.';
comment on column private.post_earnings.net_cents is 'After the fee and refunds, from purchases and tips under it.';
alter table private.post_earnings enable row level security; -- and no policy: read through the functions below

create function private.is_standing_purchase(p_type text, p_status text) returns boolean
language sql immutable set search_path = ''
as $$
  select p_type = 'ppv' and p_status in ('completed', 'partially_refunded');
$$;
comment on function private.is_standing_purchase is 'Whether a transaction counts as a purchase of its post.';

create function private.count_post_earning() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.post_earnings as e (post_id, purchases, net_cents)
  values (new.post_id, private.is_standing_purchase(new.transaction_type, new.status)::int, new.net_amount * 100)
  on conflict (post_id) do update set purchases = e.purchases + excluded.purchases, net_cents = e.net_cents + excluded.net_cents;
  return null;
end;
$$;
comment on function private.count_post_earning is 'Keeps private.post_earnings.';
create trigger transactions_count_post after insert on public.transactions
  for each row when (new.post_id is not null) execute function private.count_post_earning();

create function private.recount_post_purchase() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.post_earnings e set purchases = e.purchases
    + private.is_standing_purchase(new.transaction_type, new.status)::int - private.is_standing_purchase(old.transaction_type, old.status)::int
  where e.post_id = new.post_id;
  return null;
end;
$$;
comment on function private.recount_post_purchase is 'A purchase is given back or disputed, or stands again. The money has a transaction of its own.';
create trigger transactions_recount_post after update of status on public.transactions
  for each row when (new.post_id is not null and new.status <> old.status) execute function private.recount_post_purchase();

insert into private.post_earnings (post_id, purchases, net_cents)
select t.post_id, count(*) filter (where private.is_standing_purchase(t.transaction_type, t.status)), sum(t.net_amount) * 100
from public.transactions t where t.post_id is not null group by t.post_id;

create or replace function public.get_post_figures(post_ids uuid[]) returns setof public.post_figures
language sql stable security definer set search_path = ''
as $$
  select p.id, p.views_count, coalesce(e.purchases, 0), private.in_dollars(e.net_cents)
  from private.posts p left join private.post_earnings e on e.post_id = p.id
  where p.id = any (post_ids[1:100]) and (p.creator_id = private.my_profile_id() or private.is_privileged());
$$;

create or replace function public.get_top_posts(creator_profile_id uuid, page_size int default 10) returns setof public.top_post
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query
    select p.id, p.title, left(p.content, 100), p.post_type, p.media_types, p.created_at, p.views_count, p.likes_count, p.comments_count,
      coalesce(e.purchases, 0), private.in_dollars(e.net_cents)
    from private.posts p left join private.post_earnings e on e.post_id = p.id
    where p.creator_id = creator_profile_id
    order by p.views_count desc, p.id limit least(greatest(page_size, 0), 100);
end;
$$;

-- What each subscriber has spent with a creator is added up from this index alone.
create index transactions_spent_idx on public.transactions (from_user_id, to_user_id) include (amount);

alter function private.verify_money() rename to verify_booked_money;
comment on function private.verify_booked_money is 'Ledger, transactions, refunds, commissions and days that differ from the facts behind them.';
create function private.verify_money() returns table (subject text, problem text)
language sql stable security definer set search_path = ''
as $$
  select * from private.verify_booked_money()
  union all
  select 'post:' || coalesce(kept.post_id, counted.post_id), 'has another sum than its payments'
  from private.post_earnings kept
  full join (
    select t.post_id, count(*) filter (where private.is_standing_purchase(t.transaction_type, t.status)) as purchases, sum(t.net_amount) * 100 as net
    from public.transactions t where t.post_id is not null group by t.post_id
  ) counted using (post_id)
  where (coalesce(kept.purchases, 0), coalesce(kept.net_cents, 0)) <> (coalesce(counted.purchases, 0), coalesce(counted.net, 0));
$$;
comment on function private.verify_money is 'Every figure of money that differs from the facts behind it; none in sound books.';
