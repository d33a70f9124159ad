import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/fraunces/wght.css'
import '../ui/mantine.css'
import '../ui/base.css'
import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { loadConfig, setConfig } from '../lib/api/config.ts'
import { buildQueryClient } from '../lib/api/query-client.ts'
import { connect } from '../lib/api/supabase.ts'
import { noteLinkOutcome } from '../lib/auth/link-outcome.ts'
import { rememberReferral } from '../lib/auth/referral.ts'
import { App } from './app.tsx'
import './early.ts'
import { openBrowserHistory } from './history.ts'
import { screens } from './load-screens.ts'
import { createRouter } from './router.ts'
import { reloadStaleBuilds } from './stale-build-reload.ts'
import { StartFailed } from './start-failed.tsx'

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root')

// Otherwise the browser requests fonts at the first layout and repeats the layout when they arrive. Not before the scripts,
// which need the bandwidth: while they run, the network is idle.
for (const family of ['Inter Variable', 'Fraunces Variable'])
  document.fonts.load(`1em '${family}'`).catch(() => undefined)

reloadStaleBuilds()

async function start(root: Root): Promise<void> {
  try {
    const config = await loadConfig()
    setConfig(config)
    noteLinkOutcome()
    connect()
  } catch (error) {
    console.error(error)
    root.render(<StartFailed onRetry={() => void start(root)} />)
    return
  }
  rememberReferral(new URL(window.location.href))
  const queryClient = buildQueryClient()
  const router = createRouter({ history: openBrowserHistory(), screens, queryClient })
  root.render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  )
}

void start(createRoot(element))
