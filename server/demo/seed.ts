import type { SupabaseClient } from '@supabase/supabase-js'
import type { Gateway } from '../gateway.ts'
import { sql } from '../postgres/sql.ts'
import { giveAvatar } from './avatar.ts'
import { firstConversation } from './content/conversations.ts'
import { demoCreators } from './content/creators/index.ts'
import { demoAdmin, demoFans, demoPassword } from './content/fans.ts'
import { type DemoPerson, demoEmail, enter, openClient } from './demo-client.ts'
import { settingOf } from './history/steps.ts'
import { seedMassMessages } from './mass-messages.ts'
import { seedConversation } from './messages.ts'
import { seedCreator } from './seed-creator.ts'
import { seedFan } from './seed-fan.ts'

export type DemoLogin = {
  readonly role: 'admin' | 'creator' | 'fan'
  readonly email: string
  readonly password: string
}

const logins: readonly DemoLogin[] = [
  { role: 'admin', email: demoEmail(demoAdmin.username), password: demoPassword },
  ...demoCreators
    .slice(0, 2)
    .map(({ username }) => ({ role: 'creator' as const, email: demoEmail(username), password: demoPassword })),
  ...demoFans.map(({ username }) => ({ role: 'fan' as const, email: demoEmail(username), password: demoPassword })),
]

/**
 * Creates the demo users the way real users are created: through the APIs, with the official client, paying on the sandbox's pages.
 * An interrupted start continues where it stopped. Once complete, the seeding doesn't run again.
 * @returns the logins to print.
 */
export async function seedDemo(gateway: Gateway): Promise<readonly DemoLogin[]> {
  const { database } = gateway.services
  const [done] = await database.service.rows(sql`select from private.settings where key = 'demo_seeded'`)
  if (done) return logins
  const service = openClient(gateway, gateway.services.secrets.serviceRoleKey)
  const admin = await seedAdmin(gateway, service)
  // The first creator must be created first (GEN-17); the others run in parallel.
  const [first, ...others] = demoCreators
  const creator = first && (await seedCreator({ gateway, service, admin, creator: first }))
  await Promise.all(others.map((creator) => seedCreator({ gateway, service, admin, creator })))
  const fans = await Promise.all(demoFans.map((fan) => seedFan({ gateway, service, fan })))
  const fan = fans.find(({ username }) => username === firstConversation.between[1])
  if (creator && fan) {
    await seedConversation(creator, fan)
    await seedMassMessages(creator, fan)
  }
  await database.service.rows(
    sql`insert into private.settings (key, value) values ('demo_seeded', 'true'), (${settingOf('users')}, 'true') on conflict do nothing`,
  )
  return logins
}

async function seedAdmin(gateway: Gateway, service: SupabaseClient): Promise<DemoPerson> {
  const admin = await enter(gateway, service, demoAdmin.username, demoAdmin.displayName)
  // No account becomes admin by its address alone; the demo names one in user_roles, as an operator would (D8).
  await gateway.services.database.service.rows(
    sql`insert into public.user_roles (user_id, role) values (${admin.userId}, 'admin') on conflict do nothing`,
  )
  await giveAvatar(admin)
  return admin
}
