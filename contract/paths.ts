/** The web app's paths. They are separate from the router so that the server can link to screens. */
export const paths = {
  home: '/',
  auth: '/auth',
  /** The target of links in emails. The part after `#` is what the page's button sends to auth/v1. */
  emailLink: '/auth/link',
  /** Where an app sends a user to request access to their account. */
  oauthConsent: '/oauth/consent',
  post: (id: string) => `/post/${encodeURIComponent(id)}`,
  ownProfile: '/profile',
  /** A profile by its username, or by its user id if it has none (PROF-02). */
  profile: (usernameOrUserId: string) => `/profile/${encodeURIComponent(usernameOrUserId)}`,
  /** The profile, scrolled to its plans. */
  plans: (usernameOrUserId: string) => `/profile/${encodeURIComponent(usernameOrUserId)}?tab=subscribe`,
  /** Everything with a tag that the viewer may see (TALK-01). */
  tag: (tag: string) => `/tag/${encodeURIComponent(tag)}`,
  explore: '/explore',
  exploreCategory: (category: string) => `/explore?category=${encodeURIComponent(category)}`,
  searchScreen: '/search',
  search: (query: string) => `/search?q=${encodeURIComponent(query)}`,
  notifications: '/notifications',
  saved: '/saved',
  protectedContent: '/protected-content',
  /** What subscribers of a creator see, by the profile's id (PREM-02). */
  premiumOf: (creatorId: string) => `/protected-content?creator_id=${encodeURIComponent(creatorId)}`,
  messages: '/messages',
  /** The conversation with a user, by username or user id, at its newest message or at another one. */
  conversation: (usernameOrUserId: string, messageId?: string) =>
    `/messages?with=${encodeURIComponent(usernameOrUserId)}${messageId === undefined ? '' : `&message=${messageId}`}`,
  privateSessions: '/private-sessions',
  /** The call of a booking. */
  call: (bookingId: string) => `/private-sessions/${encodeURIComponent(bookingId)}`,
  dashboard: '/dashboard',
  /** The viewer's own subscriptions (D29). */
  goals: '/dashboard?tab=goals',
  subscriptions: '/dashboard/subscriptions',
  /** Where a gift is redeemed, by the code of its link. */
  gift: (code: string) => `/gift/${encodeURIComponent(code)}`,
  /** The creator's mass messages: `history`, `scheduled`, or `draft`. */
  massMessages: (kind = 'history') => `/dashboard?tab=messages${kind === 'history' ? '' : `&show=${kind}`}`,
  /** A mass message that is being written: a draft or a scheduled one by its id, or a new one (MASS-01). */
  massMessage: (id: string) => `/dashboard/messages/${encodeURIComponent(id)}`,
  /** A new one, for instance `to=ending` or `from=` an earlier one. */
  newMassMessage: (begin = '') => `/dashboard/messages/new${begin && `?${begin}`}`,
  admin: '/admin',
  adminTab: (tab: string) => `/admin?tab=${tab}`,
  adminOverview: '/admin/overview',
  adminReports: '/admin/reports',
  adminPayments: (search = '') => `/admin/payments${search && `?q=${encodeURIComponent(search)}`}`,
  adminMoney: '/admin/money',
  adminAudit: '/admin/audit',
  adminHealth: '/admin/health',
  /** Whether the payment provider works with this installation (TEST-01). */
  stripeTest: '/stripe-test',
  creatorOnboarding: '/creator-onboarding',
  creatorVerification: '/creator-verification',
  subscriptionProducts: '/subscription-products',
  subscriptionSuccess: '/subscription-success',
  settings: '/settings',
  /** One of the five tabs of the settings (SET-03). */
  settingsTab: (tab: 'account' | 'subscriptions' | 'privacy' | 'notifications' | 'stripe') => `/settings?tab=${tab}`,
  referrals: '/referrals',
  /** A product's page (OFFER-05). */
  product: (id: string) => `/product/${encodeURIComponent(id)}`,
  /** Everything the viewer has bought (OFFER-06). */
  library: '/library',
  /** A creator's stories (STORY-01): those that the viewer hasn't seen, or `story=` one of them, or `highlight=` one of their sets. */
  stories: (username: string, at = '') => `/stories/${encodeURIComponent(username)}${at && `?${at}`}`,
  /** A creator's files (VAULT-01). */
  vault: '/vault',
  support: '/support',
  privacyPolicy: '/privacy-policy',
  termsOfService: '/terms-of-service',
  notFound: '/404',
} as const

/** The query parameter of the screen that a fan returns to from a payment page without having paid. */
export const notPaidParameter = 'checkout'
/** The path of that screen. */
export const withoutPaying = (path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${notPaidParameter}=left`

/** The query parameter of the consent screen that identifies an app's request. */
export const authorizationParameter = 'authorization_id'

/** The query parameter of `/auth` with the path to return to (D35). */
export const returnParameter = 'next'
/** The query parameter that carries a referral code on any screen (AUTH-02). */
export const referralParameter = 'ref'

/**
 * The path to return to after signing in, or home. Only a path of this site is accepted, so that a crafted link can't redirect a user to
 * another site.
 */
export function safeReturnPath(next: string | null): string {
  // Browsers remove tabs and line breaks from URLs: `/<tab>/elsewhere` would be another site.
  if (!next || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(next)) return paths.home
  return next.startsWith(paths.auth) ? paths.home : next
}
