import type { Context } from '../context.ts'
import { apiVersion } from '../http/api-version.ts'
import { fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { array, boolean, metadata, oneOf, required, string, unsettable, url } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { retryNow } from '../webhooks/queue.ts'

type Endpoint = Kinds['webhook_endpoint']

/** The endpoint that the sandbox was started with, by a name of its own, so that a restart finds it again. */
const configuredId = 'we_configured'

const eventTypes = array(string(), { max: 200 })

const newEndpoint = (context: Context, id: string, about: Partial<Endpoint> & { url: string }): Endpoint => ({
  id,
  object: 'webhook_endpoint',
  api_version: apiVersion,
  application: null,
  created: context.now,
  description: null,
  enabled_events: ['*'],
  livemode: false,
  metadata: {},
  status: 'enabled',
  ...about,
})

/** Points the sandbox's own endpoint somewhere. It hears everything, of the platform and of all connected accounts. */
export function configureEndpoint(context: Context, { url: target, secret }: { url: string; secret: string }): void {
  const present = context.store.find('webhook_endpoint', '', configuredId)
  if (present) context.store.save<'webhook_endpoint'>({ ...present, url: target })
  else context.store.insert('webhook_endpoint', '', newEndpoint(context, configuredId, { url: target }))
  context.store.setHidden('webhook_endpoint', configuredId, { secret, connect: false, everything: true })
  retryNow(context, configuredId)
}

export const webhookEndpoints: Resource = {
  kind: 'webhook_endpoint',
  routes: [
    route(
      'POST',
      '/v1/webhook_endpoints',
      {
        enabled_events: required(eventTypes),
        url: required(url()),
        api_version: oneOf(apiVersion),
        connect: boolean(),
        description: unsettable(string()),
        metadata: unsettable(metadata()),
      },
      (context, params) => {
        const secret = newId('whsec')
        const endpoint = newEndpoint(context, newId('we'), {
          url: params.url,
          enabled_events: params.enabled_events,
          description: params.description ?? null,
          metadata: mergeMetadata({}, params.metadata),
        })
        context.store.insert('webhook_endpoint', '', endpoint)
        context.store.setHidden('webhook_endpoint', endpoint.id, {
          secret,
          connect: params.connect ?? false,
          everything: false,
        })
        return { ...endpoint, secret } // shown once, as at Stripe
      },
    ),
    route('GET', '/v1/webhook_endpoints', pagingFields, (context, params) =>
      listPage(context, 'webhook_endpoint', '/v1/webhook_endpoints', params),
    ),
    route('GET', '/v1/webhook_endpoints/:id', {}, (context, _params, id) => fromPath(context, 'webhook_endpoint', id)),
    route(
      'POST',
      '/v1/webhook_endpoints/:id',
      {
        description: unsettable(string()),
        disabled: boolean(),
        enabled_events: eventTypes,
        metadata: unsettable(metadata()),
        url: url(),
      },
      (context, params, id) => {
        const endpoint = fromPath(context, 'webhook_endpoint', id)
        return context.store.save<'webhook_endpoint'>({
          ...endpoint,
          description: params.description === undefined ? endpoint.description : params.description,
          enabled_events: params.enabled_events ?? endpoint.enabled_events,
          metadata: mergeMetadata(endpoint.metadata, params.metadata),
          status: params.disabled === undefined ? endpoint.status : params.disabled ? 'disabled' : 'enabled',
          url: params.url ?? endpoint.url,
        })
      },
    ),
    route('DELETE', '/v1/webhook_endpoints/:id', {}, (context, _params, id) => {
      fromPath(context, 'webhook_endpoint', id)
      context.store.remove(id)
      return { id, object: 'webhook_endpoint', deleted: true }
    }),
  ],
}
