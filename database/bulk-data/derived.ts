import type pg from 'pg'

/** Rows that triggers would have created, derived in one go from the tables, only for the seeded users. */
const derivations: readonly { readonly table: string; readonly sql: string }[] = [
  {
    table: 'private.user_settings',
    sql: `insert into private.user_settings (user_id, updated_at)
      select p.id, p.created_at from private.profiles p
      where not exists (select from private.user_settings s where s.user_id = p.id)`,
  },
  {
    table: 'private.fans',
    sql: 'insert into private.fans select * from private.compute_fans() on conflict do nothing',
  },
  {
    table: 'private.conversations',
    sql: `insert into private.conversations (profile_id, other_id, last_message_id, last_message_at, unread_count, waiting_since, is_subscriber, spent)
      select s.profile_id, s.other_id, (array_agg(s.id order by s.created_at desc, s.id desc))[1], max(s.created_at),
        count(*) filter (where s.is_unread), private.waiting_since(s.profile_id, s.other_id), private.is_subscriber(s.profile_id, s.other_id),
        coalesce((select f.spent from private.fans f where f.creator_id = s.profile_id and f.fan_id = s.other_id), 0)
      from (
        select m.sender_id as profile_id, m.recipient_id as other_id, m.id, m.created_at, false as is_unread from private.messages m
        union all
        select m.recipient_id, m.sender_id, m.id, m.created_at, not m.is_read from private.messages m
      ) s
      group by s.profile_id, s.other_id
      on conflict do nothing`,
  },
  {
    table: 'private.conversation_names',
    sql: `insert into private.conversation_names (profile_id, other_id, words)
      select c.profile_id, c.other_id, private.vault_words(c.profile_id, o.username, o.display_name, null)
      from private.conversations c
      join private.profiles p on p.id = c.profile_id and p.is_verified
      join private.profiles o on o.id = c.other_id
      on conflict do nothing`,
  },
  {
    table: 'private.message_texts',
    sql: `insert into private.message_texts (message_id, profile_id, other_id, sent_at, words)
      select m.id, s.profile_id, s.other_id, m.created_at, private.message_words(m.body)
      from private.messages m
      cross join lateral (values (m.sender_id, m.recipient_id), (m.recipient_id, m.sender_id)) s (profile_id, other_id)
      where s.profile_id = m.sender_id or not m.is_paid or m.is_unlocked
      on conflict do nothing`,
  },
  {
    table: 'private.daily_earnings',
    sql: `insert into private.daily_earnings (creator_id, day, source, gross_cents, net_cents, payments)
      select t.to_user_id, (t.created_at at time zone 'UTC')::date, t.transaction_type, sum(t.amount), sum(t.net_amount), count(*)
      from public.transactions t
      where t.transaction_type = 'subscription' and t.to_user_id is not null
      group by 1, 2, 3
      on conflict do nothing`,
  },
  {
    table: 'private.subscriber_spans',
    sql: `insert into private.subscriber_spans
        (creator_id, subscription_id, plan_id, link_id, source, monthly_cents, joined_at, began_at, began_as, ended_at, ended_as, months)
      select c.creator_id, c.subscription_id, c.plan_id, c.link_id, c.source, c.monthly_cents, c.joined_at, c.began_at, c.began_as,
        c.ended_at, c.ended_as, c.months
      from private.compute_subscriber_spans() c
      where not exists (select from private.subscriber_spans s where s.subscription_id = c.subscription_id)`,
  },
  {
    table: 'private.subscriber_values',
    sql: `insert into private.subscriber_values (creator_id, fan_id, plan_id, link_id, joined_at, subscription_cents, other_cents)
      select c.creator_id, c.fan_id, c.plan_id, c.link_id, c.joined_at, c.subscription_cents, c.other_cents
      from private.compute_subscriber_values() c
      where c.fan_id is not null
      on conflict do nothing`,
  },
  {
    table: 'private.funnel_quarters',
    sql: 'select private.fill_funnel()',
  },
  {
    table: 'private.message_counts',
    sql: `insert into private.message_counts (profile_id, received)
      select m.recipient_id, count(*) from private.messages m group by 1
      on conflict (profile_id) do update set received = excluded.received`,
  },
  {
    table: 'private.ledger_balances',
    sql: `insert into private.ledger_balances (account_id, balance_cents)
      select e.account_id, sum(e.amount_cents) from private.ledger_entries e group by e.account_id
      on conflict (account_id) do update set balance_cents = excluded.balance_cents`,
  },
]

export async function deriveRows(client: pg.Client, onTable: (table: string, rows: number) => void): Promise<void> {
  for (const { table, sql } of derivations) {
    const { rowCount } = await client.query(sql)
    onTable(table, rowCount ?? 0)
  }
}
