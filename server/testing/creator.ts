import type { Person, TestGateway } from './gateway.ts'

/** A person whose application an admin has approved and whose payout account is set up: one who may publish and sell (D25). */
export async function buildCreator(gateway: TestGateway): Promise<Person> {
  const creator = await gateway.signUp()
  await gateway.query('update private.profiles set is_creator = true, is_verified = true where id = $1', [
    creator.profileId,
  ])
  return creator
}
