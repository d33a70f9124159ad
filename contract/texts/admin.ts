/** The admin panel (ADM). */
export const adminTexts = {
  title: 'Admin Panel',
  /** ADM-04 */
  tabs: {
    pending: (count: number | undefined) => `Pending Applications${counted(count)}`,
    reviewed: (count: number | undefined) => `Reviewed Applications${counted(count)}`,
    users: (count: number | undefined) => `All Users${counted(count)}`,
    support: (count: number | undefined) => `Support Requests${counted(count)}`,
    notifications: () => 'Notifications',
    polls: () => 'Poll Results',
  },
  users: {
    /** ADM-21 */
    loadFailed: (message: string) => `Failed to load users: ${message}`,
    list: 'Users',
    search: 'Search by name, username, or email',
    none: { title: 'No users yet', message: 'Everyone who signs up appears here.' },
    noneFound: (search: string) => ({
      title: `No results for "${search}"`,
      message: 'Search by name, username, or email.',
    }),
    joined: (date: string) => `Joined ${date}`,
    noEmail: 'No email address',
    admin: 'Admin',
    posts: 'Posts',
    earnings: 'Earnings',
    earned: (amount: string) => `${amount} earned`,
  },
  polls: {
    /** ADM-40 */
    loadFailed: 'Failed to load poll results',
    list: 'Polls',
    none: { title: 'No polls yet', message: 'Polls appear here with their results.' },
    asked: (date: string) => `Created ${date}`,
    openUntil: (date: string) => `Open until ${date}`,
    closed: 'Closed',
    recent: 'Recent voters:',
  },
  support: {
    /** ADM-26 */
    loadFailed: (message: string) => `Failed to load support requests: ${message}`,
    list: 'Support requests',
    none: { title: 'No requests', message: 'Messages to customer support appear here.' },
    noneIn: { title: 'No requests here', message: 'See All for requests with another status.' },
    which: 'Which requests',
    all: 'All',
    details: 'View details',
    detailsOf: (subject: string) => `View details for ${subject}`,
    title: 'Support request details',
    subject: 'Subject',
    from: 'From',
    account: 'Account',
    visitor: 'No account',
    profile: 'View profile',
    payments: (name: string) => `Payments of ${name}`,
    category: 'Category',
    noCategory: 'None',
    priority: 'Priority',
    received: 'Received',
    updated: 'Last updated',
    message: 'Message',
    status: 'Status',
    /** ADM-23 */
    states: { open: 'Open', in_progress: 'In progress', resolved: 'Resolved' },
    set: { in_progress: 'Mark in progress', resolved: 'Mark resolved' },
    /** ADM-25 */
    changed: 'Status Updated',
    changeFailed: 'Failed to update support request status',
  },
  applications: {
    /** ADM-10 */
    loadFailed: 'Failed to load creator applications',
    pendingList: 'Pending applications',
    reviewedList: 'Reviewed applications',
    noPending: { title: 'All caught up', message: 'New applications appear here.' },
    noReviewed: { title: 'No reviewed applications', message: 'Approved and rejected applications appear here.' },
    formerMember: 'Unknown account',
    submitted: 'Submitted',
    status: { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' },
    details: 'View details',
    detailsOf: (name: string) => `View details for ${name}`,
    approve: 'Approve',
    approveOf: (name: string) => `Approve ${name}`,
    reject: 'Reject',
    rejectOf: (name: string) => `Reject ${name}`,
  },
  review: {
    approveTitle: 'Approve application',
    approveMessage: (name: string) => `${name} will be able to publish, create plans, and get paid.`,
    rejectTitle: 'Reject application',
    rejectMessage: (name: string) => `${name} will see the reason and can submit a new application.`,
    reason: 'Reason',
    /** ADM-08, D32 */
    reasonMissing: 'Enter a reason for the rejection',
    /** ADM-09 */
    approved: 'Application approved',
    rejected: 'Application rejected',
    /** ADM-10 */
    failed: 'Failed to review application',
  },
  details: {
    title: 'Verification details',
    fullName: 'Full name',
    address: 'Address',
    country: 'Country',
    account: 'Account',
    submitted: 'Submitted',
    status: 'Status',
    reviewed: 'Reviewed',
    reason: 'Reason',
    ssn: 'SSN',
    ssnMasked: (last4: string) => `•••-••-${last4}`,
    ssnSpoken: (last4: string) => `Ends in ${last4}`,
    reveal: 'Reveal full number',
    hide: 'Hide',
    revealHint: 'Every time you reveal the full number, the audit log records it.',
    revealFailed: "Couldn't reveal the number",
    documents: 'ID documents',
    front: 'ID Front',
    back: 'ID Back',
    open: (side: string) => `Open ${side} in a new tab`,
    loadingImage: (side: string) => `Loading ${side}`,
    /** ADM-12 */
    notAvailable: 'Document Not Available: This document is not available for viewing.',
    /** ADM-13 */
    viewFailed: { front: 'Failed to view ID Front', back: 'Failed to view ID Back' },
    download: 'Download application data',
  },
} as const

function counted(count: number | undefined): string {
  return count === undefined ? '' : ` (${count.toLocaleString('en-US')})`
}
