/** Telling everybody something, or asking everybody (ADM-27..ADM-37). */
export const broadcastTexts = {
  heading: 'Notify all users',
  kind: 'Kind',
  kinds: { announcement: 'Announcement', poll: 'Poll' },
  title: 'Title',
  message: 'Message',
  messageOptional: 'Message (optional)',
  pollTitle: 'Poll question',
  description: 'Description (optional)',
  option: (position: number) => `Option ${position}`,
  options: 'Options',
  addOption: 'Add option',
  removeOption: (position: number) => `Remove option ${position}`,
  /** ADM-34 */
  duration: 'Open for',
  days: (days: number) => (days === 1 ? '1 day' : `${days} days`),
  /** ADM-32 */
  counter: (length: number, max: number) => `${length}/${max}`,
  preview: 'Preview',
  previewTitle: 'Title of the notification',
  send: { announcement: 'Send Announcement', poll: 'Create & Send Poll' },
  confirm: {
    title: 'Send to everybody?',
    message: (count: number | undefined) =>
      count === undefined
        ? 'Every user gets this notification, and it can not be taken back.'
        : `${count === 1 ? '1 user gets' : `${count.toLocaleString('en-US')} users get`} this notification, and it can not be taken back.`,
    action: 'Send',
  },
  /** ADM-28..ADM-31 */
  titleMissing: 'Title is required',
  messageMissing: 'Message is required for announcements',
  pollTitleMissing: 'Poll title is required',
  optionsMissing: 'At least 2 poll options are required',
  optionsTwice: 'Each poll option needs words of its own',
  /** ADM-35 */
  sent: { announcement: 'Announcement Sent', poll: 'Poll Created & Sent' },
  recipients: (count: number) => (count === 1 ? 'Sent to 1 user' : `Sent to ${count.toLocaleString('en-US')} users`),
  /** ADM-36 */
  failed: 'Failed to send notification',
} as const

/** What an admin does to an account (ADM-17..ADM-20). */
export const accountAdminTexts = {
  actions: (name: string) => `Actions for ${name}`,
  editEmail: 'Edit email',
  deleteAccount: 'Delete account',
  email: {
    title: 'Edit user email',
    current: 'Current email',
    none: 'None',
    field: 'New email',
    missing: 'Enter the new email address',
    same: 'This is the current email address',
    malformed: 'This is not an email address',
    hint: 'The account signs in with the new address from now on. You vouch that it is theirs.',
    save: 'Update Email',
    /** ADM-18 */
    updated: 'Email Updated',
    failed: 'Failed to update user email',
  },
  remove: {
    title: 'Delete account',
    /** ADM-19 */
    warning: (name: string) =>
      `${name}'s profile, posts, messages and files are removed for good. Running subscriptions to and by this person end. What was paid stays in the books.`,
    word: 'DELETE',
    field: 'Type DELETE to confirm',
    action: 'Delete permanently',
    /** ADM-20 */
    deleted: 'Account Deleted',
    failed: 'Failed to delete user account',
  },
} as const
