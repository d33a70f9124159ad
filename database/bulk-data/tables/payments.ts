import { splitPayment } from '@ovation/contract/fees'
import { type Community, dayMs } from '../community.ts'
import type { Table, Value } from '../copy.ts'
import { appendEntry, type Chain, openChain, type SharedChains } from '../ledger-chain.ts'
import type { Subscription } from '../subscriptions.ts'

type Payment = { readonly subscription: Subscription; readonly at: number; readonly isFirst: boolean }

/**
 * The income from subscriptions: every charge in the ledger, balanced and chained, the transaction that both users
 * see, and the creator's notification.
 */
export function payments(community: Community, list: readonly Subscription[], shared: SharedChains): Table[] {
  const { chance, tallies, plan } = community
  const charges: Payment[] = list
    .flatMap((subscription) => subscription.payments.map((at, place) => ({ subscription, at, isFirst: place === 0 })))
    .sort((one, other) => one.at - other.at)
  const stripe = shared.stripe ?? openChain(chance.uuid('ledgerAccount', plan.creators))
  const fees = shared.platform_fees ?? openChain(chance.uuid('ledgerAccount', plan.creators + 1))
  const creators = new Map<number, Chain>()
  for (const { subscription } of charges) {
    if (creators.has(subscription.creator)) continue
    creators.set(subscription.creator, openChain(chance.uuid('ledgerAccount', subscription.creator)))
  }
  const ledgerId = (place: number) => chance.uuid('ledgerTransaction', place)
  const movement = ({ at }: Payment, place: number) => ({
    cause: `in_${chance.uuid('payment', place).replaceAll('-', '')}`,
    type: 'subscription',
    occurredAt: new Date(at),
  })
  const each = (row: (payment: Payment, place: number) => Value[]) =>
    function* () {
      for (const [place, payment] of charges.entries()) yield row(payment, place)
    }
  return [
    {
      name: 'private.ledger_accounts',
      columns: ['id', 'code', 'kind', 'profile_id', 'created_at'],
      *rows() {
        const opened = new Date(charges[0]?.at ?? community.until)
        if (charges.length > 0 && !shared.stripe) yield [stripe.id, 'stripe', 'asset', null, opened]
        if (charges.length > 0 && !shared.platform_fees) yield [fees.id, 'platform_fees', 'revenue', null, opened]
        for (const [creator, { id }] of creators) {
          const profile = community.profileId(creator)
          yield [id, `creator:${profile}`, 'liability', profile, opened]
        }
      },
    },
    {
      name: 'private.ledger_transactions',
      columns: ['id', 'cause', 'type', 'occurred_at', 'created_at'],
      rows: each((payment, place) => {
        const { cause, type, occurredAt } = movement(payment, place)
        return [ledgerId(place), cause, type, occurredAt, occurredAt]
      }),
    },
    {
      name: 'private.ledger_entries',
      columns: ['id', 'transaction_id', 'account_id', 'amount_cents', 'seq', 'previous_hash', 'hash', 'created_at'],
      *rows() {
        for (const [place, payment] of charges.entries()) {
          const { creator, plan } = payment.subscription
          const fee = feeOf(plan.priceCents)
          const move = movement(payment, place)
          const sides = [
            [stripe, 'stripe', plan.priceCents],
            [fees, 'platform_fees', -fee],
            [creators.get(creator), `creator:${community.profileId(creator)}`, fee - plan.priceCents],
          ] as const
          for (const [side, [chain, code, cents]] of sides.entries()) {
            if (!chain) continue
            const { seq, previousHash, hash } = appendEntry(chain, code, move, cents)
            const id = chance.uuid('ledgerEntry', place * 3 + side)
            yield [id, ledgerId(place), chain.id, cents, seq, previousHash, hash, move.occurredAt]
          }
        }
      },
    },
    {
      name: 'public.transactions',
      columns: [
        'id',
        'from_user_id',
        'to_user_id',
        'transaction_type',
        'amount',
        'fee_amount',
        'product_id',
        'subscription_id',
        'ledger_transaction_id',
        'created_at',
      ],
      rows: each(({ subscription: { number, fan, creator, plan }, at }, place) => {
        const fee = feeOf(plan.priceCents)
        tallies.earnedCents[creator] = (tallies.earnedCents[creator] ?? 0) + plan.priceCents - fee
        return [
          chance.uuid('payment', place),
          community.profileId(fan),
          community.profileId(creator),
          'subscription',
          plan.priceCents,
          fee,
          plan.id,
          chance.uuid('subscription', number),
          ledgerId(place),
          new Date(at),
        ]
      }),
    },
    {
      name: 'public.notifications',
      columns: ['id', 'user_id', 'type', 'title', 'message', 'data', 'is_read', 'created_at'],
      rows: each(({ subscription: { fan, creator, plan }, at, isFirst }, place) => {
        const { displayName } = community.nameOf(fan)
        const earned = ((plan.priceCents - feeOf(plan.priceCents)) / 100).toFixed(2)
        return [
          chance.uuid('notification', place),
          community.profileId(creator),
          isFirst ? 'subscription' : 'payment',
          `${displayName} ${isFirst ? 'subscribed to' : 'paid for'} ${plan.name}`,
          `You earned $${earned}.`,
          JSON.stringify({ profile_id: community.profileId(fan), transaction_id: chance.uuid('payment', place) }),
          at < community.until - 3 * dayMs,
          new Date(at),
        ]
      }),
    },
  ]
}

/** With the default of `PLATFORM_FEE_PERCENT` (GEN-06): these payments were made before anyone changed it. */
const feeOf = (cents: number): number => splitPayment(cents, 10).feeCents
