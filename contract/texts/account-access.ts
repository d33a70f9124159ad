import { passwordMinLength } from '../limits.ts'

/** The ways into an account beside the password, and back into one (AUTH-16..AUTH-20). */
export const accessTexts = {
  back: 'Back to Sign In',
  or: 'or',
  /** AUTH-20 */
  forgot: {
    link: 'Forgot password?',
    title: 'Forgot your password?',
    message: 'Tell us your email address. If it has an account, we send a link and a code to choose a new password.',
    submit: 'Send link',
  },
  newPassword: {
    title: 'Choose a new password',
    message: 'It replaces the old one, and signs you out everywhere else.',
    password: 'New password',
    confirm: 'Repeat the new password',
    submit: 'Save password',
    failed: 'Failed to change password',
    done: 'Your new password is saved',
  },
  emailLink: {
    link: 'Email me a sign-in link',
    title: 'Sign in by email',
    message: 'We send a link and a code to the address of your account. No password needed.',
    submit: 'Send link',
  },
  /** What was mailed: shown in the same words whether or not the address has an account. */
  mail: {
    title: 'Check your email',
    messages: {
      signup: (email: string) => `We sent a link to ${email}. Open it to confirm your address, then sign in.`,
      recovery: (email: string) =>
        `If ${email} has an account, a message is on its way. Open its link, or enter the code from it.`,
      email: (email: string) =>
        `If ${email} has an account, a message is on its way. Open its link, or enter the code from it.`,
    },
    code: 'Code from the email',
    codeWrong: 'Enter the six digits from the email',
    confirm: 'Confirm',
    failed: 'This code did not work',
    resend: 'Send it again',
    resendIn: (seconds: number) => `Send it again in ${seconds} s`,
    resent: 'Sent again. Look into your spam folder as well.',
    resendFailed: 'It could not be sent again',
  },
  /** What the suspended read at sign-in. */
  suspended: (supportEmail: string) =>
    `This account is suspended. If you think that it should not be, write to ${supportEmail}.`,
  unconfirmed: { action: 'Send the confirmation again' },
  link: {
    expired: {
      title: 'This link does not work any more',
      message: 'It has expired or was used already. Each link works once. Ask for a new one below.',
    },
    refused: { title: 'Sign in failed' },
    /** The page that a letter leads to: the press of a person, and no program that reads mail, goes on. */
    page: {
      signup: {
        title: 'Confirm your email',
        message: 'One press, and your account is ready.',
        button: 'Confirm email',
      },
      invite: {
        title: 'You are invited',
        message: 'Accept the invitation, then choose a password.',
        button: 'Accept the invitation',
      },
      magiclink: { title: 'Sign in', message: 'This link signs you in on this device, once.', button: 'Sign in' },
      recovery: {
        title: 'Choose a new password',
        message: 'This link opens your account, so that you can choose a new password.',
        button: 'Continue',
      },
      email_change: {
        title: 'Confirm the change',
        message: 'Your account gets its new email address once both addresses have confirmed it.',
        button: 'Confirm the change',
      },
    },
    broken: {
      title: 'This link is not complete',
      message: 'Part of it got lost on the way. Copy the whole link from the email, or ask for a new one.',
      action: 'Go to Sign In',
    },
  },
  passkey: {
    signIn: 'Sign in with a passkey',
    canceled: 'The passkey was not used. Try again, or sign in another way.',
  },
  provider: { signIn: (name: string) => `Continue with ${name}`, failed: 'Sign in failed' },
  sso: {
    link: 'Continue with single sign-on',
    title: 'Single sign-on',
    message: 'Enter your work email address. Your organization signs you in.',
    email: 'Work email',
    submit: 'Continue',
    failed: 'Single sign-on failed',
  },
  /** AUTH-19 */
  secondFactor: {
    title: 'Two-factor sign-in',
    code: 'Code from your authenticator app',
    codeWrong: 'Enter the six digits that the app shows',
    submit: 'Verify',
    key: { message: 'Use the security key that belongs to this account.', submit: 'Use security key' },
    phone: {
      message: 'We send a code to your phone.',
      send: 'Send code',
      code: 'Code from the text message',
      codeWrong: 'Enter the code from the text message',
    },
    recovery: {
      link: 'Use a recovery code',
      label: 'Recovery code',
      hint: 'One of the ten codes you kept. It works once.',
      wrong: 'Enter one of your recovery codes',
      refused: 'That code is wrong, or has been used. Enter another of your recovery codes.',
    },
    other: { totp: 'Use the authenticator app', webauthn: 'Use a security key', phone: 'Use a text message' },
    failed: 'This did not work',
    otherAccount: 'Use another account',
  },
  /** D16, for who came through another service: the box was not asked for yet. */
  consent: {
    title: 'One more step',
    message: 'Your account is ready. Please confirm this before you go on.',
    submit: 'Continue',
    failed: 'Failed to save settings. Please try again.',
  },
  signUpClosed: 'New accounts are not accepted at the moment.',
  passwordShort: { title: 'Password too short', message: `Use at least ${passwordMinLength} characters` },
  passwordsDiffer: 'Passwords do not match',
} as const

/** Names of the services that people may know; any other is shown by the name the operator gave it. */
export const providerNames: Readonly<Record<string, string>> = { apple: 'Apple', github: 'GitHub', google: 'Google' }
