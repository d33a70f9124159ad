import { passwordMinLength } from '../limits.ts'

/** Sign-in and sign-up (AUTH-01..AUTH-18). */
export const authTexts = {
  title: 'Sign In',
  signUpTitle: 'Sign Up',
  tabs: { signIn: 'Sign In', signUp: 'Sign Up' },
  /** The front page, above creators and the form (LOOP-03). */
  front: {
    title: 'The work you love, straight from the people who make it.',
    message: 'Follow creators for free, subscribe for more, and support them directly.',
  },
  email: 'Email',
  username: { label: 'Username', hint: "This becomes your profile URL. Leave it blank and we'll pick one for you." },
  /** Joining to do something asks for no more than it needs; the rest is behind this button (AUTH-11). */
  moreFields: 'Choose a username (optional)',
  displayName: { label: 'Display name', hint: 'Shown on your profile (optional)' },
  password: 'Password',
  passwordHint: `At least ${passwordMinLength} characters`,
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  /** AUTH-06 */
  wantsToCreate: 'I want to be a creator and monetize my content',
  /** AUTH-07; its two names are links. */
  consent: {
    before: 'I am at least 18 years old and agree to the ',
    terms: 'Terms of Service',
    between: ' and ',
    privacy: 'Privacy Policy',
  },
  /** When the address has an account already. */
  signInInstead: 'Sign in instead',
  invited: "You've been invited! We'll let the person who invited you know when you join.",
  errors: {
    emailMissing: 'Enter your email',
    emailWrong: "That doesn't look like a valid email",
    passwordMissing: 'Enter your password',
    passwordShort: `Use at least ${passwordMinLength} characters`,
    usernameWrong: 'Use 3 to 30 lowercase letters, numbers, underscores, or hyphens',
    displayNameLong: 'Use 50 characters or fewer',
    consentMissing: 'Please confirm your age and agree to the terms',
  },
  usernameTaken: { title: 'Username taken', message: 'This username is already taken. Please choose another one.' },
  signUpFailed: 'Sign up failed',
  signInFailed: 'Sign in failed',
  welcome: (site: string) => ({ title: `Welcome to ${site}!`, message: 'Your account is ready.' }),
} as const

/**
 * Joining to do something (LOOP-04): `Join to subscribe to {name}`. The name is set apart from the words, so that it can't reorder
 * them, and always comes last.
 */
export const joinTexts = {
  join: 'Join to',
  signIn: 'Sign in to',
  /** After "Sign In Required" (GEN-40). */
  free: 'create a free account below.',
  actions: {
    follow: 'follow',
    message: 'message',
    tip: 'tip',
    'tip-post': 'tip',
    report: 'report content by',
    subscribe: 'subscribe to',
    buy: 'unlock a post by',
    like: 'like a post by',
    save: 'save a post by',
    vote: 'vote in a poll by',
  },
  gone: "What you were looking for isn't available anymore. You can still join and discover other creators.",
  /** The question after signing in. */
  resume: {
    title: 'Continue where you left off',
    notNow: 'Not now',
    /** With a promotion code, the shown price isn't what they pay. */
    withCode: "You'll see the price with your code before you pay.",
  },
} as const
