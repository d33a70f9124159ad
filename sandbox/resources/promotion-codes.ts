import { errors } from '../http/errors.ts'
import { fromParam, fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { boolean, integer, metadata, object, oneOf, required, string, unsettable } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { newId, randomText } from '../store/ids.ts'

export const promotionCodes: Resource = {
  kind: 'promotion_code',
  expandable: ['customer', 'promotion.coupon'],
  routes: [
    route(
      'POST',
      '/v1/promotion_codes',
      {
        restrictions: object({ first_time_transaction: boolean() }),
        promotion: required(object({ type: required(oneOf('coupon')), coupon: required(string()) })),
        active: boolean(),
        code: string(500),
        expires_at: integer({ min: 0 }),
        max_redemptions: integer({ min: 1 }),
        metadata: metadata(),
      },
      (context, params) => {
        const coupon = fromParam(context, 'coupon', params.promotion.coupon, 'promotion[coupon]')
        const code = params.code ?? randomText(8).toUpperCase()
        const { data } = context.store.list('promotion_code', {
          account: context.account,
          where: { code, active: true },
        })
        if (data.length > 0)
          throw errors.invalidParam('code', `An active promotion code with \`code: ${code}\` already exists.`)
        if (params.expires_at !== undefined && params.expires_at <= context.now)
          throw errors.invalidParam('expires_at', 'The timestamp must be in the future.')
        return context.store.insert('promotion_code', context.account, {
          id: newId('promo'),
          object: 'promotion_code',
          active: params.active ?? true,
          code,
          created: context.now,
          customer: null,
          customer_account: null,
          expires_at: params.expires_at ?? null,
          livemode: false,
          max_redemptions: params.max_redemptions ?? null,
          metadata: mergeMetadata({}, params.metadata),
          promotion: { coupon: coupon.id, type: 'coupon' },
          restrictions: {
            first_time_transaction: params.restrictions?.first_time_transaction ?? false,
            minimum_amount: null,
            minimum_amount_currency: null,
          },
          times_redeemed: 0,
        })
      },
    ),
    route(
      'GET',
      '/v1/promotion_codes',
      { ...pagingFields, active: boolean(), code: string() },
      (context, { active, code, ...paging }) =>
        listPage(context, 'promotion_code', '/v1/promotion_codes', paging, { active, code }),
    ),
    route('GET', '/v1/promotion_codes/:id', {}, (context, _params, id) => fromPath(context, 'promotion_code', id)),
    route(
      'POST',
      '/v1/promotion_codes/:id',
      { active: boolean(), metadata: unsettable(metadata()) },
      (context, params, id) => {
        const code = fromPath(context, 'promotion_code', id)
        return context.store.save<'promotion_code'>({
          ...code,
          active: params.active ?? code.active,
          metadata: mergeMetadata(code.metadata, params.metadata),
        })
      },
    ),
  ],
}
