-- Up Migration

-- Private feeds (RSS-02): a fan's own address of a creator's posts, for feed readers and podcast apps, which can't sign in. Anyone with the
-- address reads what the fan may read, so it ends with the subscription that it was made for, and its use from many places is noticed.

-- The token of an address is derived from a seed in the row and a key that the database doesn't store. So a copy of the database opens no feed,
-- and the fan can still see the address again.
create table private.feed_addresses (
  fan_id          uuid not null references private.profiles on delete cascade,
  creator_id      uuid not null references private.profiles on delete cascade,
  subscription_id uuid not null references public.subscriptions on delete cascade,
  seed            bytea not null,
  token_hash      bytea not null constraint feed_addresses_token_hash_key unique,
  networks        jsonb not null default '{}',
  paused_at       timestamptz,
  created_at      timestamptz not null default now(),
  primary key (fan_id, creator_id)
);
comment on table private.feed_addresses is 'The addresses of private feeds, one for each fan and creator (RSS-02).';
comment on column private.feed_addresses.fan_id is 'profiles.id of the fan, with whose permissions the feed is read.';
comment on column private.feed_addresses.creator_id is 'profiles.id of the creator whose posts the feed has.';
comment on column private.feed_addresses.subscription_id is 'The address works while this subscription gives access. A new subscription gets a new address.';
comment on column private.feed_addresses.seed is 'Random. private.feed_token derives the token from it.';
comment on column private.feed_addresses.token_hash is 'SHA-256 of the token, by which the server finds the feed.';
comment on column private.feed_addresses.networks is 'Where the feed was read in the last 24 hours, at most six networks: when each was last seen, by a hash that only the server can compute.';
comment on column private.feed_addresses.paused_at is 'Since when the feed shows only that it was read from too many networks. A renewed address has posts again.';
comment on column private.feed_addresses.created_at is 'When the address was made or renewed.';
alter table private.feed_addresses enable row level security; -- and no policy: fans call the functions below
create index feed_addresses_creator_id_idx on private.feed_addresses (creator_id); -- the cascade from profiles
create index feed_addresses_subscription_id_idx on private.feed_addresses (subscription_id); -- the cascade from subscriptions

create function private.feed_token(p_seed bytea) returns text
language sql stable set search_path = ''
as $$
  -- 192 bits, as digits and letters that no app has to escape.
  select encode(substring(extensions.hmac(p_seed, convert_to('feed address ' || private.encryption_key(), 'UTF8'), 'sha256') from 1 for 24), 'hex');
$$;
comment on function private.feed_token is 'The secret part of a private feed''s address: 48 hexadecimal digits.';

create type public.feed_address as (
  token text,
  is_paused boolean
);
comment on type public.feed_address is 'The address of a private feed.';
comment on column public.feed_address.token is 'The feed is at /feeds/{token}.xml and /feeds/{token}.json. Never null.';
comment on column public.feed_address.is_paused is 'Whether the feed was read from too many networks, and has no posts until its address is renewed. Never null.';

-- Locks the subscription before the profiles, like the deletion of an account.
create function private.issue_feed_address(p_creator uuid, p_renews boolean) returns public.feed_address
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_subscription uuid;
  v_feed private.feed_addresses;
  v_keeps boolean;
  v_token text;
begin
  perform private.reject_app(); -- the address would outlive the app's own access
  if v_me is null then
    raise exception 'Sign in to get a private feed' using errcode = '42501';
  end if;
  -- Of two calls at the same time, the second one finds the address that the first one made.
  perform pg_advisory_xact_lock(hashtextextended('feed:' || v_me || ':' || p_creator, 0));
  select s.id into v_subscription from public.subscriptions s
  where s.subscriber_id = v_me and s.creator_id = p_creator and s.access_until > now()
  order by s.access_until desc, s.created_at desc limit 1 for key share;
  if v_subscription is null or private.are_blocked(v_me, p_creator) then
    raise sqlstate 'PT403' using message = 'Only subscribers have a private feed', hint = 'Subscribe to this creator first.';
  end if;
  select * into v_feed from private.feed_addresses f where f.fan_id = v_me and f.creator_id = p_creator;
  -- An address whose subscription has ended stays dead, even if the fan subscribes again.
  v_keeps := not p_renews and exists (select from public.subscriptions s where s.id = v_feed.subscription_id and s.access_until > now());
  if not v_keeps then
    v_feed.seed := extensions.gen_random_bytes(32);
    v_feed.networks := '{}';
    v_feed.paused_at := null;
    v_feed.created_at := now();
  end if;
  v_token := private.feed_token(v_feed.seed);
  insert into private.feed_addresses (fan_id, creator_id, subscription_id, seed, token_hash, networks, paused_at, created_at)
  values (v_me, p_creator, v_subscription, v_feed.seed, sha256(convert_to(v_token, 'UTF8')), v_feed.networks, v_feed.paused_at, v_feed.created_at)
  on conflict on constraint feed_addresses_pkey do update set
    subscription_id = excluded.subscription_id,
    seed = excluded.seed,
    token_hash = excluded.token_hash, -- differs for the same seed if the server has a new key
    networks = case when v_keeps then feed_addresses.networks else excluded.networks end, -- a reader may just have added one
    paused_at = case when v_keeps then feed_addresses.paused_at else excluded.paused_at end,
    created_at = excluded.created_at
  returning feed_addresses.paused_at into v_feed.paused_at;
  return (v_token, v_feed.paused_at is not null)::public.feed_address;
end;
$$;
comment on function private.issue_feed_address is 'The address of the caller''s private feed of a creator: the known one, or a new one if there is none, its subscription has ended, or p_renews.';

create function public.get_feed_address(creator_profile_id uuid) returns public.feed_address
language sql volatile security definer set search_path = ''
as $$
  select private.issue_feed_address(creator_profile_id, false);
$$;
comment on function public.get_feed_address is
  'The address of the caller''s private feed of a creator, by profiles.id; made at the first call (RSS-02). PT403 without a subscription that gives access, and across a block.';
grant execute on function public.get_feed_address(uuid) to authenticated;
create function public.renew_feed_address(creator_profile_id uuid) returns public.feed_address
language sql volatile security definer set search_path = ''
as $$
  select private.issue_feed_address(creator_profile_id, true);
$$;
comment on function public.renew_feed_address is
  'Replaces the address of the caller''s private feed of a creator, by profiles.id. The one before stops working at once. PT403 like get_feed_address.';
grant execute on function public.renew_feed_address(uuid) to authenticated;

-- Locks the profile before the feed, like the deletion of an account.
create function private.note_feed_network(p_feed private.feed_addresses, p_network text) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- A phone and a computer at home, at work, and on the way, and the servers of a podcast app: one person seldom has more in a day. An
  -- address that was passed around or published has more within minutes.
  v_most_networks constant int := 5;
  v_feed private.feed_addresses;
  v_networks jsonb;
begin
  perform from private.profiles p where p.id = p_feed.fan_id for key share;
  select * into v_feed from private.feed_addresses f where f.token_hash = p_feed.token_hash for no key update;
  if v_feed.fan_id is null or v_feed.paused_at is not null then
    return v_feed.paused_at;
  end if;
  select jsonb_object_agg(n.key, n.value) into v_networks
  from jsonb_each_text(v_feed.networks || jsonb_build_object(p_network, now())) n
  where n.value::timestamptz > now() - interval '24 hours';
  if (select count(*) from jsonb_object_keys(v_networks)) > v_most_networks then
    v_feed.paused_at := now();
    perform private.notify(v_feed.fan_id, 'other', 'Your private feed of ' || private.name_of(v_feed.creator_id) || ' is paused',
      'It was read in more places than one person uses. To go on, renew its address in the menu of the creator''s profile.',
      jsonb_build_object('profile_id', v_feed.creator_id));
  end if;
  update private.feed_addresses f
  set networks = case when v_feed.paused_at is null then v_networks else '{}' end, paused_at = v_feed.paused_at
  where f.fan_id = v_feed.fan_id and f.creator_id = v_feed.creator_id;
  return v_feed.paused_at;
end;
$$;
comment on function private.note_feed_network is 'Records that a feed was read from a network. When there are too many in 24 hours, pauses the feed and notifies the fan. Returns since when it is paused.';

create function private.open_feed(p_token_hash bytea, p_network text)
returns table (user_id uuid, fan_id uuid, creator_id uuid, paused_at timestamptz)
language plpgsql volatile security definer rows 1 set search_path = ''
as $$
#variable_conflict use_column
declare
  v_feed private.feed_addresses;
begin
  select f.* into v_feed
  from private.feed_addresses f
  join public.subscriptions s on s.id = f.subscription_id and s.access_until > now()
  where f.token_hash = p_token_hash and not private.are_blocked(f.fan_id, f.creator_id);
  if v_feed.fan_id is null then
    return;
  end if;
  -- Once an hour for each network, so that most polls write nothing.
  if v_feed.paused_at is null and p_network is not null
    and coalesce((v_feed.networks ->> p_network)::timestamptz < now() - interval '1 hour', true) then
    v_feed.paused_at := private.note_feed_network(v_feed, p_network);
  end if;
  return query
    select p.user_id, v_feed.fan_id, v_feed.creator_id, v_feed.paused_at from private.profiles p where p.id = v_feed.fan_id;
end;
$$;
comment on function private.open_feed is
  'Whose private feed has a token with this hash, and of whom; no row when the address is unknown or dead: its subscription has ended, or one of the two has blocked the other or is suspended. p_network: a hash of the reader''s network, or null when it is unknown. paused_at: the feed has no posts.';
revoke execute on function private.open_feed(bytea, text) from public;
grant execute on function private.open_feed(bytea, text) to service_role;

-- The export has the feeds without what opens them.
create or replace function auth.open_unseen_data() returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_account uuid := (select a.id from private.ledger_accounts a where a.code = 'creator:' || v_me);
  v_rows refcursor := 'own_unseen_data';
begin
  open v_rows no scroll for
    (select 'promotion_codes' as section, (to_jsonb(c) - array['stripe_coupon_id', 'stripe_promotion_id'])::text as item
      from private.promotion_codes c where c.creator_id = v_me order by c.created_at)
    union all
    (select 'group_messages', (to_jsonb(g) - 'position')::text from private.group_messages g where g.creator_id = v_me order by g.created_at)
    union all
    (select 'push_subscriptions', jsonb_build_object('user_agent', s.user_agent, 'created_at', s.created_at)::text
      from private.push_subscriptions s where s.user_id = v_me order by s.created_at)
    union all
    (select 'feed_addresses', jsonb_build_object('creator_id', f.creator_id, 'created_at', f.created_at, 'paused_at', f.paused_at)::text
      from private.feed_addresses f where f.fan_id = v_me order by f.created_at)
    union all
    (select 'video_captions', jsonb_build_object('video', o.name, 'language', v.language, 'content', v.content)::text
      from private.video_captions v join storage.objects o on o.id = v.object_id where o.owner_id = auth.uid()::text order by o.name, v.language)
    union all
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'group_messages', 'push_subscriptions', 'feed_addresses', 'video_captions', 'statement'];
end;
$$;
