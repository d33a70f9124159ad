/** Restricting a fan (LIST-05). */
export const restrictionTexts = {
  restrict: (name: string) => `Restrict ${name}`,
  lift: 'Lift restriction',
  restrictShort: 'Restrict',
  tag: 'Restricted',
  title: 'Restriction',
  hint: "Only you and they see their comments on your posts, and their messages go to Restricted without a notification. They won't know.",
  inThread: (name: string) => `You restricted ${name}. They don't know, and their messages don't notify you.`,
  done: (name: string) => `${name} is restricted`,
  lifted: (name: string) => `${name} isn't restricted anymore`,
  failed: "Couldn't change the restriction",
} as const
