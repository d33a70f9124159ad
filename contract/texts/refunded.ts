/** The page of something whose payment was returned, or that is gone (POST-45, SUB-13). A file of its own, because it is rarely shown. */
export const refundedTexts = {
  title: 'Payment refunded',
  message: (amount: string, date: string) => `Your payment of ${amount} was refunded on ${date}.`,
  /** What that means, by the kind of the payment. */
  effects: {
    ppv: 'The post is locked again.',
    tip: '',
    message: 'The message is locked again.',
    session: 'The session is canceled.',
    gift: "The gift can't be redeemed any more.",
    product: 'The product is no longer in your library.',
    subscription: "Your subscription has ended and won't renew.",
  },
  arrival: 'The money can take a few days to reach your account.',
  failedTitle: 'Refund failed',
  failed: (amount: string) => `Your bank rejected the refund of ${amount}. Contact support to receive it another way.`,
  noLongerThere:
    "Your payment went through, but what you paid for isn't available anymore. If you don't get a refund soon, contact support.",
} as const
