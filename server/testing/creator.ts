import type { Person, TestGateway } from './gateway.ts'

/** An approved creator, who may publish (D25). There is no payout account: nothing is charged for them. */
export async function buildCreator(gateway: TestGateway): Promise<Person> {
  const creator = await gateway.signUp()
  await gateway.query('update private.profiles set is_creator = true, is_verified = true where id = $1', [
    creator.profileId,
  ])
  return creator
}
