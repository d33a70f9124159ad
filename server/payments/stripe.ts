import Stripe from 'stripe'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets.ts'

/** The one way to money: the official SDK, pointed at Stripe or at the sandbox (DESIGN §7). */
export type StripeService = {
  readonly api: Stripe
  readonly mode: 'sandbox' | 'test' | 'live'
  /** Signing secrets of the webhook endpoints, the platform's and the connected accounts'. */
  readonly webhookSecrets: readonly string[]
  /** Our id as an OAuth application; undefined when the operator has not set one. */
  readonly clientId: string | undefined
  /**
   * Where a browser goes to connect an existing account.
   * @param siteOrigin the sandbox's pages are reached through the site itself.
   */
  authorizeUrl(params: { state: string; redirectUri: string }, siteOrigin: string): string
}

/** Long enough for a slow answer of Stripe, short enough that a person does not give up first: 20 s with the retry. */
const patienceMs = 10_000
const networkRetries = 1

/** The id under which the sandbox knows the platform as an OAuth application. */
const sandboxClientId = 'ca_sandbox'
const sandboxKey = 'sk_test_sandbox'

/** @param sandboxUrl where the sandbox listens; undefined when the product runs without it. */
export function buildStripe(
  { stripe }: Pick<Config, 'stripe'>,
  secrets: Pick<Secrets, 'sandboxWebhookSecret'>,
  sandboxUrl: string | undefined,
  timeoutMs: number = patienceMs,
): StripeService {
  const base = stripe.apiBase ?? sandboxUrl
  const api = new Stripe(stripe.secretKey ?? sandboxKey, {
    // Pinned by the SDK's version, so that an upgrade of the package is the upgrade of the API.
    apiVersion: Stripe.API_VERSION,
    timeout: timeoutMs,
    maxNetworkRetries: networkRetries,
    telemetry: false,
    appInfo: { name: 'Ovation' },
    ...(base !== undefined && address(base)),
  })
  const clientId = stripe.clientId ?? (stripe.secretKey === undefined ? sandboxClientId : undefined)
  return {
    api,
    mode: modeOf(stripe.secretKey),
    webhookSecrets: webhookSecrets(stripe.webhookSecret ?? secrets.sandboxWebhookSecret),
    clientId,
    authorizeUrl({ state, redirectUri }, siteOrigin) {
      const url = api.oauth.authorizeUrl({
        client_id: clientId,
        state,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'read_write',
      })
      if (base === undefined) return url
      // The SDK writes `https://{API host}/oauth/authorize`; the sandbox's page lies below the site.
      const { search } = new URL(url)
      return `${siteOrigin}/sandbox/oauth/authorize${search}`
    },
  }
}

function address(base: string): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  const { hostname, port, protocol } = new URL(base)
  const secure = protocol === 'https:'
  return { host: hostname, port: port === '' ? (secure ? 443 : 80) : port, protocol: secure ? 'https' : 'http' }
}

export function modeOf(secretKey: string | undefined): StripeService['mode'] {
  if (secretKey === undefined) return 'sandbox'
  return /^[sr]k_live_/.test(secretKey) ? 'live' : 'test'
}

/** Stripe gives the endpoint of connected accounts a secret of its own: `STRIPE_WEBHOOK_SECRET` may name several, with commas. */
function webhookSecrets(text: string): string[] {
  return text
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
}
