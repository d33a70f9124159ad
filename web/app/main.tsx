import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/fraunces/wght.css'
import '../ui/mantine.css'
import 'virtual:theme-variables.css'
import '../ui/base.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { loadConfig, setConfig } from '../lib/api/config.ts'
import { buildQueryClient } from '../lib/api/query-client.ts'
import { connect } from '../lib/api/supabase.ts'
import { sessionAtOnce } from '../lib/auth/auth-client.ts'
import { noteLinkOutcome } from '../lib/auth/link-outcome.ts'
import { rememberReferral } from '../lib/auth/referral.ts'
import { App } from './app.tsx'
import './early.ts'
import { openBrowserHistory } from './history.ts'
import { screens } from './load-screens.ts'
import { createRouter } from './router.ts'
import { reloadStaleBuilds } from './stale-build-reload.ts'
import { StartFailed } from './start-failed.tsx'

const page = document.getElementById('root') as HTMLElement

// Otherwise the browser requests fonts at the first layout and repeats the layout when they arrive. Not before the scripts,
// which need the bandwidth: while they run, the network is idle.
for (const family of ['Inter Variable', 'Fraunces Variable'])
  document.fonts.load(`1em '${family}'`).catch(() => undefined)

/** Only documents that the server has rendered need it. */
const pageData = page.hasAttribute('data-visitor-page') ? import('./page-data.ts') : undefined

reloadStaleBuilds()

let root: Root | undefined

/** Renders in the place of whatever the document has there: a visitor's page, for a user whose session the server doesn't know of. */
function show(content: ReactNode): void {
  if (!root) {
    page.replaceChildren()
    page.removeAttribute('data-visitor-page')
  }
  root ??= createRoot(page)
  root.render(content)
}

async function start(): Promise<void> {
  try {
    const config = await loadConfig()
    setConfig(config)
    noteLinkOutcome()
    connect()
  } catch (error) {
    console.error(error)
    show(<StartFailed onRetry={() => void start()} />)
    return
  }
  rememberReferral(new URL(window.location.href))
  const queryClient = buildQueryClient()
  const isRendered = !root && sessionAtOnce() === null && (await pageData)?.readPageData(queryClient)
  const router = createRouter({ history: openBrowserHistory(), screens, queryClient })
  const app = (
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>
  )
  if (!isRendered) return show(app)
  await router.opened()
  // What differs, React renders again: in a narrow window of a computer, or where a date is another one in the viewer's time zone.
  root = hydrateRoot(page, app, { onRecoverableError: (error) => console.debug(error) })
}

void start()
