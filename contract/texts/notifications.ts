/** NOTI-03..NOTI-14 */
export const notificationsTexts = {
  title: 'Notifications',
  new: (count: number) => `${count} new`,
  markAllRead: 'Mark all read',
  markRead: 'Mark read',
  delete: 'Delete',
  deleteNamed: (title: string) => `Delete "${title}"`,
  recentActivity: 'Recent Activity',
  loading: 'Loading notifications',
  loadFailed: "Couldn't load your notifications",
  markFailed: "Couldn't mark the notification as read. Please try again.",
  empty: {
    title: 'No notifications yet',
    message: "You'll see notifications about tips, messages, and subscribers here.",
  },
} as const
