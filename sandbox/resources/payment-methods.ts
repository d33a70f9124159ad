import { attachCard, createCard, detachCard } from '../billing/card.ts'
import { tokens } from '../billing/test-cards.ts'
import { errors } from '../http/errors.ts'
import { fromParam, fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { metadata, oneOf, required, string, unsettable } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { updated } from '../webhooks/emit.ts'

const redisplay = oneOf('always', 'limited', 'unspecified')

export const paymentMethods: Resource = {
  kind: 'payment_method',
  expandable: ['customer'],
  routes: [
    route(
      'GET',
      '/v1/payment_methods',
      { ...pagingFields, allow_redisplay: redisplay, customer: string(), type: oneOf('card') },
      (context, { allow_redisplay, customer, type, ...paging }) =>
        listPage(context, 'payment_method', '/v1/payment_methods', paging, { allow_redisplay, customer, type }),
    ),
    route('GET', '/v1/payment_methods/:id', {}, (context, _params, id) => fromPath(context, 'payment_method', id)),
    route(
      'POST',
      '/v1/payment_methods/:id',
      { allow_redisplay: redisplay, metadata: unsettable(metadata()) },
      (context, params, id) => {
        const method = fromPath(context, 'payment_method', id)
        if (!method.customer)
          throw errors.state(
            'You must save this PaymentMethod to a customer before you can update it.',
            'payment_method_unexpected_state',
          )
        return updated(context, 'payment_method', 'payment_method.updated', {
          ...method,
          allow_redisplay: params.allow_redisplay ?? method.allow_redisplay,
          metadata: mergeMetadata(method.metadata, params.metadata),
        })
      },
    ),
    route('POST', '/v1/payment_methods/:id/attach', { customer: required(string()) }, (context, params, id) => {
      fromParam(context, 'customer', params.customer, 'customer')
      // `pm_card_visa` and its kin are Stripe's test tokens: attaching one makes a card of its own.
      const token = tokens[id]
      const method = token ? createCard(context, token) : fromPath(context, 'payment_method', id)
      if (method.customer && method.customer !== params.customer)
        throw errors.state(
          'The payment method you provided has already been attached to a customer.',
          'payment_method_unexpected_state',
        )
      const { behaviour } = context.store.hidden('payment_method', method.id)
      if (behaviour.onAttach) throw errors.cardDeclined(behaviour.onAttach)
      return attachCard(context, method, params.customer)
    }),
    route('POST', '/v1/payment_methods/:id/detach', {}, (context, _params, id) => {
      const method = fromPath(context, 'payment_method', id)
      if (!method.customer)
        throw errors.state('The payment method you provided is not attached to a customer so detachment is impossible.')
      return detachCard(context, method)
    }),
  ],
}
