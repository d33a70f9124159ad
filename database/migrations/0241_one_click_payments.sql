-- Up Migration
-- A payment by a saved card has no page (D40): its payment intent stands among the checkouts, so that a second click finds it.
alter table private.checkout_sessions alter column url drop not null,
  add constraint checkout_sessions_open_has_page check (url is not null or status = 'complete');
comment on table private.checkout_sessions is 'Checkouts that were started, and payments by one click: who, with whom, for what. Stripe''s id of the session or payment intent names them.';
comment on column private.checkout_sessions.url is 'The page on which it is paid; null for a payment by one click, which is complete from the start.';
