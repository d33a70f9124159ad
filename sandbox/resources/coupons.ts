import { errors } from '../http/errors.ts'
import { fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { array, integer, metadata, object, oneOf, percent, string, usd } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'

const fields = {
  amount_off: integer({ min: 1 }),
  applies_to: object({ products: array(string()) }),
  currency: usd(),
  duration: oneOf('forever', 'once', 'repeating'),
  duration_in_months: integer({ min: 1, max: 36 }),
  max_redemptions: integer({ min: 1 }),
  metadata: metadata(),
  name: string(40),
  percent_off: percent(),
}

/** What a coupon applies to is shown only where `expand` asks for it. */
const withoutScope = ({ applies_to: _, ...coupon }: Kinds['coupon']): Kinds['coupon'] => coupon

export const coupons: Resource = {
  kind: 'coupon',
  includable: {
    applies_to: (context, { id }) => context.store.get('coupon', id).applies_to,
  },
  routes: [
    route('POST', '/v1/coupons', fields, (context, params) => {
      const { amount_off, percent_off, duration = 'once', duration_in_months } = params
      if ((amount_off === undefined) === (percent_off === undefined))
        throw errors.invalidParam('percent_off', 'You must pass either percent_off or amount_off, and not both.')
      if (amount_off !== undefined && !params.currency) throw errors.missingParam('currency')
      if ((duration === 'repeating') !== (duration_in_months !== undefined))
        throw errors.invalidParam('duration_in_months', 'duration_in_months goes with the duration `repeating` alone.')
      const coupon = context.store.insert('coupon', context.account, {
        id: randomText(8),
        object: 'coupon',
        amount_off: amount_off ?? null,
        ...(params.applies_to?.products && { applies_to: { products: params.applies_to.products } }),
        created: context.now,
        currency: amount_off === undefined ? null : 'usd',
        duration,
        duration_in_months: duration_in_months ?? null,
        livemode: false,
        max_redemptions: params.max_redemptions ?? null,
        metadata: mergeMetadata({}, params.metadata),
        name: params.name ?? null,
        percent_off: percent_off ?? null,
        redeem_by: null,
        times_redeemed: 0,
        valid: true,
      })
      return withoutScope(coupon)
    }),
    route('GET', '/v1/coupons', pagingFields, (context, params) => {
      const page = listPage(context, 'coupon', '/v1/coupons', params)
      return { ...page, data: page.data.map(withoutScope) }
    }),
    route('GET', '/v1/coupons/:id', {}, (context, _params, id) => withoutScope(fromPath(context, 'coupon', id))),
  ],
}
