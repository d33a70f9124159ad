/** What the gateway tells the web app before it starts: `GET /app-config.json`. It holds nothing secret. */
export type AppConfig = {
  /** Empty: the API stands on the origin that serves the app. */
  supabaseUrl: string
  /** The public key (GEN-13). */
  anonKey: string
  /** With this key browsers subscribe to push notifications (RFC 8292). */
  pushKey: string
  /** The name an operator gave the site. */
  name: string
  environment: string
  stripeMode: 'sandbox' | 'test' | 'live'
  /** What the platform keeps of each payment, in percent (GEN-06). */
  feePercent: number
  /** Named by the Privacy Policy and the Terms of Service (STAT-07). */
  operator: { name: string; address: string; jurisdiction: string; supportEmail: string }
}

let current: AppConfig | undefined

let asked: Promise<AppConfig> | undefined

/** Asks once; after a failure, again. @throws when the gateway does not answer with its settings: the app cannot start without them. */
export function loadConfig(): Promise<AppConfig> {
  asked ??= askForConfig().catch((error: unknown) => {
    asked = undefined
    throw error
  })
  return asked
}

async function askForConfig(): Promise<AppConfig> {
  const response = await fetch('/app-config.json', { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`GET /app-config.json answered ${response.status}`)
  return (await response.json()) as AppConfig
}

export function setConfig(config: AppConfig): void {
  current = config
}

/** The settings of this site. They are there before anything renders, and never change while the page lives. */
export function appConfig(): AppConfig {
  if (!current) throw new Error('appConfig() was called before setConfig()')
  return current
}
