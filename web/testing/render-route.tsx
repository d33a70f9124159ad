import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { screens } from '../app/load-screens.ts'
import { OutsideLinkGuard } from '../app/outside-link-guard.tsx'
import { createRouter, type ScreenRoute } from '../app/router.ts'
import { RouterProvider } from '../app/router-provider.tsx'
import { LazyCardDialog } from '../domain/payments/lazy-card-dialog.tsx'
import { buildQueryClient, forgetEverything } from '../lib/api/query-client.ts'
import { SessionProvider } from '../lib/auth/session.tsx'
import { ViewerProvider } from '../lib/auth/viewer-provider.tsx'
import { Announcer } from '../ui/lazy-toaster.tsx'
import { theme } from '../ui/theme.ts'
import Toaster from '../ui/toaster.tsx'
import { openMemoryHistory } from './memory-history.ts'

/** Opens an address in the whole app: the real routes, providers, and shell. Only the network and the address bar are mocked. */
export function renderRoute(path: string) {
  return renderScreens(screens, path)
}

/** Renders one part of a screen inside the same providers. */
export function renderPart(part: ReactNode) {
  return renderScreens([{ path: '*', element: part }], '/')
}

function renderScreens(screens: ScreenRoute[], path: string) {
  const queryClient = buildQueryClient()
  const history = openMemoryHistory(path)
  const router = createRouter({ history, screens, queryClient })
  const revalidate = () => {
    forgetEverything(queryClient)
    void router.revalidate()
  }
  render(
    // Without Mantine's style sheets of some hundred variables and unused classes: no test needs them, and jsdom goes
    // through them for every query by role and every click.
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <SessionProvider onUserChange={revalidate}>
          <ViewerProvider>
            <RouterProvider router={router} />
            <OutsideLinkGuard />
            <LazyCardDialog />
            <Announcer />
            <Toaster />
          </ViewerProvider>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { router, queryClient }
}
