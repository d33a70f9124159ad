import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

const path = '/v1/radar/early_fraud_warnings'

export const earlyFraudWarnings: Resource = {
  kind: 'radar.early_fraud_warning',
  expandable: ['charge', 'payment_intent'],
  routes: [
    route(
      'GET',
      path,
      { ...pagingFields, charge: string(), payment_intent: string() },
      (context, { charge, payment_intent, ...paging }) =>
        listPage(context, 'radar.early_fraud_warning', path, paging, { charge, payment_intent }),
    ),
    route('GET', `${path}/:id`, {}, (context, _params, id) => fromPath(context, 'radar.early_fraud_warning', id)),
  ],
}
