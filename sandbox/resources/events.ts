import type { Context } from '../context.ts'
import { fromPath } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { string } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import type { StoredEvent } from '../store/kinds.ts'
import { pendingWebhooks } from '../webhooks/queue.ts'

const withPending = (context: Context, event: StoredEvent): StoredEvent => ({
  ...event,
  pending_webhooks: pendingWebhooks(context, event.id),
})

export const events: Resource = {
  kind: 'event',
  routes: [
    route('GET', '/v1/events', { ...pagingFields, type: string() }, (context, { type, ...paging }) => {
      const page = listPage(context, 'event', '/v1/events', paging, { type })
      return { ...page, data: page.data.map((event) => withPending(context, event)) }
    }),
    route('GET', '/v1/events/:id', {}, (context, _params, id) => withPending(context, fromPath(context, 'event', id))),
  ],
}
