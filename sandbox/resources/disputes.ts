import { closeDispute, submitEvidence } from '../billing/dispute.ts'
import { fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { boolean, metadata, object, string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { updated } from '../webhooks/emit.ts'

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
      {
        evidence: object({
          appeal: object({ card: object({ reason_for_filing: string(20_000) }) }),
          uncategorized_text: string(20_000),
        }),
        metadata: metadata(),
        submit: boolean(),
      },
      (context, { evidence, metadata: values, submit }, id) => {
        const present = fromPath(context, 'dispute', id)
        const dispute = { ...present, metadata: mergeMetadata(present.metadata, values) }
        if (!evidence && submit === undefined) return updated(context, 'dispute', 'charge.dispute.updated', dispute)
        const appeal = evidence?.appeal?.card?.reason_for_filing
        const text = evidence?.uncategorized_text ?? appeal ?? dispute.evidence.uncategorized_text
        return submitEvidence(context, dispute, text, submit ?? true)
      },
    ),
    route('POST', '/v1/disputes/:id/close', {}, (context, _params, id) =>
      closeDispute(context, fromPath(context, 'dispute', id), 'lost'),
    ),
  ],
}
