import { text } from 'node:stream/consumers'
import type { Query, QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import type { Location } from 'react-router'
import { type AppConfig, setConfig } from '../lib/api/config.ts'
import { buildQueryClient } from '../lib/api/query-client.ts'
import { connect } from '../lib/api/supabase.ts'
import { AssumedPhone } from '../lib/browser/assumed-phone.ts'
import { App } from './app.tsx'
import type { AppHistory } from './history.ts'
import { screens } from './load-screens.ts'
import { writePageData } from './page-data.ts'
import { type AppRouter, createRouter } from './router.ts'

/*
 * The server's build of the app (server/http/visitor-pages): it renders a screen for a visitor, with the components and the requests that the
 * browser's build has.
 */

export type PageOrder = {
  /** Path and query. */
  readonly address: string
  readonly isPhone: boolean
  /** The settings of app-config.json, with the site's origin as `supabaseUrl`. */
  readonly config: AppConfig
}

export type ServerPage = {
  /** The content of `#root`. */
  readonly html: string
  /** For `readPageData`. */
  readonly data: string
}

/**
 * A query often needs the result of another one, which only rendering finds out. No screen needs more rounds than this; what it has by then
 * is what it shows, and the browser reads the rest.
 */
const mostRounds = 5

/**
 * @returns null for an address that redirects a visitor, now or once it has read.
 * @throws when the screen can't render, or couldn't read all it asked for: others would see its error, too.
 */
export async function renderPage({ address, isPhone, config }: PageOrder): Promise<ServerPage | null> {
  setConfig(config)
  connect()
  const queryClient = buildQueryClient()
  try {
    const router = createRouter({ history: openAt(address), screens, queryClient })
    await router.opened()
    const { pathname, search } = router.state.location
    if (pathname + search !== address) return null
    let html = ''
    for (let round = 0; round < mostRounds; round += 1) {
      await readWhatIsMissing(queryClient)
      html = await render(router, queryClient, isPhone)
      if (missingIn(queryClient).length === 0) break
    }
    // The document has one (server/public-pages). Only a screen that leads elsewhere has none.
    const [title] = /<title>[^<]*<\/title>/.exec(html) ?? []
    const failure = queryClient
      .getQueryCache()
      .getAll()
      .find(({ state }) => state.status === 'error')
    if (failure) throw failure.state.error
    if (title === undefined) return null
    // By path alone, so that files load from whichever host the browser uses: the policy allows no other.
    const withPaths = (text: string) => text.replaceAll(`${config.supabaseUrl}/storage/`, '/storage/')
    return { html: withPaths(html.replace(title, '')), data: withPaths(writePageData(queryClient)) }
  } finally {
    queryClient.clear() // its queries would stay for minutes otherwise
  }
}

async function render(router: AppRouter, queryClient: QueryClient, isPhone: boolean): Promise<string> {
  const failure: { error?: unknown } = {}
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <AssumedPhone value={isPhone}>
        <App queryClient={queryClient} router={router} />
      </AssumedPhone>
    </StrictMode>,
    {
      // A larger part would be sent later, with an inline script that moves it to its place. The content security policy allows none.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        failure.error = error
      },
    },
  )
  const html = await text(prelude)
  if ('error' in failure) throw failure.error
  return html
}

/** Reads what the screen has asked for so far. */
async function readWhatIsMissing(queryClient: QueryClient): Promise<void> {
  await Promise.allSettled(missingIn(queryClient).map((query) => query.fetch()))
}

const missingIn = (queryClient: QueryClient): Query[] =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => query.state.status === 'pending' && query.options.queryFn && isEnabled(query))

function isEnabled(query: Query): boolean {
  const { enabled } = query.options as { enabled?: boolean | ((query: Query) => boolean) }
  return typeof enabled === 'function' ? enabled(query) : enabled !== false
}

/** A history of one entry, which nothing navigates. */
function openAt(address: string): AppHistory {
  const { pathname, search } = new URL(address, 'http://site')
  let location: Location = { pathname, search, hash: '', state: null, key: 'default' }
  const open = (next: Location) => {
    location = next
  }
  return {
    get location() {
      return location
    },
    push: open,
    replace: open,
    go: () => undefined,
    listen: () => undefined,
  }
}
