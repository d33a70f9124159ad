import type Stripe from 'stripe'

/** Every Stripe API call of the product, by method and path, with all parameters that were ever sent. */
export type Calls = Map<string, Set<string>>

/** Records at the SDK's HTTP client: exactly what is sent over the network. */
export function recordCalls(stripe: Stripe): Calls {
  const calls: Calls = new Map()
  const client = (stripe as unknown as { getApiField(name: 'httpClient'): Stripe.HttpClient }).getApiField('httpClient')
  const send = client.makeRequest.bind(client)
  client.makeRequest = (host, port, path, method, headers, body, ...rest) => {
    const [pathname = '', query = ''] = path.split('?')
    const name = `${method} ${pathname.replace(/\/[a-z]+(_test)?_[A-Za-z0-9]{14,}/g, '/{id}')}`
    const known = calls.get(name) ?? new Set()
    calls.set(name, known)
    for (const text of [query, body ?? ''])
      for (const parameter of new URLSearchParams(text).keys()) known.add(nameOf(parameter))
    for (const header of ['Idempotency-Key', 'Stripe-Account']) if (headers[header]) known.add(`(${header})`)
    return send(host, port, path, method, headers, body, ...rest)
  }
  return calls
}

/** `line_items[0][price]` → `line_items[][price]`; our own metadata names aren't Stripe's. */
const nameOf = (parameter: string) => parameter.replace(/\[\d+\]/g, '[]').replace(/(\[?metadata\]?)\[[^\]]+\]/, '$1[…]')

/** The page that operators compare with Stripe's reference. */
export function describeCalls(calls: Calls, apiVersion: string): string {
  const rows = [...calls]
    .toSorted(([a], [b]) => order(a).localeCompare(order(b)))
    .map(([name, parameters]) => {
      const sorted = [...parameters].toSorted().map((parameter) => `\`${parameter}\``)
      return `| \`${name}\` | ${sorted.join(', ')} |`
    })
  return [
    '# Calls of Stripe’s API',
    '',
    'Recorded at the SDK’s HTTP client by `server/payments/stripe-calls.test.ts`, which goes through all that the product does with money, and',
    'fails when this page is stale. Do not edit: `UPDATE_STRIPE_CALLS=1 npm run test:unit -- server/payments/stripe-calls.test.ts` rewrites it.',
    '',
    `Version of the API: \`${apiVersion}\`. The sandbox refuses any call and any parameter that is not Stripe’s, and`,
    '`server/payments/stripe-types.test.ts` holds each against the declarations of Stripe’s SDK.',
    '',
    '| call | parameters |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}

const order = (name: string) => name.split(' ').toReversed().join(' ')
