import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { createBrowserRouter, type LoaderFunction, type RouteObject } from 'react-router'
import { NotFoundScreen } from '../features/not-found/not-found-screen.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Shell } from './shell/shell.tsx'
import { StartingUp } from './starting-up.tsx'

/** What a file of `routes/` exports. A loader starts requests and guards; it does not wait for data. */
export type RouteModule = {
  Component: ComponentType
  loader?: (queryClient: QueryClient) => LoaderFunction
}

/** Every screen and its address. Each loads its code when it is first opened. */
export function buildRoutes(queryClient: QueryClient): RouteObject[] {
  const screen = (load: () => Promise<RouteModule>) => async () => {
    const { Component, loader } = await load()
    return { Component, loader: loader?.(queryClient) }
  }

  return [
    {
      Component: Shell,
      // Only for what breaks in the shell itself; a screen that breaks leaves the shell standing.
      ErrorBoundary,
      HydrateFallback: StartingUp,
      children: [
        {
          ErrorBoundary,
          children: [
            { index: true, lazy: screen(() => import('./routes/home.tsx')) },
            { path: 'admin', lazy: screen(() => import('./routes/admin.ts')) },
            { path: 'admin/audit', lazy: screen(() => import('./routes/admin-audit.ts')) },
            { path: 'admin/health', lazy: screen(() => import('./routes/admin-health.ts')) },
            { path: 'admin/money', lazy: screen(() => import('./routes/admin-money.ts')) },
            { path: 'admin/reports', lazy: screen(() => import('./routes/admin-reports.ts')) },
            { path: 'auth', lazy: screen(() => import('./routes/auth.ts')) },
            { path: 'auth/link', lazy: screen(() => import('./routes/letter-link.ts')) },
            { path: 'creator-onboarding', lazy: screen(() => import('./routes/creator-onboarding.ts')) },
            { path: 'creator-verification', lazy: screen(() => import('./routes/creator-verification.ts')) },
            { path: 'dashboard', lazy: screen(() => import('./routes/dashboard.ts')) },
            { path: 'dashboard/subscriptions', lazy: screen(() => import('./routes/subscriptions.ts')) },
            { path: 'explore', lazy: screen(() => import('./routes/explore.ts')) },
            { path: 'messages', lazy: screen(() => import('./routes/messages.ts')) },
            { path: 'notifications', lazy: screen(() => import('./routes/notifications.ts')) },
            { path: 'post/:id', lazy: screen(() => import('./routes/post.ts')) },
            { path: 'private-sessions', lazy: screen(() => import('./routes/private-sessions.ts')) },
            { path: 'private-sessions/:bookingId', lazy: screen(() => import('./routes/call.ts')) },
            { path: 'privacy-policy', lazy: screen(() => import('./routes/privacy-policy.ts')) },
            { path: 'profile', lazy: screen(() => import('./routes/own-profile.ts')) },
            { path: 'profile/:username', lazy: screen(() => import('./routes/profile.ts')) },
            { path: 'protected-content', lazy: screen(() => import('./routes/protected-content.ts')) },
            { path: 'referrals', lazy: screen(() => import('./routes/referrals.ts')) },
            { path: 'saved', lazy: screen(() => import('./routes/saved.ts')) },
            { path: 'search', lazy: screen(() => import('./routes/search.ts')) },
            { path: 'settings', lazy: screen(() => import('./routes/settings.ts')) },
            { path: 'stripe-test', lazy: screen(() => import('./routes/stripe-test.ts')) },
            { path: 'subscription-success', lazy: screen(() => import('./routes/subscription-success.ts')) },
            { path: 'subscription-products', lazy: screen(() => import('./routes/subscription-products.ts')) },
            { path: 'support', lazy: screen(() => import('./routes/support.ts')) },
            { path: 'terms-of-service', lazy: screen(() => import('./routes/terms-of-service.ts')) },
            { path: '*', Component: NotFoundScreen },
          ],
        },
      ],
    },
  ]
}

export const buildRouter = (queryClient: QueryClient) => createBrowserRouter(buildRoutes(queryClient))
export type AppRouter = ReturnType<typeof buildRouter>
