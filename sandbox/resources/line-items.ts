import type Stripe from 'stripe'
import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { fromParam, mergeMetadata } from '../http/lookup.ts'
import {
  amount,
  array,
  integer,
  metadata,
  object,
  oneOf,
  type Params,
  required,
  string,
  url,
  usd,
} from '../http/params.ts'
import type { Kinds } from '../store/kinds.ts'
import type { Wire } from '../store/wire.ts'
import { created } from '../webhooks/emit.ts'
import { newPrice, requireInterval } from './prices.ts'
import { newProduct } from './products.ts'

type Price = Kinds['price']

/** What a session sells. */
export type LineItem = { price: Price; quantity: number }

const fields = {
  price: string(),
  price_data: object({
    currency: required(usd()),
    unit_amount: required(amount()),
    product: string(),
    product_data: object({
      name: required(string()),
      description: string(),
      images: array(url(), { max: 8 }),
      metadata: metadata(),
    }),
    recurring: object({
      interval: required(oneOf('day', 'week', 'month', 'year')),
      interval_count: integer({ min: 1 }),
    }),
  }),
  quantity: integer({ min: 1, max: 999_999 }),
}

export const lineItemFields = object(fields)

/**
 * Turns `line_items` into prices and quantities.
 * @throws 400 naming the item: a missing or inactive price, or one that does not fit the mode.
 */
export function readLineItems(
  context: Context,
  mode: 'payment' | 'subscription',
  wanted: Params<typeof fields>[],
): LineItem[] {
  if (wanted.length === 0) throw errors.missingParam('line_items')
  const items = wanted.map((item, index) => ({
    price: priceOf(context, item, `line_items[${index}]`),
    quantity: item.quantity ?? 1,
  }))
  if (mode === 'payment' && items.some(({ price }) => price.recurring))
    throw errors.invalidParam(
      'line_items',
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    )
  if (mode === 'subscription') requireOneRhythm(items)
  return items
}

function requireOneRhythm(items: LineItem[]): void {
  const rhythms = new Set(
    items.map(({ price }) => price.recurring && `${price.recurring.interval_count} ${price.recurring.interval}`),
  )
  if (rhythms.has(null))
    throw errors.invalidParam(
      'line_items',
      'This sandbox sells subscriptions alone: in `subscription` mode every price must be recurring.',
    )
  if (rhythms.size > 1)
    throw errors.invalidParam(
      'line_items',
      'Checkout does not support multiple prices with different billing intervals.',
    )
}

function priceOf(context: Context, item: Params<typeof fields>, path: string): Price {
  if (item.price && item.price_data)
    throw errors.exclusive(`${path}[price_data]`, 'You may only specify one of these parameters: price, price_data.')
  if (item.price_data) return inlinePrice(context, item.price_data, path)
  if (!item.price) throw errors.missingParam(`${path}[price]`)
  const price = fromParam(context, 'price', item.price, `${path}[price]`)
  if (!price.active)
    throw errors.invalidParam(
      `${path}[price]`,
      'The price specified is inactive. This field only accepts active prices.',
    )
  return price
}

/** A price that exists for one session only: stored like any other, and not active, as at Stripe. */
function inlinePrice(context: Context, data: NonNullable<Params<typeof fields>['price_data']>, path: string): Price {
  const about = data.product_data
  if (about && data.product)
    throw errors.exclusive(
      `${path}[price_data][product]`,
      'You may only specify one of these parameters: product, product_data.',
    )
  if (!about && !data.product) throw errors.missingParam(`${path}[price_data][product_data]`)
  if (data.recurring)
    requireInterval(data.recurring.interval, data.recurring.interval_count, `${path}[price_data][recurring]`)
  const product = about
    ? created(context, 'product', 'product.created', {
        ...newProduct(context.now, about.name),
        active: false,
        description: about.description ?? null,
        images: about.images ?? [],
        metadata: mergeMetadata({}, about.metadata),
      })
    : fromParam(context, 'product', data.product ?? '', `${path}[price_data][product]`)
  const price = newPrice(context.now, {
    product: product.id,
    unit_amount: data.unit_amount,
    recurring: data.recurring,
    active: false,
  })
  return created(context, 'price', 'price.created', price)
}

export const totalOf = (items: LineItem[]): number =>
  items.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0)

/** The session's lines as the API shows them. */
export function lineItemsOf(context: Context, session: string): Wire<Stripe.LineItem>[] {
  return context.store.hidden('checkout.session', session).items.map((item) => {
    const price = context.store.get('price', item.price)
    const total = (price.unit_amount ?? 0) * item.quantity
    return {
      id: item.id,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: total,
      amount_tax: 0,
      amount_total: total,
      currency: 'usd',
      description: context.store.get('product', price.product).name,
      metadata: {},
      price,
      quantity: item.quantity,
    }
  })
}
