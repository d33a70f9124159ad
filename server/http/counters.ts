import { Counter, Registry } from 'prom-client'

/** What this process counts as it happens, for `/metrics`. */
export class Counters {
  readonly registry = new Registry()
  readonly #mails = this.#counter('ovation_mails_total', 'Mails handed over, and those that could not be.', ['outcome'])
  readonly #signIns = this.#counter('ovation_sign_ins_total', 'Attempts to sign in, by way and outcome.', [
    'way',
    'outcome',
  ])
  readonly #webhooks = this.#counter('ovation_webhooks_total', 'Webhooks of the payment provider, by outcome.', [
    'outcome',
  ])
  readonly #limited = this.#counter('ovation_rate_limited_total', 'Requests answered 429.', ['api'])
  readonly #errors = this.#counter(
    'ovation_http_errors_total',
    'Requests answered 5xx, by the pattern of their path.',
    ['route', 'status'],
  )

  countMail(outcome: 'sent' | 'failed') {
    this.#mails.inc({ outcome })
  }

  /** @param api which part of the API, never a path: those hold people's names. */
  countAnswer({ method, url, status }: { method: string; url: string; status: number }, api: string) {
    if (status === 429) this.countLimited(api)
    if (method !== 'POST') return
    const outcome = status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed'
    if (url.startsWith('/functions/v1/stripe-webhook')) this.#webhooks.inc({ outcome })
    const way = signInWay(url)
    if (way) this.#signIns.inc({ way, outcome })
  }

  /** Also for what is refused before an API sees it. */
  countLimited(api: string) {
    this.#limited.inc({ api })
  }

  /** @param route the pattern that the path matched, e.g. `/storage/v1/object/:bucket/*`. */
  countError(route: string, status: number) {
    this.#errors.inc({ route, status: String(status) })
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }
}

const apis = new Set(['auth', 'rest', 'storage', 'realtime', 'functions'])

/** Which part of the API an address belongs to; `web` for everything else. */
export function apiOf(url = '/'): string {
  const api = url.slice(1, url.indexOf('/', 1))
  return apis.has(api) ? api : 'web'
}

const grants = new Set(['password', 'pkce', 'id_token', 'web3'])

/** Undefined for what is no sign-in, as the refresh of a session. */
function signInWay(url: string): string | undefined {
  if (url.startsWith('/auth/v1/verify')) return 'mail_or_code'
  if (!url.startsWith('/auth/v1/token?')) return undefined
  const grant = /[?&]grant_type=(\w+)/.exec(url)?.[1]
  return grant !== undefined && grants.has(grant) ? grant : undefined
}
