import type { Community, Plan } from '../community.ts'
import type { Table, Value } from '../copy.ts'

const descriptions: Record<string, string> = {
  Supporter: 'All posts for subscribers.',
  Backstage: 'Everything, and the making of it.',
  'A whole year': 'Twelve months for the price of ten.',
}

/** Subscription plans of creators, with ids in Stripe's format. */
export function products(community: Community): Table[] {
  const allPlans = (row: (plan: Plan, creator: number) => Value[]) =>
    function* () {
      for (let creator = 0; creator < community.plan.creators; creator++) {
        for (const plan of community.plansOf(creator)) yield row(plan, creator)
      }
    }
  return [
    {
      name: 'public.subscription_products',
      columns: ['id', 'creator_id', 'name', 'description', 'price_cents', 'interval', 'trial_days', 'created_at'],
      rows: allPlans((plan, creator) => [
        plan.id,
        community.profileId(creator),
        plan.name,
        descriptions[plan.name] ?? null,
        plan.priceCents,
        plan.interval,
        plan.trialDays,
        new Date(community.joinedAt(creator)),
      ]),
    },
    {
      name: 'private.stripe_products',
      columns: ['product_id', 'stripe_product_id', 'created_at'],
      rows: allPlans((plan, creator) => [
        plan.id,
        `prod_${plan.id.replaceAll('-', '')}`,
        new Date(community.joinedAt(creator)),
      ]),
    },
    {
      name: 'private.stripe_prices',
      columns: ['stripe_price_id', 'product_id', 'interval_count', 'price_cents', 'created_at'],
      rows: allPlans((plan, creator) => [
        `price_${plan.id.replaceAll('-', '')}`,
        plan.id,
        1,
        plan.priceCents,
        new Date(community.joinedAt(creator)),
      ]),
    },
  ]
}
