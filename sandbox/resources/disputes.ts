import { closeDispute, submitEvidence } from '../billing/dispute.ts'
import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { boolean, object, string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'

export const disputes: Resource = {
  kind: 'dispute',
  expandable: ['charge', 'payment_intent'],
  routes: [
    route(
      'GET',
      '/v1/disputes',
      { ...pagingFields, charge: string(), payment_intent: string() },
      (context, { charge, payment_intent, ...paging }) =>
        listPage(context, 'dispute', '/v1/disputes', paging, { charge, payment_intent }),
    ),
    route('GET', '/v1/disputes/:id', {}, (context, _params, id) => fromPath(context, 'dispute', id)),
    route(
      'POST',
      '/v1/disputes/:id',
      { evidence: object({ uncategorized_text: string(20_000) }), submit: boolean() },
      (context, { evidence, submit }, id) => {
        const dispute = fromPath(context, 'dispute', id)
        const text = evidence?.uncategorized_text ?? dispute.evidence.uncategorized_text
        return submitEvidence(context, dispute, text, submit ?? true)
      },
    ),
    route('POST', '/v1/disputes/:id/close', {}, (context, _params, id) =>
      closeDispute(context, fromPath(context, 'dispute', id), 'lost'),
    ),
  ],
}
