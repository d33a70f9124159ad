/**
 * Every screen of the web app, once: the router, the server's answer for an address, the files that a document asks for early, and link
 * previews all derive from this list. A screen that isn't here doesn't exist.
 */
export type Screen = {
  /** Its address. A segment that begins with `:` stands for any one segment. */
  readonly pattern: string
  /** The file in `web/app/routes` that draws it, without its ending. */
  readonly module: string
  /** People pass its address on, and other sites show a preview of it. */
  readonly hasPreview?: true
}

export const screens: readonly Screen[] = [
  { pattern: '/', module: 'home' },
  { pattern: '/admin', module: 'admin' },
  { pattern: '/admin/audit', module: 'admin-audit' },
  { pattern: '/admin/health', module: 'admin-health' },
  { pattern: '/admin/money', module: 'admin-money' },
  { pattern: '/admin/reports', module: 'admin-reports' },
  { pattern: '/auth', module: 'auth' },
  { pattern: '/auth/link', module: 'email-link' },
  { pattern: '/creator-onboarding', module: 'creator-onboarding' },
  { pattern: '/creator-verification', module: 'creator-verification' },
  { pattern: '/dashboard', module: 'dashboard' },
  { pattern: '/dashboard/subscriptions', module: 'subscriptions' },
  { pattern: '/explore', module: 'explore' },
  { pattern: '/messages', module: 'messages' },
  { pattern: '/notifications', module: 'notifications' },
  { pattern: '/oauth/consent', module: 'oauth-consent' },
  { pattern: '/post/:id', module: 'post', hasPreview: true },
  { pattern: '/private-sessions', module: 'private-sessions' },
  { pattern: '/private-sessions/:bookingId', module: 'call' },
  { pattern: '/privacy-policy', module: 'privacy-policy' },
  { pattern: '/profile', module: 'own-profile' },
  { pattern: '/profile/:username', module: 'profile', hasPreview: true },
  { pattern: '/protected-content', module: 'protected-content' },
  { pattern: '/referrals', module: 'referrals' },
  { pattern: '/saved', module: 'saved' },
  { pattern: '/search', module: 'search' },
  { pattern: '/settings', module: 'settings' },
  { pattern: '/stripe-test', module: 'stripe-test' },
  { pattern: '/subscription-products', module: 'subscription-products' },
  { pattern: '/subscription-success', module: 'subscription-success' },
  { pattern: '/support', module: 'support' },
  { pattern: '/terms-of-service', module: 'terms-of-service' },
]

const segmentsOf = (path: string): string[] => path.split('/').slice(1)
const known = screens.map((screen) => ({ screen, segments: segmentsOf(screen.pattern) }))

/**
 * The screen at a path, with or without slashes at its end; undefined where the web app has none: then the server answers 404, and the app
 * shows its not-found screen (404-01). No two patterns fit one path.
 */
export function findScreen(path: string): Screen | undefined {
  const asked = segmentsOf(path === '/' ? path : path.replace(/\/+$/, ''))
  return known.find(
    ({ segments }) =>
      segments.length === asked.length &&
      segments.every((segment, index) => segment === asked[index] || (segment.startsWith(':') && asked[index] !== '')),
  )?.screen
}
