import { passwordMinLength } from '../limits.ts'

/** Ways to sign in without a password, and to regain access (AUTH-16..AUTH-20). */
export const accessTexts = {
  back: 'Back to sign in',
  or: 'or',
  /** AUTH-20 */
  forgot: {
    link: 'Forgot password?',
    title: 'Forgot your password?',
    message: "Enter your email. If it belongs to an account, we'll send a link and a code to reset your password.",
    submit: 'Send link',
  },
  newPassword: {
    title: 'Choose a new password',
    message: "It replaces your old password. You'll be signed out everywhere else.",
    password: 'New password',
    confirm: 'Confirm new password',
    submit: 'Save password',
    failed: 'Failed to change password',
    done: 'Your new password is saved',
  },
  emailLink: {
    link: 'Email me a sign-in link',
    title: 'Sign in by email',
    message: "We'll email you a link and a code. No password needed.",
    submit: 'Send link',
  },
  /** Confirms that an email was sent, with the same text whether or not the address has an account. */
  mail: {
    title: 'Check your email',
    messages: {
      signup: (email: string) => `We sent a link to ${email}. Open it to confirm your email, then sign in.`,
      recovery: (email: string) =>
        `If ${email} has an account, we've sent it an email. Open the link in it, or enter the code here.`,
      email: (email: string) =>
        `If ${email} has an account, we've sent it an email. Open the link in it, or enter the code here.`,
    },
    code: 'Code from the email',
    codeWrong: 'Enter the 6-digit code from the email',
    confirm: 'Confirm',
    failed: "That code didn't work",
    resend: 'Send again',
    resendIn: (seconds: number) => `Send again in ${seconds} s`,
    resent: 'Sent again. Check your spam folder too.',
    resendFailed: "Couldn't send it again",
  },
  /** Shown to a suspended user at sign-in. The address is empty if the operator hasn't set one. */
  suspended: (supportEmail: string) =>
    `This account is suspended. If you think this is a mistake, ${supportEmail ? `email ${supportEmail}` : 'contact support'}.`,
  unconfirmed: { action: 'Resend confirmation' },
  link: {
    expired: {
      title: 'This link has expired',
      message: 'Each link works once, for a limited time. Get a new one below.',
    },
    refused: { title: 'Sign in failed' },
    /** The target of links in emails. Mail scanners open links, so the user has to click a button. */
    page: {
      signup: {
        title: 'Confirm your email',
        message: 'Confirm to activate your account.',
        button: 'Confirm email',
      },
      invite: {
        title: "You're invited",
        message: 'Accept the invitation, then choose a password.',
        button: 'Accept invitation',
      },
      magiclink: {
        title: 'Sign in',
        message: 'This link signs you in on this device. It works once.',
        button: 'Sign in',
      },
      recovery: {
        title: 'Choose a new password',
        message: 'Continue to choose a new password.',
        button: 'Continue',
      },
      email_change: {
        title: 'Confirm your email change',
        message: "Your email changes once you've confirmed it from both addresses.",
        button: 'Confirm change',
      },
    },
    broken: {
      title: 'This link is incomplete',
      message: 'Part of it is missing. Copy the whole link from the email, or request a new one.',
      action: 'Go to sign in',
    },
  },
  passkey: {
    signIn: 'Sign in with a passkey',
    canceled: "Your passkey wasn't used. Try again, or sign in another way.",
  },
  provider: { signIn: (name: string) => `Continue with ${name}`, failed: 'Sign in failed' },
  sso: {
    link: 'Continue with single sign-on',
    title: 'Single sign-on',
    message: "Enter your work email. You'll sign in through your organization.",
    email: 'Work email',
    submit: 'Continue',
    failed: 'Single sign-on failed',
  },
  /** AUTH-19 */
  secondFactor: {
    title: 'Two-factor sign-in',
    code: 'Code from your authenticator app',
    codeWrong: 'Enter the 6-digit code from the app',
    submit: 'Verify',
    key: { message: 'Use your security key to finish signing in.', submit: 'Use security key' },
    phone: {
      message: "We'll text a code to your phone.",
      send: 'Send code',
      code: 'Code from the text message',
      codeWrong: 'Enter the code from the text message',
    },
    recovery: {
      link: 'Use a recovery code',
      label: 'Recovery code',
      hint: 'One of the ten codes you saved. Each works once.',
      wrong: 'Enter one of your recovery codes',
      refused: 'That code is incorrect or was already used. Try another recovery code.',
    },
    other: { totp: 'Use the authenticator app', webauthn: 'Use a security key', phone: 'Use a text message' },
    failed: "That didn't work",
    otherAccount: 'Use another account',
  },
  /** D16, for users who signed up through another service and haven't consented yet. */
  consent: {
    title: 'One more step',
    message: 'Your account is ready. Please confirm the following to continue.',
    submit: 'Continue',
    failed: 'Failed to save settings. Please try again.',
  },
  signUpClosed: "We're not accepting new accounts right now.",
  passwordShort: { title: 'Password too short', message: `Use at least ${passwordMinLength} characters` },
  passwordsDiffer: 'Passwords do not match',
} as const

/** Names of well-known services. Others have the name that the operator chose. */
export const providerNames: Readonly<Record<string, string>> = { apple: 'Apple', github: 'GitHub', google: 'Google' }
