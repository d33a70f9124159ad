import { errors } from '../http/errors.ts'
import { fromPath, mergeMetadata } from '../http/lookup.ts'
import { listPage, pagingFields } from '../http/paging.ts'
import { array, boolean, metadata, required, string, unsettable, url } from '../http/params.ts'
import { type Resource, route } from '../http/resource.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'

const images = array(url(), { max: 8 })

/** A service with a name. */
export const newProduct = (now: number, name: string): Kinds['product'] => ({
  id: newId('prod'),
  object: 'product',
  active: true,
  created: now,
  default_price: null,
  description: null,
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: {},
  name,
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  unit_label: null,
  updated: now,
  url: null,
})

export const products: Resource = {
  kind: 'product',
  expandable: ['default_price'],
  routes: [
    route(
      'POST',
      '/v1/products',
      {
        name: required(string()),
        active: boolean(),
        description: string(),
        id: string(255),
        images,
        metadata: metadata(),
        url: url(),
      },
      (context, params) => {
        if (params.id && context.store.find('product', context.account, params.id))
          throw errors.exists('Product', params.id)
        return created(context, 'product', 'product.created', {
          ...newProduct(context.now, params.name),
          ...(params.id && { id: params.id }),
          active: params.active ?? true,
          description: params.description ?? null,
          images: params.images ?? [],
          metadata: mergeMetadata({}, params.metadata),
          url: params.url ?? null,
        })
      },
    ),
    route('GET', '/v1/products', { ...pagingFields, active: boolean() }, (context, { active, ...paging }) =>
      listPage(context, 'product', '/v1/products', paging, { active }),
    ),
    route('GET', '/v1/products/:id', {}, (context, _params, id) => fromPath(context, 'product', id)),
    route(
      'POST',
      '/v1/products/:id',
      {
        active: boolean(),
        default_price: string(),
        description: unsettable(string()),
        images: unsettable(images),
        metadata: unsettable(metadata()),
        name: string(),
        url: unsettable(url()),
      },
      (context, params, id) => {
        const product = fromPath(context, 'product', id)
        const changed: Kinds['product'] = {
          ...product,
          active: params.active ?? product.active,
          default_price: params.default_price ?? product.default_price ?? null,
          description: params.description === undefined ? product.description : params.description,
          images: params.images === undefined ? product.images : (params.images ?? []),
          metadata: mergeMetadata(product.metadata, params.metadata),
          name: params.name ?? product.name,
          url: params.url === undefined ? product.url : params.url,
          updated: context.now,
        }
        if (params.default_price && context.store.find('price', context.account, params.default_price)?.product !== id)
          throw errors.missing('price', params.default_price, 'default_price', 400)
        return updated(context, 'product', 'product.updated', changed)
      },
    ),
  ],
}
