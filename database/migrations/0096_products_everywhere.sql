-- Up Migration

-- Products where they were missing: gifts at the price of a term (OFFER-01, OFFER-02), links to products (LINK-01), reports of products and their
-- taking down (D43), and the pages, cards, and sitemap of visitors (FIND-01, FIND-02).

-- Gifts.
create function private.gift_cents(p_plan public.subscription_products, p_months int) returns numeric
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (select t.price_cents from public.plan_terms t where t.product_id = p_plan.id and t.months = p_months),
    round(private.monthly_cents(p_plan.price_cents, p_plan."interval") * p_months));
$$;
comment on function private.gift_cents is 'What a gift of these months costs, in cents: the price of the plan''s term of the same length, or that of its months.';
revoke execute on function private.gift_cents from public;

create or replace function public.create_gift(plan_id uuid, months int, username text default null, email text default null, message text default null, deliver_at timestamptz default null)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_plan public.subscription_products;
  v_recipient uuid;
  v_email text := lower(private.trimmed(create_gift.email));
  v_message text := private.trimmed(create_gift.message);
  v_deliver timestamptz := greatest(coalesce(create_gift.deliver_at, now()), now());
  v_cents numeric;
  v_seed bytea := extensions.gen_random_bytes(32);
  v_id uuid;
begin
  perform private.reject_app(); -- the link would outlive the app's own access
  if v_me is null then
    raise exception 'Sign in to give a gift' using errcode = '42501';
  elsif coalesce(create_gift.months not in (1, 3, 6, 12), true) then
    raise exception 'months must be 1, 3, 6, or 12.' using errcode = '22023';
  elsif num_nonnulls(private.trimmed(create_gift.username), v_email) <> 1 then
    raise exception 'Name either a username or an email address.' using errcode = '22023';
  elsif v_email !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' or length(v_email) > 255 then
    raise exception 'Enter a valid email address.' using errcode = '22023';
  elsif length(v_message) > 500 then
    raise exception 'The message can have up to 500 characters.' using errcode = '22023';
  elsif not isfinite(v_deliver) or v_deliver > now() + interval '181 days' then
    raise exception 'Choose a delivery date in the next 180 days.' using errcode = '22023';
  end if;
  select * into v_plan from public.subscription_products s where s.id = create_gift.plan_id;
  if private.is_private_profile(v_plan.creator_id) then
    raise sqlstate 'PT404' using message = 'This plan no longer exists', detail = 'plan_not_found';
  elsif v_plan.creator_id = v_me then
    raise sqlstate 'PT409' using message = 'You can''t buy your own plan as a gift', hint = 'Make gift codes instead.', detail = 'own_plan';
  end if;
  perform private.quote_plan(v_me, create_gift.plan_id);
  if v_email is null then
    select p.id into v_recipient from private.profiles p where p.username = lower(private.trimmed(create_gift.username));
    if v_recipient is null then
      raise sqlstate 'PT404' using message = 'User not found', detail = 'user_not_found';
    elsif v_recipient = v_plan.creator_id then
      raise sqlstate 'PT409' using message = 'You can''t give a plan to its creator';
    elsif private.are_blocked(v_me, v_recipient) or private.are_blocked(v_recipient, v_plan.creator_id) then
      raise sqlstate 'PT403' using message = 'You can''t send a gift to this user';
    end if;
  end if;
  if v_recipient = v_me or v_email = (select lower(u.email) from auth.users u where u.id = auth.uid()) then
    raise sqlstate 'PT409' using message = 'You can''t give a gift to yourself';
  end if;
  v_cents := private.gift_cents(v_plan, create_gift.months);
  if v_cents > 99999999 then
    raise sqlstate 'PT409' using message = 'A gift can cost up to $999,999.99';
  end if;
  -- A double click gets the same gift, and so does a giver who goes back from the checkout session.
  perform pg_advisory_xact_lock(hashtextextended('gifts:' || v_me, 0));
  select g.id into v_id from private.gifts g
  where g.giver_id = v_me and g.state = 'unpaid' and g.product_id = v_plan.id and g.months = create_gift.months and g.amount_cents = v_cents
    and g.recipient_id is not distinct from v_recipient and g.recipient_email is not distinct from v_email
    and g.message is not distinct from v_message and greatest(g.deliver_at, now()) = v_deliver;
  if v_id is not null then
    return v_id;
  elsif (select count(*) from private.gifts g where g.giver_id = v_me and g.state = 'unpaid') >= 20 then
    raise sqlstate 'PT409' using message = 'You have 20 unpaid gifts', hint = 'Pay for one, or wait until tomorrow.';
  end if;
  insert into private.gifts (creator_id, product_id, giver_id, recipient_id, recipient_email, message, months, amount_cents, seed, code_hash, deliver_at)
  values (v_plan.creator_id, v_plan.id, v_me, v_recipient, v_email, v_message, create_gift.months, v_cents::int, v_seed,
    private.gift_code_hash(private.gift_code(v_seed)), v_deliver)
  returning id into v_id;
  return v_id;
end;
$$;

-- Links to products.
alter table public.tracking_links
  add product_id uuid references public.products on delete set null,
  drop constraint tracking_links_target_known,
  add constraint tracking_links_target_known check (target in ('profile', 'plan', 'post', 'product'));
comment on column public.tracking_links.target is 'Where it leads: the creator''s profile, a plan, a post, or a product. If that is gone, or the product isn''t for sale, to the profile.';
comment on column public.tracking_links.product_id is 'The product that it leads to; null for other targets, and after it was deleted. A plan is in plan_id.';
comment on column public.tracking_links.purchases is 'Posts, messages, sessions, and products.';
create index tracking_links_product_id_idx on public.tracking_links (product_id) where product_id is not null;
grant insert (product_id) on public.tracking_links to authenticated;

create or replace function private.require_tracking_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not new.is_archived and (tg_op = 'INSERT' or old.is_archived) then
    perform pg_advisory_xact_lock(hashtextextended('tracking_links:' || new.creator_id, 0));
    if (select count(*) from public.tracking_links l where l.creator_id = new.creator_id and not l.is_archived) >= 200 then
      raise sqlstate 'PT422' using message = 'You can have up to 200 links', hint = 'Archive one that you don''t need.';
    end if;
  end if;
  if tg_op = 'UPDATE' then
    return new;
  end if;
  if (new.target = 'plan') <> (new.plan_id is not null) or (new.target = 'post') <> (new.post_id is not null)
    or (new.target = 'product') <> (new.product_id is not null)
  then
    raise exception 'A link to a plan needs plan_id, one to a post needs post_id, one to a product needs product_id, and one to the profile none of them'
      using errcode = '22023';
  elsif new.plan_id is not null
    and not exists (select from public.subscription_products p where p.id = new.plan_id and p.creator_id = new.creator_id and p.is_active)
  then
    raise exception 'plan_id must be the id of one of your active plans' using errcode = '22023';
  elsif new.post_id is not null and not exists (select from private.posts p where p.id = new.post_id and p.creator_id = new.creator_id) then
    raise exception 'post_id must be the id of one of your posts' using errcode = '22023';
  elsif new.product_id is not null and not exists (
    select from public.products p where p.id = new.product_id and p.creator_id = new.creator_id and p.status = 'published'
  ) then
    raise exception 'product_id must be the id of one of your products that is for sale' using errcode = '22023';
  elsif new.trial_until <= now() then
    raise exception 'trial_until must be in the future' using errcode = '22023';
  end if;
  return new;
end;
$$;
comment on function private.require_tracking_link is 'Trigger of tracking_links: only to the creator''s own plans, posts, and products, and at most 200 that aren''t archived.';

-- A server of the last version names the columns that it reads.
drop function private.find_link(text);
create function private.find_link(p_code text)
returns table (link_id uuid, creator_id uuid, address text, target text, post_id uuid, product_id uuid, is_archived boolean)
language sql stable security definer rows 1 set search_path = ''
as $$
  select l.id, l.creator_id, coalesce(p.username, p.user_id::text), l.target, l.post_id,
    (select s.id from public.products s where s.id = l.product_id and s.status = 'published'), l.is_archived
  from public.tracking_links l join private.profiles p on p.id = l.creator_id
  where l.code = p_code and p.suspended_at is null;
$$;
comment on function private.find_link is 'Where a link leads: the last part of the creator''s address, the target, its post if that exists, and its product if that is for sale. No row for a suspended creator''s.';
revoke execute on function private.find_link from public;
grant execute on function private.find_link to service_role;

-- Reports. A product that an admin takes down stays with the fans who bought it, as an archived one does, and is never sold again.
alter table public.products add taken_down_at timestamptz, add constraint products_taken_down_archived check (taken_down_at is null or status = 'archived');
comment on column public.products.taken_down_at is 'When an admin took it down; otherwise null. Its creator can neither change nor sell it any more.';
alter type public.product_card add attribute taken_down_at timestamptz;
comment on column public.product_card.taken_down_at is 'When an admin took it down; null for others than its creator.';
alter type public.product_page add attribute taken_down_at timestamptz;
comment on column public.product_page.taken_down_at is 'When an admin took it down; null for others than its creator and admins.';
create or replace function private.product_card(p_product public.products, p_viewer uuid) returns public.product_card
language sql stable security definer set search_path = ''
as $$
  select p_product.id, p_product.title, p_product.cover_path, p_product.price_cents, private.product_price(p_viewer, p_product), p_product.takes_more,
    private.product_left(p_viewer, p_product), f.files, f.bytes, p_product.status,
    exists (select from public.product_purchases b where b.buyer_id = p_viewer and b.product_id = p_product.id),
    case when p_product.creator_id = p_viewer then (select s.sold from private.product_sales s where s.product_id = p_product.id) end,
    p_product.created_at, case when p_product.creator_id = p_viewer then p_product.taken_down_at end
  from (
    select count(*)::int as files, coalesce(sum(f.size_bytes), 0)::bigint as bytes
    from public.product_files f where f.product_id = p_product.id and f.removed_at is null
  ) f;
$$;

create or replace function public.get_product(product_id uuid) returns setof public.product_page
language sql stable security definer rows 1 set search_path = ''
as $$
  select p.id, p.title, p.description, p.cover_path, p.price_cents, private.product_price(me.id, p), p.takes_more, p.subscriber_percent_off,
    case when p.creator_id = me.id then p.stock end, private.product_left(me.id, p), p.status, p.version, p.version_note, p.version_at,
    case when p.creator_id = me.id then (select s.sold from private.product_sales s where s.product_id = p.id) end,
    b.created_at, coalesce(p.creator_id = me.id, false), f.files, c.id, c.username, c.display_name, c.avatar_url, c.updated_at,
    case when p.creator_id = me.id or (select private.is_admin()) then p.taken_down_at end
  from (select private.my_profile_id() as id) me
  join public.products p on p.id = get_product.product_id and private.shows_product(p, me.id)
  join private.profiles c on c.id = p.creator_id
  left join public.product_purchases b on b.buyer_id = me.id and b.product_id = p.id
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'format', substring(lower(f.name) from '\.([a-z0-9]{1,10})$'), 'size_bytes', f.size_bytes,
      'path', case when may.read then f.path end, 'name', case when may.read then f.name end,
      'is_earlier', case when f.removed_at is not null then true end
    )) order by f.removed_at is not null, f.position, f.created_at), '[]') as files
    from (select p.creator_id is not distinct from me.id or b.id is not null or (select private.is_admin()) as read) may
    join public.product_files f on f.product_id = p.id and (f.removed_at is null or b.created_at < f.removed_at)
  ) f;
$$;

create function private.require_not_taken_down(p_product public.products) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_product.taken_down_at is not null then
    raise sqlstate 'PT409' using message = 'An admin took this product down. It can''t be changed or sold any more.';
  end if;
end;
$$;
comment on function private.require_not_taken_down is 'Rejects changing and selling a product that an admin has taken down.';
revoke execute on function private.require_not_taken_down from public;

create or replace function public.save_product(
  title text,
  price_cents int,
  files jsonb,
  description text default null,
  cover_path text default null,
  takes_more boolean default false,
  subscriber_percent_off int default 0,
  stock int default null,
  version_note text default null,
  product_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_before public.products;
  v_id uuid := gen_random_uuid();
begin
  if not private.is_approved_creator(v_me) then
    raise sqlstate 'PT403' using message = 'Only approved creators can sell products', hint = 'Apply at /creator-verification.';
  end if;
  if save_product.product_id is not null then
    v_before := private.own_product(save_product.product_id);
    perform private.require_not_taken_down(v_before);
    v_id := v_before.id;
  end if;
  if save_product.cover_path is distinct from v_before.cover_path then
    perform private.require_own_cover(v_me, null, 'ppv', save_product.cover_path);
  end if;
  insert into public.products as p (id, creator_id, title, description, cover_path, price_cents, takes_more, subscriber_percent_off, stock)
  values (v_id, v_me, private.trimmed(save_product.title), private.trimmed(save_product.description), save_product.cover_path, save_product.price_cents,
    coalesce(save_product.takes_more, false), coalesce(save_product.subscriber_percent_off, 0), save_product.stock)
  on conflict (id) do update set title = excluded.title, description = excluded.description, cover_path = excluded.cover_path,
    price_cents = excluded.price_cents, takes_more = excluded.takes_more, subscriber_percent_off = excluded.subscriber_percent_off, stock = excluded.stock;
  perform private.set_product_files(v_id, save_product.files);
  perform private.require_files_for_sale(v_id) where v_before.status = 'published';
  if private.trimmed(save_product.version_note) is not null and v_before.status <> 'draft' then
    update public.products p set version = p.version + 1, version_note = private.trimmed(save_product.version_note), version_at = now() where p.id = v_id;
  end if;
  return v_id;
end;
$$;

create or replace function public.set_product_status(product_id uuid, status text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_product public.products := private.own_product(set_product_status.product_id);
begin
  if set_product_status.status is null or set_product_status.status not in ('published', 'archived') then
    raise exception 'status must be published or archived' using errcode = '22023';
  elsif set_product_status.status = 'published' then
    if not private.is_approved_creator(v_product.creator_id) then
      raise sqlstate 'PT403' using message = 'Only approved creators can sell products', hint = 'Apply at /creator-verification.';
    elsif not exists (select from private.profiles c where c.id = v_product.creator_id and c.stripe_account_id is not null and c.stripe_charges_enabled) then
      raise sqlstate 'PT409' using message = 'Set up payouts before you sell products', hint = 'Set up payments at /creator-onboarding.';
    end if;
    perform private.require_files_for_sale(v_product.id);
  end if;
  perform private.require_not_taken_down(v_product);
  update public.products p set status = set_product_status.status where p.id = v_product.id;
end;
$$;

create or replace function private.post_product_purchase(
  p_cause text,
  p_buyer uuid,
  p_creator uuid,
  p_product uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
  v_product public.products;
  v_sold_out boolean;
  v_taken_down boolean;
  v_given uuid;
begin
  select * into v_payment from private.post_payment(
    'product', p_cause, p_buyer, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at);
  if not v_payment.is_new then
    return v_payment.transaction_id;
  end if;
  perform from private.product_sales s where s.product_id = p_product for update; -- the stock, as in hold_product
  select * into v_product from public.products p where p.id = p_product;
  update public.transactions set bought_product_id = v_product.id where id = v_payment.transaction_id;
  -- A hold is a promise: a payment within it is never too late, and one without it gets only what is held for nobody.
  v_sold_out := coalesce(private.product_left(p_buyer, v_product) = 0, false) and not exists (
    select from private.product_holds h where h.product_id = p_product and h.buyer_id = p_buyer and h.expires_at > now()
  );
  v_taken_down := v_product.taken_down_at is not null;
  if not v_sold_out and not v_taken_down then
    insert into public.product_purchases (buyer_id, product_id, transaction_id, known_version)
    select b.id, v_product.id, v_payment.transaction_id, v_product.version from private.profiles b where b.id = p_buyer and v_product.id is not null
    on conflict on constraint product_purchases_once do nothing
    returning id into v_given;
  end if;
  if v_given is null then
    perform private.request_refund(v_payment.transaction_id, case when v_taken_down then 'The product was taken down before the payment arrived.'
      when v_sold_out then 'The product was sold out when the payment arrived.'
      else 'The product was already bought or no longer exists.' end);
    perform private.notify(f.id, 'payment', 'Product not bought',
      '"' || v_product.title || case when v_taken_down then '" isn''t for sale anymore' else '" was sold out when your payment arrived' end
        || '. You''ll get a full refund.',
      jsonb_build_object('transaction_id', v_payment.transaction_id))
    from private.profiles f where f.id = p_buyer and (v_sold_out or v_taken_down);
    return v_payment.transaction_id;
  end if;
  delete from private.product_holds h where h.product_id = p_product and h.buyer_id = p_buyer;
  perform private.notify(
    p_creator, 'payment', private.name_of(p_buyer) || ' bought "' || v_product.title || '"',
    'You earned ' || private.dollars(p_gross_cents - p_fee_cents) || '.',
    jsonb_build_object('profile_id', p_buyer, 'product_id', p_product, 'transaction_id', v_payment.transaction_id)
  );
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_product_purchase is
  'Books the payment for a product, gives it to the buyer, and notifies the creator. Idempotent by p_cause. Requests a refund when the product is sold out, taken down, deleted, or already theirs. Returns transactions.id.';

alter table public.reports
  drop constraint reports_target_type_known,
  add constraint reports_target_type_known check (target_type in ('post', 'comment', 'message', 'profile', 'product'));
comment on column public.reports.target_id is 'The id in posts, comments, messages, profiles, or products. No foreign key: a report outlives the reported content.';
comment on column public.queued_report.target_type is 'post, comment, message, profile, or product. Never null.';
comment on column public.queued_report.still_there is 'Whether the content still exists, and for a product, that it wasn''t taken down. Never null.';

create or replace function private.receive_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.target_type = 'post' then
    select v.creator_id, coalesce(v.title || ': ', '') || v.content into new.reported_id, new.excerpt from public.posts v where v.id = new.target_id;
  elsif new.target_type = 'comment' then
    select c.user_id, c.content into new.reported_id, new.excerpt
    from public.comments c
    where c.id = new.target_id and private.can_view_post(c.post_id)
      and ((select private.is_admin())
        or (c.user_id <> all ((select private.my_blocks())::uuid[]) and not private.is_hidden_comment(c.post_id, c.user_id)));
  elsif new.target_type = 'message' then
    select v.sender_id, v.content into new.reported_id, new.excerpt from public.messages v where v.id = new.target_id;
  elsif new.target_type = 'profile' then
    select v.id, concat_ws(E'\n', v.display_name, v.bio) into new.reported_id, new.excerpt from public.profiles v where v.id = new.target_id;
  elsif new.target_type = 'product' then
    select p.creator_id, concat_ws(': ', p.title, p.description) into new.reported_id, new.excerpt
    from public.products p where p.id = new.target_id and (private.is_service() or private.shows_product(p, private.my_profile_id()));
  end if;
  if new.reported_id is null then
    raise sqlstate 'PT404' using message = 'The content to report was not found';
  elsif new.reported_id = new.reporter_id then
    raise exception 'You can''t report yourself' using errcode = '23514', constraint = 'reports_not_self';
  end if;
  -- The service sees everything, so what the reporter saw is unknown, and no excerpt is stored.
  new.excerpt := case when not private.is_service() then left(new.excerpt, case new.target_type when 'message' then 5000 else 500 end) end;
  new.details := private.trimmed(new.details);
  return new;
end;
$$;

create or replace function public.get_reports(settled boolean default false, page_size int default 25, before timestamptz default null, before_id uuid default null) returns setof public.queued_report
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
  with page as (
    select r.* from public.reports r
    where case when get_reports.settled then r.status in ('resolved', 'dismissed') else r.status = 'open' end
      and (before is null or (r.created_at, r.id) < (before, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
    order by r.created_at desc, r.id desc limit least(greatest(page_size, 0), 100)
  )
  select r.id, r.target_type, r.target_id, r.reason, r.details, r.excerpt, r.status, r.resolution, r.created_at, r.resolved_at,
    reporter.username, r.reported_id, reported.username, reported.display_name, coalesce(reported.suspended_at is not null, false),
    coalesce(post.id, comment.post_id),
    case r.target_type
      when 'post' then post.id is not null when 'comment' then comment.id is not null
      when 'message' then message.id is not null when 'product' then product.id is not null and product.taken_down_at is null
      else reported.id is not null
    end,
    (select count(*)::int from public.reports o where o.target_type = r.target_type and o.target_id = r.target_id and o.status = 'open'),
    case when seen.whole then coalesce(nullif(message.media_paths, '{}'), mass.media_paths, '{}') else '{}' end,
    case when seen.whole then coalesce(nullif(message.media_types, '{}'), mass.media_types, '{}') else '{}' end
  from page r
  left join private.profiles reporter on reporter.id = r.reporter_id
  left join private.profiles reported on reported.id = r.reported_id
  left join private.posts post on r.target_type = 'post' and post.id = r.target_id
  left join public.comments comment on r.target_type = 'comment' and comment.id = r.target_id
  left join private.messages message on r.target_type = 'message' and message.id = r.target_id
  left join public.products product on r.target_type = 'product' and product.id = r.target_id
  left join public.mass_messages mass on mass.id = message.mass_message_id
  cross join lateral (
    select r.status = 'open' and message.id is not null and (not message.is_paid or exists (
      select from public.message_unlocks u where u.message_id = message.id and u.buyer_id = r.reporter_id
    )) as whole
  ) seen
  order by r.created_at desc, r.id desc;
end;
$$;

create or replace function public.take_down(target_type text, target_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reason text := private.trimmed(reason);
  v_message private.messages;
  v_product public.products;
  v_found boolean;
begin
  perform private.require_admin();
  if v_reason is null or length(v_reason) > 500 then
    raise exception 'Enter a reason of up to 500 characters' using errcode = '23514', constraint = 'take_down_reason';
  end if;
  perform set_config('ovation.takedown_reason', v_reason, true);
  if take_down.target_type = 'post' then
    delete from private.posts p where p.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'comment' then
    delete from public.comments c where c.id = take_down.target_id;
    v_found := found;
  elsif take_down.target_type = 'message' then
    delete from private.messages m
    where m.id = take_down.target_id
      and exists (select from public.reports r where r.target_type = 'message' and r.target_id = m.id)
    returning * into v_message;
    v_found := v_message.id is not null;
    if v_found then
      perform private.write_audit('delete_message', 'messages', v_message.id,
        jsonb_build_object('sender_id', v_message.sender_id, 'recipient_id', v_message.recipient_id, 'is_paid', v_message.is_paid,
          'media_count', greatest(cardinality(v_message.media_paths),
            (select cardinality(g.media_paths) from public.mass_messages g where g.id = v_message.mass_message_id)), 'created_at', v_message.created_at),
        null, jsonb_build_object('reason', v_reason));
      perform private.notify(v_message.sender_id, 'other', 'Message deleted for policy violation',
        'Reason: ' || v_reason, '{}');
    end if;
  elsif take_down.target_type = 'product' then
    -- Before the product, as in post_product_purchase: a purchase that is being made is done, or sees what happens here.
    perform from private.product_sales s where s.product_id = take_down.target_id for update;
    update public.products p set status = 'archived', taken_down_at = now()
    where p.id = take_down.target_id and p.taken_down_at is null
    returning * into v_product;
    v_found := v_product.id is not null;
    if v_found then
      perform private.write_audit('take_down_product', 'products', v_product.id,
        jsonb_build_object('creator_id', v_product.creator_id, 'price_cents', v_product.price_cents, 'created_at', v_product.created_at),
        null, jsonb_build_object('reason', v_reason));
      perform private.notify(v_product.creator_id, 'other', 'Product taken down for policy violation',
        '"' || v_product.title || '"' || E'\nReason: ' || v_reason, jsonb_build_object('product_id', v_product.id));
    end if;
  else
    raise exception 'target_type must be post, comment, message, or product' using errcode = '22023', hint = 'To act against a user, suspend the account.';
  end if;
  if not v_found then
    raise sqlstate 'PT404' using message = 'This content no longer exists';
  end if;
  perform set_config('ovation.takedown_reason', '', true);
  update public.reports r set status = 'resolved', resolution = v_reason
  where r.target_type = take_down.target_type and r.target_id = take_down.target_id and r.status = 'open';
end;
$$;
comment on function public.take_down is
  'Deletes a post, a comment, or a reported message, or stops the sale of a product for good, notifies its author of the reason, and settles the reports about it (POST-54, POST-58, D43, D122); for admins. target_type: post, comment, message, or product. PT404 when it no longer exists, and for a message that wasn''t reported.';

-- Visitors' pages. The sitemap reads the products by this index, and a change clears the cache of pages.
create index products_published_idx on public.products (created_at, id) where status = 'published';
alter table public.products replica identity full; -- as for notifications
alter publication ovation_realtime add table public.products;
-- The export.
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
    (select 'push_subscriptions', jsonb_build_object('user_agent', s.user_agent, 'created_at', s.created_at)::text
      from private.push_subscriptions s where s.user_id = v_me order by s.created_at)
    union all
    (select 'feed_addresses', jsonb_build_object('creator_id', f.creator_id, 'created_at', f.created_at, 'paused_at', f.paused_at)::text
      from private.feed_addresses f where f.fan_id = v_me order by f.created_at)
    union all
    (select 'video_captions', jsonb_build_object('video', o.name, 'language', v.language, 'content', v.content)::text
      from private.video_captions v join storage.objects o on o.id = v.object_id where o.owner_id = auth.uid()::text order by o.name, v.language)
    union all
    (select 'tip_notes', jsonb_build_object('creator_id', c.creator_id, 'post_id', c.post_id, 'goal_id', c.goal_id, 'amount_cents', c.amount_cents, 'note', c.note,
        'status', c.status, 'created_at', c.created_at)::text
      from private.checkout_sessions c where c.profile_id = v_me and c.note is not null order by c.created_at)
    union all
    (select 'restrictions', jsonb_build_object('fan_id', r.fan_id, 'created_at', r.created_at)::text
      from private.restrictions r where r.creator_id = v_me order by r.created_at)
    union all
    (select 'muted_offers', jsonb_build_object('creator_id', o.creator_id, 'created_at', o.created_at)::text
      from private.offer_mutes o where o.fan_id = v_me order by o.created_at)
    union all
    -- Without the secret of the link. A recipient sees who it is from where the gift is shown.
    (select 'gifts', jsonb_build_object('side', case when g.giver_id = v_me then 'given' else 'received' end, 'creator_id', g.creator_id,
        'plan_id', g.product_id, 'months', g.months, 'recipient_id', g.recipient_id,
        'recipient_email', case when g.giver_id = v_me then g.recipient_email end, 'message', g.message, 'amount_cents', g.amount_cents,
        'state', g.state, 'created_at', g.created_at, 'deliver_at', g.deliver_at, 'redeemed_at', g.redeemed_at)::text
      from private.gifts g where g.giver_id = v_me or g.redeemed_by = v_me or (g.recipient_id = v_me and g.sent_count > 0) order by g.created_at)
    union all
    (select 'gift_batches', to_jsonb(b)::text from private.gift_batches b where b.creator_id = v_me order by b.created_at)
    union all
    -- The names that the files have for buyers. Their content is in the archive.
    (select 'product_files', jsonb_build_object('product_id', f.product_id, 'path', f.path, 'name', f.name, 'removed_at', f.removed_at)::text
      from public.product_files f join public.products p on p.id = f.product_id where p.creator_id = v_me order by f.created_at, f.id)
    union all
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'push_subscriptions', 'feed_addresses', 'video_captions', 'tip_notes', 'restrictions', 'muted_offers', 'gifts', 'gift_batches', 'product_files', 'statement'];
end;
$$;
