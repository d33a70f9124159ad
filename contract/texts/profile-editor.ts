import { imageMaxBytes, maxCategories } from '../limits.ts'
import { formatLimit } from './units.ts'

/** Texts of the dialog that edits a profile. */
export const profileEditorTexts = {
  displayName: 'Display name',
  bio: 'Bio',
  website: 'Website',
  websiteWrong: 'Enter a full address, such as https://example.com',
  more: 'Set your color, links, and welcome in Settings',
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
} as const
