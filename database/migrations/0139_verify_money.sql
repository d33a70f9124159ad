-- Up Migration
-- All figures of money counted anew from recorded facts: ledger, transactions, earnings, refunds, commissions, days (DESIGN §6, D7).
create function private.verify_money() returns table (subject text, problem text)
language sql stable security definer set search_path = ''
as $$
  -- Each transaction against its movement.
  select t.id::text, 'does not say what the ledger says'
  from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
  cross join lateral (
    select coalesce(sum(e.amount_cents) filter (where a.code = 'stripe'), 0) as at_provider,
      coalesce(sum(e.amount_cents) filter (where a.code = 'platform_fees'), 0) as fees,
      coalesce(sum(e.amount_cents) filter (where a.code like 'creator:%'), 0) as creator
    from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id where e.transaction_id = l.id
  ) booked
  where t.transaction_type <> l.type or t.currency <> l.currency or t.created_at <> l.occurred_at or case
    when t.transaction_type = 'payout' then (booked.at_provider, booked.fees, booked.creator) <> (-t.amount * 100, 0, t.amount * 100)
    when t.transaction_type in ('referral_reward', 'referral_commission') then (booked.at_provider, booked.fees, booked.creator) <> (0, t.amount * 100, -t.amount * 100)
    else (booked.at_provider, booked.fees, booked.creator) <> (t.amount * 100, -t.fee_amount * 100, -t.net_amount * 100)
  end
  union all
  select l.cause, 'stands in the ledger and in no transaction'
  from private.ledger_transactions l where not exists (select from public.transactions t where t.ledger_transaction_id = l.id)
  union all
  -- Each balance: what the transactions add up to is what the ledger holds.
  select 'creator:' || p.id, 'has another balance by transactions than by the ledger'
  from private.profiles p
  where private.balance_of(p.id) <> coalesce((
    select sum(case t.transaction_type when 'payout' then -t.amount else t.net_amount end) * 100 from public.transactions t where t.to_user_id = p.id
  ), 0)
  union all
  -- Refunds: what went back is what the payment says, never more than it was, and the fee in its proportion.
  select t.id::text, 'does not agree with its refunds'
  from public.transactions t
  left join lateral (
    select -sum(r.amount) as amount, -sum(r.fee_amount) as fee from public.transactions r
    where r.original_transaction_id = t.id and r.transaction_type = case t.transaction_type when 'payout' then 'payout' else 'refund' end
  ) back on true
  where t.amount > 0 and t.original_transaction_id is null and (
    t.refunded_amount <> coalesce(back.amount, 0) or t.refunded_amount > t.amount
    or coalesce(back.fee, 0) * 100 <> private.share_of(private.cents(t.fee_amount), private.cents(t.amount), private.cents(t.refunded_amount))
  )
  union all
  select t.id::text, 'has a status that its history does not bear out'
  from public.transactions t
  where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session') and t.status <> case
    when exists (select from private.payment_disputes d where d.transaction_id = t.id and d.status = 'open') then 'disputed'
    when t.refunded_amount = t.amount then 'refunded'
    when t.refunded_amount > 0 then 'partially_refunded'
    else 'completed'
  end
  union all
  -- Commissions: never more than the fee they come from, as much as the referral says, and no more than the cap.
  select t.id::text, 'earned more commission than is left of its fee'
  from public.transactions t
  join public.transactions c on c.original_transaction_id = t.id and c.transaction_type = 'referral_commission'
    and c.to_user_id is not null -- of a receiver who is gone nothing is taken back
  group by t.id
  having sum(c.amount) < 0
    or sum(c.amount) > t.fee_amount - private.share_of(private.cents(t.fee_amount), private.cents(t.amount), private.cents(t.refunded_amount)) / 100.0
  union all
  select r.id::text, 'says another commission than its transactions'
  from public.referrals r
  where r.referred_id is not null and r.commission_amount <> coalesce((
    select sum(c.amount) from public.transactions c join public.transactions t on t.id = c.original_transaction_id
    where c.transaction_type = 'referral_commission' and c.to_user_id = r.referrer_id and t.to_user_id = r.referred_id
  ), 0)
  union all
  select r.referrer_id::text, 'was paid other rewards than its referrals say'
  from public.referrals r group by r.referrer_id
  having sum(r.reward_amount) <> coalesce((
    select sum(t.amount) from public.transactions t where t.to_user_id = r.referrer_id and t.transaction_type = 'referral_reward'
  ), 0)
  union all
  -- Days.
  select coalesce(kept.creator_id, counted.creator_id) || ' ' || coalesce(kept.day, counted.day) || ' ' || coalesce(kept.source, counted.source),
    'has another sum for the day'
  from private.daily_earnings kept
  full join (
    select t.to_user_id as creator_id, (t.created_at at time zone 'UTC')::date as day, private.earning_source(t) as source,
      sum(t.amount) * 100 as gross, sum(t.net_amount) * 100 as net, count(*) filter (where t.transaction_type <> 'refund') as payments
    from public.transactions t where t.to_user_id is not null and t.transaction_type <> 'payout' group by 1, 2, 3
  ) counted using (creator_id, day, source)
  where (coalesce(kept.gross_cents, 0), coalesce(kept.net_cents, 0), coalesce(kept.payments, 0))
    <> (coalesce(counted.gross, 0), coalesce(counted.net, 0), coalesce(counted.payments, 0));
$$;
comment on function private.verify_money is 'Every figure of money that differs from the facts behind it; none in sound books.';

-- The counters of this file's domains join those of before, whatever those are.
alter function private.verify_counters() rename to verify_basic_counters;
comment on function private.verify_basic_counters is 'The counters of profiles and posts that differ from what they count.';
create function private.verify_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select * from private.verify_basic_counters()
  union all
  select p.creator_id, 'posts.views_count', sum(p.views_count)::numeric, sum(seen.views)::numeric
  from private.posts p
  cross join lateral (select count(*) as views from public.post_views v where v.post_id = p.id) seen
  where p.views_count <> seen.views group by p.creator_id
  union all
  select s.creator_id, 'session_slots.held', count(*)::numeric, 0
  from public.session_slots s
  left join public.session_bookings b on b.slot_id = s.id and b.state in ('pending_payment', 'requested', 'accepted', 'completed')
  where s.held_until <> case
    when b.id is null then '-infinity' when b.state = 'pending_payment' then b.hold_expires_at else 'infinity'
  end group by s.creator_id;
$$;
comment on function private.verify_counters is 'Counters that differ from what they count; none when all is well.';
