-- Up Migration

-- Products (OFFER-05): files of any type that a creator sells once to a fan, who keeps them. And the library (OFFER-06): everything a fan has bought.
insert into storage.buckets (id, name, public, file_size_limit) values ('products', 'products', false, 5368709120);

create table public.products (
  id                     uuid primary key default gen_random_uuid(),
  creator_id             uuid not null references private.profiles on delete cascade,
  title                  text not null constraint products_title_length check (title ~ '\S' and length(title) <= 100),
  description            text constraint products_description_length check (length(description) <= 5000),
  cover_path             text constraint products_cover_path_key unique,
  price_cents            int not null constraint products_price_range check (price_cents between 100 and 999999),
  takes_more             boolean not null default false,
  subscriber_percent_off int not null default 0 constraint products_discount_range check (subscriber_percent_off between 0 and 90),
  stock                  int constraint products_stock_range check (stock between 1 and 1000000),
  status                 text not null default 'draft' constraint products_status_known check (status in ('draft', 'published', 'archived')),
  version                int not null default 1,
  version_note           text constraint products_version_note_length check (length(version_note) <= 1000),
  version_at             timestamptz,
  announced_version      int not null default 1,
  created_at             timestamptz not null default now(),
  updated_at             timestamptz not null default now()
);
comment on table public.products is 'Files that creators sell. A product that fans have bought is archived, never deleted, and its buyers keep it.';
comment on column public.products.creator_id is 'The creator''s profiles.id.';
comment on column public.products.cover_path is 'A picture in the creator''s folder of bucket covers; null for none.';
comment on column public.products.price_cents is 'US cents; at least $1.00. With takes_more, the least that a fan pays.';
comment on column public.products.takes_more is 'Whether fans may pay more: "from" the price.';
comment on column public.products.subscriber_percent_off is 'What subscribers of the creator pay less, in percent. Never less than $1.00 (private.product_price).';
comment on column public.products.stock is 'How many fans can own the product at the same time; null for any number.';
comment on column public.products.status is 'draft until it is first published. Only a published product is shown to others and sold.';
comment on column public.products.version is 'Counts the versions that buyers were to be notified of.';
comment on column public.products.version_note is 'What the creator wrote about the latest version; null before the second.';
comment on column public.products.version_at is 'When the latest version came; null before the second.';
comment on column public.products.announced_version is 'The version of which all buyers have been notified (private.announce_products).';
create index products_creator_id_idx on public.products (creator_id, created_at desc, id desc);
create index products_to_announce_idx on public.products (id) where announced_version < version;
create trigger products_touch before update on public.products for each row execute function private.touch_updated_at();
create trigger products_remove_cover after delete on public.products
  for each row when (old.cover_path is not null) execute function private.remove_post_cover();
create trigger products_replace_cover after update of cover_path on public.products
  for each row when (old.cover_path is not null and new.cover_path is distinct from old.cover_path) execute function private.remove_post_cover();
comment on function private.remove_post_cover is 'Trigger of posts and products: deletes the file of a cover that the row no longer has.';

-- A file that is removed stays with those who bought the product while it was there: they have paid for it.
create table public.product_files (
  id         uuid primary key default gen_random_uuid(),
  product_id uuid not null references public.products on delete cascade,
  path       text not null constraint product_files_path_key unique,
  name       text not null constraint product_files_name_length check (name ~ '\S' and length(name) <= 200),
  type       text not null,
  size_bytes bigint not null,
  position   int not null constraint product_files_at_most_twenty check (position between 1 and 20),
  created_at timestamptz not null default now(),
  removed_at timestamptz
);
comment on table public.product_files is 'The files of products. Their creator and buyers see them; for others, get_product shows only their formats and sizes.';
comment on column public.product_files.path is 'The path in bucket products.';
comment on column public.product_files.name is 'The name that a download has.';
comment on column public.product_files.removed_at is 'When the creator took it out of the product; null while it is part of it. Only fans who bought the product before still get it.';
create index product_files_product_id_idx on public.product_files (product_id, position);

create table public.product_purchases (
  id             uuid primary key default gen_random_uuid(),
  buyer_id       uuid not null references private.profiles on delete cascade,
  product_id     uuid not null references public.products on delete cascade,
  transaction_id uuid references public.transactions on delete restrict,
  known_version  int not null,
  created_at     timestamptz not null default now(),
  constraint product_purchases_once unique (buyer_id, product_id)
);
comment on table public.product_purchases is 'Bought products. A refund or dispute deletes the row; the ledger keeps the history.';
comment on column public.product_purchases.buyer_id is 'The fan''s profiles.id.';
comment on column public.product_purchases.transaction_id is 'The payment that gave the product.';
comment on column public.product_purchases.known_version is 'The last version of which the buyer was notified, or which they bought.';
create index product_purchases_known_version_idx on public.product_purchases (product_id, known_version); -- private.announce_products
create index product_purchases_buyer_id_idx on public.product_purchases (buyer_id, created_at desc, id desc); -- the library
create index product_purchases_transaction_id_idx on public.product_purchases (transaction_id);

-- Beside the product, so that a sale changes nothing that others see, and only sales wait for each other.
create table private.product_sales (
  product_id uuid primary key references public.products on delete cascade,
  sold       int not null default 0
);
comment on table private.product_sales is 'How many fans own a product. Maintained from product_purchases. Its row is the lock for the stock.';
alter table private.product_sales enable row level security;

create table private.product_holds (
  product_id uuid not null references public.products on delete cascade,
  buyer_id   uuid not null references private.profiles on delete cascade,
  expires_at timestamptz not null,
  primary key (product_id, buyer_id)
);
comment on table private.product_holds is 'Copies of a limited product that are held for fans who are paying. Ends with expires_at; no job is needed.';
comment on column private.product_holds.buyer_id is 'The fan''s profiles.id.';
create index product_holds_buyer_id_idx on private.product_holds (buyer_id);
alter table private.product_holds enable row level security;

create function private.count_product_sale() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.product_sales s set sold = s.sold + case tg_op when 'INSERT' then 1 else -1 end
  where s.product_id = case tg_op when 'INSERT' then new.product_id else old.product_id end;
  return null;
end;
$$;
comment on function private.count_product_sale is 'Trigger of product_purchases: maintains product_sales.sold.';
create trigger product_purchases_count after insert or delete on public.product_purchases
  for each row execute function private.count_product_sale();
create function private.add_product_sales() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.product_sales (product_id) values (new.id);
  return null;
end;
$$;
comment on function private.add_product_sales is 'Trigger of products: adds the row that counts the sales.';
create trigger products_add_sales after insert on public.products for each row execute function private.add_product_sales();

create function private.verify_products() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable set search_path = ''
as $$
  select p.creator_id, 'product_sales.sold', s.sold, coalesce(k.sold, 0)
  from public.products p
  left join private.product_sales s on s.product_id = p.id
  left join (select b.product_id, count(*) as sold from public.product_purchases b group by 1) k on k.product_id = p.id
  where s.sold is distinct from coalesce(k.sold, 0);
$$;
comment on function private.verify_products is 'The counters of products that differ from what they count.';
revoke execute on function private.verify_products from public;

-- Who sees what. A buyer keeps a product that is archived, whatever happens between the two users, but nobody gets files of a suspended creator.
create function private.can_read_product_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.product_files f
    join public.products p on p.id = f.product_id
    join private.profiles c on c.id = p.creator_id
    where f.path = p_path and (p.creator_id = (select private.my_profile_id()) or (c.suspended_at is null and exists (
      select from public.product_purchases b
      where b.buyer_id = (select private.my_profile_id()) and b.product_id = p.id and (f.removed_at is null or b.created_at < f.removed_at)
    )))
  );
$$;
comment on function private.can_read_product_file is 'True when the file belongs to a product that the caller sells, or has bought while it had the file.';
revoke execute on function private.can_read_product_file from public;
grant execute on function private.can_read_product_file to authenticated;

create function private.owns_product(p_product uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.product_purchases b where b.buyer_id = (select private.my_profile_id()) and b.product_id = p_product);
$$;
comment on function private.owns_product is 'True when the caller has bought the product.';
revoke execute on function private.owns_product from public;
grant execute on function private.owns_product to authenticated;

create function private.is_suspended(p_profile uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.profiles p where p.id = p_profile and p.suspended_at is not null);
$$;
comment on function private.is_suspended is 'True when an admin has suspended the user.';
revoke execute on function private.is_suspended from public;
grant execute on function private.is_suspended to anon, authenticated;

alter table public.products enable row level security;
create policy select_published on public.products for select to anon, authenticated
  using (status = 'published' and not private.is_private_profile(creator_id) and not private.is_suspended(creator_id)
    and creator_id <> all ((select private.my_blocks())::uuid[]));
create policy select_own on public.products for select to authenticated
  using (creator_id = (select private.my_profile_id()) or (select private.is_admin()));
create policy select_bought on public.products for select to authenticated using (private.owns_product(id));
grant select on public.products to anon, authenticated;
-- insert, update, and delete are not granted: save_product, set_product_status, and delete_product check the files and the buyers.

alter table public.product_files enable row level security;
create policy select_readable on public.product_files for select to authenticated
  using ((select private.is_admin()) or private.can_read_product_file(path));
grant select on public.product_files to authenticated;

alter table public.product_purchases enable row level security;
create policy select_own on public.product_purchases for select to authenticated using (buyer_id = (select private.my_profile_id()));
grant select on public.product_purchases to authenticated;

-- The files. A file of a product is final, like one of a message: links and keys write with the server's permissions.
create function private.is_product_file(p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.product_files f where f.path = p_path);
$$;
comment on function private.is_product_file is 'True when the file belongs to a product; from then on it can''t be changed.';
revoke execute on function private.is_product_file from public;
grant execute on function private.is_product_file to authenticated;
create policy insert_product_file on storage.objects for insert to authenticated
  with check (bucket_id = 'products' and private.is_own_path(name) and private.is_approved_creator((select private.my_profile_id())));
create policy select_product_file on storage.objects for select to authenticated
  using (bucket_id = 'products' and private.can_read_product_file(name));
create policy delete_unsold_file on storage.objects for delete to authenticated
  using (bucket_id = 'products' and private.is_own_path(name) and not private.is_product_file(name));

create function private.remove_product_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with gone as (
    delete from storage.objects o where o.bucket_id = 'products' and o.name = old.path returning o.bucket_id, o.name, o.version
  )
  insert into private.storage_removals (bucket_id, name, version) select g.bucket_id, g.name, g.version from gone g;
  return null;
end;
$$;
comment on function private.remove_product_file is 'Trigger of product_files: deletes a file with its row.';
create trigger product_files_remove_file after delete on public.product_files for each row execute function private.remove_product_file();

-- What it costs.
create function private.product_price(p_fan uuid, p_product public.products) returns int
language sql stable security definer set search_path = ''
as $$
  select case when p_product.subscriber_percent_off > 0 and private.is_subscriber(p_product.creator_id, p_fan)
    then least(p_product.price_cents, greatest(100, private.discounted_cents(p_product.price_cents, p_product.subscriber_percent_off, null)))
    else p_product.price_cents end;
$$;
comment on function private.product_price is 'What the product costs this fan, or the least that they pay, in cents. The discount for subscribers leaves at least $1.00.';
revoke execute on function private.product_price from public;

create function private.product_left(p_fan uuid, p_product public.products) returns int
language sql stable security definer set search_path = ''
as $$
  select case when p_product.stock is not null then greatest(0, p_product.stock
    - (select s.sold from private.product_sales s where s.product_id = p_product.id)
    - (select count(*) from private.product_holds h
       where h.product_id = p_product.id and h.expires_at > now() and h.buyer_id is distinct from p_fan)::int) end;
$$;
comment on function private.product_left is 'How many copies of a limited product this fan finds: neither owned nor held for others. Null for an unlimited product.';
revoke execute on function private.product_left from public;

create function private.quote_product(p_buyer uuid, p_product uuid, p_amount_cents int default null) returns private.quote
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_product public.products;
  v_creator private.profiles;
  v_price int;
begin
  select * into v_product from public.products p where p.id = p_product;
  if exists (select from public.product_purchases b where b.buyer_id = p_buyer and b.product_id = p_product) then
    raise sqlstate 'PT409' using message = 'You''ve already bought this product';
  elsif v_product.status is distinct from 'published' then
    raise sqlstate 'PT404' using message = 'Product not found';
  end if;
  v_creator := private.require_payable(p_buyer, v_product.creator_id);
  v_price := private.product_price(p_buyer, v_product);
  if private.product_left(p_buyer, v_product) = 0 then
    raise sqlstate 'PT409' using message = 'This product is sold out';
  elsif not v_product.takes_more and p_amount_cents is not null then
    raise sqlstate 'PT400' using message = 'This product has a fixed price';
  elsif p_amount_cents < v_price then
    raise sqlstate 'PT400' using message = 'The lowest price of this product is ' || private.dollars(v_price);
  elsif p_amount_cents > 999999 then
    raise sqlstate 'PT400' using message = 'You can pay at most $9,999.99';
  end if;
  return (v_creator.id, v_creator.stripe_account_id, coalesce(p_amount_cents, v_price),
    '"' || v_product.title || '" by ' || private.name_of(v_creator.id))::private.quote;
end;
$$;
comment on function private.quote_product is
  'What a product costs the buyer. p_amount_cents: what they want to pay for one that takes more. PT404 when it isn''t sold, PT409 when the buyer has it or it is sold out, PT400 for an amount that isn''t accepted.';
revoke execute on function private.quote_product from public;

create function private.hold_product(p_buyer uuid, p_product uuid, p_seconds int) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_product public.products;
begin
  select * into v_product from public.products p where p.id = p_product;
  if v_product.stock is null or exists (select from public.product_purchases b where b.buyer_id = p_buyer and b.product_id = p_product) then
    return;
  end if;
  -- The next statement sees what those before in this row's queue have committed.
  perform from private.product_sales s where s.product_id = p_product for update;
  if private.product_left(p_buyer, v_product) = 0 then
    raise sqlstate 'PT409' using message = 'This product is sold out';
  end if;
  delete from private.product_holds h where h.product_id = p_product and h.expires_at <= now();
  insert into private.product_holds as h (product_id, buyer_id, expires_at) values (p_product, p_buyer, now() + make_interval(secs => p_seconds))
  on conflict (product_id, buyer_id) do update set expires_at = greatest(h.expires_at, excluded.expires_at);
end;
$$;
comment on function private.hold_product is 'Holds a copy of a limited product for a fan who is paying. PT409 when it is sold out. An unlimited product needs no hold.';
revoke execute on function private.hold_product from public;

-- Payments.
alter table public.transactions add bought_product_id uuid references public.products on delete set null;
comment on column public.transactions.bought_product_id is 'The product that was paid for; null for other payments, and after it was deleted. A plan is in product_id.';
create index transactions_bought_product_id_idx on public.transactions (bought_product_id) where bought_product_id is not null;
alter table private.checkout_sessions
  add bought_product_id uuid references public.products on delete set null,
  drop constraint checkout_sessions_kind_check,
  add constraint checkout_sessions_kind_check check (kind in ('subscription', 'ppv', 'tip', 'message', 'session', 'gift', 'product'));
comment on column private.checkout_sessions.bought_product_id is 'The product that is paid for; null for other payments, and after it was deleted. A plan is in product_id.';
create index checkout_sessions_bought_product_id_idx on private.checkout_sessions (bought_product_id) where bought_product_id is not null;
create index checkout_sessions_open_products_idx on private.checkout_sessions (created_at) where status = 'open' and kind = 'product'; -- private.close_product_pages

create function private.close_checkouts_of_product() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.close_checkouts(
    array(select c.id from private.checkout_sessions c where c.bought_product_id = old.id and c.status = 'open'));
  return old; -- for the delete; ignored after an update
end;
$$;
comment on function private.close_checkouts_of_product is 'Trigger of products: closes the checkout sessions of an archived or deleted product.';
create trigger products_close_checkouts after update of status on public.products
  for each row when (old.status = 'published' and new.status <> 'published') execute function private.close_checkouts_of_product();
create trigger products_close_last_checkouts before delete on public.products
  for each row execute function private.close_checkouts_of_product();

-- A page must not outlive the hold: two minutes are for the request to the provider.
create function private.close_product_pages() returns void
language sql volatile security definer set search_path = ''
as $$
  select private.close_checkouts(array(
    select c.id from private.checkout_sessions c join public.products p on p.id = c.bought_product_id
    where c.status = 'open' and c.kind = 'product' and p.stock is not null and not exists (
      select from private.product_holds h
      where h.product_id = p.id and h.buyer_id = c.profile_id and h.expires_at > now() + interval '2 minutes'
    )
  ));
$$;
comment on function private.close_product_pages is 'Closes the checkout sessions of limited products whose hold is ending.';
revoke execute on function private.close_product_pages from public;
grant execute on function private.close_product_pages to service_role;

create function private.post_product_purchase(
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
  if not v_sold_out then
    insert into public.product_purchases (buyer_id, product_id, transaction_id, known_version)
    select b.id, v_product.id, v_payment.transaction_id, v_product.version from private.profiles b where b.id = p_buyer and v_product.id is not null
    on conflict on constraint product_purchases_once do nothing
    returning id into v_given;
  end if;
  if v_given is null then
    perform private.request_refund(v_payment.transaction_id, case when v_sold_out then 'The product was sold out when the payment arrived.'
      else 'The product was already bought or no longer exists.' end);
    perform private.notify(f.id, 'payment', 'Product not bought',
      '"' || v_product.title || '" was sold out when your payment arrived. You''ll get a full refund.',
      jsonb_build_object('transaction_id', v_payment.transaction_id))
    from private.profiles f where f.id = p_buyer and v_sold_out;
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
  'Books the payment for a product, gives it to the buyer, and notifies the creator. Idempotent by p_cause. Requests a refund when the product is sold out, deleted, or already theirs. Returns transactions.id.';
revoke execute on function private.post_product_purchase from public;

-- What creators do with products.
create function private.own_product(p_product uuid) returns public.products
language plpgsql security definer set search_path = ''
as $$
declare
  v_product public.products;
begin
  select * into v_product from public.products p where p.id = p_product and p.creator_id = private.my_profile_id() for update;
  if v_product.id is null then
    raise sqlstate 'PT404' using message = 'Product not found';
  end if;
  return v_product;
end;
$$;
comment on function private.own_product is 'The calling creator''s product, locked. PT404 for other products.';
revoke execute on function private.own_product from public;

create function private.set_product_files(p_product uuid, p_files jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_paths text[];
begin
  if coalesce(jsonb_typeof(p_files) <> 'array', true) or jsonb_array_length(p_files) > 20 then
    raise exception 'files must be a list of at most 20 files' using errcode = '22023';
  end if;
  v_paths := array(select f.item ->> 'path' from jsonb_array_elements(p_files) as f (item));
  if exists (select from unnest(v_paths) as path where (storage.foldername(path))[1] is distinct from auth.uid()::text) then
    raise sqlstate 'PT403' using message = 'The files of a product must be in your own folder of bucket products';
  end if;
  perform from storage.objects o where o.bucket_id = 'products' and o.name = any (v_paths) order by o.id for share;
  insert into public.product_files as f (product_id, path, name, type, size_bytes, position)
  select p_product, o.name, w.item ->> 'name', coalesce(o.metadata ->> 'mimetype', 'application/octet-stream'), coalesce((o.metadata ->> 'size')::bigint, 0), w.place
  from jsonb_array_elements(p_files) with ordinality as w (item, place)
  join storage.objects o on o.bucket_id = 'products' and o.name = w.item ->> 'path'
  on conflict on constraint product_files_path_key do update set name = excluded.name, position = excluded.position, removed_at = null
  where f.product_id = excluded.product_id;
  if (select count(*) from public.product_files f where f.product_id = p_product and f.path = any (v_paths)) <> cardinality(v_paths) then
    raise sqlstate 'PT422' using message = 'A file was deleted, has not been uploaded, or belongs to another product';
  end if;
  if exists (select from public.product_purchases b where b.product_id = p_product) then
    update public.product_files f set removed_at = now() where f.product_id = p_product and f.removed_at is null and f.path <> all (v_paths);
  else
    delete from public.product_files f where f.product_id = p_product and f.path <> all (v_paths);
  end if;
end;
$$;
comment on function private.set_product_files is
  'Makes these the files of a product, in order: [{path, name}]. A file that isn''t among them is deleted, or stays with the fans who have bought it.';
revoke execute on function private.set_product_files from public;

create function public.save_product(
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
comment on function public.save_product is
  'Creates a draft, or changes the calling creator''s product (product_id), of which it sets everything (OFFER-05). files: [{path, name}] in order, uploaded to the creator''s folder of bucket products. version_note: makes it a new version, of which buyers are notified. Returns products.id.';
revoke execute on function public.save_product from public;
grant execute on function public.save_product to authenticated;

create function private.require_files_for_sale(p_product uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not exists (select from public.product_files f where f.product_id = p_product and f.removed_at is null) then
    raise sqlstate 'PT409' using message = 'Add at least one file before you sell the product';
  end if;
end;
$$;
comment on function private.require_files_for_sale is 'Rejects selling a product without files.';
revoke execute on function private.require_files_for_sale from public;

create function public.set_product_status(product_id uuid, status text) returns void
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
  update public.products p set status = set_product_status.status where p.id = v_product.id;
end;
$$;
comment on function public.set_product_status is 'Sells the calling creator''s product (published), or stops selling it (archived). Its buyers keep it.';
revoke execute on function public.set_product_status from public;
grant execute on function public.set_product_status to authenticated;

create function public.delete_product(product_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_product public.products;
begin
  -- Before the product, as in post_product_purchase. A purchase that is being made is seen here, or waits.
  perform from private.product_sales s where s.product_id = delete_product.product_id for update;
  v_product := private.own_product(delete_product.product_id);
  if exists (select from public.product_purchases b where b.product_id = v_product.id) then
    raise sqlstate 'PT409' using message = 'Fans have bought this product and keep it. Archive it instead.';
  end if;
  delete from public.products p where p.id = v_product.id;
end;
$$;
comment on function public.delete_product is 'Deletes the calling creator''s product with its files. PT409 when fans have bought it.';
revoke execute on function public.delete_product from public;
grant execute on function public.delete_product to authenticated;

-- New versions. A product may have many buyers, so a job notifies them in batches.
create function private.announce_products() returns int
language plpgsql security definer set search_path = ''
as $$
declare
  v_product public.products;
  v_buyers uuid[];
begin
  select * into v_product from public.products p where p.announced_version < p.version order by p.id limit 1 for no key update skip locked;
  if v_product.id is null then
    return 0;
  end if;
  with due as (
    select b.id from public.product_purchases b
    where b.product_id = v_product.id and b.known_version < v_product.version
    order by b.known_version, b.id limit 500 for no key update skip locked
  ), notified as (
    update public.product_purchases b set known_version = v_product.version from due where b.id = due.id returning b.buyer_id
  )
  select array_agg(n.buyer_id) into v_buyers from notified n;
  if v_buyers is null then
    update public.products p set announced_version = v_product.version where p.id = v_product.id;
    return 1;
  end if;
  insert into public.notifications (user_id, type, title, message, data)
  select b.id, 'other', 'New version of "' || v_product.title || '"', coalesce(v_product.version_note, ''),
    jsonb_build_object('profile_id', v_product.creator_id, 'product_id', v_product.id)
  from unnest(v_buyers) as b (id);
  return cardinality(v_buyers);
end;
$$;
comment on function private.announce_products is 'Notifies up to 500 buyers of a product''s new version. Returns 0 when nothing is left to do.';
revoke execute on function private.announce_products from public;
grant execute on function private.announce_products to service_role;

-- What others see.
create type public.product_card as (
  id uuid,
  title text,
  cover_path text,
  price_cents int,
  your_price_cents int,
  takes_more boolean,
  stock_left int,
  file_count int,
  size_bytes bigint,
  status text,
  is_bought boolean,
  sold int,
  created_at timestamptz
);
comment on type public.product_card is 'A product in a list.';
comment on column public.product_card.price_cents is 'US cents. Never null, like all but those below.';
comment on column public.product_card.your_price_cents is 'What the caller pays, or the least that they pay: subscribers may have a discount.';
comment on column public.product_card.cover_path is 'The picture in bucket covers; null for none.';
comment on column public.product_card.stock_left is 'How many are left for the caller; null for any number.';
comment on column public.product_card.sold is 'How many fans own it; null for others than its creator.';

create function private.product_card(p_product public.products, p_viewer uuid) returns public.product_card
language sql stable security definer set search_path = ''
as $$
  select p_product.id, p_product.title, p_product.cover_path, p_product.price_cents, private.product_price(p_viewer, p_product), p_product.takes_more,
    private.product_left(p_viewer, p_product), f.files, f.bytes, p_product.status,
    exists (select from public.product_purchases b where b.buyer_id = p_viewer and b.product_id = p_product.id),
    case when p_product.creator_id = p_viewer then (select s.sold from private.product_sales s where s.product_id = p_product.id) end,
    p_product.created_at
  from (
    select count(*)::int as files, coalesce(sum(f.size_bytes), 0)::bigint as bytes
    from public.product_files f where f.product_id = p_product.id and f.removed_at is null
  ) f;
$$;
comment on function private.product_card is 'The product as this viewer sees it in a list.';
revoke execute on function private.product_card from public;

create function private.shows_product(p_product public.products, p_viewer uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_product.creator_id = p_viewer or (select private.is_admin()) or private.owns_product(p_product.id)
    or (p_product.status = 'published' and not private.is_private_profile(p_product.creator_id) and not private.is_suspended(p_product.creator_id)
      and p_product.creator_id <> all (private.my_blocks()));
$$;
comment on function private.shows_product is 'Whether the calling viewer sees the product, as the policies of products say.';
revoke execute on function private.shows_product from public;

create function public.get_products(
  creator_profile_id uuid,
  before timestamptz default null,
  before_id uuid default null,
  page_size int default 24
) returns setof public.product_card
language sql stable security definer set search_path = ''
as $$
  select c.* from (select private.my_profile_id() as id) me
  cross join lateral (
    select p as product, p.created_at, p.id from public.products p
    where p.creator_id = creator_profile_id and (p.status = 'published' or p.creator_id = me.id)
      and (p.creator_id = me.id or not (private.is_private_profile(p.creator_id) or private.is_suspended(p.creator_id) or p.creator_id = any (private.my_blocks())))
      and (before is null or (p.created_at, p.id) < (before, before_id))
    order by p.created_at desc, p.id desc limit least(greatest(page_size, 1), 100)
  ) listed
  cross join lateral private.product_card(listed.product, me.id) c
  order by listed.created_at desc, listed.id desc;
$$;
comment on function public.get_products is
  'A page of a creator''s products, newest first: all for the creator, otherwise those that are for sale. before and before_id: created_at and id of the last one of the page before.';
revoke execute on function public.get_products from public;
grant execute on function public.get_products to anon, authenticated;

create type public.product_page as (
  id uuid,
  title text,
  description text,
  cover_path text,
  price_cents int,
  your_price_cents int,
  takes_more boolean,
  subscriber_percent_off int,
  stock int,
  stock_left int,
  status text,
  version int,
  version_note text,
  version_at timestamptz,
  sold int,
  bought_at timestamptz,
  is_own boolean,
  files jsonb,
  creator_id uuid,
  creator_username text,
  creator_name text,
  creator_avatar_url text,
  creator_updated_at timestamptz
);
comment on type public.product_page is 'One product with everything that its page shows.';
comment on column public.product_page.stock is 'Null for any number, and for others than its creator.';
comment on column public.product_page.bought_at is 'When the caller bought it; null when they haven''t.';
comment on column public.product_page.files is
  'In order: {format, size_bytes}, and for its creator and buyers also {path, name}. Files that a buyer keeps from an earlier version come last, with is_earlier.';
comment on column public.product_page.creator_updated_at is 'updated_at of the profile, which versions the URL of its avatar.';

create function public.get_product(product_id uuid) returns setof public.product_page
language sql stable security definer rows 1 set search_path = ''
as $$
  select p.id, p.title, p.description, p.cover_path, p.price_cents, private.product_price(me.id, p), p.takes_more, p.subscriber_percent_off,
    case when p.creator_id = me.id then p.stock end, private.product_left(me.id, p), p.status, p.version, p.version_note, p.version_at,
    case when p.creator_id = me.id then (select s.sold from private.product_sales s where s.product_id = p.id) end,
    b.created_at, coalesce(p.creator_id = me.id, false), f.files, c.id, c.username, c.display_name, c.avatar_url, c.updated_at
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
comment on function public.get_product is 'One product (OFFER-05). No row for one that the caller doesn''t see: a draft, one that is archived and wasn''t bought, and one of a blocked, suspended, or private creator.';
revoke execute on function public.get_product from public;
grant execute on function public.get_product to anon, authenticated;

-- The library (OFFER-06). Each kind is a branch that reads its newest rows by an index, so a page costs as much for a fan with thousands of purchases.
create index purchases_buyer_id_idx on public.purchases (buyer_id, created_at desc, id desc);
create index session_bookings_library_idx on public.session_bookings (fan_id, created_at desc, id desc) where state in ('requested', 'accepted', 'completed');

create type public.library_item as (
  kind text,
  id uuid,
  title text,
  excerpt text,
  cover_path text,
  media_types text[],
  files int,
  starts_at timestamptz,
  is_new_version boolean,
  bought_at timestamptz,
  entry_id uuid,
  creator_id uuid,
  creator_username text,
  creator_name text,
  creator_avatar_url text,
  creator_updated_at timestamptz
);
comment on type public.library_item is 'Something that a fan has bought and has a right to.';
comment on column public.library_item.kind is 'post, message, product, or session.';
comment on column public.library_item.id is 'The id of the post, message, product, or booking.';
comment on column public.library_item.title is 'Null for a message, and for a post without one.';
comment on column public.library_item.excerpt is 'The first 200 characters of a post or message; null for others.';
comment on column public.library_item.cover_path is 'The picture in bucket covers; null for none.';
comment on column public.library_item.media_types is 'The types of the files of a post or message; null for others.';
comment on column public.library_item.files is 'The number of files. Zero for a session.';
comment on column public.library_item.starts_at is 'When a session starts; null for others.';
comment on column public.library_item.is_new_version is 'Whether a product has had a new version since it was bought.';
comment on column public.library_item.entry_id is 'With bought_at, the place in the library: before_id of the next page.';

create function public.get_library(
  search text default null,
  kind text default null,
  before timestamptz default null,
  before_id uuid default null,
  page_size int default 24
) returns setof public.library_item
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_me uuid := private.my_profile_id();
  v_like text := '%' || replace(replace(replace(private.trimmed(search), '\', '\\'), '%', '\%'), '_', '\_') || '%';
  v_size int := least(greatest(page_size, 1), 100);
  v_before timestamptz := coalesce(before, 'infinity');
  v_before_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  if kind not in ('post', 'message', 'product', 'session') then
    raise exception 'kind must be post, message, product, or session' using errcode = '22023';
  end if;
  return query
  select e.kind, e.id, e.title, left(e.excerpt, 200), e.cover_path, e.media_types, e.files, e.starts_at, e.is_new_version, e.bought_at, e.entry_id,
    c.id, c.username, c.display_name, c.avatar_url, c.updated_at
  from (
    (
      select 'post' as kind, v.id, v.title, v.content as excerpt, v.cover_path, v.media_types, v.media_count as files, null::timestamptz as starts_at,
        false as is_new_version, b.created_at as bought_at, b.id as entry_id, v.creator_id
      from public.purchases b join public.posts v on v.id = b.post_id join private.profiles a on a.id = v.creator_id
      where b.buyer_id = v_me and coalesce(get_library.kind = 'post', true) and (b.created_at, b.id) < (v_before, v_before_id)
        and (v_like is null or v.title ilike v_like or v.content ilike v_like or a.display_name ilike v_like or a.username ilike v_like)
      order by b.created_at desc, b.id desc limit v_size
    )
    union all
    (
      select 'message', v.id, null, v.content, null, v.media_types, cardinality(v.media_types), null, false, u.created_at, u.id, v.sender_id
      from public.message_unlocks u join public.messages v on v.id = u.message_id join private.profiles a on a.id = v.sender_id
      where u.buyer_id = v_me and coalesce(get_library.kind = 'message', true) and (u.created_at, u.id) < (v_before, v_before_id)
        and (v_like is null or v.content ilike v_like or a.display_name ilike v_like or a.username ilike v_like)
      order by u.created_at desc, u.id desc limit v_size
    )
    union all
    (
      select 'product', p.id, p.title, null, p.cover_path, null,
        (select count(*)::int from public.product_files f where f.product_id = p.id and f.removed_at is null), null,
        coalesce(b.created_at < p.version_at, false), b.created_at, b.id, p.creator_id
      from public.product_purchases b join public.products p on p.id = b.product_id join private.profiles a on a.id = p.creator_id
      where b.buyer_id = v_me and coalesce(get_library.kind = 'product', true) and (b.created_at, b.id) < (v_before, v_before_id)
        and a.suspended_at is null
        and (v_like is null or p.title ilike v_like or a.display_name ilike v_like or a.username ilike v_like)
      order by b.created_at desc, b.id desc limit v_size
    )
    union all
    (
      select 'session', s.id, s.title, null, null, null, 0, s.starts_at, false, s.created_at, s.id, s.creator_id
      from public.session_bookings s join private.profiles a on a.id = s.creator_id
      where s.fan_id = v_me and s.state in ('requested', 'accepted', 'completed') and coalesce(get_library.kind = 'session', true)
        and (s.created_at, s.id) < (v_before, v_before_id)
        and (v_like is null or s.title ilike v_like or a.display_name ilike v_like or a.username ilike v_like)
      order by s.created_at desc, s.id desc limit v_size
    )
  ) e
  join private.profiles c on c.id = e.creator_id
  order by e.bought_at desc, e.entry_id desc limit v_size;
end;
$$;
comment on function public.get_library is
  'A page of what the caller has bought, newest first (OFFER-06). search: words of the title, the text, or the creator''s name. kind: post, message, product, or session. before and before_id: bought_at and entry_id of the last item of the page before.';
revoke execute on function public.get_library from public;
grant execute on function public.get_library to authenticated;

-- The lists of kinds of payments, as in the files that have the rest of each function, with products.

create or replace function private.post_payment(p_type text, p_cause text, p_payer uuid, p_creator uuid, p_gross_cents bigint, p_fee_cents bigint, p_currency text, p_occurred_at timestamptz, p_product uuid default null, p_post uuid default null, p_subscription uuid default null) returns table (transaction_id uuid, is_new boolean)
language plpgsql security definer set search_path = ''
as $$
declare
  v_ledger uuid;
begin
  if p_gross_cents is null or p_fee_cents is null or p_gross_cents <= 0 or p_fee_cents < 0 or p_fee_cents >= p_gross_cents then
    raise exception 'Invalid payment of % cents with a fee of % cents', p_gross_cents, p_fee_cents using errcode = '22023';
  elsif p_type not in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product') or p_creator is null then
    raise exception 'A payment needs a creator and a known type' using errcode = '22023';
  end if;
  v_ledger := private.post_ledger(p_cause, p_type, p_currency, p_occurred_at, jsonb_build_object(
    'stripe', p_gross_cents,
    'platform_fees', -p_fee_cents,
    'creator:' || p_creator, p_fee_cents - p_gross_cents
  ));
  if v_ledger is null then
    return query select private.transaction_by_cause(p_cause), false;
    return;
  end if;
  return query
    insert into public.transactions (from_user_id, to_user_id, transaction_type, amount, fee_amount, currency, product_id, post_id,
      subscription_id, ledger_transaction_id, created_at)
    values (
      (select p.id from private.profiles p where p.id = p_payer),
      (select p.id from private.profiles p where p.id = p_creator),
      p_type, p_gross_cents, p_fee_cents, p_currency, p_product,
      (select p.id from private.posts p where p.id = p_post),
      p_subscription, v_ledger, p_occurred_at
    )
    returning id, true;
end;
$$;

create or replace function private.payment_to_refund(p_transaction uuid) returns public.transactions
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment public.transactions;
begin
  perform private.lock_books();
  -- "no key", so that a booking that is canceled at this moment can still refer to the payment. Otherwise the two would deadlock.
  select * into v_payment from public.transactions t where t.id = p_transaction for no key update;
  if v_payment.id is null then
    raise sqlstate 'PT404' using message = 'Payment not found';
  elsif v_payment.transaction_type not in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product') then
    raise exception 'Only payments can be refunded' using errcode = '22023';
  end if;
  return v_payment;
end;
$$;

create or replace function private.withdraw_access(p_payment public.transactions, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  case p_payment.transaction_type
    when 'ppv' then
      delete from public.purchases where transaction_id = p_payment.id;
    when 'paid_message' then
      delete from public.message_unlocks where transaction_id = p_payment.id;
    when 'product' then
      delete from public.product_purchases where transaction_id = p_payment.id;
    when 'subscription' then
      -- Refunding an earlier month doesn't end the access: later months were paid.
      if not exists (
        select from public.transactions later
        where later.subscription_id = p_payment.subscription_id and later.transaction_type = 'subscription'
          and (later.created_at, later.id) > (p_payment.created_at, p_payment.id)
      ) then
        perform private.end_subscription(p_payment.subscription_id, p_reason);
      end if;
    when 'private_session' then
      perform private.refund_booking(p_payment.id);
    when 'gift' then
      perform private.withdraw_gift(p_payment.id, p_reason);
    else null; -- a tip unlocks nothing
  end case;
end;
$$;

create or replace function private.restore_access(p_payment public.transactions) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_bought_again boolean := false;
begin
  -- A refund that was requested before the dispute is due again. If the job tries it at this moment and Stripe still rejects it because of the
  -- dispute, the changed attempts keep the job from marking it as done.
  update private.payment_tasks set done_at = null, attempts = attempts + 1, error = null
  where kind = 'refund' and transaction_id = p_payment.id;
  if found then
    return;
  end if;
  case p_payment.transaction_type
    when 'ppv' then
      insert into public.purchases (buyer_id, post_id, transaction_id)
      select p_payment.from_user_id, p_payment.post_id, p_payment.id
      where p_payment.from_user_id is not null and p_payment.post_id is not null
      on conflict on constraint purchases_once do nothing;
      v_bought_again := exists (
        select from public.purchases p
        where p.buyer_id = p_payment.from_user_id and p.post_id = p_payment.post_id and p.transaction_id <> p_payment.id
      );
    when 'paid_message' then
      perform private.restore_message_unlock(p_payment);
      v_bought_again := exists (
        select from public.message_unlocks u
        where u.buyer_id = p_payment.from_user_id and u.message_id = p_payment.message_id and u.transaction_id <> p_payment.id
      );
    when 'product' then
      insert into public.product_purchases (buyer_id, product_id, transaction_id, known_version)
      select p_payment.from_user_id, p.id, p_payment.id, p.version from public.products p
      where p.id = p_payment.bought_product_id and p_payment.from_user_id is not null
      on conflict on constraint product_purchases_once do nothing;
      v_bought_again := exists (
        select from public.product_purchases b
        where b.buyer_id = p_payment.from_user_id and b.product_id = p_payment.bought_product_id and b.transaction_id <> p_payment.id
      );
    when 'gift' then
      -- A gift that was redeemed has ended, as a subscription has.
      update private.gifts set state = 'open', closed_at = null
      where transaction_id = p_payment.id and state = 'refunded' and redeemed_at is null and expires_at > now();
    else null; -- a canceled subscription or session isn't restored
  end case;
  if v_bought_again then
    perform private.request_refund(p_payment.id, 'The dispute was won after the item had been bought again.');
  end if;
end;
$$;

create or replace function private.refund_effect(p_payment public.transactions) returns text
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
    when p_payment.transaction_type = 'product' then coalesce((
      select case when b.transaction_id = p_payment.id then 'ends' else 'covered' end
      from public.product_purchases b where b.buyer_id = p_payment.from_user_id and b.product_id = p_payment.bought_product_id
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
    when p_payment.transaction_type = 'gift' then coalesce((
      select 'ends' from private.gifts g left join public.subscriptions s on s.id = g.subscription_id
      where g.transaction_id = p_payment.id and (g.state = 'open' or (g.state = 'redeemed' and s.access_until > now()))
    ), 'none')
    when p_payment.transaction_type in ('tip', 'private_session') then 'none'
  end;
$$;

create or replace function private.is_repeated_payment(p_payment public.transactions) returns boolean
language sql stable security definer set search_path = ''
as $$
  select p_payment.status in ('completed', 'partially_refunded') and exists (
    select from public.transactions o
    where o.from_user_id = p_payment.from_user_id and o.to_user_id = p_payment.to_user_id and o.id is distinct from p_payment.id
      and o.transaction_type is not distinct from p_payment.transaction_type and o.status in ('completed', 'partially_refunded')
      and case p_payment.transaction_type
        when 'ppv' then o.post_id = p_payment.post_id
        when 'paid_message' then o.message_id = p_payment.message_id
        when 'product' then o.bought_product_id = p_payment.bought_product_id
        -- A renewal is a whole period later, and another amount for the same subscription within one is the switch to another term.
        when 'subscription' then o.product_id = p_payment.product_id and (o.subscription_id = p_payment.subscription_id and o.amount <> p_payment.amount) is not true and (
          select greatest(o.created_at, p_payment.created_at) - least(o.created_at, p_payment.created_at)
            < case s."interval" when 'day' then interval '12 hours' when 'week' then interval '84 hours' when 'month' then interval '15 days' else interval '182 days' end
              * coalesce((select min(b.interval_count) from public.subscriptions b where b.id in (o.subscription_id, p_payment.subscription_id)), 1)
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
  'Whether the fan paid for the same thing again and neither payment was refunded in full: the same post, message, or product, the same plan within half an interval, the same tip within an hour, or a session without a booking of its own within a day.';

create or replace function private.payment_target(p_payment public.transactions) returns text
language sql stable security definer set search_path = ''
as $$
  select case p_payment.transaction_type
    when 'subscription' then (select s.name from public.subscription_products s where s.id = p_payment.product_id)
    when 'private_session' then (select b.title from public.session_bookings b where b.transaction_id = p_payment.id order by b.id limit 1)
    when 'product' then (select '"' || p.title || '"' from public.products p where p.id = p_payment.bought_product_id)
    when 'gift' then (
      select private.months_of(g.months, s.name) from private.gifts g join public.subscription_products s on s.id = g.product_id
      where g.transaction_id = p_payment.id
    )
    else private.post_label(p_payment.post_id)
  end;
$$;

comment on function private.payment_target is
  'What a payment was for, in words: the plan''s name, the session''s or product''s title, or the post as in private.post_label. Null for a message or a tip without a post, and after the post or product was deleted.';

create or replace function public.get_payments(search text default null, page_size int default 25, before timestamptz default null, before_id uuid default null) returns setof public.listed_payment
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
          and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund')
        order by x.created_at desc, x.id desc limit v_size
      )
      union all
      select side.* from unnest(v_found) found(id) cross join lateral (
        (
          select x.* from public.transactions x
          where x.from_user_id = found.id and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
            and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund')
          order by x.created_at desc, x.id desc limit v_size
        )
        union all
        (
          -- A payment between two found users is in the list of its payer.
          select x.* from public.transactions x
          where x.to_user_id = found.id and (x.from_user_id is null or x.from_user_id <> all (v_found))
            and x.created_at <= v_before and (x.created_at, x.id) < (v_before, v_before_id)
            and x.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund')
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

create or replace function private.verify_booked_money() returns table (subject text, problem text)
language sql stable security definer set search_path = ''
as $$
  -- Each transaction against its movement.
  select t.id::text, 'differs from the ledger'
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
  select l.cause, 'is in the ledger but in no transaction'
  from private.ledger_transactions l where not exists (select from public.transactions t where t.ledger_transaction_id = l.id)
  union all
  -- Each balance: what the transactions add up to is what the ledger holds.
  select 'creator:' || p.id, 'has different balances in transactions and in the ledger'
  from private.profiles p
  where private.balance_of(p.id) <> coalesce((
    select sum(case t.transaction_type when 'payout' then -t.amount else t.net_amount end) from public.transactions t where t.to_user_id = p.id
  ), 0)
  union all
  -- Refunds: what went back is what the payment says, never more than it was, and the fee in its proportion.
  select t.id::text, 'doesn''t match its refunds'
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
  select t.id::text, 'has a status that doesn''t match its history'
  from public.transactions t
  where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product') and t.status <> case
    when exists (select from private.payment_disputes d where d.transaction_id = t.id and d.status = 'open') then 'disputed'
    when t.refunded_amount = t.amount then 'refunded'
    when t.refunded_amount > 0 then 'partially_refunded'
    else 'completed'
  end
  union all
  -- Commissions: never more than the fee they come from, as much as the referral says, and no more than the cap.
  select t.id::text, 'earned more commission than what remains of its fee'
  from public.transactions t
  join public.transactions c on c.original_transaction_id = t.id and c.transaction_type = 'referral_commission'
    and c.to_user_id is not null -- a deleted receiver's commission isn't taken back
  group by t.id
  having sum(c.amount) < 0
    or sum(c.amount) > t.fee_amount - private.share_of(t.fee_amount, t.amount, t.refunded_amount)
  union all
  select r.id::text, 'has a commission that differs from its transactions'
  from public.referrals r
  where r.referred_id is not null and r.commission_amount <> coalesce((
    select sum(c.amount) from public.transactions c join public.transactions t on t.id = c.original_transaction_id
    where c.transaction_type = 'referral_commission' and c.to_user_id = r.referrer_id and t.to_user_id = r.referred_id
  ), 0)
  union all
  select r.referrer_id::text, 'has rewards that differ from its referrals'
  from public.referrals r group by r.referrer_id
  having sum(r.reward_amount) <> coalesce((
    select sum(t.amount) from public.transactions t where t.to_user_id = r.referrer_id and t.transaction_type = 'referral_reward'
  ), 0)
  union all
  -- Days.
  select coalesce(kept.creator_id, counted.creator_id) || ' ' || coalesce(kept.day, counted.day) || ' ' || coalesce(kept.source, counted.source),
    'has a wrong sum for the day'
  from private.daily_earnings kept
  full join (
    select t.to_user_id as creator_id, (t.created_at at time zone 'UTC')::date as day, private.earning_source(t) as source,
      sum(t.amount) as gross, sum(t.net_amount) as net, count(*) filter (where t.transaction_type <> 'refund') as payments
    from public.transactions t where t.to_user_id is not null and t.transaction_type <> 'payout' group by 1, 2, 3
  ) counted using (creator_id, day, source)
  where (coalesce(kept.gross_cents, 0), coalesce(kept.net_cents, 0), coalesce(kept.payments, 0))
    <> (coalesce(counted.gross, 0), coalesce(counted.net, 0), coalesce(counted.payments, 0));
$$;

create or replace function private.compute_fans() returns setof private.fans
language sql stable set search_path = ''
as $$
  select e.*, s.tier_id, s.status, s.created_at, private.subscribed_until(s), s.cancel_at_period_end
  from (
    select e.creator_id, e.fan_id, min(e.at), sum(e.cents)::bigint, coalesce(sum(e.cents) filter (where e.kind = 'tip'), 0)::bigint,
      count(*) filter (where e.kind = 'ppv' and e.cents > 0)::int, count(*) filter (where e.kind = 'paid_message' and e.cents > 0)::int,
      count(*) filter (where e.kind = 'private_session' and e.cents > 0)::int
    from (
      select f.following_id as creator_id, f.follower_id as fan_id, f.created_at as at, 'follow' as kind, 0 as cents from public.follows f
      union all
      select s.creator_id, s.subscriber_id, s.created_at, 'plan', 0 from public.subscriptions s
      where s.status not in ('incomplete', 'incomplete_expired')
      union all
      select t.to_user_id, t.from_user_id, t.created_at, t.transaction_type, t.amount - t.refunded_amount from public.transactions t
      where t.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product')
        and t.from_user_id is not null and t.to_user_id is not null
      union all
      select m.creator_id, m.fan_id, m.added_at, 'list', 0 from public.fan_list_members m
    ) e
    group by 1, 2
  ) e
  left join (
    select distinct on (s.creator_id, s.subscriber_id) s.* from public.subscriptions s where s.status not in ('incomplete', 'incomplete_expired')
    order by s.creator_id, s.subscriber_id, private.subscribed_until(s) desc nulls last, s.created_at desc
  ) s0 on s0.creator_id = e.creator_id and s0.subscriber_id = e.fan_id
  left join public.subscriptions s on s.id = s0.id;
$$;

create or replace function public.get_fan_sheet(fan_profile_id uuid) returns setof public.fan_sheet
language sql stable security definer rows 1 set search_path = ''
as $$
  select p.id, p.username, p.display_name, p.avatar_url, p.updated_at, p.last_seen_at, f.created_at,
    s.plan_name, s.status, s.created_at, s.runs_until, s.cancel_at_period_end,
    money.spent, money.recent, money.by_type, money.purchases, sent.paid, sent.unlocked, source.name
  from (select private.my_profile_id() as id) me
  cross join lateral (select v.* from public.profiles v where v.id = fan_profile_id and v.id <> me.id offset 0) p
  left join public.follows f on f.follower_id = p.id and f.following_id = me.id
  left join lateral (
    select t.name as plan_name, o.status, o.created_at, o.cancel_at_period_end, case
        when o.status in ('active', 'trial') then o.current_period_end
        -- At the end of a period that was paid for, or before.
        when o.status = 'canceled' then case when o.cancel_at_period_end then o.current_period_end else least(o.canceled_at, o.current_period_end) end
      end as runs_until
    from public.subscriptions o join public.subscription_products t on t.id = o.tier_id
    where o.creator_id = me.id and o.subscriber_id = p.id and o.status not in ('incomplete', 'incomplete_expired')
    order by o.access_until > now() desc, o.created_at desc limit 1
  ) s on true
  cross join lateral (
    select coalesce(sum(k.cents), 0)::bigint as spent, coalesce(sum(k.recent), 0)::bigint as recent,
      coalesce(jsonb_object_agg(k.kind, k.cents) filter (where k.cents <> 0), '{}') as by_type,
      coalesce(sum(k.purchases), 0)::int as purchases
    from (
      select coalesce(o.transaction_type, m.transaction_type) as kind, sum(m.amount) as cents,
        sum(m.amount) filter (where coalesce(o.created_at, m.created_at) > now() - interval '30 days') as recent,
        count(*) filter (where m.transaction_type in ('ppv', 'paid_message', 'private_session', 'product') and m.refunded_amount < m.amount) as purchases
      from public.transactions m
      left join public.transactions o on o.id = m.original_transaction_id
      where m.from_user_id = p.id and m.to_user_id = me.id
      group by 1
    ) k
  ) money
  cross join lateral (
    select count(*)::int as paid, count(*) filter (where m.is_unlocked)::int as unlocked
    from private.messages m where m.sender_id = me.id and m.recipient_id = p.id and m.is_paid
  ) sent
  left join lateral (
    select l.name from private.link_fans k join public.tracking_links l on l.id = k.link_id where k.creator_id = me.id and k.fan_id = p.id
  ) source on true
  where private.is_approved_creator(me.id);
$$;

create or replace function private.ring_for_follows() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_follow record;
begin
  for v_follow in
    select c.* from changed c
    where not exists (
      select from public.subscriptions s
      where s.subscriber_id = c.follower_id and s.creator_id = c.following_id
        and case tg_op when 'INSERT' then s.access_until > now() else s.status not in ('incomplete', 'incomplete_expired') end
    ) and not exists (
      select from public.transactions t
      where t.from_user_id = c.follower_id and t.to_user_id = c.following_id
        and t.transaction_type in ('ppv', 'tip', 'paid_message', 'private_session', 'product')
    )
    order by c.following_id, c.created_at, c.id
  loop
    if tg_op = 'INSERT' then
      perform private.ring_together(v_follow.following_id, 'follow', v_follow.follower_id, null);
    else
      perform private.take_back(v_follow.following_id, 'follow', v_follow.follower_id, null, v_follow.created_at, (
        select f.follower_id from public.follows f where f.following_id = v_follow.following_id order by f.created_at desc limit 1
      ));
    end if;
  end loop;
  return null;
end;
$$;

create or replace function private.start_follow_flows() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.start_flows(c.following_id, c.follower_id, 'follow', 'follow')
  from changed c
  where not exists (
      select from public.subscriptions s where s.subscriber_id = c.follower_id and s.creator_id = c.following_id and s.access_until > now())
    and not exists (
      select from public.transactions t
      where t.from_user_id = c.follower_id and t.to_user_id = c.following_id
        and t.transaction_type in ('ppv', 'tip', 'paid_message', 'private_session', 'product'));
  return null;
end;
$$;

create or replace function private.start_payment_flows() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.transaction_type = 'subscription' then
    if exists (
      select from public.transactions t
      where t.subscription_id = new.subscription_id and t.transaction_type = 'subscription' and t.id <> new.id
    ) then
      perform private.start_flows(new.to_user_id, new.from_user_id, 'renewed', 'renewed:' || new.id);
    end if;
    return null;
  end if;
  perform private.start_flows(new.to_user_id, new.from_user_id, 'payment', 'payment:' || new.id, new.amount::text);
  if new.transaction_type <> 'tip' and not exists (
    select from public.transactions t
    where t.from_user_id = new.from_user_id and t.to_user_id = new.to_user_id and t.id <> new.id
      and t.transaction_type in ('ppv', 'paid_message', 'private_session', 'product')
  ) then
    perform private.start_flows(new.to_user_id, new.from_user_id, 'first_purchase', 'first_purchase');
  end if;
  return null;
end;
$$;

create or replace function public.get_revenue_split(creator_profile_id uuid, from_day date default null, to_day date default null) returns setof public.revenue_share
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_to date := coalesce(to_day, private.today());
  v_from date := coalesce(from_day, v_to - 29);
begin
  perform private.require_own_dashboard(creator_profile_id, v_from, v_to);
  return query
    with sums as (
      select k.source, k.position, coalesce(sum(d.gross_cents), 0) as gross, coalesce(sum(d.net_cents), 0) as net, coalesce(sum(d.payments), 0)::int as payments
      from unnest(array['subscription', 'tip', 'paid_message', 'ppv', 'private_session', 'product', 'referral']) with ordinality as k (source, position)
      left join private.daily_earnings d
        on d.creator_id = creator_profile_id and d.source = k.source and d.day between v_from and v_to
      group by k.source, k.position
    )
    select s.source, coalesce(s.gross, 0)::bigint, coalesce(s.net, 0)::bigint, s.payments,
      case when sum(s.net) over () > 0 then round(100 * s.net / sum(s.net) over (), 2) end
    from sums s order by s.position;
end;
$$;

comment on function public.get_revenue_split is
  'Earnings by source, always all seven (DASH-12, OFFER-05); the last 30 days by default. For the creator and admins.';

alter type public.daily_earnings add attribute products bigint;

create or replace function public.get_earnings_series(creator_profile_id uuid, from_day date default null, to_day date default null) returns setof public.daily_earnings
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_to date := coalesce(to_day, private.today());
  v_from date := coalesce(from_day, v_to - 29);
begin
  perform private.require_own_dashboard(creator_profile_id, v_from, v_to);
  return query
    select g.day::date,
      coalesce(sum(d.net_cents) filter (where d.source = 'subscription'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'tip'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'paid_message'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'ppv'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'private_session'), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'referral'), 0)::bigint,
      coalesce(sum(d.net_cents), 0)::bigint,
      coalesce(sum(d.net_cents) filter (where d.source = 'product'), 0)::bigint
    from generate_series(v_from::timestamp, v_to::timestamp, interval '1 day') as g (day)
    left join private.daily_earnings d on d.creator_id = creator_profile_id and d.day = g.day::date
    group by g.day order by g.day;
end;
$$;

create or replace function private.verify_counters() returns table (profile_id uuid, counter text, kept numeric, counted numeric)
language sql stable security definer set search_path = ''
as $$
  select * from private.verify_profile_counters()
  union all
  select coalesce(c.profile_id, m.recipient_id), 'message_counts.received', c.received, m.received
  from private.message_counts c
  full join (select recipient_id, count(*) as received from private.messages group by 1) m on m.recipient_id = c.profile_id
  where coalesce(c.received, 0) <> coalesce(m.received, 0)
  union all
  select * from private.verify_vault()
  union all
  select * from private.verify_fans()
  union all
  select * from private.verify_mass_messages()
  union all
  select * from private.verify_flows()
  union all
  select * from private.verify_links()
  union all
  select * from private.verify_products();
$$;

create or replace function private.is_filed(p_bucket text, p_path text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case p_bucket
    when 'posts' then exists (select from private.post_media m where m.path = p_path and m.removed_at is not null)
    when 'messages' then private.is_sent_file(p_path)
    when 'products' then private.is_product_file(p_path)
    when 'verification' then exists (
      select from public.creator_applications a
      where a.user_id::text = (storage.foldername(p_path))[1] and p_path in (a.id_front_url, a.id_back_url))
    else false
  end;
$$;

comment on function private.is_filed is
  'True when the file is part of an application, under review or decided, of a sent message, or of a product: from then on it is final.';

alter table public.transactions
  drop constraint transactions_type_known,
  add constraint transactions_type_known check (transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund', 'referral_reward', 'referral_commission', 'payout'));
alter table private.ledger_transactions
  drop constraint ledger_transactions_type_known,
  add constraint ledger_transactions_type_known check (type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product', 'refund', 'referral_reward', 'referral_commission', 'payout'));
alter table private.daily_earnings
  drop constraint daily_earnings_source_check,
  add constraint daily_earnings_source_check check (source in ('subscription', 'tip', 'paid_message', 'ppv', 'private_session', 'product', 'referral'));

drop trigger transactions_also_follow on public.transactions;
create trigger transactions_also_follow after insert on public.transactions
  for each row when (new.transaction_type in ('ppv', 'tip', 'paid_message', 'private_session', 'product') and new.from_user_id is not null and new.to_user_id is not null) execute function private.follow_paid();

drop trigger transactions_credit_commission on public.transactions;
create trigger transactions_credit_commission after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product') and new.to_user_id is not null) execute function private.credit_commission();

drop trigger transactions_follow_refund on public.transactions;
create trigger transactions_follow_refund after update of refunded_amount on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product') and new.refunded_amount <> old.refunded_amount) execute function private.follow_refund();

drop trigger transactions_keep_fan on public.transactions;
create trigger transactions_keep_fan after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product') and new.from_user_id is not null and new.to_user_id is not null) execute function private.keep_paying_fan();

drop trigger transactions_recount_fan on public.transactions;
create trigger transactions_recount_fan after update of refunded_amount on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product') and new.from_user_id is not null and new.to_user_id is not null and new.refunded_amount <> old.refunded_amount) execute function private.keep_paying_fan();

drop trigger transactions_start_flows on public.transactions;
create trigger transactions_start_flows after insert on public.transactions
  for each row when (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'product') and new.from_user_id is not null and new.to_user_id is not null) execute function private.start_payment_flows();

drop trigger transactions_write_receipt on public.transactions;
create trigger transactions_write_receipt after insert on public.transactions
  for each row when (new.from_user_id is not null and (new.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product') or (new.transaction_type = 'refund' and new.amount < 0))) execute function private.write_receipt();

drop trigger objects_reject_filed_change on storage.objects;
create trigger objects_reject_filed_change before update of bucket_id, name, version on storage.objects
  for each row when (old.bucket_id in ('posts', 'messages', 'products', 'verification')
    and (old.bucket_id, old.name, old.version) is distinct from (new.bucket_id, new.name, new.version)) execute function private.reject_filed_change();
drop trigger objects_reject_filed_removal on storage.objects;
create constraint trigger objects_reject_filed_removal after delete on storage.objects deferrable initially deferred
  for each row when (old.bucket_id in ('posts', 'messages', 'products', 'verification')) execute function private.reject_filed_removal();
