import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, type RouteObject } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { buildRoutes } from '../app/router.tsx'
import { CardDialog } from '../features/payments/card-dialog.tsx'
import { buildQueryClient, forgetEverything } from '../lib/query-client.ts'
import { SessionProvider } from '../lib/session.tsx'
import { ViewerProvider } from '../lib/viewer-provider.tsx'
import { cssVariables, theme } from '../ui/theme.ts'
import Toaster from '../ui/toaster.tsx'

/** Opens an address in the whole app: the real routes, providers and shell. Only the network and the address bar stand in. */
export function renderRoute(path: string) {
  return renderRoutes(buildRoutes, path)
}

/** Shows one part of a screen alone, inside the same providers. */
export function renderPart(part: ReactNode) {
  return renderRoutes(() => [{ path: '*', element: part }], '/')
}

function renderRoutes(build: (queryClient: QueryClient) => RouteObject[], path: string) {
  const queryClient = buildQueryClient()
  const router = createMemoryRouter(build(queryClient), { initialEntries: [path] })
  const revalidate = () => {
    forgetEverything(queryClient)
    void router.revalidate()
  }
  render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <QueryClientProvider client={queryClient}>
        <SessionProvider onUserChange={revalidate}>
          <ViewerProvider>
            <RouterProvider router={router} />
            <CardDialog />
            <Toaster />
          </ViewerProvider>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { router, queryClient }
}
