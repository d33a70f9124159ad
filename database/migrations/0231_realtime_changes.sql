-- Up Migration
-- What the log tells goes to each receiver as that person sees the row: one question of the gateway asks for many of them (API-RT-04).

-- A filter says something about a row. On a column that a view masks it is put to what the receiver sees; on one that every receiver
-- sees as it is, it can be put to the row itself, and spares the question.
create table private.followed_views (
  view_name     text primary key,
  plain_columns text[] not null
);
comment on table private.followed_views is 'Views that clients follow, standing before a table of the same name in private.';
comment on column private.followed_views.plain_columns is 'Columns that show what the table holds, to everybody who sees the row.';
alter table private.followed_views enable row level security; -- and no policy
insert into private.followed_views (view_name, plain_columns) values
  ('posts', '{id,creator_id,title,post_type,media_types,required_tier_id,ppv_price,likes_count,comments_count,is_pinned,created_at,admin_note_is_public}'),
  ('messages', '{id,sender_id,recipient_id,is_paid,price,is_read,created_at,media_types}'),
  ('profiles', '{id,user_id,username,display_name,avatar_url,is_creator,is_verified,is_private,tiered_access,followers_count,following_count,total_photos,total_videos,total_posts,created_at,updated_at}');

-- Not security definer: the gateway's login calls it, for only the session's own user may take on one role after another. The
-- statement has been prepared in the session, so that it is planned once and not for each receiver.
create function realtime.seen_by(p_statement text, p_role text, p_keys text[], p_claims text[]) returns setof text
language plpgsql volatile set search_path = '' rows 100
as $$
declare
  v_claims text;
  v_seen   text;
begin
  perform set_config('role', p_role, true);
  for v_position in 1 .. cardinality(p_keys) loop
    if p_claims[v_position] is distinct from v_claims then
      v_claims := p_claims[v_position];
      perform set_config('request.jwt.claims', v_claims, true);
    end if;
    execute format('execute %I (%L)', p_statement, p_keys[v_position]) into v_seen;
    return next v_seen;
  end loop;
end;
$$;
comment on function realtime.seen_by is 'For each key the row as JSON, as the bearer of the claims at the same position sees it with this role; null where there is none for them.';

-- Posts and comments as they appear, the counts of likes and comments on them, profiles as they change, and money as it comes.
alter publication ovation_realtime add table private.posts, private.profiles, public.comments, public.transactions;
-- Whole old rows, so that a deletion can be told to those who saw the row. Profiles change with each follow, and go with their account.
alter table private.posts replica identity full;
alter table public.comments replica identity full;
