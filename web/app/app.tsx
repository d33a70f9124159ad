import { MantineProvider } from '@mantine/core'
import { returnParameter } from '@ovation/contract/paths'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { LazyCardDialog } from '../domain/payments/lazy-card-dialog.tsx'
import { forgetEverything } from '../lib/api/query-client.ts'
import { SessionProvider } from '../lib/auth/session.tsx'
import { authPath } from '../lib/auth/sign-in-path.ts'
import { ViewerProvider } from '../lib/auth/viewer-provider.tsx'
import { LazyToaster } from '../ui/lazy-toaster.tsx'
import { theme } from '../ui/theme.ts'
import { OutsideLinkGuard } from './outside-link-guard.tsx'
import type { AppRouter } from './router.ts'
import { RouterProvider } from './router-provider.tsx'

/** All providers, outermost first. */
export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  const onUserChange = useCallback(() => {
    forgetEverything(queryClient)
    // Runs the loader again, which guards the screen.
    void router.revalidate()
  }, [queryClient, router])

  const onRecovery = useCallback(() => {
    const next = new URLSearchParams(router.state.location.search).get(returnParameter)
    void router.navigate(authPath({ next, tab: 'new-password' }), { replace: true })
  }, [router])

  // From now on, what the server has rendered answers to clicks.
  useEffect(() => document.getElementById('root')?.removeAttribute('data-visitor-page'), [])

  return (
    // Its variables are in the style sheet (web/build/theme-variables.ts), and no class hides anything by window size.
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <SessionProvider onUserChange={onUserChange} onRecovery={onRecovery}>
          <ViewerProvider>
            <RouterProvider router={router} />
            <OutsideLinkGuard />
            <LazyCardDialog />
            <LazyToaster />
          </ViewerProvider>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
