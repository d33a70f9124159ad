/** Creators' own profiles (PAGE-01): what visitors see. */
export const profileLayoutTexts = {
  links: 'Links',
  verified: (site: string) => `Verified: ${site} links back to this profile`,
  welcome: (name: string) => `Welcome from ${name}`,
  facts: {
    label: 'Subscription facts',
    subscribers: (count: string, one: boolean) => `${count} ${one ? 'subscriber' : 'subscribers'}`,
    posts: (count: string, one: boolean) => `${count} subscriber-only ${one ? 'post' : 'posts'}`,
  },
} as const
