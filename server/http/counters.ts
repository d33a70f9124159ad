import { Counter, Registry } from 'prom-client'

/** Event counters of this process, for `/metrics`. */
export class Counters {
  readonly registry = new Registry()
  readonly #mails = this.#counter('ovation_mails_total', 'Emails, by outcome.', ['outcome'])
  readonly #signIns = this.#counter('ovation_sign_ins_total', 'Sign-in attempts, by method and outcome.', [
    'way',
    'outcome',
  ])
  readonly #webhooks = this.#counter('ovation_webhooks_total', 'Payment provider webhooks, by outcome.', ['outcome'])
  readonly #limited = this.#counter('ovation_rate_limited_total', 'Responses with status 429.', ['api'])
  readonly #errors = this.#counter('ovation_http_errors_total', 'Responses with a 5xx status, by route pattern.', [
    'route',
    'status',
  ])

  countMail(outcome: 'sent' | 'failed') {
    this.#mails.inc({ outcome })
  }

  /** @param api the part of the API, never a path, which contains users' names. */
  countAnswer({ method, url, status }: { method: string; url: string; status: number }, api: string) {
    if (status === 429) this.countLimited(api)
    if (method !== 'POST') return
    const outcome = status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed'
    if (url.startsWith('/functions/v1/stripe-webhook')) this.#webhooks.inc({ outcome })
    const way = signInWay(url)
    if (way) this.#signIns.inc({ way, outcome })
  }

  /** Also counts requests that are rejected before an API sees them. */
  countLimited(api: string) {
    this.#limited.inc({ api })
  }

  /** @param route the pattern that the path matched, for example `/storage/v1/object/:bucket/*`. */
  countError(route: string, status: number) {
    this.#errors.inc({ route, status: String(status) })
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }
}

const apis = new Set(['auth', 'rest', 'storage', 'realtime', 'functions'])

/** The API that a path belongs to; `web` for everything else. */
export function apiOf(url = '/'): string {
  const api = url.slice(1, url.indexOf('/', 1))
  return apis.has(api) ? api : 'web'
}

const grants = new Set(['password', 'pkce', 'id_token', 'web3'])

/** Undefined for anything but a sign-in, such as a session refresh. */
function signInWay(url: string): string | undefined {
  if (url.startsWith('/auth/v1/verify')) return 'mail_or_code'
  if (!url.startsWith('/auth/v1/token?')) return undefined
  const grant = /[?&]grant_type=(\w+)/.exec(url)?.[1]
  return grant !== undefined && grants.has(grant) ? grant : undefined
}
