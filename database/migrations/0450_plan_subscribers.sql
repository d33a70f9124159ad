-- Up Migration
-- How many people each plan has (PROD-10), for the creator's list of products. Counted in the index alone: a plan may have a hundred thousand.
create index subscriptions_tier_id_status_idx on public.subscriptions (tier_id, status);
drop index public.subscriptions_tier_id_idx; -- the one above begins the same

create type public.plan_subscribers as (product_id uuid, subscribers int);
comment on type public.plan_subscribers is 'A plan and how many people have it now.';
comment on column public.plan_subscribers.product_id is 'The plan: subscription_products.id. Never null.';
comment on column public.plan_subscribers.subscribers is 'Subscriptions that are active, in trial or past due, as profiles.subscribers_count counts them. Never null.';

create function public.get_plan_subscribers(creator_profile_id uuid) returns setof public.plan_subscribers
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  return query
    select p.id, (select count(*)::int from public.subscriptions s where s.tier_id = p.id and s.status in ('active', 'trial', 'past_due'))
    from public.subscription_products p where p.creator_id = creator_profile_id;
end;
$$;
comment on function public.get_plan_subscribers is 'How many people each plan of a creator has, retired plans too. For the creator and admins.';
revoke execute on function public.get_plan_subscribers(uuid) from public, anon;
grant execute on function public.get_plan_subscribers(uuid) to authenticated;
