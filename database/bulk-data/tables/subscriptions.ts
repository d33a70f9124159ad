import type { Community } from '../community.ts'
import type { Table } from '../copy.ts'
import type { Subscription } from '../subscriptions.ts'

export function subscriptions(community: Community, list: readonly Subscription[]): Table[] {
  const { chance, tallies, until } = community
  return [
    {
      name: 'public.subscriptions',
      columns: [
        'id',
        'subscriber_id',
        'creator_id',
        'tier_id',
        'price_cents',
        'status',
        'current_period_start',
        'current_period_end',
        'trial_end',
        'cancel_at_period_end',
        'canceled_at',
        'past_due_since',
        'access_until',
        'created_at',
        'updated_at',
      ],
      *rows() {
        for (const one of list) {
          if (one.status !== 'canceled') tallies.subscribers[one.creator] = (tallies.subscribers[one.creator] ?? 0) + 1
          yield [
            chance.uuid('subscription', one.number),
            community.profileId(one.fan),
            community.profileId(one.creator),
            one.plan.id,
            one.plan.priceCents,
            one.status,
            new Date(one.periodStart),
            new Date(one.periodEnd),
            one.status === 'trial' ? new Date(one.periodEnd) : null,
            one.cancelAtPeriodEnd,
            dateOrNull(one.canceledAt),
            dateOrNull(one.pastDueSince),
            endless(one.accessUntil),
            new Date(one.startedAt),
            new Date(one.canceledAt ?? one.periodStart),
          ]
        }
      },
    },
    {
      name: 'private.stripe_subscriptions',
      columns: ['subscription_id', 'stripe_subscription_id', 'last_event_at', 'created_at'],
      *rows() {
        for (const { number, startedAt } of list) {
          const id = chance.uuid('subscription', number)
          yield [id, `sub_${id.replaceAll('-', '')}`, new Date(until), new Date(startedAt)]
        }
      },
    },
  ]
}

function dateOrNull(time: number | null): Date | null {
  return time === null ? null : new Date(time)
}

function endless(time: number): Date | string {
  if (Number.isFinite(time)) return new Date(time)
  return time > 0 ? 'infinity' : '-infinity'
}
