-- Up Migration
-- What a checkout is for, beyond a plan: the post that is bought, or under which a tip is given, and how much (POST-45, PROF-21).
alter table private.checkout_sessions
  add column post_id uuid references private.posts on delete set null,
  add column amount_cents int check (amount_cents > 0);
comment on column private.checkout_sessions.post_id is 'The post that is bought, or under which a tip is given; null for a plan, and once the post is deleted.';
comment on column private.checkout_sessions.amount_cents is 'What a single payment asks for; null for a plan, whose price says it.';
create index checkout_sessions_post_id_idx on private.checkout_sessions (post_id);
