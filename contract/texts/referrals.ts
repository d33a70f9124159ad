/** The referral program (REF). */
export const referralTexts = {
  /** REF-03 */
  title: 'Referral Program',
  introduction: 'Earn up to $750 referring content creators to our platform!',
  invitedBy: (name: string) => `${name} invited you.`,
  stats: {
    label: 'Your stats',
    /** REF-04..REF-06 */
    total: 'Total Referrals',
    completed: 'Completed Referrals',
    rewards: (count: string) => `${count} rewards earned`,
    earnings: 'Total Earnings',
    pending: (count: string) => `${count} pending`,
    onTheWay: (amount: string) => `${amount} toward your next reward`,
  },
  /** REF-07..REF-09 */
  link: {
    title: 'Your Referral Link',
    code: 'Referral code',
    link: 'Referral link',
    copy: 'Copy link',
    copyCode: 'Copy code',
    share: 'Share',
    copied: { title: 'Referral link copied!', message: 'Share this link to earn rewards when people sign up.' },
    codeCopied: 'Referral code copied',
    copyFailed: "Your browser didn't allow copying. Select the link and copy it yourself.",
  },
  /** REF-10, REF-18..REF-20, REF-23 */
  how: {
    title: 'How It Works',
    steps: [
      {
        title: 'Share your link',
        message: "Send it to people who'd make great creators. They must be 18 or older.",
      },
      {
        title: 'They sign up',
        message: 'You both get credit for the referral, and they see who invited them.',
      },
      {
        title: 'Earn rewards',
        message:
          'Get $10 for every 10 people who become approved creators. You also earn 5% of what each one makes in their first 6 months, up to $750 per creator. It comes out of our fee.',
      },
    ],
  },
  /** REF-11, REF-12 */
  history: {
    title: 'Referral History',
    states: { pending: 'Pending', completed: 'Completed', paid: 'Paid' },
    reward: (amount: string) => `+${amount}`,
    commission: (amount: string) => `${amount} commission`,
  },
  /** REF-13 */
  failed: { title: 'Error', message: 'Failed to load referral data' },
} as const
