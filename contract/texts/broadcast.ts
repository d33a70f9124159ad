/** Broadcasts and polls to all users (ADM-27..ADM-37). */
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
  previewTitle: 'Notification title',
  send: { announcement: 'Send announcement', poll: 'Create and send poll' },
  confirm: {
    title: 'Send to everyone?',
    message: (count: number | undefined) =>
      count === undefined
        ? "Every user will get this notification. This can't be undone."
        : `${count === 1 ? '1 user' : `${count.toLocaleString('en-US')} users`} will get this notification. This can't be undone.`,
    action: 'Send',
  },
  /** ADM-28..ADM-31 */
  titleMissing: 'Title is required',
  messageMissing: 'Message is required for announcements',
  pollTitleMissing: 'Poll title is required',
  optionsMissing: 'At least 2 poll options are required',
  optionsTwice: 'Each poll option must be different',
  /** ADM-35 */
  sent: { announcement: 'Announcement Sent', poll: 'Poll Created & Sent' },
  recipients: (count: number) => (count === 1 ? 'Sent to 1 user' : `Sent to ${count.toLocaleString('en-US')} users`),
  /** ADM-36 */
  failed: 'Failed to send notification',
} as const

/** An admin's actions on an account (ADM-17..ADM-20). */
export const accountAdminTexts = {
  actions: (name: string) => `Actions for ${name}`,
  editEmail: 'Edit email',
  deleteAccount: 'Delete account',
  email: {
    title: 'Edit user email',
    current: 'Current email',
    none: 'None',
    field: 'New email',
    missing: 'Enter the new email',
    same: "That's already the current email",
    malformed: 'Enter a valid email',
    hint: 'They will sign in with the new email from now on. Make sure it belongs to them.',
    save: 'Update email',
    /** ADM-18 */
    updated: 'Email Updated',
    failed: 'Failed to update user email',
  },
  remove: {
    title: 'Delete account',
    /** ADM-19 */
    warning: (name: string) =>
      `This permanently deletes ${name}'s profile, posts, messages, and files, and ends subscriptions to and by them. Payment records are kept.`,
    word: 'DELETE',
    field: 'Type DELETE to confirm',
    action: 'Delete permanently',
    /** ADM-20 */
    deleted: 'Account Deleted',
    failed: 'Failed to delete user account',
  },
} as const
