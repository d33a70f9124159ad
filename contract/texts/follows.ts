/** The profile's dialog of followers and following (PROF-18). */
export const followsTexts = {
  title: (name: string) => name,
  followers: (count: string) => `Followers (${count})`,
  following: (count: string) => `Following (${count})`,
  /** Accessible names of the counts on the profile that open the dialog, with the number as shown. */
  openFollowers: (count: string) => `Followers, ${count}: show list`,
  openFollowing: (count: string) => `Following, ${count}: show list`,
  /** The bell on a profile (LOOP-02). */
  bell: {
    label: (name: string) => `New posts by ${name}`,
    levels: { all: 'All posts', paid: 'Paid posts only', none: 'None' },
    failed: "Couldn't change which posts you hear about. Please try again.",
  },
  /** LOOP-01 */
  unfollow: {
    title: (name: string) => `Unfollow ${name}?`,
    message: 'Their posts will no longer appear in your feed. Your subscription stays active.',
    confirm: 'Unfollow',
    keep: 'Keep following',
  },
  search: 'Search by name',
  loadFailed: "Couldn't load the list",
  moreFailed: "Couldn't load more.",
  noFollowers: { title: 'No followers yet', message: 'Followers appear here.' },
  noFollowing: { title: 'Not following anyone yet', message: 'People they follow appear here.' },
  noMatches: (query: string) => ({ title: `No results for "${query}"`, message: 'Try a different name.' }),
} as const
