import { creatorPercentOf } from '../fees.ts'
import { passwordMinLength } from '../limits.ts'

/** Sign-in and sign-up (AUTH-01..AUTH-18). */
export const authTexts = {
  title: 'Sign In',
  signUpTitle: 'Sign Up',
  tabs: { signIn: 'Sign In', signUp: 'Sign Up' },
  /** AUTH-03 */
  pitch: {
    title: 'Get paid for views as well as subscribers.',
    message: (feePercent: number) =>
      `Publish for everyone, for subscribers, or post by post. You keep ${creatorPercentOf(feePercent)}% of every payment.`,
    points: ['Set your own prices', 'Paid out to your bank by Stripe', 'No ads, and nobody between you and your fans'],
  },
  email: 'Email',
  username: { label: 'Username', hint: 'Your address here. Leave it empty and we choose one for you.' },
  displayName: { label: 'Display name', hint: 'What people call you. Optional.' },
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
  invited: 'You were invited. We will let the person who invited you know that you joined.',
  errors: {
    emailMissing: 'Enter your email address',
    emailWrong: 'This does not look like an email address',
    passwordMissing: 'Enter your password',
    passwordShort: `Use at least ${passwordMinLength} characters`,
    usernameWrong: 'Use 3 to 30 lowercase letters, digits, underscores and hyphens',
    displayNameLong: 'Use at most 50 characters',
    consentMissing: 'Please confirm your age and agree to the terms',
  },
  usernameTaken: { title: 'Username taken', message: 'This username is already taken. Please choose another one.' },
  signUpFailed: 'Sign up failed',
  signInFailed: 'Sign in failed',
  welcome: (site: string) => ({ title: `Welcome to ${site}!`, message: 'Your account is ready.' }),
} as const
