/** Gifts of a plan (OFFER-02), and a creator's free gift codes (OFFER-03). */

const months = (count: number): string => `${count} ${count === 1 ? 'month' : 'months'}`

/** Giving one, on the profile's plans. */
export const giveTexts = {
  open: 'Give as a gift',
  title: 'Give a gift',
  plan: 'Plan',
  length: 'Length',
  months,
  saved: (amount: string) => `You save ${amount}.`,
  to: 'Send it to',
  ways: { username: 'A username', email: 'An email address' },
  username: 'Username',
  email: 'Email address',
  emailHint: 'They can redeem it without an account, and sign up then.',
  message: 'Message (optional)',
  deliverOn: 'Delivery date (optional)',
  deliverHint: 'In the next 180 days. Empty: right away.',
  terms:
    "It starts when they redeem it, doesn't renew, and needs no card. If nobody redeems it within 12 months, you get a refund.",
  submit: (amount: string) => `Continue · ${amount}`,
  failed: "Couldn't prepare your gift",
  errors: {
    username: 'Enter a username',
    deliverOn: 'Choose a day in the next 180 days',
  },
} as const

/** The giver's list. */
export const givenTexts = {
  title: "Gifts you've given",
  loadFailed: "Couldn't load your gifts",
  moreFailed: "Couldn't load more gifts",
  gift: (count: number, plan: string) => `${months(count)} of ${plan}`,
  by: (creator: string) => `by ${creator}`,
  to: (recipient: string) => `To ${recipient}`,
  toNobody: 'To a closed account',
  states: {
    open: 'Not redeemed yet',
    redeemed: 'Redeemed',
    taken_back: 'Taken back',
    expired: 'Expired',
    refunded: 'Refunded',
  } as Readonly<Record<string, string>>,
  delivers: (day: string) => `Delivery on ${day}`,
  delivering: 'Being delivered',
  delivered: (day: string) => `Delivered on ${day}`,
  redeemedOn: (day: string) => `Redeemed on ${day}`,
  until: (day: string) => `Can be redeemed until ${day}`,
  copy: 'Copy link',
  copyNamed: (gift: string) => `Copy the link of ${gift}`,
  copied: 'Link copied',
  again: 'Send again',
  againNamed: (gift: string) => `Send ${gift} again`,
  sentAgain: 'Your gift is on its way again',
  takeBack: 'Take back',
  takeBackNamed: (gift: string) => `Take back ${gift}`,
  dialog: {
    title: 'Take back this gift?',
    message: (amount: string) => `Its link stops working, and you get a refund of ${amount}.`,
    confirm: 'Take back gift',
    keep: 'Keep gift',
  },
  takenBack: "You've taken back your gift. We'll refund it.",
  failed: "Couldn't change your gift",
} as const

/** `/gift/{code}` */
export const giftTexts = {
  title: 'A gift for you',
  from: (giver: string) => `${giver} gave you a gift`,
  gift: (count: number, plan: string) => `${months(count)} of ${plan}`,
  by: (creator: string) => `by ${creator}`,
  terms: "It starts now, ends by itself, and doesn't need a card.",
  until: (day: string) => `You can redeem it until ${day}.`,
  redeem: 'Redeem gift',
  signIn: 'Sign in to redeem it',
  open: (creator: string) => `Go to ${creator}`,
  redeemed: (creator: string) => `You now subscribe to ${creator}`,
  failed: "Couldn't redeem the gift",
  loadFailed: "Couldn't load this gift",
  missing: { title: 'Gift not found', message: 'Check the link, or ask the person who sent it to you.' },
  /** Why it can't be redeemed, for each state of `get_gift`. */
  states: {
    yours: "You've redeemed this gift.",
    redeemed: 'This gift was already redeemed.',
    closed: "This gift can't be redeemed any more.",
    own: "This gift is from you. Share its link with the person it's for.",
    for_another: 'This gift is for someone else. Sign in to the account it was sent to.',
    subscribed: 'You already subscribe to this creator. You can redeem the gift when your subscription has ended.',
    unavailable: "This creator isn't available to you right now.",
  } as Readonly<Record<string, string>>,
} as const

/** The creator's free codes. */
export const giftCodeTexts = {
  title: 'Gift codes',
  introduction:
    'Free months of a plan for anyone with the code. They start when someone redeems them, and need no card.',
  loadFailed: "Couldn't load your gift codes",
  moreFailed: "Couldn't load more gift codes",
  none: 'No gift codes yet.',
  batch: (codes: string, count: number, plan: string) => `${codes} × ${months(count)} of ${plan}`,
  redeemed: (redeemed: string, codes: string) => `${redeemed} of ${codes} redeemed`,
  until: (day: string) => `until ${day}`,
  ended: (day: string) => `ended ${day}`,
  download: 'Download CSV',
  downloadNamed: (batch: string) => `Download the codes of ${batch} as CSV`,
  downloadFailed: "Couldn't download the codes",
  file: (day: string) => `gift-codes-${day}.csv`,
  columns: { code: 'Code', link: 'Link', state: 'State', redeemed: 'Redeemed' },
  states: { open: 'Open', redeemed: 'Redeemed', expired: 'Expired' } as Readonly<Record<string, string>>,
  form: 'New gift codes',
  plan: 'Plan',
  months: 'Months',
  codes: 'Number of codes',
  codesHint: 'Up to 500 at a time',
  lastDay: 'Last day',
  lastDayHint: 'Codes can be redeemed until the end of this day, in UTC.',
  create: 'Make codes',
  created: (codes: string) => `${codes} codes made`,
  failed: "Couldn't make gift codes",
  errors: {
    months: 'Enter a number of months from 1 to 12',
    codes: 'Enter a number from 1 to 500',
    lastDay: 'Choose a day from today on',
  },
} as const
