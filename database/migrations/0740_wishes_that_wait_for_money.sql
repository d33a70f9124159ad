-- Up Migration
-- Taking back needs what the creator has at the provider, and passing on what the platform has there: both come with later payments.
alter table private.payment_tasks add column waits_until timestamptz;
comment on column private.payment_tasks.waits_until is 'Not tried before then: the provider had too little money for it. Null when nothing is known to be in the way.';
