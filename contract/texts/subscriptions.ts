/** Subscribing and its success screen (SUB). */
export const subscriptionTexts = {
  /** SUB-02 */
  error: 'Subscription Error',
  noUrl: 'No checkout URL received from server',
  success: {
    pageTitle: 'Subscription',
    checking: 'Confirming your subscription…',
    checkingHint: 'Your payment is being confirmed. This takes a moment.',
    title: 'Subscription Successful!',
    subscribedTo: (creator: string) => `Subscribed to ${creator}`,
    viewProfile: 'View Creator Profile',
    dashboard: 'Go to Dashboard',
    /** SUB-12 */
    verified: 'Subscription verified! You now have access to exclusive content.',
    /** SUB-13 */
    unverified: 'Unable to verify subscription. Please contact support if you completed payment.',
    unverifiedTitle: 'Not confirmed yet',
    home: 'Return to Home',
  },
} as const
