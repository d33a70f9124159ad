-- Up Migration

-- The admin's list of payments says what each payment was for, whether the fan paid for it twice, and what its refund takes away (LOOP-24, D40).
create function private.payment_target(p_payment public.transactions) returns text
language sql stable security definer set search_path = ''
as $$
  select case p_payment.transaction_type
    when 'subscription' then (select s.name from public.subscription_products s where s.id = p_payment.product_id)
    when 'private_session' then (select b.title from public.session_bookings b where b.transaction_id = p_payment.id order by b.id limit 1)
    else private.post_label(p_payment.post_id)
  end;
$$;
comment on function private.payment_target is
  'What a payment was for, in words: the plan''s name, the session''s title, or the post as in private.post_label. Null for a message or a tip without a post, and after the post was deleted.';
revoke execute on function private.payment_target from public;

create function private.payment_target_at(p_payment public.transactions) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select case p_payment.transaction_type
    when 'private_session' then (select b.starts_at from public.session_bookings b where b.transaction_id = p_payment.id order by b.id limit 1)
    when 'paid_message' then (select m.created_at from private.messages m where m.id = p_payment.message_id)
  end;
$$;
comment on function private.payment_target_at is 'When the session that was paid for starts, or when the message was sent. Null for other payments, and after the message was deleted.';
revoke execute on function private.payment_target_at from public;

-- All conditions besides payer and receiver are written so that no index serves them: the few payments of one fan to one creator are read,
-- never the many payments for one post.
create function private.is_repeated_payment(p_payment public.transactions) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_payment.status in ('completed', 'partially_refunded') and exists (
    select from public.transactions o
    where o.from_user_id = p_payment.from_user_id and o.to_user_id = p_payment.to_user_id and o.id is distinct from p_payment.id
      and o.transaction_type is not distinct from p_payment.transaction_type and o.status in ('completed', 'partially_refunded')
      and case p_payment.transaction_type
        when 'ppv' then o.post_id = p_payment.post_id
        when 'paid_message' then o.message_id = p_payment.message_id
        -- A renewal is a whole interval later.
        when 'subscription' then o.product_id = p_payment.product_id and (
          select greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at)
            < case s."interval" when 'day' then interval '12 hours' when 'week' then interval '84 hours' when 'month' then interval '15 days' else interval '182 days' end
          from public.subscription_products s where s.id = p_payment.product_id
        )
        -- Someone may give the same tip again, but seldom within the hour.
        when 'tip' then o.amount = p_payment.amount and o.post_id is not distinct from p_payment.post_id
          and greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at) < interval '1 hour'
        -- A second payment for a booking isn't linked to it. Two linked payments are for two sessions.
        when 'private_session' then o.amount = p_payment.amount
          and greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at) < interval '1 day'
          and (
            not exists (select from public.session_bookings b where b.transaction_id = p_payment.id)
            or not exists (select from public.session_bookings b where b.transaction_id = o.id)
          )
      end
  );
$$;
comment on function private.is_repeated_payment is
  'Whether the fan paid for the same thing again and neither payment was refunded in full: the same post or message, the same plan within half an interval, the same tip within an hour, or a session without a booking of its own within a day.';
revoke execute on function private.is_repeated_payment from public;

-- What private.withdraw_access would do.
create function private.refund_effect(p_payment public.transactions) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p_payment.status not in ('completed', 'partially_refunded') then null
    when p_payment.transaction_type = 'ppv' then coalesce((
      select case when u.transaction_id = p_payment.id then 'ends' else 'covered' end
      from public.purchases u where u.buyer_id = p_payment.from_user_id and u.post_id = p_payment.post_id
    ), 'none')
    when p_payment.transaction_type = 'paid_message' then coalesce((
      select case when u.transaction_id = p_payment.id then 'ends' else 'covered' end
      from public.message_unlocks u where u.buyer_id = p_payment.from_user_id and u.message_id = p_payment.message_id
    ), 'none')
    when p_payment.transaction_type = 'subscription' then coalesce((
      select case
        when s.id = p_payment.subscription_id and not exists (
          select from public.transactions later
          where later.subscription_id = s.id and later.transaction_type = 'subscription'
            and (later.created_at, later.id) > (p_payment.created_at, p_payment.id)
        ) then 'ends'
        else 'covered'
      end
      from public.subscriptions s
      where s.subscriber_id = p_payment.from_user_id and s.creator_id = p_payment.to_user_id
        and s.access_until > now() and s.status <> 'incomplete_expired'
      -- Another running subscription keeps the access.
      order by s.id is not distinct from p_payment.subscription_id limit 1
    ), 'none')
    when p_payment.transaction_type = 'private_session' and exists (
      select from public.session_bookings b where b.transaction_id = p_payment.id and b.state in ('requested', 'accepted')
    ) then 'ends'
    when p_payment.transaction_type in ('tip', 'private_session') then 'none'
  end;
$$;
comment on function private.refund_effect is
  'What a refund of the rest of a payment takes from the fan: ends (the access or the session), covered (nothing, because another payment gives the access), or none (there is nothing to lose). Null when nothing is left to refund, and for other transactions.';
revoke execute on function private.refund_effect from public;

alter type public.listed_payment add attribute target text, add attribute target_at timestamptz, add attribute is_repeated boolean,
  add attribute refund_effect text;
comment on type public.listed_payment is
  'A payment or refund with what it was for and the names of the fan and the creator. Amounts are in cents.';
comment on column public.listed_payment.target is
  'The plan''s name, the session''s title, or the post''s title or beginning in quotes; of a refund, those of its payment. Null for a message or a tip without a post, and after the post was deleted.';
comment on column public.listed_payment.target_at is 'When the session starts or the message was sent; null for other payments.';
comment on column public.listed_payment.is_repeated is 'Whether the fan paid for the same thing again, and neither payment was refunded in full. Never null.';
comment on column public.listed_payment.refund_effect is
  'What a refund takes from the fan: ends (the access or the session), covered (nothing: another payment gives the access), or none. Null when nothing can be refunded.';

create or replace function public.get_payments(
  search text default null, page_size int default 25, before timestamptz default null, before_id uuid default null
) returns setof public.listed_payment
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_search text := private.trimmed(search);
  v_size int := least(greatest(page_size, 0), 100);
  v_before timestamptz := coalesce(before, 'infinity');
  v_before_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_found uuid[];
begin
  perform private.require_admin();
  if v_search ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    v_found := array(select p.id from private.profiles p where p.user_id = v_search::uuid);
  elsif v_search is not null then
    -- The page's cost is bounded by the number of users that a search may stand for: the exact username first, then the best known.
    v_found := array(
      select p.id from private.profiles p where p.id in (select private.find_users(v_search))
      order by p.username = lower(v_search) desc, p.reach desc, p.id limit 50
    );
  end if;
  return query
  select t.id, t.created_at, t.transaction_type, t.status, t.amount, t.fee_amount, t.net_amount, t.refunded_amount, t.reason,
    payer.username, payer.display_name, creator.username, creator.display_name,
    private.payment_target(paid), private.payment_target_at(paid),
    t.transaction_type <> 'refund' and private.is_repeated_payment(paid),
    case when t.transaction_type <> 'refund' then private.refund_effect(paid) end
  from (
    select u.* from (
      (
        select x.* from public.transactions x
        where v_found is null and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
          and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'refund')
        order by x.created_at desc, x.id desc limit v_size
      )
      union all
      select side.* from unnest(v_found) found(id) cross join lateral (
        (
          select x.* from public.transactions x
          where x.from_user_id = found.id and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
            and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'refund')
          order by x.created_at desc, x.id desc limit v_size
        )
        union all
        (
          -- A payment between two found users is in the list of its payer.
          select x.* from public.transactions x
          where x.to_user_id = found.id and (x.from_user_id is null or x.from_user_id <> all (v_found))
            and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
            and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'refund')
          order by x.created_at desc, x.id desc limit v_size
        )
      ) side
    ) u order by u.created_at desc, u.id desc limit v_size
  ) t
  -- The payment itself, or the one that is refunded.
  join public.transactions paid on paid.id = coalesce(t.original_transaction_id, t.id)
  left join private.profiles payer on payer.id = t.from_user_id
  left join private.profiles creator on creator.id = t.to_user_id
  order by t.created_at desc, t.id desc;
end;
$$;
comment on function public.get_payments is
  'Payments and refunds, newest first, up to 100 at a time (LOOP-24); for admins. search matches the username, display name, or email of the fan or creator, and stands for up to 50 users; the auth.users.id of a user stands for this user alone. For the next page, set before and before_id to created_at and id of the last row.';
