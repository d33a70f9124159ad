/** Feeds for readers and podcast apps, as those show them (RSS-01, RSS-02). */
export const feedDocumentTexts = {
  /** Of a creator without a bio. */
  description: (name: string, product: string) => `Posts by ${name} on ${product}.`,
  privateTitle: (name: string) => `${name} (your private feed)`,
  privateDescription: (name: string, product: string) =>
    `What your subscription to ${name} on ${product} opens. This address is yours alone.`,
  /** Of a post with neither title nor text. */
  untitled: (name: string) => `Post by ${name}`,
  /** What unlocks a post of which the feed has only the beginning. */
  locked: {
    subscription: (name: string) => `Subscribe to ${name} to see the rest.`,
    price: (price: string) => `Unlock this post for ${price}.`,
  },
  /** The one entry of a feed that was read in too many places. */
  paused: {
    title: 'This feed is paused',
    message: (name: string, product: string) =>
      `This private feed was read in more places than one person uses, so it has no posts for now. If the address is yours, open ${name}'s profile on ${product}, choose "Private feed" in its menu, and renew the address. Then add the new one to your apps.`,
  },
} as const
