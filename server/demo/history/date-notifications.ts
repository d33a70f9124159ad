import type pg from 'pg'

/**
 * Gives notifications the time of what they are about. Don't deliver them: that is in the past.
 * @param found a select of notifications.id, its time `at`, and whether it `is_read` by now.
 */
export const dateNotifications = (client: pg.Client, found: string, values: readonly unknown[] = []) =>
  client.query(
    `with found as (${found}), dated as (
       update public.notifications n set created_at = found.at, is_read = found.is_read
       from found where found.id = n.id returning n.id
     )
     delete from private.notification_deliveries where notification_id in (select id from dated)`,
    [...values],
  )
