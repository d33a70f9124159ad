import type { Job } from '../jobs/index.ts'
import { sql } from '../postgres/sql.ts'
import type { AuthContext } from './context.ts'

/** Each hour: spent tokens, abandoned flows, and accounts that nobody confirmed. Doing it twice does nothing more. */
export function buildSweepJob({ db, config }: Pick<AuthContext, 'db' | 'config'>): Job<object> {
  return {
    name: 'auth-sweep',
    schedule: { cron: '17 * * * *', data: {} },
    async run() {
      await db.rows(sql`select private.sweep_accounts(${config.auth.unconfirmedDays}, ${config.auth.auditLogDays})`)
    },
  }
}
