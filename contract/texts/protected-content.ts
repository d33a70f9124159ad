/** Premium content and its gate (PREM, SUB-14..SUB-22). */
export const premiumTexts = {
  title: 'Premium content',
  titleOf: (creator: string) => `Premium content by ${creator}`,
  /** PREM-04 */
  signIn: {
    title: 'Sign In Required',
    message: 'Sign in to see what you are subscribed to.',
    action: 'Sign In',
  },
  /** SUB-06 */
  creatorMissing: { title: 'Creator not found', message: 'The account may be gone, or the address mistyped.' },
  statusFailed: 'Failed to check subscription status',
  loadFailed: 'The premium content could not be loaded',
  moreFailed: 'Older content could not be loaded.',
  /** SUB-18 */
  required: {
    title: 'Subscription Required',
    message: (creator: string) => `What ${creator} shares here is for subscribers.`,
    /** To whom it closed because no payment came. */
    unpaid: (creator: string) => `Your last payment failed, so what ${creator} shares here is closed to you.`,
    /** A trial that ended without a card: one that can be charged lets the subscription go on. */
    paused: (creator: string) => `Your subscription to ${creator} is paused. Add a card to continue it.`,
    action: 'See plans',
  },
  /** SUB-17 */
  expired: {
    title: 'Subscription Expired',
    message: (creator: string) => `Your subscription to ${creator} has ended. Subscribe again, and all of it opens.`,
    action: 'See plans',
  },
  states: {
    active: 'Active',
    trial: 'Free trial',
    past_due: 'Payment failed',
    canceled: 'Canceled',
    owner: 'Your own content',
    admin: 'You see it as an admin',
  },
  /** SUB-20 */
  days: (days: number, hours: number) => `${unit(days, 'day')} ${unit(hours, 'hour')}`,
  hours: (hours: number, minutes: number) => `${unit(hours, 'hour')} ${unit(minutes, 'minute')}`,
  left: (time: string) => `${time} left`,
  /** SUB-19 */
  warning: {
    renews: {
      title: 'Your subscription renews soon',
      message: (time: string) => `The period you paid for ends in ${time}. It renews by itself.`,
    },
    trial: {
      title: 'Your free trial ends soon',
      message: (time: string) => `Your free trial ends in ${time}. Then the plan renews and is charged.`,
    },
    ends: {
      title: 'Your access ends soon',
      message: (time: string) => `Your access ends in ${time}. Resume your subscription to keep it.`,
    },
    pastDue: {
      title: 'Your access ends soon',
      message: (time: string) => `Your last payment failed. Your access ends in ${time} unless it succeeds.`,
    },
    manage: 'Manage subscription',
  },
  /** SUB-22 */
  refresh: 'Refresh',
  refreshed: 'Status refreshed!',
  sections: { videos: 'Videos', photos: 'Photo gallery', articles: 'Articles', downloads: 'Downloads' },
  none: {
    videos: { title: 'No videos yet', message: 'Videos for subscribers appear here.' },
    photos: { title: 'No photos yet', message: 'Photos for subscribers appear here.' },
    articles: { title: 'No articles yet', message: 'Texts for subscribers appear here.' },
    downloads: { title: 'Nothing to download yet', message: 'Files of posts for subscribers appear here.' },
  },
  otherPlan: (count: number) =>
    `${count === 1 ? 'One more post is' : `${count} more posts are`} part of a higher plan.`,
  download: 'Download',
  downloadNamed: (name: string) => `Download ${name}`,
  file: (position: number, type: 'image' | 'video') => `${type === 'image' ? 'Photo' : 'Video'} ${position}`,
  untitled: (date: string) => `Post of ${date}`,
} as const

const unit = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
