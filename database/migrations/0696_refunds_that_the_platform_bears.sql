-- Up Migration
-- A refund that was made outside the product may leave the creator's part with the creator. The books say what happened: that part is the
-- platform's loss.
alter table public.transactions add column covered_amount bigint not null default 0,
  add constraint transactions_only_refunds_are_covered check (covered_amount = 0 or transaction_type = 'refund');
comment on column public.transactions.covered_amount is
  'Of a refund: cents of the creator''s part that were not taken from the creator. They are in fee_amount, for the platform bears them. Negative where more was taken than the creator''s part.';

drop function private.post_refund(text, uuid, bigint, timestamptz, text, uuid);
drop function private.move_refund(public.transactions, bigint, text, timestamptz, text);

create function private.move_refund(p_payment public.transactions, p_refunded_cents bigint, p_cause text, p_occurred_at timestamptz, p_reason text,
  p_taken_cents bigint default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_gross bigint := p_payment.amount;
  v_fee bigint := p_payment.fee_amount;
  v_before bigint := p_payment.refunded_amount;
  v_back bigint := p_refunded_cents - v_before;
  v_fee_back bigint := private.share_of(v_fee, v_gross, p_refunded_cents) - private.share_of(v_fee, v_gross, v_before);
  v_covered bigint := v_back - v_fee_back - coalesce(p_taken_cents, v_back - v_fee_back);
  v_creator text;
  v_ledger uuid;
  v_id uuid;
begin
  -- From the books, not from the transaction: the creator's account may be deleted, and the balance is the creator's all the same.
  select a.code into v_creator
  from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id
  where e.transaction_id = p_payment.ledger_transaction_id and a.code like 'creator:%';
  v_ledger := private.post_ledger(p_cause, 'refund', p_payment.currency, p_occurred_at, jsonb_build_object(
    'stripe', -v_back,
    'platform_fees', v_fee_back + v_covered,
    v_creator, v_back - v_fee_back - v_covered
  ));
  if v_ledger is null then
    return private.transaction_by_cause(p_cause);
  end if;
  insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, fee_amount, covered_amount, currency, product_id, post_id, message_id,
    subscription_id, original_transaction_id, ledger_transaction_id, reason, created_at)
  values (p_payment.from_user_id, p_payment.to_user_id, 'refund', -v_back, -(v_fee_back + v_covered), v_covered, p_payment.currency,
    p_payment.product_id, p_payment.post_id, p_payment.message_id, p_payment.subscription_id, p_payment.id, v_ledger, private.trimmed(p_reason), p_occurred_at)
  returning id into v_id;
  update public.transactions set refunded_amount = p_refunded_cents where id = p_payment.id;
  return v_id;
end;
$$;
comment on function private.move_refund is
  'Moves money back, or forth again, so that p_refunded_cents of the payment are refunded. p_taken_cents: what was taken from the creator; null is their part by the fee''s proportion. Returns transactions.id.';
revoke execute on function private.move_refund from public;
grant execute on function private.move_refund to service_role;

create function private.post_refund(
  p_cause text,
  p_transaction uuid,
  p_amount_cents bigint,
  p_occurred_at timestamptz,
  p_reason text default null,
  p_admin uuid default null,
  p_taken_cents bigint default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions := private.payment_to_refund(p_transaction);
  v_known uuid := private.transaction_by_cause(p_cause);
  v_left bigint := (v_payment.amount - v_payment.refunded_amount);
  v_amount bigint := coalesce(p_amount_cents, v_left);
  v_disputed boolean := exists (select from private.payment_disputes d where d.transaction_id = p_transaction);
  v_id uuid;
begin
  if v_known is not null then
    return v_known;
  elsif v_amount < 1 or v_amount > v_left then
    raise exception 'A refund of % is more than the % that are left of the payment, or nothing', private.dollars(v_amount), private.dollars(v_left)
      using errcode = '22023';
  end if;
  -- After a dispute the transfer is another, and what the creator has of it is taken back by a wish of its own.
  v_id := private.move_refund(v_payment, v_payment.refunded_amount + v_amount, p_cause, p_occurred_at, p_reason,
    case when not v_disputed then p_taken_cents end);
  perform private.judge_transaction(v_payment.id);
  if v_amount = v_left then
    perform private.withdraw_access(v_payment, 'The payment was refunded.');
    insert into private.payment_tasks (kind, target, transaction_id, reason)
    select 'take_back_rest', p_cause, v_payment.id, 'The payment was refunded after its dispute was won.'
    where exists (select from private.payment_disputes d where d.transaction_id = v_payment.id and d.status = 'won')
    on conflict (kind, target) do nothing;
  end if;
  if p_admin is not null then
    perform private.write_audit('refund_payment', 'transactions', v_payment.id, jsonb_build_object('status', v_payment.status),
      jsonb_build_object('status', t.status), jsonb_build_object('reason', p_reason), p_admin)
    from public.transactions t where t.id = v_payment.id;
  end if;
  perform private.tell_of_return(v_payment, v_id, 'Refund', 'was refunded');
  return v_id;
end;
$$;
comment on function private.post_refund is
  'What the provider has given back of a payment, all or a part. p_taken_cents: what of it was taken from the creator; null is their part by the fee''s proportion. Idempotent by p_cause.';
revoke execute on function private.post_refund from public;
grant execute on function private.post_refund to service_role;

drop function private.settle_differences(timestamptz, text[]);
create function private.settle_differences(p_since timestamptz, p_seen text[], p_compared text[]) returns integer
language sql volatile security definer set search_path = ''
as $$
  with settled as (
    update private.payment_differences d set resolved_at = now()
    where d.resolved_at is null and (
      (d.kind in ('missing', 'unknown') and d.found_at < p_since and not (d.kind || ' ' || d.cause = any(p_seen)))
      -- A payment that is too old to be looked at again has not come right by that.
      or (d.kind in ('returned', 'transfer') and d.cause = any(p_compared) and not (d.kind || ' ' || d.cause = any(p_seen)))
      or (d.kind = 'payout' and private.was_covered(d.cause))
    )
    returning 1
  )
  select count(*)::int from settled;
$$;
comment on function private.settle_differences is
  'Resolves what a reconciliation that began at p_since has not found any more. p_seen: kind and cause of what it found. p_compared: the causes that it looked at. Returns how many.';
revoke execute on function private.settle_differences from public;
grant execute on function private.settle_differences to service_role;

-- As before, but a refund that the platform bears says so.
create or replace function private.tell_of_return(p_payment public.transactions, p_refund uuid, p_title text, p_verb text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_refund public.transactions;
begin
  select * into v_refund from public.transactions t where t.id = p_refund;
  perform private.notify(p.id, 'payment', p_title,
    case p.id
      when p_payment.to_user_id then coalesce(private.name_of(p_payment.from_user_id), 'A former member') || ' ' || p_verb || ' '
        || private.dollars(-v_refund.amount)
        || case when v_refund.net_amount = 0 then '. Your earnings stay as they are.'
          else '. Your earnings went down by ' || private.dollars(-v_refund.net_amount) || '.' end
      else private.dollars(-v_refund.amount) || ' of your payment to '
        || coalesce(private.name_of(p_payment.to_user_id), 'a former creator') || ' went back to you.'
    end,
    jsonb_build_object('transaction_id', p_refund))
  from private.profiles p where p.id in (p_payment.from_user_id, p_payment.to_user_id);
end;
$$;

-- As before, but what the platform bears is no part of the fee's proportion.
create or replace function private.verify_booked_money() returns table (subject text, problem text)
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
    when t.transaction_type = 'payout' then (booked.at_provider, booked.fees, booked.creator) <> (-t.amount, 0, t.amount)
    when t.transaction_type in ('referral_reward', 'referral_commission') then (booked.at_provider, booked.fees, booked.creator) <> (0, t.amount, -t.amount)
    else (booked.at_provider, booked.fees, booked.creator) <> (t.amount, -t.fee_amount, -t.net_amount)
  end
  union all
  select l.cause, 'stands in the ledger and in no transaction'
  from private.ledger_transactions l where not exists (select from public.transactions t where t.ledger_transaction_id = l.id)
  union all
  -- Each balance: what the transactions add up to is what the ledger holds.
  select 'creator:' || p.id, 'has another balance by transactions than by the ledger'
  from private.profiles p
  where private.balance_of(p.id) <> coalesce((
    select sum(case t.transaction_type when 'payout' then -t.amount else t.net_amount end) from public.transactions t where t.to_user_id = p.id
  ), 0)
  union all
  -- Refunds: what went back is what the payment says, never more than it was, and the fee in its proportion.
  select t.id::text, 'does not agree with its refunds'
  from public.transactions t
  left join lateral (
    select -sum(r.amount) as amount, -sum(r.fee_amount + r.covered_amount) as fee from public.transactions r
    where r.original_transaction_id = t.id and r.transaction_type = case t.transaction_type when 'payout' then 'payout' else 'refund' end
  ) back on true
  where t.amount > 0 and t.original_transaction_id is null and (
    t.refunded_amount <> coalesce(back.amount, 0) or t.refunded_amount > t.amount
    or coalesce(back.fee, 0) <> private.share_of(t.fee_amount, t.amount, t.refunded_amount)
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
    or sum(c.amount) > t.fee_amount - private.share_of(t.fee_amount, t.amount, t.refunded_amount)
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
      sum(t.amount) as gross, sum(t.net_amount) as net, count(*) filter (where t.transaction_type <> 'refund') as payments
    from public.transactions t where t.to_user_id is not null and t.transaction_type <> 'payout' group by 1, 2, 3
  ) counted using (creator_id, day, source)
  where (coalesce(kept.gross_cents, 0), coalesce(kept.net_cents, 0), coalesce(kept.payments, 0))
    <> (coalesce(counted.gross, 0), coalesce(counted.net, 0), coalesce(counted.payments, 0));
$$;
