-- Up Migration
-- What a creator's prices start from, and whether and from how much they take tips (DASH-03, PROF-21, D28).
create function private.are_tip_presets(p_presets int[], p_min int) returns boolean
language sql immutable set search_path = ''
as $$
  select cardinality(p_presets) between 1 and 4 and array_ndims(p_presets) = 1 and array_position(p_presets, null) is null
    and p_min <= all (p_presets) and 50000 >= all (p_presets)
    and cardinality(p_presets) = (select count(distinct preset) from unnest(p_presets) as preset);
$$;
comment on function private.are_tip_presets is 'One to four amounts, each another, that may be tipped.';
grant execute on function private.are_tip_presets to authenticated, service_role; -- a check is asked as whoever writes the row

create table public.monetization_settings (
  creator_id          uuid primary key references private.profiles on delete cascade,
  ppv_price_cents     int constraint monetization_ppv_price_range check (ppv_price_cents between 100 and 999999),
  message_price_cents int constraint monetization_message_price_range check (message_price_cents between 100 and 999999),
  takes_tips          boolean not null default true,
  tip_min_cents       int not null default 100 constraint monetization_tip_min_range check (tip_min_cents between 100 and 50000),
  tip_presets_cents   int[] not null default '{500,1000,2500,5000}',
  updated_at          timestamptz not null default now(),
  constraint monetization_tip_presets check (private.are_tip_presets(tip_presets_cents, tip_min_cents))
);
comment on table public.monetization_settings is 'What each creator decided about prices and tips. Who decided nothing has no row, and the defaults.';
comment on column public.monetization_settings.creator_id is 'profiles.id of the creator.';
comment on column public.monetization_settings.ppv_price_cents is 'US cents that a new pay-per-view post is priced at to begin with; null for none.';
comment on column public.monetization_settings.message_price_cents is 'US cents that a paid message is priced at to begin with; null for none.';
comment on column public.monetization_settings.takes_tips is 'Off: private.quote_tip refuses every tip.';
comment on column public.monetization_settings.tip_min_cents is 'US cents of the smallest tip that private.quote_tip lets through.';
comment on column public.monetization_settings.tip_presets_cents is 'US cents that are suggested, in this order.';
create trigger monetization_settings_touch before update on public.monetization_settings for each row execute function private.touch_updated_at();

alter table public.monetization_settings enable row level security;
-- Whoever may tip reads what may be tipped. The prices beside it stand on posts and messages anyway.
create policy select_all on public.monetization_settings for select to authenticated using (true);
create policy insert_own on public.monetization_settings for insert to authenticated
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
create policy update_own on public.monetization_settings for update to authenticated
  using (creator_id = (select private.my_profile_id()))
  with check (creator_id = (select private.my_profile_id()) and private.is_approved_creator(creator_id));
grant select,
  insert (creator_id, ppv_price_cents, message_price_cents, takes_tips, tip_min_cents, tip_presets_cents),
  -- creator_id, because an upsert names it; update_own holds it to the caller.
  update (creator_id, ppv_price_cents, message_price_cents, takes_tips, tip_min_cents, tip_presets_cents)
  on public.monetization_settings to authenticated;
-- delete is not granted: the row goes with the account.

-- As before (0130), and within what the creator takes. Asked before the payment is made: money that has come is booked whatever was decided since.
create or replace function private.quote_tip(p_fan uuid, p_creator uuid, p_cents bigint) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_creator private.profiles;
  v_settings public.monetization_settings;
begin
  perform private.require_tip_amount(p_cents);
  v_creator := private.require_payable(p_fan, p_creator);
  select * into v_settings from public.monetization_settings s where s.creator_id = p_creator;
  if not v_settings.takes_tips then
    raise sqlstate 'PT409' using message = 'This creator does not take tips';
  elsif p_cents < v_settings.tip_min_cents then
    raise sqlstate 'PT400' using message = 'The smallest tip to this creator is $' || private.in_dollars(v_settings.tip_min_cents);
  end if;
  return (v_creator.id, v_creator.stripe_account_id, p_cents::int, 'Tip for ' || private.name_of(v_creator.id))::private.quote;
end;
$$;
