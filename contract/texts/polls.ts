/** The poll inside its notification (NOTI-16..NOTI-21). */
export const pollTexts = {
  options: (question: string) => `Answers to "${question}"`,
  vote: 'Vote',
  /** NOTI-17 */
  openUntil: (date: string) => `Open until ${date}`,
  expired: 'Expired',
  closed: 'Closed',
  yours: 'Your vote',
  loadFailed: "Couldn't load the poll",
  choose: 'Choose an answer first',
  /** NOTI-20 */
  voted: 'Vote Recorded',
  /** NOTI-21 */
  voteFailed: 'Failed to record your vote. Please try again.',
  /** ERR-01 */
  noProfile: 'Could not find your profile',
} as const
