import { creatorPercentOf } from '../fees.ts'
import { passwordMinLength } from '../limits.ts'

/** Sign-in and sign-up (AUTH-01..AUTH-18). */
export const authTexts = {
  title: 'Sign In',
  signUpTitle: 'Sign Up',
  tabs: { signIn: 'Sign In', signUp: 'Sign Up' },
  /** AUTH-03 */
  pitch: {
    title: 'Get paid for your views, not just your subscribers.',
    message: (feePercent: number) =>
      `Share with everyone, with subscribers, or sell post by post. You keep ${creatorPercentOf(feePercent)}% of every payment.`,
    points: ['Set your own prices', 'Payouts to your bank through Stripe', 'No ads. No middleman.'],
  },
  email: 'Email',
  username: { label: 'Username', hint: "This becomes your profile URL. Leave it blank and we'll pick one for you." },
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
