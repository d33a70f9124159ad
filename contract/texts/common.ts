/** Words that many screens share, and the chrome around them (GEN-18..GEN-33, ERR). */
export const commonTexts = {
  retry: 'Retry',
  cancel: 'Cancel',
  close: 'Close',
  delete: 'Delete',
  save: 'Save',
  loading: 'Loading…',
  loadMore: 'Load more',
  skipToContent: 'Skip to content',
  /** ERR-01 */
  profileMissing: 'Could not find your profile',
  /** GEN-40 */
  signInRequired: { title: 'Sign In Required', message: 'Sign in or join to continue.' },
  somethingWrong: {
    title: 'Something went wrong',
    message: 'This screen could not be shown. Try again, or go back to the home page.',
  },
  offline: 'The server could not be reached. Check your connection and try again.',
  wrongCode: 'That code is wrong, or no longer good. Enter the newest one.',
  startFailed: {
    title: 'Ovation could not start',
    message: 'The server did not answer. Check your connection and try again.',
  },
  linkCopied: 'Link copied',
  copied: 'Copied',
  copyRefused: 'The browser did not allow the copy. Select the text and copy it by hand.',
  copyFailed: { title: 'The link could not be copied', message: 'Copy it from the address bar instead.' },
  verified: 'Verified',
  creator: 'Creator',
} as const

export const shellTexts = {
  search: { label: 'Search', placeholder: 'Search...' },
  home: 'Home',
  explore: 'Explore',
  notifications: 'Notifications',
  messages: 'Messages',
  unread: (label: string, count: string) => `${label}, ${count} unread`,
  account: 'Account menu',
  profile: 'Profile',
  dashboard: 'Dashboard',
  creatorSetup: 'Creator Setup',
  settings: 'Settings',
  shareProfile: 'Share Profile',
  referrals: 'Referrals',
  adminPanel: 'Admin Panel',
  logOut: 'Log out',
  savedPosts: 'Saved posts',
  subscriptions: 'Subscriptions',
  signIn: 'Sign In',
  joinNow: 'Join Now',
  appearance: { label: 'Appearance', auto: 'Auto', light: 'Light', dark: 'Dark' },
  mainNavigation: 'Main',
  footerNavigation: 'Footer',
  /** GEN-32 */
  copyright: (name: string) => `© 2024 ${name}. All rights reserved.`,
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
  support: 'Support',
} as const

/** 404-02, 404-03 */
export const notFoundTexts = {
  code: '404',
  title: 'Oops! Page not found',
  message: 'The address may be mistyped, or what stood here has been removed.',
  home: 'Return to Home',
} as const
