/** Profile (PROF). */
export const profileTexts = {
  title: 'Profile',
  /** PROF-03 */
  notFound: 'Profile not found',
  loadFailed: "Couldn't load this profile",
  creator: 'Creator',
  statistics: 'Statistics',
  stats: {
    followers: 'Followers',
    following: 'Following',
    photos: 'Photos',
    videos: 'Videos',
    posts: 'Posts',
    earned: 'Earned',
  },
  message: 'Message',
  follow: 'Follow',
  following: 'Following',
  /** PROF-20 */
  followFailed: 'Failed to update follow status',
  edit: 'Edit Profile',
  share: 'Share',
  tabs: { posts: 'Posts', media: 'Media', subscribe: 'Subscribe', about: 'About' },
  featured: 'Featured',
  noPosts: { title: 'No posts yet', message: 'Published posts appear here.' },
  noMedia: { title: 'No photos or videos yet', message: 'Photos and videos from posts appear here.' },
  /** LOOP-05 */
  offer: {
    label: 'Subscription',
    subscribe: (price: string) => `Subscribe for ${price}`,
    subscribeFrom: (price: string) => `Subscribe from ${price}`,
    startTrial: (days: number) => `Start ${days} ${days === 1 ? 'day' : 'days'} free`,
    line: (plans: number) => (plans === 1 ? 'Cancel anytime.' : `${plans} plans. Cancel anytime.`),
    trialLine: (days: number, price: string) =>
      `${days} ${days === 1 ? 'day' : 'days'} free, then ${price}. Cancel anytime.`,
    yourPlan: 'Your plan',
    subscribed: 'Subscribed',
    trialUntil: (date: string, price: string) => `Trial until ${date}, then ${price}`,
    change: 'Change plan',
    manage: 'Manage',
  },
  private: 'This profile is private',
} as const
