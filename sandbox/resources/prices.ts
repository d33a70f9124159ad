import { errors } from '../http/errors.ts'
import { fromParam, fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { amount, boolean, integer, metadata, object, oneOf, required, string, unsettable, usd } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'

type Price = Kinds['price']

/** Stripe bills at most every three years. */
const longest = { day: 1095, week: 156, month: 36, year: 3 }

const recurringFields = object({
  interval: required(oneOf('day', 'week', 'month', 'year')),
  interval_count: integer({ min: 1 }),
  usage_type: oneOf('licensed'),
})

/** A price in cents, once or for each interval. */
export function newPrice(
  now: number,
  {
    product,
    unit_amount,
    recurring,
    metadata: values = {},
    nickname = null,
    active = true,
  }: {
    product: string
    unit_amount: number
    recurring?: { interval: 'day' | 'week' | 'month' | 'year'; interval_count?: number }
    metadata?: Record<string, string>
    nickname?: string | null
    active?: boolean
  },
): Price {
  return {
    id: newId('price'),
    object: 'price',
    active,
    billing_scheme: 'per_unit',
    created: now,
    currency: 'usd',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: values,
    nickname,
    product,
    recurring: recurring
      ? {
          interval: recurring.interval,
          interval_count: recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount,
    unit_amount_decimal: String(unit_amount),
  }
}

/** The requested interval of a price, or Stripe's error. */
export function requireInterval(interval: keyof typeof longest, count: number | undefined, path: string): void {
  if ((count ?? 1) > longest[interval])
    throw errors.invalidParam(
      `${path}[interval_count]`,
      `The maximum billing period is 3 years (${longest[interval]} ${interval}s).`,
    )
}

export const prices: Resource = {
  kind: 'price',
  expandable: ['product'],
  routes: [
    route(
      'POST',
      '/v1/prices',
      {
        currency: required(usd()),
        product: required(string()),
        unit_amount: required(amount()),
        active: boolean(),
        billing_scheme: oneOf('per_unit'),
        metadata: metadata(),
        nickname: string(),
        recurring: recurringFields,
      },
      (context, params) => {
        fromParam(context, 'product', params.product, 'product')
        if (params.recurring) requireInterval(params.recurring.interval, params.recurring.interval_count, 'recurring')
        const price = newPrice(context.now, { ...params, metadata: mergeMetadata({}, params.metadata) })
        return created(context, 'price', 'price.created', price)
      },
    ),
    route(
      'GET',
      '/v1/prices',
      { ...pagingFields, active: boolean(), product: string(), type: oneOf('one_time', 'recurring') },
      (context, { active, product, type, ...paging }) =>
        listPage(context, 'price', '/v1/prices', paging, { active, product, type }),
    ),
    route('GET', '/v1/prices/:id', {}, (context, _params, id) => fromPath(context, 'price', id)),
    route(
      'POST',
      '/v1/prices/:id',
      { active: boolean(), metadata: unsettable(metadata()), nickname: string() },
      (context, params, id) => {
        const price = fromPath(context, 'price', id)
        return updated(context, 'price', 'price.updated', {
          ...price,
          active: params.active ?? price.active,
          metadata: mergeMetadata(price.metadata, params.metadata),
          nickname: params.nickname ?? price.nickname,
        })
      },
    ),
  ],
}
