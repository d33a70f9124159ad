/** Texts of the profile's tabs that load when they open (PROF-14). */
export const profileTabsTexts = {
  noPlans: { title: 'No plans yet', message: "This creator doesn't offer any plans right now." },
  noPlansOwner: {
    title: 'No plans yet',
    message: 'Create a plan so fans can subscribe to you here.',
    action: 'Create a plan',
  },
  /** PROF-16 */
  plan: { subscribe: 'Subscribe Now', switch: 'Switch Plan', current: 'Current Plan' },
  about: {
    bio: 'Bio',
    website: 'Website',
    categories: 'Categories',
    joined: 'Joined',
    nothing: 'Nothing here yet.',
  },
  /** LOOP-15 */
  mostPopular: 'Most popular',
  benefits: 'Benefits',
  includes: (plan: string) => `Everything in ${plan}`,
  managePlans: 'Manage plans',
  lockedMedia: 'Locked',
  plansFailed: "Couldn't load plans",
  planNamed: (action: string, plan: string) => `${action}: ${plan}`,
  trial: (days: number) => `${days} ${days === 1 ? 'day' : 'days'} free`,
  privateEmpty: {
    title: 'Nothing to see here',
    message: "Only the owner and paying fans can see what's shared here.",
  },
  blockedEmpty: {
    title: 'Hidden because you blocked this user',
    message: "You can't see each other's posts or profiles.",
  },
} as const
