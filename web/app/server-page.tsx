import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import type { Location } from 'react-router'
import { type AppConfig, setConfig } from '../lib/api/config.ts'
import { connect } from '../lib/api/supabase.ts'
import { AssumedPhone } from '../lib/browser/assumed-phone.ts'
import { App } from './app.tsx'
import type { AppHistory } from './history.ts'
import { screens } from './load-screens.ts'
import { writePageData } from './page-data.ts'
import { type AppRouter, createRouter } from './router.ts'
import { buildServerQueryClient } from './server-query-client.ts'

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
 * @returns null for an address that redirects a visitor, now or once it has read.
 * @throws when the screen can't render, or couldn't read all it asked for: others would see its error, too.
 */
export async function renderPage({ address, isPhone, config }: PageOrder): Promise<ServerPage | null> {
  setConfig(config)
  connect()
  const queryClient = buildServerQueryClient()
  try {
    const router = createRouter({ history: openAt(address), screens, queryClient })
    await router.opened()
    const { pathname, search } = router.state.location
    if (pathname + search !== address) return null
    const html = await render(router, queryClient, isPhone)
    // The document has one (server/public-pages). Only a screen that leads elsewhere has none.
    const [title] = /<title>[^<]*<\/title>/.exec(html) ?? []
    if (title === undefined) return null
    // By path alone, so that files load from whichever host the browser uses: the policy allows no other.
    const withPaths = (text: string) => text.replaceAll(`${config.supabaseUrl}/storage/`, '/storage/')
    return { html: withPaths(html.replace(title, '')), data: withPaths(writePageData(queryClient)) }
  } finally {
    queryClient.clear() // its queries would stay for minutes otherwise
  }
}

/** @throws what the first part threw that couldn't render. */
function render(router: AppRouter, queryClient: QueryClient, isPhone: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let failure: { readonly error: unknown } | undefined
    const { pipe } = renderToPipeableStream(
      <StrictMode>
        <AssumedPhone value={isPhone}>
          <App queryClient={queryClient} router={router} />
        </AssumedPhone>
      </StrictMode>,
      {
        // A larger part would be sent later, with an inline script that moves it to its place. The content security policy allows none.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onError: (error) => {
          failure ??= { error }
        },
        onShellError: reject,
        // Also after a failure, so that nothing reads any more when the queries are dropped.
        onAllReady: () => (failure ? reject(failure.error) : resolve(text(pipe(new PassThrough())))),
      },
    )
  })
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
