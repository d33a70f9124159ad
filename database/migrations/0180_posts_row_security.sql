-- Up Migration
-- A hidden post is no row at all, whatever is asked (PROF-22, GEN-35). The view leaves it out, but PostgreSQL may try a caller's
-- condition on a plain column first, and `1 / (case when post_type = 'ppv' then 0 else 1 end)` then fails on a post of a private
-- profile. A policy on the table comes before every such condition and lets those that cannot fail (`=`, `<` on ids and times) still
-- find a page by index, where a security barrier would sort every post there is. Policies bind the view's owner, so that one may not
-- be the tables' owner, whom they do not bind.
do $$
begin
  if to_regrole('view_owner') is null then create role view_owner nologin noinherit; end if;
exception
  when duplicate_object or unique_violation then null; -- two databases migrating at once: the other one made it
end
$$;
do $$
begin
  if not pg_has_role(current_user, 'view_owner', 'usage') then
    execute format('grant view_owner to %I', current_user);
  end if;
end
$$;
comment on role view_owner is 'Owns public.posts and nobody signs in as it: the policies on private.posts bind the view through it.';
grant usage on schema public, private, auth to view_owner;
grant select on private.posts, private.profiles, public.subscriptions, public.subscription_products, public.purchases to view_owner;

-- A closed creator's posts are there for those who pay the creator or have bought the post, and for nobody else (PROF-22, POST-48,
-- POST-49). Scalar subqueries, not `exists`: that one could be hashed, which reads every profile.
create policy select_visible on private.posts for select to view_owner using (
  (select private.is_privileged())
  or creator_id = (select private.my_profile_id())
  or (
    select not (o.is_private or o.id = any ((select private.my_blocks())::uuid[]))
    from private.profiles o
    where o.id = posts.creator_id
  )
  or (
    select true from public.subscriptions s
    where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = posts.creator_id and s.access_until > now()
    limit 1
  )
  or (select true from public.purchases b where b.buyer_id = (select private.my_profile_id()) and b.post_id = posts.id)
);
-- What the view asks on behalf of its reader, and never shows.
create policy select_for_views on private.profiles for select to view_owner using (true);
create policy select_for_views on public.subscriptions for select to view_owner using (true);
create policy select_for_views on public.subscription_products for select to view_owner using (true);
create policy select_for_views on public.purchases for select to view_owner using (true);

grant create on schema public to view_owner; -- asked of a new owner, and of nobody afterwards
alter view public.posts owner to view_owner;
revoke create on schema public from view_owner;

-- What is left to the view: which of the visible posts are open. The row's own columns are plain again.
create or replace view public.posts as
select
  p.id,
  p.creator_id,
  p.title,
  case when access.can_view then p.content else left(p.content, 100) end as content,
  p.post_type,
  case when access.can_view then p.media_urls else '{}' end as media_urls,
  p.media_types,
  cardinality(p.media_urls) as media_count,
  p.required_tier_id,
  p.ppv_price,
  p.likes_count,
  p.comments_count,
  p.is_pinned,
  not access.can_view as is_locked,
  p.created_at,
  case when access.is_own or p.admin_note_is_public then p.admin_note end as admin_note,
  p.admin_note_is_public
from private.posts p
cross join lateral (
  select
    own.is_own,
    case
      when own.is_own then true -- POST-49
      when p.post_type = 'free' then true -- POST-41
      when p.post_type = 'subscription' then exists ( -- POST-42, POST-43
        select from public.subscriptions s
        join public.subscription_products mine on mine.id = s.tier_id
        join public.subscription_products required on required.id = p.required_tier_id
        where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = p.creator_id and s.access_until > now()
          and (
            mine.id = required.id
            or private.monthly_cents(mine.price_cents, mine.interval) > private.monthly_cents(required.price_cents, required.interval)
            or not (select c.tiered_access from private.profiles c where c.id = p.creator_id)
          )
      )
      else exists ( -- POST-44
        select from public.purchases b where b.buyer_id = (select private.my_profile_id()) and b.post_id = p.id
      )
    end as can_view
  from (select (select private.is_privileged()) or p.creator_id = (select private.my_profile_id()) as is_own) own
  offset 0
) access;
