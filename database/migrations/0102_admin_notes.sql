-- Up Migration
-- An admin's note on a post: a banner for its owner, and for everybody when the admin says so (POST-13, D28). Posts across a block.
alter table private.posts
  add column admin_note text constraint posts_admin_note_length check (admin_note ~ '\S' and length(admin_note) <= 500),
  add column admin_note_is_public boolean not null default false;
comment on column private.posts.admin_note is 'What an admin has to say about the post; null when nothing.';
comment on column private.posts.admin_note_is_public is 'Whether everybody who sees the post sees the note, or its owner and admins alone.';

-- As before (0032), with blocks and notes. Across a block a creator's posts are as closed as a private profile's: `is_closed`.
create or replace view public.posts as
select
  p.id,
  p.creator_id,
  case when access.is_visible then p.title end as title,
  case when access.can_view then p.content when access.is_visible then left(p.content, 100) end as content,
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
comment on column public.posts.admin_note is 'An admin''s note (D28); null when there is none, or when it is not for this viewer.';
comment on column public.posts.admin_note_is_public is 'Whether everybody sees the note.';

create or replace function private.update_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_author boolean := private.is_service() or old.creator_id = private.my_profile_id();
  v_note text := private.trimmed(new.admin_note);
begin
  if not private.is_privileged() then
    if v_is_author is not true then
      return null;
    elsif (new.admin_note, new.admin_note_is_public) is distinct from (old.admin_note, old.admin_note_is_public) then
      raise exception 'Only admins can put a note on a post' using errcode = '42501';
    end if;
  else
    update private.posts set admin_note = v_note, admin_note_is_public = v_note is not null and coalesce(new.admin_note_is_public, false)
    where id = old.id;
    if v_note is distinct from old.admin_note and v_note is not null and v_is_author is not true then
      perform private.notify(old.creator_id, 'other', 'A note on your post', v_note, jsonb_build_object('post_id', old.id));
    end if;
  end if;
  if v_is_author then
    if new.is_pinned and not old.is_pinned then
      perform from private.profiles c where c.id = old.creator_id for no key update; -- two pins at once count one another
      if (select count(*) from private.posts p where p.creator_id = old.creator_id and p.is_pinned) >= 3 then
        raise sqlstate 'PT409' using message = 'You can pin up to three posts', hint = 'Unpin another post first.';
      end if;
    end if;
    update private.posts set title = private.trimmed(new.title), content = coalesce(new.content, ''), is_pinned = new.is_pinned where id = old.id;
  end if;
  select v.* into new from public.posts v where v.id = old.id;
  return new;
end;
$$;
comment on function private.update_post is
  'Trigger of public.posts: the author edits text and pins up to three posts (GEN-41, D28); an admin puts a note on it, and changes nothing else of others.';

grant update (admin_note, admin_note_is_public) on public.posts to authenticated; -- for admins; the trigger refuses others
