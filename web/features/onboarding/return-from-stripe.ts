/** What the address tells about a visit to Stripe that has just ended (ONB-04). */
export type StripeReturn =
  | { kind: 'none' }
  /** Back from onboarding, finished (`success`) or with a link that had expired (`refresh`). */
  | { kind: 'onboarding' }
  | { kind: 'connect'; code: string; state: string }
  /** The person declined, or Stripe did; with Stripe's own words where it has some. */
  | { kind: 'declined'; reason: string | null }

const ours = ['success', 'refresh', 'stripe_connect', 'code', 'state', 'scope', 'error', 'error_description']

export function readReturn(parameters: URLSearchParams): StripeReturn {
  if (parameters.get('stripe_connect') === 'true') {
    const code = parameters.get('code')
    const state = parameters.get('state')
    if (code && state) return { kind: 'connect', code, state }
    return { kind: 'declined', reason: parameters.get('error_description') }
  }
  return parameters.has('success') || parameters.has('refresh') ? { kind: 'onboarding' } : { kind: 'none' }
}

/** The address without what Stripe put there; what others put there stays. */
export function withoutReturn(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => !ours.includes(name)))
}
