-- Up Migration
-- Contract: since my-subscriptions.ts the screen reads the table with its plan and creator (D29), and nothing calls the function.
drop function public.get_own_subscriptions();
drop type public.own_subscription;
-- No rule in the database reads it: the fee is taken where the payment is made.
delete from private.settings where key = 'platform_fee_percent';
