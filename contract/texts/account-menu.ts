/** The account menu and the rails, which load after the shell (GEN-28..GEN-33). */
export const menuTexts = {
  dashboard: 'Dashboard',
  creatorSetup: 'Creator Setup',
  settings: 'Settings',
  shareProfile: 'Share Profile',
  referrals: 'Referrals',
  adminPanel: 'Admin Panel',
  adminPanelWaiting: (label: string, count: string) => `${label}, ${count} waiting`,
  logOut: 'Log out',
  library: 'Library',
  savedPosts: 'Saved posts',
  subscriptions: 'Subscriptions',
  sessions: 'Private sessions',
  forCreators: 'For creators',
  plans: 'Subscription plans',
  vault: 'Vault',
  appearance: { label: 'Appearance', auto: 'Auto', light: 'Light', dark: 'Dark' },
} as const
