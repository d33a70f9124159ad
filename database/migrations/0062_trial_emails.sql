-- Up Migration

-- A free trial takes no money, so it has no receipt. Its own email names the day of the first charge.
alter table private.payment_emails drop constraint payment_emails_kind_check,
  add constraint payment_emails_kind_check
    check (kind in ('receipt', 'refund', 'payment_failed', 'trial_started', 'trial_ends', 'renewal'));
create function private.write_trial_start() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.payment_emails (kind, profile_id, subscription_id, key)
  values ('trial_started', new.subscriber_id, new.id, 'trial:' || new.id)
  on conflict on constraint payment_emails_once do nothing;
  return null;
end;
$$;
comment on function private.write_trial_start is 'Trigger of subscriptions: queues the email about a free trial that begins. A shorter trial begins with the reminder of its end (private.write_reminders).';
create trigger subscriptions_write_trial_start after insert or update of status on public.subscriptions
  for each row when (new.status = 'trial' and new.current_period_end > now() + interval '3 days') execute function private.write_trial_start();
