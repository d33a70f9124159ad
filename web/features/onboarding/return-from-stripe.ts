/** The result of a visit to Stripe, from the URL (ONB-04). */
export type StripeReturn =
  | { kind: 'none' }
  /** Returned from onboarding, completed (`success`) or with an expired link (`refresh`). */
  | { kind: 'onboarding' }
  | { kind: 'connect'; code: string; state: string }
  /** Declined by the user or by Stripe, with Stripe's reason if there is one. */
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

/** Removes Stripe's parameters and keeps the others. */
export function withoutReturn(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => !ours.includes(name)))
}
