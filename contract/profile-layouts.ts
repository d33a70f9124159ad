/** Limits and names of creators' own profiles (PAGE-01). */

/** The tabs of a profile, in their usual order. */
export const profileTabs = ['posts', 'media', 'subscribe', 'about'] as const
export type ProfileTab = (typeof profileTabs)[number]

export const welcomeMaxLength = 500
export const profileLinksMax = 8
export const profileLinkLabelMaxLength = 40
export const profileLinkUrlMaxLength = 300
