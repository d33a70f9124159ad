import { paths } from './paths.ts'

/**
 * Every screen of the web app, once: the router, the server's answer for an address, the files that a document asks for early, link
 * previews, robots.txt, and the sitemap all derive from this list. A screen that isn't here doesn't exist.
 */
export type Screen = {
  /** Its path. A segment that begins with `:` matches any segment. */
  readonly pattern: string
  /** Its file in `web/app/routes`, without the extension. */
  readonly module: string
  /**
   * Visitors come here first: the server renders it for them, and search engines may list it. They leave all others alone: screens of
   * signed-in users, and endless ones such as search results.
   */
  readonly isPublic?: true
  /** The path under which they list it, if not its own. */
  readonly canonical?: string
  /** Users share its address, and other sites show a preview of it. */
  readonly hasPreview?: true
  /** The beginning of its short address, before the pattern's one parameter: see `canonicalPath`. */
  readonly short?: string
}

/** Turns a path that was built for `:name` into a pattern. */
const patternOf = (path: string): string => decodeURIComponent(path.split('?', 1)[0] ?? '')

export const screens: readonly Screen[] = [
  { pattern: paths.home, module: 'home', isPublic: true },
  { pattern: paths.admin, module: 'admin' },
  { pattern: paths.adminAudit, module: 'admin-audit' },
  { pattern: paths.adminHealth, module: 'admin-health' },
  { pattern: paths.adminMoney, module: 'admin-money' },
  { pattern: paths.adminOverview, module: 'admin-overview' },
  { pattern: paths.adminPayments(), module: 'admin-payments' },
  { pattern: paths.adminReports, module: 'admin-reports' },
  { pattern: paths.auth, module: 'auth', isPublic: true, canonical: paths.home },
  { pattern: paths.emailLink, module: 'email-link' },
  { pattern: paths.creatorOnboarding, module: 'creator-onboarding' },
  { pattern: paths.creatorVerification, module: 'creator-verification' },
  { pattern: paths.dashboard, module: 'dashboard' },
  { pattern: paths.subscriptions, module: 'subscriptions' },
  { pattern: patternOf(paths.massMessage(':id')), module: 'mass-message' },
  { pattern: paths.explore, module: 'explore', isPublic: true },
  { pattern: patternOf(paths.gift(':code')), module: 'gift' },
  { pattern: paths.library, module: 'library' },
  { pattern: paths.messages, module: 'messages' },
  { pattern: paths.notifications, module: 'notifications' },
  { pattern: paths.oauthConsent, module: 'oauth-consent' },
  { pattern: patternOf(paths.post(':id')), module: 'post', isPublic: true, hasPreview: true },
  { pattern: paths.privateSessions, module: 'private-sessions' },
  { pattern: patternOf(paths.call(':bookingId')), module: 'call' },
  { pattern: paths.privacyPolicy, module: 'privacy-policy', isPublic: true },
  { pattern: patternOf(paths.product(':id')), module: 'product', isPublic: true, hasPreview: true },
  { pattern: paths.ownProfile, module: 'own-profile' },
  { pattern: patternOf(paths.profile(':username')), module: 'profile', isPublic: true, hasPreview: true, short: '/@' },
  { pattern: paths.protectedContent, module: 'protected-content' },
  { pattern: paths.referrals, module: 'referrals' },
  { pattern: paths.saved, module: 'saved' },
  { pattern: patternOf(paths.search('')), module: 'search' },
  { pattern: paths.settings, module: 'settings' },
  { pattern: patternOf(paths.stories(':username')), module: 'stories' },
  { pattern: paths.stripeTest, module: 'stripe-test' },
  { pattern: paths.subscriptionProducts, module: 'subscription-products' },
  { pattern: paths.subscriptionSuccess, module: 'subscription-success' },
  { pattern: paths.support, module: 'support', isPublic: true },
  { pattern: patternOf(paths.tag(':tag')), module: 'tag', isPublic: true },
  { pattern: paths.vault, module: 'vault' },
  { pattern: paths.termsOfService, module: 'terms-of-service', isPublic: true },
]

const segmentsOf = (path: string): string[] => path.split('/').slice(1)
const known = screens.map((screen) => ({ screen, segments: segmentsOf(screen.pattern) }))

/**
 * The screen at a path, with or without trailing slashes. Undefined if the web app has none: then the server answers 404, and the app
 * shows its not-found screen (404-01). No path matches two patterns.
 */
export function findScreen(path: string): Screen | undefined {
  const asked = segmentsOf(path === '/' ? path : path.replace(/\/+$/, ''))
  return known.find(
    ({ segments }) =>
      segments.length === asked.length &&
      segments.every((segment, index) => segment === asked[index] || (segment.startsWith(':') && asked[index] !== '')),
  )?.screen
}
