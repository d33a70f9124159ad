/** Texts that many screens share, and the frame around them (GEN-18..GEN-33, ERR). */
export const commonTexts = {
  retry: 'Retry',
  undo: 'Undo',
  cancel: 'Cancel',
  close: 'Close',
  delete: 'Delete',
  save: 'Save',
  loading: 'Loading…',
  loadMore: 'Load more',
  more: 'More',
  skipToContent: 'Skip to content',
  returnHome: 'Return to Home',
  /** ERR-01 */
  profileMissing: 'Could not find your profile',
  /** GEN-40 */
  signInRequired: { title: 'Sign In Required', message: 'Sign in or create an account to continue.' },
  somethingWrong: {
    title: 'Something went wrong',
    message: "We couldn't load this page. Try again, or go back to the home page.",
  },
  offlineTitle: "You're offline",
  offline: "We can't reach the server. Check your connection and try again.",
  wrongCode: 'That code is incorrect or has expired. Enter the most recent one.',
  startFailed: {
    title: "Ovation couldn't start",
    message: "The server didn't respond. Check your connection and try again.",
  },
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
  signIn: 'Sign In',
  joinNow: 'Join Now',
  create: 'Create',
  mainNavigation: 'Main',
  footerNavigation: 'Footer',
  /** GEN-32, LOOP-26 */
  copyright: (name: string, thisYear: number) => `© 2024–${thisYear} ${name}. All rights reserved.`,
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
  support: 'Support',
} as const
