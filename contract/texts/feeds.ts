/** Feeds on a creator's profile (RSS-01, RSS-02). */
export const feedTexts = {
  /** In the profile's menu, and in the list of subscriptions. */
  publicFeed: 'RSS feed',
  privateFeed: 'Private feed',
  privateFeedOf: (creator: string) => `Private feed of ${creator}`,
  dialog: {
    title: (creator: string) => `Your private feed of ${creator}`,
    purpose:
      'Add this address to a feed reader or podcast app. It brings you every post that you can read here, with videos and sound as episodes.',
    address: 'Address',
    copy: 'Copy address',
    copied: 'Address copied',
    personal:
      "It's yours alone: anyone who has it can read what you pay for, so don't share it. It stops working when your subscription ends.",
    paused:
      "This feed is paused, because it was read in more places than one person uses. Renew its address to go on. If that wasn't you, someone else had the old one.",
    renew: 'Renew address',
    loadFailed: "Couldn't load the address",
  },
  renewDialog: {
    title: 'Renew the address?',
    message: 'The current address stops working right away. Add the new one to each of your apps.',
    confirm: 'Renew',
  },
  renewed: 'Address renewed',
  renewFailed: "Couldn't renew the address. Please try again.",
} as const
