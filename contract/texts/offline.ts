/** LOOP-22: the line above a screen without a connection. The time of the last update follows the first part. */
export const offlineTexts = {
  offline: "You're offline.",
  unreachable: "Can't reach the server.",
  lastUpdated: 'Last updated',
  waiting: "This loads when you're back.",
} as const
