/** Where the operator asks admins for a second factor, and one has none yet. */
export const adminAccessTexts = {
  title: 'Admins need a second factor',
  message: 'This site asks its admins for a second factor. Set one up, and the admin panel opens.',
  otherWays: 'Use a security key or a phone instead',
} as const
