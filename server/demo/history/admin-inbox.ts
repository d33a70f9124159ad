import type { SupabaseClient } from '@supabase/supabase-js'
import type pg from 'pg'
import type { Gateway } from '../../gateway.ts'
import { demoReports, demoRequests } from '../content/admin-inbox.ts'
import { demoApplicant } from '../content/fans.ts'
import { demoEmail, enter } from '../demo-client.ts'
import { apply } from '../seed-creator.ts'

const dayMs = 86_400_000

/** An application that waits for the admin. */
export async function inviteApplicant(gateway: Gateway, service: SupabaseClient): Promise<void> {
  const applicant = await enter(gateway, service, demoApplicant.username, demoApplicant.displayName)
  await apply(applicant, demoApplicant.displayName)
}

/** What else waits for the admin: reports, and requests to support. Runs in a transaction. */
export async function fillDesk(client: pg.Client, now: number): Promise<void> {
  await client.query(
    `insert into public.support_requests (user_id, name, email, subject, category, message, priority, status, created_at)
     select p.user_id, p.display_name, r.email, r.subject, r.category, r.message, r.priority, r.status, r.at
     from jsonb_to_recordset($1) as r (who text, email text, subject text, category text, message text, priority text, status text, at timestamptz)
     join private.profiles p on p.username = r.who`,
    [
      JSON.stringify(
        demoRequests.map(({ day, ...request }) => ({
          ...request,
          email: demoEmail(request.who),
          at: new Date(now - day * dayMs),
        })),
      ),
    ],
  )
  await client.query(
    `insert into public.reports (reporter_id, target_type, target_id, reason, details, created_at)
     select p.id, 'comment', c.id, r.reason, r.details, r.at
     from jsonb_to_recordset($1) as r (who text, comment text, reason text, details text, at timestamptz)
     join private.profiles p on p.username = r.who join public.comments c on c.content = r.comment
     on conflict do nothing`,
    [JSON.stringify(demoReports.map(({ day, ...report }) => ({ ...report, at: new Date(now - day * dayMs) })))],
  )
}
