import { withClient } from '@ovation/server/postgres/migrate'
import type { Person } from './people.ts'

export type Broadcast = {
  readonly recipients: number
  readonly seconds: number
  /** While it ran: how often another session read, and how long its longest read took. */
  readonly reads: number
  readonly slowestReadMs: number
}

/** Notifies everybody as the admin, while another session keeps reading the bell and a profile. Rolled back: it can be run again. */
export async function measureBroadcast(ownerUrl: string, admin: Person, reader: Person): Promise<Broadcast> {
  return withClient(ownerUrl, (sender) =>
    withClient(ownerUrl, async (other) => {
      await sender.query('begin')
      await sender.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
        [JSON.stringify({ role: 'authenticated', sub: admin.userId })],
      )
      let isRunning = true
      const readings: number[] = []
      const reading = (async () => {
        await other.query(
          `select set_config('role', 'authenticated', false), set_config('request.jwt.claims', $1, false)`,
          [JSON.stringify({ role: 'authenticated', sub: reader.userId })],
        )
        while (isRunning) {
          const startedAt = performance.now()
          await other.query('select id, title from public.notifications order by created_at desc limit 100')
          await other.query('select * from public.profiles where id = $1', [reader.profileId])
          await other.query('select * from public.get_feed()')
          readings.push(performance.now() - startedAt)
        }
      })()
      const startedAt = performance.now()
      const { rows } = await sender
        .query<{ recipients: number }>(
          `select public.broadcast_notification_to_all_users('announcement', 'A word to everybody', 'We are open on Sundays.') as recipients`,
        )
        .finally(() => {
          isRunning = false
        })
      const seconds = (performance.now() - startedAt) / 1000
      await reading
      await sender.query('rollback')
      await sender.query('vacuum public.notifications')
      const recipients = rows[0]?.recipients ?? 0
      return { recipients, seconds, reads: readings.length, slowestReadMs: Math.max(...readings) }
    }),
  )
}
