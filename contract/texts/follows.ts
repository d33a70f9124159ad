/** Who follows whom: the dialog of a profile (PROF-18). */
export const followsTexts = {
  title: (name: string) => name,
  followers: (count: string) => `Followers (${count})`,
  following: (count: string) => `Following (${count})`,
  /** Said of the counts on the profile, which open the dialog: with the number as it is shown. */
  openFollowers: (count: string) => `Followers, ${count}: show the list`,
  openFollowing: (count: string) => `Following, ${count}: show the list`,
  search: 'Search by name',
  loadFailed: 'The list could not be loaded',
  moreFailed: 'The rest could not be loaded.',
  noFollowers: { title: 'No followers yet', message: 'Whoever follows this profile appears here.' },
  noFollowing: { title: 'Nobody followed yet', message: 'Whom this person follows appears here.' },
  noMatches: (query: string) => ({ title: `Nobody called "${query}"`, message: 'Try another part of the name.' }),
} as const
