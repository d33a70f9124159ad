import type { SupabaseClient } from '@supabase/supabase-js'
import type { Gateway } from '../gateway.ts'
import { sql } from '../postgres/sql.ts'
import { giveAvatar } from './avatar.ts'
import { seedCreator } from './creators.ts'
import { seedFan } from './fans.ts'
import { seedConversation } from './messages.ts'
import { demoAdmin, demoConversation, demoCreators, demoFans, demoPassword } from './people.ts'
import { type DemoPerson, demoEmail, enter, openClient } from './visitor.ts'

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
 * The demo's people, made the way people come to be: through the APIs, with the official client, paying on the sandbox's pages.
 * A start that was interrupted is taken up where it stopped; once whole, it is not done again.
 * @returns the logins to print.
 */
export async function seedDemo(gateway: Gateway): Promise<readonly DemoLogin[]> {
  const { database } = gateway.services
  const [done] = await database.service.rows(sql`select from private.settings where key = 'demo_seeded'`)
  if (done) return logins
  const service = openClient(gateway, gateway.services.secrets.serviceRoleKey)
  const admin = await seedAdmin(gateway, service)
  // The first creator comes first, because that is who she is (GEN-17); the others side by side.
  const [first, ...others] = demoCreators
  const creator = first && (await seedCreator({ gateway, service, admin, creator: first }))
  await Promise.all(others.map((creator) => seedCreator({ gateway, service, admin, creator })))
  const fans = await Promise.all(demoFans.map((fan) => seedFan({ gateway, service, fan })))
  const fan = fans[demoFans.findIndex(({ username }) => username === demoConversation.fan)]
  if (creator && fan) await seedConversation(creator, fan)
  await database.service.rows(
    sql`insert into private.settings (key, value) values ('demo_seeded', 'true') on conflict do nothing`,
  )
  return logins
}

async function seedAdmin(gateway: Gateway, service: SupabaseClient): Promise<DemoPerson> {
  const admin = await enter(gateway, service, demoAdmin.username, demoAdmin.displayName)
  // No account is an admin by its address; this installation's demo names one, as an operator would in user_roles (D8).
  await gateway.services.database.service.rows(
    sql`insert into public.user_roles (user_id, role) values (${admin.userId}, 'admin') on conflict do nothing`,
  )
  await giveAvatar(admin, demoAdmin.palette, demoAdmin.portraitSeed)
  return admin
}
