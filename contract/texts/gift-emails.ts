type About = {
  giver: string
  gift: string
  creator: string
  message: string | null
  until: string
  productName: string
}

/** The email that brings a gift to someone who may not have an account (OFFER-02). */
export const giftEmailTexts = {
  someone: 'Someone',
  gift: ({ giver, gift, creator, message, until, productName }: About) => ({
    subject: `${giver} gave you ${gift}`,
    paragraphs: [
      `${giver} gave you ${gift} by ${creator} on ${productName}.`,
      ...(message === null ? [] : [`“${message}”`]),
      `Redeem it by ${until}. It starts when you redeem it, ends by itself, and needs no card.`,
    ],
  }),
  redeem: 'Redeem your gift',
  closing: ({ giver }: About) => `You're getting this because ${giver} entered your email address for a gift.`,
} as const
