/** From the first look to the payment, and what content earns (STATX-02). */
export const funnelTexts = {
  of: 'Which payments',
  kinds: { plans: 'Subscriptions', all: 'All payments' },
  steps: {
    title: 'From look to payment',
    hint: {
      plans:
        "Each viewer counts once a day. Your own views and bots don't count. Payments are the first ones of subscriptions: a free trial counts once it is paid for, and renewals don't count.",
      all: "Each viewer counts once a day. Your own views and bots don't count. Checkouts and payments are for anything you sell, and tips; renewals don't count.",
    },
    step: 'Step',
    count: 'This period',
    previous: 'Previous period',
    share: 'Of the step before',
    names: {
      profile_views: 'Profile views',
      plan_views: 'Plan views',
      checkouts: 'Checkouts started',
      payments: 'Payments',
    },
    empty: 'Nobody has looked at your profile in these days.',
    loadFailed: "Couldn't load the funnel",
  },
  days: {
    title: 'By day',
    day: 'Day',
    hint: 'Earned is after fees. A refund counts on its own day.',
    net: 'Earned',
  },
  content: {
    label: 'Content',
    kinds: { posts: 'Posts', messages: 'Messages', products: 'Products' },
    titles: { posts: 'Posts', messages: 'Messages to many fans', products: 'Products' },
    /** The figures don't follow the period. */
    hint: {
      posts:
        'All time. Each viewer of a post counts once a day. Earned is after fees and refunds, with tips on the post.',
      messages: 'All time. Earned is after fees and refunds.',
      products: 'All time. Each viewer of a product counts once a day. Earned is after fees and refunds.',
    },
    search: { posts: 'Search posts', messages: 'Search messages', products: 'Search products' },
    columns: {
      title: { posts: 'Post', messages: 'Message', products: 'Product' },
      newest: { posts: 'Published', messages: 'Sent', products: 'Created' },
      views: { posts: 'Views', messages: 'Opened by', products: 'Views' },
      purchases: 'Bought',
      earnings: 'Earned',
      recipients: 'Sent to',
    },
    order: 'Order',
    orders: {
      newest: 'Newest first',
      views: { posts: 'Most views first', messages: 'Most opened first', products: 'Most views first' },
      purchases: 'Most bought first',
      earnings: 'Most earned first',
    },
    facts: {
      view: 'view',
      opened: (opened: string, sent: string) => `opened by ${opened} of ${sent}`,
      bought: (count: string) => `${count} bought`,
    },
    untitled: { posts: 'Post without text', messages: 'Message without text', products: 'Product' },
    empty: {
      posts: { title: 'No posts yet', message: 'What you publish shows here with its views and earnings.' },
      messages: {
        title: 'No messages to many fans yet',
        message: 'What you send to many fans shows here with who opened it and what it earned.',
      },
      products: { title: 'No products yet', message: 'What you sell shows here with its views and earnings.' },
    },
    noMatch: { title: 'Nothing found', message: 'Try other words.' },
    loadFailed: "Couldn't load these figures",
    loadMoreFailed: "Couldn't load more",
    csv: 'CSV',
    csvOf: {
      posts: 'Download posts as CSV',
      messages: 'Download messages as CSV',
      products: 'Download products as CSV',
    },
    csvFailed: "Couldn't prepare the file",
    open: (title: string) => `How far viewers got in "${title}"`,
    singles: {
      title: 'Paid messages to one fan',
      hint: 'All of them together.',
      viewers: 'Opened',
      purchases: 'Bought',
      net: 'Earned',
      reach: 'How far fans got',
    },
  },
  reach: {
    back: 'All content',
    openPost: 'Open the post',
    title: (type: 'video' | 'audio', position: number) =>
      `${type === 'video' ? 'Video' : 'Voice message'}, file ${position}`,
    singles: 'Videos and voice messages to one fan',
    hint: 'The furthest position of each signed-in viewer. Skipping ahead counts, too.',
    position: 'Position',
    percent: (percent: number) => (percent === 0 ? 'Began' : `${percent}%`),
    viewers: 'Viewers',
    share: 'Viewers who got there',
    summary: (viewers: string, shares: readonly { percent: number; share: number }[]) =>
      `${viewers}: ${shares.map(({ percent, share }) => `${share}% got to ${percent}%`).join(', ')}.`,
    viewer: 'viewer',
    none: 'Nobody has played it yet.',
    noFiles: { title: 'No video or audio', message: 'This has no file that plays, or it is gone.' },
    loadFailed: "Couldn't load how far viewers got",
  },
} as const
