/** Scheduled posts, polls, and previews in the composer and the dashboard (POST-17, GEN-41). */
export const schedulingTexts = {
  schedule: 'Schedule for later',
  publishAt: 'Publish on',
  /** `zone`: the browser's own, such as "Europe/Lisbon". */
  zone: (zone: string) => `Your time zone (${zone.replaceAll('_', ' ')})`,
  submit: 'Schedule post',
  scheduled: (when: string) => `Scheduled for ${when}`,
  errors: {
    missing: 'Choose a date and time',
    past: 'Choose a time in the future',
    far: 'Choose a time within a year',
  },
  poll: 'Add a poll',
  question: 'Question',
  duration: 'Open for',
  days: (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`,
  draftBack: 'We restored your draft. Please add your files again.',
  /** For a creator awaiting approval (LOOP-08). */
  waiting: {
    message:
      "You can publish once you're approved. Until then, you can get your first post ready: this browser keeps its text. Add photos and videos when you publish.",
    /** The creator's application, before the link to it. */
    application: {
      none: { state: "You haven't applied yet.", action: 'Apply now' },
      pending: { state: 'Your application is under review.', action: 'View it' },
      rejected: { state: "Your application wasn't approved.", action: 'See why' },
      /** While it loads, or if it can't be loaded. */
      unknown: { state: '', action: 'Your application' },
    },
    back: 'We restored your draft.',
    save: 'Save draft',
    saved: 'Draft saved',
  },
  preview: {
    open: 'Preview',
    title: 'As fans see it',
    before: 'Before they pay',
    after: 'After they pay',
    hint: "This is a preview. The buttons don't work here.",
    label: (name: string) => `Preview of the post by ${name}`,
  },
  list: {
    title: 'Scheduled',
    loadFailed: "Couldn't load your scheduled posts",
    at: (when: string) => `Publishes ${when}`,
    notPublished: 'Not published',
    poll: 'Poll',
    /** Names the post in the accessible names of its buttons. */
    more: (name: string) => `More options for ${name}`,
    publish: 'Publish now',
    published: 'Post published',
    publishFailed: "Couldn't publish this post",
    edit: 'Edit',
    editTitle: 'Edit scheduled post',
    saved: 'Scheduled post saved',
    saveFailed: "Couldn't save the scheduled post",
    gone: 'It has already been published.',
    delete: 'Delete',
    deleteTitle: 'Delete this scheduled post?',
    deleteMessage: "It won't be published, and its files are deleted. This can't be undone.",
    deleted: 'Scheduled post deleted',
    deleteFailed: "Couldn't delete the scheduled post",
  },
} as const
