import { NotFoundScreen } from '../features/not-found/not-found-screen.tsx'
import type { ScreenRoute } from './router.ts'
import { Shell } from './shell/shell.tsx'

/** Every screen and its address. Each loads its code when it is first opened. */
export const screens: ScreenRoute[] = [
  {
    Component: Shell,
    children: [
      { path: '/', load: () => import('./routes/home.tsx') },
      { path: 'admin', load: () => import('./routes/admin.ts') },
      { path: 'admin/audit', load: () => import('./routes/admin-audit.ts') },
      { path: 'admin/health', load: () => import('./routes/admin-health.ts') },
      { path: 'admin/money', load: () => import('./routes/admin-money.ts') },
      { path: 'admin/reports', load: () => import('./routes/admin-reports.ts') },
      { path: 'auth', load: () => import('./routes/auth.ts') },
      { path: 'auth/link', load: () => import('./routes/letter-link.ts') },
      { path: 'creator-onboarding', load: () => import('./routes/creator-onboarding.ts') },
      { path: 'creator-verification', load: () => import('./routes/creator-verification.ts') },
      { path: 'dashboard', load: () => import('./routes/dashboard.ts') },
      { path: 'dashboard/subscriptions', load: () => import('./routes/subscriptions.ts') },
      { path: 'explore', load: () => import('./routes/explore.ts') },
      { path: 'messages', load: () => import('./routes/messages.ts') },
      { path: 'notifications', load: () => import('./routes/notifications.ts') },
      { path: 'post/:id', load: () => import('./routes/post.ts') },
      { path: 'private-sessions', load: () => import('./routes/private-sessions.ts') },
      { path: 'private-sessions/:bookingId', load: () => import('./routes/call.ts') },
      { path: 'privacy-policy', load: () => import('./routes/privacy-policy.ts') },
      { path: 'profile', load: () => import('./routes/own-profile.ts') },
      { path: 'profile/:username', load: () => import('./routes/profile.ts') },
      { path: 'protected-content', load: () => import('./routes/protected-content.ts') },
      { path: 'referrals', load: () => import('./routes/referrals.ts') },
      { path: 'saved', load: () => import('./routes/saved.ts') },
      { path: 'search', load: () => import('./routes/search.ts') },
      { path: 'settings', load: () => import('./routes/settings.ts') },
      { path: 'stripe-test', load: () => import('./routes/stripe-test.ts') },
      { path: 'subscription-success', load: () => import('./routes/subscription-success.ts') },
      { path: 'subscription-products', load: () => import('./routes/subscription-products.ts') },
      { path: 'support', load: () => import('./routes/support.ts') },
      { path: 'terms-of-service', load: () => import('./routes/terms-of-service.ts') },
      { path: '*', Component: NotFoundScreen },
    ],
  },
]
