const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A creator's vault, and choosing files from it (VAULT). */
export const vaultTexts = {
  title: 'Vault',
  lead: "Everything you've uploaded for posts and messages. Only you can see it.",
  forCreatorsOnly: {
    title: 'The vault is for creators',
    message: 'Once your application is approved, everything you upload for posts and messages appears here.',
    action: 'Become a creator',
  },
  loadFailed: "Couldn't load your vault",
  loadMoreFailed: "Couldn't load more files",
  empty: {
    title: 'Nothing here yet',
    message: 'Photos and videos from your posts and messages appear here, ready to use again.',
  },
  noneFound: { title: 'No files match', message: 'Try other words, or remove a filter.' },
  clear: 'Clear filters',
  search: 'Search by name',
  kinds: { label: 'Type', all: 'All', image: 'Photos', video: 'Videos' },
  usages: {
    label: 'Where used',
    all: 'Used or not',
    used: 'Used',
    unused: 'Never used',
    posts: 'In posts',
    messages: 'In messages',
  },
  sorts: { label: 'Order', newest: 'Newest first', oldest: 'Oldest first', largest: 'Largest first' },
  photo: (date: string) => `Photo from ${date}`,
  video: (date: string) => `Video from ${date}`,
  usedInPosts: (count: number) => counted(count, 'post'),
  usedInMessages: (count: number) => counted(count, 'message'),
  file: {
    size: 'Size',
    dimensions: 'Dimensions',
    length: 'Length',
    added: 'Added',
    used: 'Used in',
    unused: 'Nothing yet',
  },
  picker: {
    open: 'From vault',
    title: 'Choose from your vault',
    add: (count: number) => (count === 0 ? 'Add files' : `Add ${counted(count, 'file')}`),
    most: (count: number) => `You can add up to ${counted(count, 'file')}.`,
    stored: 'In your vault',
    failed: "Couldn't add these files",
  },
} as const
