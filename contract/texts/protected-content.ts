/** Premium content and its gate (PREM, SUB-14..SUB-22). */
export const premiumTexts = {
  title: 'Premium content',
  titleOf: (creator: string) => `Premium content by ${creator}`,
  /** PREM-04 */
  signIn: {
    title: 'Sign In Required',
    message: 'Sign in to see your subscriptions.',
    action: 'Sign In',
  },
  /** SUB-06 */
  creatorMissing: {
    title: 'Creator not found',
    message: 'This account may have been deleted, or the link is mistyped.',
  },
  statusFailed: 'Failed to check subscription status',
  loadFailed: "Couldn't load premium content",
  moreFailed: "Couldn't load older content.",
  /** SUB-18 */
  required: {
    title: 'Subscription Required',
    message: (creator: string) => `Subscribe to see ${creator}'s premium content.`,
    /** For a subscription that ended because a payment failed. */
    unpaid: (creator: string) => `Your last payment failed, so you can't see ${creator}'s premium content.`,
    /** A trial that ended without a card. The subscription continues once there is one that can be charged. */
    paused: (creator: string) => `Your subscription to ${creator} is paused. Add a card to continue it.`,
    /** A fan's own pause (OFFER-10). */
    onPause: (creator: string) =>
      `You've paused your subscription to ${creator}. Resume it to see their premium content.`,
    action: 'See plans',
  },
  /** SUB-17 */
  expired: {
    title: 'Subscription Expired',
    message: (creator: string) => `Your subscription to ${creator} has ended. Subscribe again to get access.`,
    action: 'See plans',
  },
  states: {
    active: 'Active',
    trial: 'Free trial',
    past_due: 'Payment failed',
    canceled: 'Canceled',
    owner: 'Your own content',
    admin: 'Viewing as an admin',
  },
  /** SUB-20 */
  days: (days: number, hours: number) => `${unit(days, 'day')} ${unit(hours, 'hour')}`,
  hours: (hours: number, minutes: number) => `${unit(hours, 'hour')} ${unit(minutes, 'minute')}`,
  left: (time: string) => `${time} left`,
  /** SUB-19 */
  warning: {
    renews: {
      title: 'Your subscription renews soon',
      message: (time: string) => `Your current period ends in ${time}. It renews automatically.`,
    },
    trial: {
      title: 'Your free trial ends soon',
      message: (time: string) => `Your free trial ends in ${time}. After that, we'll charge you for the plan.`,
    },
    ends: {
      title: 'Your access ends soon',
      message: (time: string) => `Your access ends in ${time}. Resume your subscription to keep it.`,
    },
    pastDue: {
      title: 'Your access ends soon',
      message: (time: string) => `Your last payment failed. Update your card within ${time} to keep access.`,
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
    articles: { title: 'No articles yet', message: 'Text posts for subscribers appear here.' },
    downloads: { title: 'Nothing to download yet', message: 'Files from subscriber posts appear here.' },
  },
  otherPlan: (count: number) =>
    `${count === 1 ? 'One more post is' : `${count} more posts are`} available on a higher plan.`,
  download: 'Download',
  downloadNamed: (name: string) => `Download ${name}`,
  file: (position: number, type: 'image' | 'video') => `${type === 'image' ? 'Photo' : 'Video'} ${position}`,
  untitled: (date: string) => `Post from ${date}`,
} as const

const unit = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
