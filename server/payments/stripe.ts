import Stripe from 'stripe'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets.ts'

/** The only way to move money: the official SDK, pointed at Stripe or at the sandbox (DESIGN §7). */
export type StripeService = {
  readonly api: Stripe
  readonly mode: 'sandbox' | 'test' | 'live'
  /** Signing secrets of the webhook endpoints, the platform's and the connected accounts'. */
  readonly webhookSecrets: readonly string[]
  /** Our id as an OAuth application; undefined if the operator hasn't set one. */
  readonly clientId: string | undefined
  /**
   * The URL at which a browser connects an existing account.
   * @param siteOrigin the sandbox's pages are reached through the site itself.
   */
  authorizeUrl(params: { state: string; redirectUri: string }, siteOrigin: string): string
}

/** Long enough for a slow response from Stripe, short enough that a user doesn't give up first: 20 s with the retry. */
const patienceMs = 10_000
const networkRetries = 1

/** The platform's OAuth application id in the sandbox. */
const sandboxClientId = 'ca_sandbox'
const sandboxKey = 'sk_test_sandbox'

/** @param sandboxUrl where the sandbox listens; undefined if the product runs without it. */
export function buildStripe(
  { stripe }: Pick<Config, 'stripe'>,
  secrets: Pick<Secrets, 'sandboxWebhookSecret'>,
  sandboxUrl: string | undefined,
  timeoutMs: number = patienceMs,
): StripeService {
  const base = stripe.apiBase ?? sandboxUrl
  const api = new Stripe(stripe.secretKey ?? sandboxKey, {
    // Pinned by the SDK's version, so that an upgrade of the package upgrades the API.
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
      // The SDK writes `https://{API host}/oauth/authorize`; the sandbox's page is under the site.
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

/** Stripe gives the connected accounts' endpoint its own secret: `STRIPE_WEBHOOK_SECRET` may list several, separated by commas. */
function webhookSecrets(text: string): string[] {
  return text
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
}
