/**
 * The cookie with the links that a browser has opened in the last 30 days (LINK-02): code.seconds, separated by ~. The app reads it, too: it
 * hands them over to the account.
 */
export const openedLinksCookie = 'opened-links'
/** The cookie with the creator whose own browser this is, by profiles.id: what they open isn't counted. */
export const ownLinksCookie = 'own-links'
