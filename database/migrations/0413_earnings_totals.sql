-- Up Migration
-- What all payments of a creator come to (DASH-11, GEN-06): the table of payments is read a page at a time, and its sums are of all of it.
create type public.earnings_totals as (payments int, gross numeric, fee numeric, net numeric);
comment on type public.earnings_totals is 'Everything a creator was ever paid, in dollars. Nothing is null.';
comment on column public.earnings_totals.payments is 'How many payments; refunds and payouts do not count.';
comment on column public.earnings_totals.gross is 'What was paid, refunds taken off.';
comment on column public.earnings_totals.fee is 'What the platform kept of it.';
comment on column public.earnings_totals.net is 'What the creator earned of it.';

create function public.get_earnings_totals(creator_profile_id uuid) returns public.earnings_totals
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_own_dashboard(creator_profile_id, private.today(), private.today());
  -- From the days, which private.verify_money holds to the payments: a creator may have millions of those.
  return (
    select (coalesce(sum(d.payments), 0)::int, private.in_dollars(sum(d.gross_cents)), private.in_dollars(sum(d.gross_cents) - sum(d.net_cents)),
      private.in_dollars(sum(d.net_cents)))::public.earnings_totals
    from private.daily_earnings d where d.creator_id = creator_profile_id
  );
end;
$$;
comment on function public.get_earnings_totals is 'The sums of all payments, fees and earnings. For the creator and admins.';
revoke execute on function public.get_earnings_totals(uuid) from public, anon;
grant execute on function public.get_earnings_totals(uuid) to authenticated;
