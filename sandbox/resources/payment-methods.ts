import { attachCard, createCard } from '../billing/card.ts'
import { tokens } from '../billing/test-cards.ts'
import { errors } from '../http/errors.ts'
import { fromParam, fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { oneOf, required, string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { emit } from '../webhooks/emit.ts'

export const paymentMethods: Resource = {
  kind: 'payment_method',
  expandable: ['customer'],
  routes: [
    route(
      'GET',
      '/v1/payment_methods',
      { ...pagingFields, customer: string(), type: oneOf('card') },
      (context, { customer, type, ...paging }) =>
        listPage(context, 'payment_method', '/v1/payment_methods', paging, { customer, type }),
    ),
    route('GET', '/v1/payment_methods/:id', {}, (context, _params, id) => fromPath(context, 'payment_method', id)),
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
      const detached = context.store.save<'payment_method'>({ ...method, customer: null })
      emit(context, 'payment_method.detached', detached)
      return detached
    }),
  ],
}
