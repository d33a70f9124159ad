import type { Participant } from './people.ts'
import { retryUnanswered } from './retry-unanswered.ts'
import type { WalkFixture } from './walk-fixture.ts'

/** The fan prepares a gift of one to twelve months for the other one. @returns gifts.id, to be paid for. */
export async function prepareGift(
  { plans, fans, environment }: WalkFixture,
  { fan, what }: { fan: number; what: number },
): Promise<string> {
  const giver = fans[fan] as Participant
  const [recipient] = await environment.query<{ username: string }>(
    'select username from private.profiles where id = $1',
    [fans[1 - fan]?.profileId],
  )
  const gift = {
    plan_id: plans[what % plans.length]?.id,
    months: [1, 3, 6, 12][what % 4],
    username: recipient?.username,
  }
  const { data } = await retryUnanswered(async () => giver.client.rpc('create_gift', gift).throwOnError())
  return data
}

/** A fan opens the link of a gift that they were given, which may be redeemed or closed by now. */
export async function redeemGift(world: WalkFixture, what: number): Promise<void> {
  const gift = await chosenGift(world, what)
  if (!gift) return
  world.environment.count('gifts opened')
  await retryUnanswered(async () => gift.recipient.client.rpc('redeem_gift', { code: gift.code }).throwOnError())
}

/** A fan takes back a gift that they gave. */
export async function takeBackGift(world: WalkFixture, what: number): Promise<void> {
  const gift = await chosenGift(world, what)
  if (!gift) return
  world.environment.count('gifts taken back')
  await retryUnanswered(async () => gift.giver.client.rpc('take_back_gift', { gift_id: gift.id }).throwOnError())
}

/** Only the server knows the key that codes are derived from, so each gift gets a code that is known here. */
async function chosenGift({ environment, fans }: WalkFixture, what: number) {
  const gifts = await environment.query<{ id: string; code: string; giver: string; recipient: string }>(
    `update private.gifts set code_hash = private.gift_code_hash(replace(id::text, '-', ''))
     where giver_id = any($1::uuid[]) and state <> 'unpaid'
     returning id, replace(id::text, '-', '') as code, giver_id as giver, recipient_id as recipient`,
    [fans.map(({ profileId }) => profileId)],
  )
  const gift = gifts[what % gifts.length]
  const fanWith = (id: string) => fans.find(({ profileId }) => profileId === id) as Participant
  return gift && { ...gift, giver: fanWith(gift.giver), recipient: fanWith(gift.recipient) }
}
