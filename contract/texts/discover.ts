/** Explore (EXPL) and search (SRCH). */
export const exploreTexts = {
  title: 'Explore',
  sort: {
    label: 'Sort by',
    popular: 'Popular',
    newest: 'Newest',
    price_low: 'Price: low to high',
    price_high: 'Price: high to low',
  },
  category: 'Category',
  all: 'All',
  view: { label: 'View', grid: 'Grid', list: 'List' },
  /** EXPL-07 */
  count: (count: string, one: boolean) => `${count} ${one ? 'creator' : 'creators'} found`,
  /** EXPL-08 */
  empty: { title: 'No creators found', message: 'Try adjusting your search terms or filters' },
  clear: 'Clear filters',
  loadFailed: "Couldn't load creators",
  loadMoreFailed: "Couldn't load more creators.",
  subscribers: 'Subscribers',
  posts: 'Posts',
  likes: 'Likes',
  /** D36 */
  free: 'Free',
  perMonth: '/ month',
  /** LOOP-09 */
  trial: (days: number) => `${days} ${days === 1 ? 'day' : 'days'} free`,
  afterTrial: (price: string) => `then ${price}`,
  subscribe: 'Subscribe',
  subscribeTo: (name: string) => `Subscribe to ${name}`,
  allCreators: 'All creators',
  results: 'Results',
  rails: {
    new: 'New',
    week: 'Popular this week',
    posts: 'Posts to buy',
    postsHint: 'One payment, no subscription',
    seeAll: 'See all',
    seeAllOf: (category: string) => `See all in ${category}`,
    back: 'Scroll back',
    forward: 'Scroll forward',
    loadFailed: "Couldn't load these creators",
  },
} as const

/** The creators on the front page (LOOP-03). */
export const frontTexts = {
  title: 'Popular creators',
  featured: 'Featured creators',
  categories: 'Categories',
  explore: 'Explore all creators',
  none: 'The first creators will appear here soon.',
} as const

export const searchTexts = {
  title: 'Search',
  /** SRCH-02 */
  heading: (query: string) => `Search results for "${query}"`,
  /** SRCH-07 */
  empty: (query: string) => `No users found matching "${query}"`,
  emptyHint: 'Check the spelling, try the other tabs, or explore creators.',
  explore: 'Explore creators',
  /** LOOP-10 */
  tabs: { people: 'People', posts: 'Posts', tags: 'Tags' },
  results: 'Results',
  noPosts: (query: string) => `No posts found matching "${query}"`,
  noTags: (query: string) => `No tags found matching "${query}"`,
  creators: (count: string, one: boolean) => `${count} ${one ? 'creator' : 'creators'}`,
  nothingAsked: { title: 'Search for people', message: 'Enter a name or any other words in the search box.' },
  loadFailed: "Search didn't work",
  creator: 'Creator',
  suggestions: 'People',
  followers: (count: string, one: boolean) => `${count} ${one ? 'follower' : 'followers'}`,
} as const
