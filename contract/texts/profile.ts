import { imageMaxBytes, maxCategories } from '../limits.ts'
import { formatLimit } from './units.ts'

/** Profile (PROF). */
export const profileTexts = {
  title: 'Profile',
  /** PROF-03 */
  notFound: 'Profile not found',
  loadFailed: 'This profile could not be loaded',
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
  noPosts: { title: 'No posts yet', message: 'Posts appear here once they are published.' },
  noMedia: { title: 'No photos or videos yet', message: 'Photos and videos of posts appear here.' },
  noPlans: { title: 'No plans yet', message: 'This creator has no subscription to offer at the moment.' },
  noPlansOwner: {
    title: 'No plans yet',
    message: 'Define a subscription product, and fans can subscribe to you here.',
    action: 'Subscription Products',
  },
  managePlans: 'Manage plans',
  lockedMedia: 'Locked',
  plansFailed: 'The plans could not be loaded',
  /** PROF-16 */
  plan: { subscribe: 'Subscribe Now', switch: 'Switch Plan', current: 'Current Plan' },
  planNamed: (action: string, plan: string) => `${action}: ${plan}`,
  trial: (days: number) => `${days} ${days === 1 ? 'day' : 'days'} free`,
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
      title: 'Nothing to see from outside',
      message: 'Only its owner, and whoever pays for it, can see what is shared here.',
    },
  },
  blockedEmpty: {
    title: 'Hidden while you block them',
    message: 'You and this person do not see what the other shares.',
  },
  editor: {
    displayName: 'Display name',
    bio: 'Bio',
    website: 'Website',
    websiteWrong: 'Enter a full address, such as https://example.com',
    bioLong: 'Use at most 1000 characters',
    isCreator: 'I am a creator',
    isCreatorHint: 'Publishing starts once your identity has been verified.',
    categories: 'Categories',
    categoriesHint: `Up to ${maxCategories}. They help fans find you.`,
    categoriesFull: `${maxCategories} chosen. Take one away to choose another.`,
    avatar: 'Profile picture',
    banner: 'Cover banner',
    change: 'Change',
    changeAvatar: 'Change profile picture',
    changeBanner: 'Change cover banner',
    imageHint: `JPEG, PNG, WebP or GIF, up to ${formatLimit(imageMaxBytes)}`,
    save: 'Save',
    saved: 'Profile updated',
    imageSaved: 'Picture updated',
    /** PROF-12 */
    uploadFailed: { title: 'Upload failed', message: 'Please try again.' },
    notAnImage: 'Choose a picture: JPEG, PNG, WebP or GIF.',
    tooLarge: `Choose a picture of up to ${formatLimit(imageMaxBytes)}.`,
    /** PROF-13 */
    failed: 'Failed to update profile',
    discard: { title: 'Discard your changes?', message: 'What you typed has not been saved.', confirm: 'Discard' },
  },
} as const
