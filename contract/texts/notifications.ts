/** NOTI-03..NOTI-14, LOOP-17 */
export const notificationsTexts = {
  title: 'Notifications',
  new: (count: number) => `${count} new`,
  markAllRead: 'Mark all read',
  markRead: 'Mark read',
  delete: 'Delete',
  deleteNamed: (title: string) => `Delete "${title}"`,
  recentActivity: 'Recent Activity',
  filter: 'Show',
  filters: { all: 'All', posts: 'Posts', mentions: 'Mentions', money: 'Money' },
  /** More of the same kind, in a row. */
  more: (count: number) => `Show ${count} more like this`,
  loading: 'Loading notifications',
  loadFailed: "Couldn't load your notifications",
  loadMoreFailed: "Couldn't load older notifications",
  markFailed: "Couldn't mark the notification as read. Please try again.",
  empty: {
    title: 'No notifications yet',
    message: "You'll see notifications about tips, messages, and subscribers here.",
  },
  emptyPosts: {
    title: 'No post activity yet',
    message: "You'll see new posts from creators you follow here, and likes and comments on yours.",
  },
  emptyMentions: {
    title: 'No mentions yet',
    message: "You'll see comments on your posts here.",
  },
  emptyMoney: {
    title: 'No payments yet',
    message: "You'll see tips, purchases, and subscriptions here.",
  },
} as const
