-- Up Migration
-- What a creator is told when Stripe restricts their account, or it is closed, and when it works again (ONB-06, PROD-09).
create function private.tell_of_payout_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_said text := (
    select n.data ->> 'payments' from public.notifications n
    where n.user_id = new.id and n.type = 'payment' and n.data ? 'payments' order by n.created_at desc, n.id limit 1
  );
  v_state text := case
    when not new.stripe_charges_enabled then 'paused'
    when not new.stripe_payouts_enabled then 'payouts_paused'
    else 'working'
  end;
begin
  -- The first setup happens before the creator's eyes, and is no news. The same news is told once.
  if v_state is distinct from v_said and (v_state <> 'working' or v_said is not null) then
    perform private.notify(new.id, 'payment',
      case v_state when 'paused' then 'Payments are paused' when 'payouts_paused' then 'Payouts are paused' else 'Payments work again' end,
      case v_state
        when 'paused' then 'Stripe has stopped payments to your account. Until Creator Setup is complete again, nobody can pay you.'
        when 'payouts_paused' then 'Stripe holds back what you have earned until it knows more. Open Creator Setup to see what it needs.'
        else 'Your account takes payments and is paid out again.'
      end,
      jsonb_build_object('payments', v_state));
  end if;
  return null;
end;
$$;
comment on function private.tell_of_payout_account is 'Trigger of profiles: tells the creator when the payout account stops working, and when it works again.';
create trigger profiles_tell_of_payout_account after update of stripe_charges_enabled, stripe_payouts_enabled on private.profiles
  for each row when (
    (old.stripe_charges_enabled, old.stripe_payouts_enabled) is distinct from (new.stripe_charges_enabled, new.stripe_payouts_enabled)
    and (old.stripe_charges_enabled or old.stripe_payouts_enabled or (new.stripe_charges_enabled and new.stripe_payouts_enabled)))
  execute function private.tell_of_payout_account();

create or replace function private.require_payable(p_fan uuid, p_creator uuid) returns private.profiles
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_creator private.profiles;
begin
  select * into v_creator from private.profiles c where c.id = p_creator;
  if v_creator.id is null then
    raise sqlstate 'PT404' using message = 'Creator not found';
  elsif p_fan is null or p_fan = p_creator then
    raise sqlstate 'PT409' using message = 'You cannot pay yourself';
  elsif private.are_blocked(p_fan, p_creator) then
    raise sqlstate 'PT403' using message = 'You cannot pay this person';
  elsif v_creator.stripe_account_id is null or not v_creator.stripe_charges_enabled or not private.is_approved_creator(p_creator) then
    -- Not set up yet, or restricted by Stripe: whose fault it is, is between the two of them.
    raise sqlstate 'PT409' using message = 'This creator cannot take payments right now';
  end if;
  return v_creator;
end;
$$;
