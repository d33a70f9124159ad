import { imageMaxBytes, maxCategories } from '../limits.ts'
import { formatLimit } from './units.ts'

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
  /** LOOP-01 */
  unfollow: {
    title: (name: string) => `Unfollow ${name}?`,
    message: 'Their posts will no longer appear in your feed. Your subscription stays active.',
    confirm: 'Unfollow',
    keep: 'Keep following',
  },
  edit: 'Edit Profile',
  share: 'Share',
  tabs: { posts: 'Posts', media: 'Media', subscribe: 'Subscribe', about: 'About' },
  noPosts: { title: 'No posts yet', message: 'Published posts appear here.' },
  noMedia: { title: 'No photos or videos yet', message: 'Photos and videos from posts appear here.' },
  noPlans: { title: 'No plans yet', message: "This creator doesn't offer any plans right now." },
  noPlansOwner: {
    title: 'No plans yet',
    message: 'Create a plan so fans can subscribe to you here.',
    action: 'Create a plan',
  },
  managePlans: 'Manage plans',
  lockedMedia: 'Locked',
  plansFailed: "Couldn't load plans",
  /** PROF-16 */
  plan: { subscribe: 'Subscribe Now', switch: 'Switch Plan', current: 'Current Plan' },
  planNamed: (action: string, plan: string) => `${action}: ${plan}`,
  trial: (days: number) => `${days} ${days === 1 ? 'day' : 'days'} free`,
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
  about: {
    bio: 'Bio',
    website: 'Website',
    categories: 'Categories',
    joined: 'Joined',
    nothing: 'Nothing here yet.',
  },
  privateProfile: {
    title: 'This profile is private',
    empty: {
      title: 'Nothing to see here',
      message: "Only the owner and paying fans can see what's shared here.",
    },
  },
  blockedEmpty: {
    title: 'Hidden because you blocked this user',
    message: "You can't see each other's posts or profiles.",
  },
  editor: {
    displayName: 'Display name',
    bio: 'Bio',
    website: 'Website',
    websiteWrong: 'Enter a full address, such as https://example.com',
    bioLong: 'Use 1,000 characters or fewer',
    isCreator: "I'm a creator",
    isCreatorHint: 'You can publish once your identity is verified.',
    categories: 'Categories',
    categoriesHint: `Choose up to ${maxCategories} to help fans find you.`,
    categoriesFull: `You've chosen ${maxCategories}. Remove one to add another.`,
    avatar: 'Profile picture',
    banner: 'Cover banner',
    change: 'Change',
    changeAvatar: 'Change profile picture',
    changeBanner: 'Change cover banner',
    imageHint: `JPEG, PNG, WebP, or GIF, up to ${formatLimit(imageMaxBytes)}`,
    save: 'Save',
    saved: 'Profile updated',
    imageSaved: 'Picture updated',
    /** PROF-12 */
    uploadFailed: { title: 'Upload failed', message: 'Please try again.' },
    notAnImage: 'Choose a JPEG, PNG, WebP, or GIF image.',
    tooLarge: `Choose an image up to ${formatLimit(imageMaxBytes)}.`,
    /** PROF-13 */
    failed: 'Failed to update profile',
    discard: { title: 'Discard your changes?', message: "Your changes haven't been saved.", confirm: 'Discard' },
  },
} as const
