import { nameDevice } from '@ovation/contract/device-name'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { inBackground } from '../after-response.ts'
import type { AuthContext } from '../context.ts'
import { loginAlertMail } from '../email/account-emails.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Account } from '../users/account.ts'

/**
 * Records the device of a sign-in, and alerts the owner to a new one (SET-22). The first device of an
 * account is the one that created it, so it causes no alert.
 */
export async function noteDevice(
  ctx: AuthContext,
  db: CallerDb,
  account: Account,
  visitor: RequestOrigin,
): Promise<void> {
  const kind = (visitor.userAgent ?? '').replaceAll(/[\d._]+/g, '')
  const [device] = await db.rows<{ is_news: boolean }>(sql`
    with known as (
      select count(*) as devices from auth.known_devices where user_id = ${account.id}
    ), noted as (
      insert into auth.known_devices (user_id, device_hash) values (${account.id}, ${ctx.keyedHash('device', kind)})
      on conflict (user_id, device_hash) do update set last_seen_at = now()
      returning xmax = 0 as is_new
    )
    select noted.is_new and known.devices > 0 and coalesce((
      select s.login_alerts from private.user_settings s join private.profiles p on p.id = s.user_id where p.user_id = ${account.id}
    ), true) as is_news
    from noted, known`)
  const { email } = account
  if (!device?.is_news || !email || !account.email_confirmed_at) return
  const mail = loginAlertMail(ctx, email, { device: nameDevice(visitor.userAgent), ip: visitor.ip, at: new Date() })
  inBackground(ctx, () => ctx.mailer.send(mail))
}
