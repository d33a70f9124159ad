/** For an admin without a second factor, if the operator requires one. */
export const adminAccessTexts = {
  title: 'Set up two-factor sign-in',
  message: 'Admins on this site need two-factor sign-in. Set it up to open the admin panel.',
  otherWays: 'Use a security key or a phone instead',
} as const
