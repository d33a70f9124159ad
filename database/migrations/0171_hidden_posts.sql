-- Up Migration
-- Nothing of a hidden post in a condition (PROF-22). PostgreSQL tries a caller's condition on a plain column before the view leaves
-- the row out, and `1 / (price - 5)` then fails, or does not, on a post of a private profile. A masked column is computed from what
-- the viewer may see, so that such a condition meets null. A security barrier would close all of it, and would also keep order and
-- limit from reaching the index: a page would sort every post there is.
-- Plain on purpose stay id, creator_id and created_at, which find a page; post_type, media_types and required_tier_id, whose allowed
-- values and relationship clients learn from the table. rest/v1 has no condition that fails by what a row holds.
create or replace view public.posts as
select
  p.id,
  p.creator_id,
  case when access.is_visible then p.title end as title,
  case when access.can_view then p.content when access.is_visible then left(p.content, 100) end as content,
  p.post_type,
  case when access.can_view then p.media_urls else '{}' end as media_urls,
  p.media_types,
  case when access.is_visible then cardinality(p.media_urls) end as media_count,
  p.required_tier_id,
  (case when access.is_visible then p.ppv_price end)::numeric(12, 2) as ppv_price,
  case when access.is_visible then p.likes_count end as likes_count,
  case when access.is_visible then p.comments_count end as comments_count,
  case when access.is_visible then p.is_pinned end as is_pinned,
  not access.can_view as is_locked,
  p.created_at,
  case when access.is_own or p.admin_note_is_public then p.admin_note end as admin_note,
  case when access.is_visible then p.admin_note_is_public end as admin_note_is_public
from private.posts p
cross join lateral (
  select
    a.can_view,
    a.is_own,
    -- A closed creator's posts are there for those who may open them or who pay the creator, and for nobody else (PROF-22, POST-48).
    a.can_view or not a.is_closed or exists (
      select from public.subscriptions s
      where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = p.creator_id and s.access_until > now()
    ) as is_visible
  from (
    select
      c.is_closed,
      c.is_own,
      case
        when c.is_own then true -- POST-49
        when p.post_type = 'free' then not c.is_closed or exists ( -- POST-41
          select from public.subscriptions s
          where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = p.creator_id and s.access_until > now()
        )
        when p.post_type = 'subscription' then exists ( -- POST-42, POST-43
          select from public.subscriptions s
          join public.subscription_products mine on mine.id = s.tier_id
          join public.subscription_products required on required.id = p.required_tier_id
          where s.subscriber_id = (select private.my_profile_id()) and s.creator_id = p.creator_id and s.access_until > now()
            and (
              not c.tiered_access or mine.id = required.id
              or private.monthly_cents(mine.price_cents, mine.interval) > private.monthly_cents(required.price_cents, required.interval)
            )
        )
        else exists ( -- POST-44
          select from public.purchases b where b.buyer_id = (select private.my_profile_id()) and b.post_id = p.id
        )
      end as can_view
    from (
      select
        o.tiered_access,
        o.is_private or o.id = any ((select private.my_blocks())::uuid[]) as is_closed,
        (select private.is_privileged()) or coalesce(o.user_id = (select auth.uid()), false) as is_own
      from private.profiles o
      where o.id = p.creator_id
      offset 0
    ) c
    offset 0
  ) a
  offset 0
) access
where access.is_visible;
comment on column public.posts.likes_count is 'Kept by post_likes. Never null.';
comment on column public.posts.comments_count is 'Kept by comments. Never null.';
comment on column public.posts.is_pinned is 'Shown first on the profile; up to three of a creator. Never null.';
comment on column public.posts.admin_note_is_public is 'Whether everybody sees the note. Never null.';
comment on column public.posts.ppv_price is 'Dollars for a pay-per-view post; null for others.';
