import { MantineProvider } from '@mantine/core'
import { newPasswordPath } from '@ovation/contract/routes'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useCallback } from 'react'
import { RouterProvider } from 'react-router/dom'
import { CardDialog } from '../features/payments/card-dialog.tsx'
import { forgetEverything } from '../lib/query-client.ts'
import { SessionProvider } from '../lib/session.tsx'
import { useQuiet } from '../lib/use-quiet.ts'
import { ViewerProvider } from '../lib/viewer-provider.tsx'
import { cssVariables, theme } from '../ui/theme.ts'
import { useToastWanted } from '../ui/toast.ts'
import type { AppRouter } from './router.tsx'

// Without its code there are no toasts; that is no reason for there to be no app.
const Toaster = lazy<ComponentType>(() => import('../ui/toaster.tsx').catch(() => ({ default: () => null })))

/** Everything a screen may count on, outermost first. */
export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  const onUserChange = useCallback(() => {
    forgetEverything(queryClient)
    // The loaders run again: they know who may be where.
    void router.revalidate()
  }, [queryClient, router])

  const onRecovery = useCallback(() => void router.navigate(newPasswordPath, { replace: true }), [router])

  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <SessionProvider onUserChange={onUserChange} onRecovery={onRecovery}>
          <ViewerProvider>
            <RouterProvider router={router} />
            <CardDialog />
            <ToasterWhenQuiet />
          </ViewerProvider>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Early enough that a toast about a lost connection can still be shown, and after what the screen needs. */
function ToasterWhenQuiet() {
  const quiet = useQuiet()
  const wanted = useToastWanted()
  return (
    (quiet || wanted) && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  )
}
