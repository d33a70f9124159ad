/** Settings that the gateway sends before the web app starts: `GET /app-config.json`. Nothing in it is secret. */
export type AppConfig = {
  /** Empty when the API has the same origin as the app. */
  supabaseUrl: string
  /** The origin of the CDN that has the site's files. Empty when they load from the site itself. */
  filesUrl: string
  /** The public key (GEN-13). */
  anonKey: string
  /** The public key for push subscriptions (RFC 8292). */
  pushKey: string
  /** The site's name, set by the operator. */
  name: string
  environment: string
  stripeMode: 'sandbox' | 'test' | 'live'
  /** The platform fee, in percent (GEN-06). */
  feePercent: number
  /** Whether creators may use their own domains (PAGE-02). */
  hasCustomDomains: boolean
  /** Used by the Privacy Policy and the Terms of Service (STAT-07). */
  operator: { name: string; address: string; jurisdiction: string; supportEmail: string }
}

let current: AppConfig | undefined

let request: Promise<AppConfig> | undefined

/** Loads the settings once, and again after a failure. @throws when the gateway doesn't send them: the app can't start without them. */
export function loadConfig(): Promise<AppConfig> {
  request ??= fetchConfig().catch((error: unknown) => {
    request = undefined
    throw error
  })
  return request
}

async function fetchConfig(): Promise<AppConfig> {
  const response = await fetch('/app-config.json', { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`GET /app-config.json answered ${response.status}`)
  startedOffline = response.headers.has('x-offline')
  return (await response.json()) as AppConfig
}

let startedOffline = false

/** Whether the settings are those that the service worker keeps, because the server can't be reached (LOOP-22). */
export const isStartedOffline = (): boolean => startedOffline

export function setConfig(config: AppConfig): void {
  current = config
}

/** The settings of this site. They load before the first render and never change while the page is open. */
export function appConfig(): AppConfig {
  if (!current) throw new Error('appConfig() was called before setConfig()')
  return current
}
