-- Up Migration
-- A poll may be given as 3.02 days, for the sake of clients' clocks (ADM-34), and `3.0` is 3 to JSON: kept as given, such a text was no
-- integer when the time came. The post was never published, and a hundred of them at the head of the queue held up everybody else's.
create or replace function private.receive_scheduled_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_options text[];
  v_days numeric;
begin
  new.title := private.trimmed(new.title);
  perform private.require_publishable(
    new.creator_id, new.content, new.post_type, new.media_urls, new.media_types, new.required_tier_id, new.ppv_price
  );
  if new.publish_at > now() + interval '1 year' then
    raise exception 'A post is scheduled up to a year ahead' using errcode = '23514', constraint = 'scheduled_posts_within_a_year';
  elsif new.publish_at < now() - interval '1 minute' and (tg_op = 'INSERT' or new.publish_at <> old.publish_at) then
    raise exception 'Choose a time that is still to come' using errcode = '23514', constraint = 'scheduled_posts_to_come';
  end if;
  if new.poll is not null then
    v_options := array_remove(private.poll_options((new.poll -> 'options')::text), '');
    v_days := case jsonb_typeof(new.poll -> 'days') when 'number' then (new.poll ->> 'days')::numeric end;
    perform private.require_poll(private.trimmed(new.poll ->> 'title'), null, v_options);
    perform private.require_poll_days(v_days);
    new.poll := jsonb_build_object('title', private.trimmed(new.poll ->> 'title'), 'options', v_options, 'days', round(v_days)::int);
  end if;
  new.failure := null;
  return new;
end;
$$;
update public.scheduled_posts s set poll = jsonb_set(s.poll, '{days}', to_jsonb(round((s.poll ->> 'days')::numeric)::int))
where s.poll ->> 'days' like '%.%';
