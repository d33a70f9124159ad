-- Up Migration
-- A fan whose answer got lost presses again, and nobody can say from outside whether they want it once or twice: the button says so.
alter table private.checkout_sessions add column attempt_id uuid;
comment on column private.checkout_sessions.attempt_id is 'Made by the screen for one wish to pay, however often it is pressed: an attempt is charged once. Null where the client makes none.';
