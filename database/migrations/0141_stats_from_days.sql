-- Up Migration
-- The dashboard's first numbers from the days that are kept anyway: a month of a creator with a hundred thousand payments is read
-- in at most 31 days × 6 sources, not payment by payment (RPC-02, DATA-32, D7).
create or replace function public.get_creator_stats(creator_profile_id uuid) returns public.creator_stats
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_stats public.creator_stats;
begin
  if not private.is_privileged() and creator_profile_id is distinct from private.my_profile_id() then
    raise exception 'Only the creator and admins may see these numbers' using errcode = '42501';
  end if;
  select
    p.total_earnings,
    (select private.in_dollars(sum(d.net_cents)) from private.daily_earnings d
     where d.creator_id = p.id and d.day >= date_trunc('month', private.today()::timestamp)::date),
    p.subscribers_count,
    (select count(*)::int from public.subscriptions s
     where s.creator_id = p.id and s.status not in ('incomplete', 'incomplete_expired') and s.created_at >= now() - interval '7 days'),
    p.likes_received,
    private.messages_received(p.id),
    (select coalesce(sum(d.profile_views), 0)::int from private.daily_views d where d.creator_id = p.id)
  into v_stats
  from private.profiles p where p.id = creator_profile_id;
  if not found then
    raise sqlstate 'PT404' using message = 'Creator not found';
  end if;
  return v_stats;
end;
$$;

-- Every view would move the post in this index. A creator's own posts are few enough to be sorted when the dashboard asks.
drop index private.posts_views_idx;
create index subscriptions_creator_id_created_at_idx on public.subscriptions (creator_id, created_at desc); -- new ones of a week or a month
