/** A creator's feed for everyone (RSS-01). */
export const publicFeedPath = (username: string, format: 'xml' | 'json' = 'xml'): string =>
  `/profile/${encodeURIComponent(username)}/feed.${format}`

/** A fan's feed of a creator (RSS-02). The token is a secret: anyone with it can read the feed. */
export const privateFeedPath = (token: string, format: 'xml' | 'json' = 'xml'): string => `/feeds/${token}.${format}`
