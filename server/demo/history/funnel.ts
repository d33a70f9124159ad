import type pg from 'pg'

/**
 * Who looked at creators' pages, began to pay, and watched their videos before today, so that the analytics have a past. Shares that follow
 * from the rows, so that it is the same for every demo. Runs in a transaction; the job counts what it adds.
 */
export async function fillFunnel(client: pg.Client): Promise<void> {
  // Beside each view by a fan, two visitors; one of four goes on to the plans.
  await client.query(
    `insert into private.page_views (creator_id, page, at, visitor)
     select v.profile_id, p.page, v.viewed_on + make_interval(mins => ((v.id * 37 + n * 411) % 1440)::int), sha256(convert_to(v.id || '-' || n, 'UTF8'))
     from public.profile_views v cross join generate_series(0, 2) n
     cross join lateral (select 'profile' as page union all select 'plans' where (v.id + n) % 4 = 0) p
     where v.viewed_on + make_interval(mins => ((v.id * 37 + n * 411) % 1440)::int) < now()`,
  )
  // Each payment that a fan made had a checkout; a third as many came to nothing.
  await client.query(
    `insert into private.funnel_events (creator_id, at, is_plan)
     select t.to_user_id, t.created_at - make_interval(mins => n * 90), t.transaction_type = 'subscription'
     from (
       select distinct on (coalesce(m.subscription_id, m.id)) m.*
       from public.transactions m
       where m.to_user_id is not null and m.transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product')
       order by coalesce(m.subscription_id, m.id), m.created_at
     ) t
     cross join generate_series(0, 1) n
     where n = 0 or (extract(epoch from t.created_at)::bigint / 60) % 3 = 0`,
  )
  // Many stop in the first half, and some stay to the end.
  await client.query(
    `insert into private.media_progress (file, viewer_id, curve, step, moved_at)
     select distinct on (m.path, v.viewer_id) 'posts/' || m.path, v.viewer_id, 'posts/' || m.path,
       case when h.at % 5 < 2 then 20 when h.at % 5 < 4 then h.at % 13 + 4 else h.at % 5 end, v.created_at
     from private.post_media m
     join public.post_views v on v.post_id = m.post_id
     cross join lateral (select abs(hashtext(m.path || v.viewer_id)::bigint) as at) h
     where m.media_type = 'video' and m.removed_at is null
     on conflict on constraint media_progress_pkey do nothing`,
  )
}
