-- Up Migration
-- The gate's countdown needs the moment at which access ends (SUB-19, SUB-20). current_period_end is that moment for a canceled
-- subscription and a trial; a past due one has its grace period instead.
alter type public.subscription_status add attribute access_until timestamptz;
comment on column public.subscription_status.access_until is 'When access ends; null while the subscription renews, and when it has none.';

create or replace function public.get_subscription_status(subscriber_profile_id uuid, creator_profile_id uuid)
returns setof public.subscription_status
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_privileged() and coalesce(private.my_profile_id() not in (subscriber_profile_id, creator_profile_id), true) then
    raise exception 'Only the subscriber, the creator and admins may ask for this status' using errcode = '42501';
  end if;
  return query
    select
      case when s.cancel_at_period_end and s.status in ('active', 'trial') then 'canceled' else s.status end,
      case
        when s.access_until = '-infinity' then 0
        else greatest(0, ceil(extract(epoch from
          case when s.access_until = 'infinity' then s.current_period_end else s.access_until end - now()) / 86400))
      end::int,
      s.current_period_end,
      s.access_until > now(),
      case when isfinite(s.access_until) then s.access_until end
    from public.subscriptions s
    where s.subscriber_id = subscriber_profile_id and s.creator_id = creator_profile_id
      and s.status not in ('incomplete', 'incomplete_expired') -- a checkout that was never paid
    order by s.access_until desc, s.created_at desc;
end;
$$;
