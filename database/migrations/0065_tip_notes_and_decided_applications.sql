-- Up Migration

-- A note with a tip: a few words for the creator. It travels with the payment at Stripe, and arrives in the notification of the tip. The
-- checkout session keeps it, so that a tip with other words gets a page of its own.
alter table private.checkout_sessions add column note text constraint checkout_sessions_note_length check (length(note) between 1 and 200);
comment on column private.checkout_sessions.note is 'What the fan wrote to the creator with a tip, in one line; null for none, and for other payments.';

-- As in 0050_notification_texts.sql, with the note. Servers of the previous version call it without one.
drop function private.post_tip(text, uuid, uuid, bigint, bigint, text, timestamptz, uuid);
create function private.post_tip(
  p_cause text,
  p_fan uuid,
  p_creator uuid,
  p_gross_cents bigint,
  p_fee_cents bigint,
  p_currency text,
  p_occurred_at timestamptz,
  p_post uuid default null,
  p_note text default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_payment record;
begin
  perform private.require_tip_amount(p_gross_cents);
  select * into v_payment from private.post_payment(
    'tip', p_cause, p_fan, p_creator, p_gross_cents, p_fee_cents, p_currency, p_occurred_at, null, p_post);
  if v_payment.is_new then
    perform private.notify(
      c.id, 'tip',
      coalesce(private.name_of(p_fan), 'Someone') || ' tipped you ' || private.dollars(p_gross_cents),
      'You earned ' || private.dollars(p_gross_cents - p_fee_cents) || '.' || coalesce(' “' || nullif(p_note, '') || '”', ''),
      jsonb_strip_nulls(jsonb_build_object('profile_id', p_fan, 'post_id', p_post, 'transaction_id', v_payment.transaction_id))
    )
    from private.profiles c where c.id = p_creator;
  end if;
  return v_payment.transaction_id;
end;
$$;
comment on function private.post_tip is
  'Books a tip and notifies the creator. Idempotent by p_cause. p_post: the post that it was given on. p_note: what the fan wrote with it. Returns transactions.id.';

-- As in 0055_feeds.sql, with the notes.
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
    (select 'tip_notes', jsonb_build_object('creator_id', c.creator_id, 'post_id', c.post_id, 'amount_cents', c.amount_cents, 'note', c.note,
        'status', c.status, 'created_at', c.created_at)::text
      from private.checkout_sessions c where c.profile_id = v_me and c.note is not null order by c.created_at)
    union all
    (select 'statement', (to_jsonb(l) - 'account_id')::text from private.statement_lines l where l.account_id = v_account order by l.seq);
  return array['promotion_codes', 'group_messages', 'push_subscriptions', 'feed_addresses', 'video_captions', 'tip_notes', 'statement'];
end;
$$;

-- An application that one admin has decided is done for all of them: their notifications of it become read. One notification may stand for
-- several applications, so it waits for the last of them.
create function private.quiet_admins() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_waiting uuid[];
begin
  -- Locked first, in the order of private.ring_admins: of two admins who decide the last two applications at the same moment, the second
  -- sees what the first has decided.
  select array_agg(l.id) into v_waiting
  from (
    select n.id
    from public.user_roles r
    join private.profiles p on p.user_id = r.user_id
    join public.notifications n on n.user_id = p.id and not n.is_read and n.data ? 'group' and n.data ->> 'group' = 'application'
    where r.role = 'admin'
    order by p.id
    for update of n
  ) l;
  update public.notifications n set is_read = true
  where n.id = any (v_waiting) and not exists (
    select from public.creator_applications a
    where a.status = 'pending' and a.submitted_at >= (n.data ->> 'since')::timestamptz
  );
  return null;
end;
$$;
comment on function private.quiet_admins is 'Trigger of creator_applications: marks the admins'' notifications of applications as read once all of these are decided or gone.';
create trigger creator_applications_quiet after update of status on public.creator_applications
  for each row when (old.status = 'pending' and new.status <> 'pending') execute function private.quiet_admins();
create trigger creator_applications_quiet_gone after delete on public.creator_applications
  for each row when (old.status = 'pending') execute function private.quiet_admins();
