-- Up Migration
-- A page of posts asks for links to all its files at once. Policies ask about one file at a time, and each asks the view of posts anew:
-- who am I, am I an admin, who has blocked me. Asked once for all, twenty files cost little more than one.

-- security definer, yet it answers for the caller, as private.can_read_post_file does: the view asks the request's claims.
create function storage.open_post_files(p_paths text[]) returns table (name text, version text, mark text)
language sql stable security definer set search_path = '' rows 20
as $$
  select o.name, o.version,
    -- Most creators want no mark, and need not be asked for each file whose copy it is.
    case when exists (select from public.media_settings s where s.profile_id = v.creator_id and s.watermark)
      then storage.watermark_on(o.name) end
  from private.post_media m
  join public.posts v on v.id = m.post_id
  join storage.objects o on o.bucket_id = 'posts' and o.name = m.path
  where m.path = any (p_paths) and not v.is_locked and not (select auth.is_suspended());
$$;
comment on function storage.open_post_files is
  'Those of these files in bucket posts that belong to a post which the caller may see, and what must stand on the caller''s copy. One truth with public.posts, as the policy select_post_file (POST-46, POST-47).';
revoke execute on function storage.open_post_files(text[]) from public;
grant execute on function storage.open_post_files(text[]) to anon, authenticated, service_role;
