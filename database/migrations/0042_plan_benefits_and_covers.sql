-- Up Migration

-- Plans have benefits, an order, and one may be marked as the most popular (LOOP-15). None of it is part of what Stripe charges for, so it can
-- change at any time.
alter table public.subscription_products
  add column benefits text[] not null default '{}'
    constraint subscription_products_benefits_at_most_ten check (cardinality(benefits) <= 10)
    -- Joined, because a check can't look at the elements: each is one line of up to 100 characters.
    constraint subscription_products_benefits_one_line_each check (
      array_position(benefits, null) is null and coalesce(array_ndims(benefits), 1) = 1
      and strpos(array_to_string(benefits, ''), E'\n') = 0
      and (cardinality(benefits) = 0 or array_to_string(benefits, E'\n') ~ '^[^\n]{1,100}(\n[^\n]{1,100})*$')
    ),
  add column position int constraint subscription_products_position_positive check (position > 0),
  add column is_popular boolean not null default false;
comment on column public.subscription_products.benefits is 'What subscribers get, one short line each. The server writes them, like the name.';
comment on column public.subscription_products.position is 'The place among the creator''s plans; null until the creator arranges them. Plans without one come last, by price. Only arrange_plans writes it.';
comment on column public.subscription_products.is_popular is 'The creator''s own mark "Most popular", at most on one plan. Only mark_popular_plan writes it.';
create unique index subscription_products_one_popular on public.subscription_products (creator_id) where is_popular;

-- Both lock the creator's plans in the order of their ids, so that two devices can't mix their orders or marks.
create function public.arrange_plans(plan_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if v_me is null then
    raise exception 'Sign in to arrange your plans' using errcode = '42501';
  elsif cardinality(plan_ids) > 1000 or cardinality(plan_ids) <> (select count(distinct p.id) from unnest(plan_ids) p (id)) then
    raise exception 'plan_ids must name each plan once' using errcode = '22023';
  end if;
  perform from public.subscription_products s where s.creator_id = v_me order by s.id for no key update;
  if exists (
    select from unnest(plan_ids) p (id)
    where not exists (select from public.subscription_products s where s.id = p.id and s.creator_id = v_me)
  ) then
    raise sqlstate 'PT404' using message = 'Plan not found';
  end if;
  update public.subscription_products s set position = array_position(plan_ids, s.id)
  where s.creator_id = v_me and s.position is distinct from array_position(plan_ids, s.id);
end;
$$;
comment on function public.arrange_plans is
  'Puts the caller''s plans in this order. Those that it leaves out come last, by price; null or an empty list orders all by price. PT404 for a plan of another creator.';
revoke execute on function public.arrange_plans(uuid[]) from public, anon;
grant execute on function public.arrange_plans(uuid[]) to authenticated;
create function public.mark_popular_plan(plan_id uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
begin
  if v_me is null then
    raise exception 'Sign in to mark a plan' using errcode = '42501';
  end if;
  perform from public.subscription_products s where s.creator_id = v_me order by s.id for no key update;
  if plan_id is not null and not exists (
    select from public.subscription_products s where s.id = plan_id and s.creator_id = v_me
  ) then
    raise sqlstate 'PT404' using message = 'Plan not found';
  end if;
  update public.subscription_products s set is_popular = false where s.creator_id = v_me and s.is_popular and s.id is distinct from plan_id;
  update public.subscription_products s set is_popular = true where s.id = plan_id and not s.is_popular;
end;
$$;
comment on function public.mark_popular_plan is
  'Marks one of the caller''s plans as the most popular one, instead of the one marked before; without a plan, removes the mark. PT404 for a plan of another creator.';
revoke execute on function public.mark_popular_plan(uuid) from public, anon;
grant execute on function public.mark_popular_plan(uuid) to authenticated;

-- For new creators, higher plans include lower ones. Creators with plans keep their choice, because fans have paid under it.
alter table private.profiles alter column tiered_access set default true;
update private.profiles p set tiered_access = true
where not p.tiered_access and not exists (select from public.subscription_products s where s.creator_id = p.id);
comment on column private.profiles.tiered_access is 'The creator''s switch "higher plans unlock more" (POST-43, D14). On for new creators (LOOP-15).';
