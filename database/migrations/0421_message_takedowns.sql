-- Up Migration
-- A message that one of its two people reported is an admin's business, whole and with its files, and can be taken down (D43, GEN-05).
-- What nobody reported stays between the two: no admin reads it, and none can delete it.
alter table public.reports
  drop constraint reports_excerpt_length,
  add constraint reports_excerpt_length check (length(excerpt) <= 5000);
comment on column public.reports.excerpt is
  'What the reporter saw, kept by the server: a message whole, of all else the first 500 characters. It is all an admin sees of a message''s words, and stays when the original is deleted.';

-- As before (0261); a message is kept whole, since the admin who decides can open it nowhere else.
create or replace function private.receive_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.target_type = 'post' then
    select v.creator_id, coalesce(v.title || ': ', '') || v.content into new.reported_id, new.excerpt from public.posts v where v.id = new.target_id;
  elsif new.target_type = 'comment' then
    select c.user_id, c.content into new.reported_id, new.excerpt
    from public.comments c
    where c.id = new.target_id and private.can_view_post(c.post_id)
      and (c.user_id <> all ((select private.my_blocks())::uuid[]) or (select private.is_admin()));
  elsif new.target_type = 'message' then
    select v.sender_id, v.content into new.reported_id, new.excerpt from public.messages v where v.id = new.target_id;
  elsif new.target_type = 'profile' then
    select v.id, concat_ws(E'\n', v.display_name, v.bio) into new.reported_id, new.excerpt from public.profiles v where v.id = new.target_id;
  end if;
  if new.reported_id is null then
    raise sqlstate 'PT404' using message = 'There is nothing to report here';
  elsif new.reported_id = new.reporter_id then
    raise exception 'You cannot report yourself' using errcode = '23514', constraint = 'reports_not_self';
  end if;
  -- The service sees everything; what the reporter saw can't be told from there, so nothing is kept.
  new.excerpt := case when not private.is_service() then left(new.excerpt, case new.target_type when 'message' then 5000 else 500 end) end;
  new.details := private.trimmed(new.details);
  return new;
end;
$$;

-- The files that the reporter saw: those of a paid message once the reporter has bought it.
create function private.is_reported_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.message_media f
    join private.messages m on m.id = f.message_id
    join public.reports r on r.target_type = 'message' and r.target_id = m.id and r.status = 'open'
    where f.path = p_path
      and (not m.is_paid or exists (select from public.message_unlocks u where u.message_id = m.id and u.buyer_id = r.reporter_id))
  );
$$;
comment on function private.is_reported_file is 'True while an open report is about the message that this file belongs to, and its reporter could open the file.';
revoke execute on function private.is_reported_file(text) from public;
grant execute on function private.is_reported_file(text) to authenticated;
create policy select_reported_message_file on storage.objects for select to authenticated
  using (bucket_id = 'messages' and (select private.is_admin()) and private.is_reported_file(name));

alter type public.queued_report add attribute media_urls text[], add attribute media_types text[];
comment on column public.queued_report.media_urls is 'Of a reported message: its files in bucket messages, while the report is open and as far as the reporter saw them. Never null.';
comment on column public.queued_report.media_types is 'image or video, one for each of media_urls. Never null.';

-- As before (0371), with the files of messages.
create or replace function public.get_reports(
  settled boolean default false, page_size int default 25, before timestamptz default null, before_id uuid default null
) returns setof public.queued_report
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
  with page as (
    select r.* from public.reports r
    where case when get_reports.settled then r.status in ('resolved', 'dismissed') else r.status = 'open' end
      and (before is null or (r.created_at, r.id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
    order by r.created_at desc, r.id desc limit least(greatest(page_size, 0), 100)
  )
  select r.id, r.target_type, r.target_id, r.reason, r.details, r.excerpt, r.status, r.resolution, r.created_at, r.resolved_at,
    reporter.username, r.reported_id, reported.username, reported.display_name, coalesce(reported.suspended_at is not null, false),
    coalesce(post.id, comment.post_id),
    case r.target_type
      when 'post' then post.id is not null when 'comment' then comment.id is not null
      when 'message' then message.id is not null else reported.id is not null
    end,
    (select count(*)::int from public.reports o where o.target_type = r.target_type and o.target_id = r.target_id and o.status = 'open'),
    case when seen.whole then message.media_paths else '{}' end,
    case when seen.whole then message.media_types else '{}' end
  from page r
  left join private.profiles reporter on reporter.id = r.reporter_id
  left join private.profiles reported on reported.id = r.reported_id
  left join private.posts post on r.target_type = 'post' and post.id = r.target_id
  left join public.comments comment on r.target_type = 'comment' and comment.id = r.target_id
  left join private.messages message on r.target_type = 'message' and message.id = r.target_id
  cross join lateral (
    select r.status = 'open' and message.id is not null and (not message.is_paid or exists (
      select from public.message_unlocks u where u.message_id = message.id and u.buyer_id = r.reporter_id
    )) as whole
  ) seen
  order by r.created_at desc, r.id desc;
end;
$$;

-- As before (0371), with messages.
create or replace function public.take_down(target_type text, target_id uuid, reason text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_message private.messages;
  v_found boolean;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Give a reason of at most 500 characters' using errcode = '23514', constraint = 'take_down_reason';
  end if;
  perform set_config('ovation.takedown_reason', v_reason, true);
  if take_down.target_type = 'post' then
    delete from private.posts p where p.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'comment' then
    delete from public.comments c where c.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'message' then
    delete from private.messages m
    where m.id = take_down.target_id
      and exists (select from public.reports r where r.target_type = 'message' and r.target_id = m.id)
    returning * into v_message;
    v_found := v_message.id is not null;
    if v_found then
      perform private.write_audit('delete_message', 'messages', v_message.id,
        jsonb_build_object('sender_id', v_message.sender_id, 'recipient_id', v_message.recipient_id, 'is_paid', v_message.is_paid,
          'media_count', cardinality(v_message.media_paths), 'created_at', v_message.created_at),
        null, jsonb_build_object('reason', v_reason));
      perform private.notify(v_message.sender_id, 'other', 'Message deleted for policy violation',
        'An admin deleted one of your messages.' || E'\nReason: ' || v_reason, '{}');
    end if;
  else
    raise exception 'Posts, comments and messages can be taken down' using errcode = '22023', hint = 'Against a person, suspend the person.';
  end if;
  if not v_found then
    raise sqlstate 'PT404' using message = 'It is gone already';
  end if;
  perform set_config('ovation.takedown_reason', '', true);
  update public.reports r set status = 'resolved', resolution = v_reason
  where r.target_type = take_down.target_type and r.target_id = take_down.target_id and r.status = 'open';
end;
$$;
comment on function public.take_down is
  'Deletes a post, a comment or a reported message for a reason that its author is told, and settles what was reported about it (POST-54, POST-58, D43); for admins. target_type: post, comment or message. PT404 when it is gone, and for a message that nobody reported.';
