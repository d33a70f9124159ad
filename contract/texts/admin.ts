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
    search: 'Search by name, username or email',
    none: { title: 'Nobody yet', message: 'Everybody who signs up appears here.' },
    noneFound: (search: string) => ({
      title: `Nobody matches "${search}"`,
      message: 'The search looks at names, usernames and email addresses.',
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
    none: { title: 'No polls yet', message: 'What was asked appears here, with the answers.' },
    asked: (date: string) => `Asked ${date}`,
    openUntil: (date: string) => `Open until ${date}`,
    closed: 'Closed',
    recent: 'Recent voters:',
  },
  support: {
    /** ADM-26 */
    loadFailed: (message: string) => `Failed to load support requests: ${message}`,
    list: 'Support requests',
    none: { title: 'No requests', message: 'What people write to customer support appears here.' },
    noneIn: { title: 'No requests here', message: 'Requests in another state stand under All.' },
    which: 'Which requests',
    all: 'All',
    details: 'View Details',
    detailsOf: (subject: string) => `View details of ${subject}`,
    title: 'Support Request Details',
    subject: 'Subject',
    from: 'From',
    account: 'Account',
    visitor: 'No account',
    member: 'Signed in when writing',
    category: 'Category',
    noCategory: 'None',
    priority: 'Priority',
    received: 'Received',
    updated: 'Last change',
    message: 'Message',
    status: 'Status',
    /** ADM-23 */
    states: { open: 'Open', in_progress: 'In Progress', resolved: 'Resolved' },
    set: { in_progress: 'Mark In Progress', resolved: 'Mark Resolved' },
    /** ADM-25 */
    changed: 'Status Updated',
    changeFailed: 'Failed to update support request status',
  },
  applications: {
    /** ADM-10 */
    loadFailed: 'Failed to load creator applications',
    pendingList: 'Pending applications',
    reviewedList: 'Reviewed applications',
    noPending: { title: 'Nothing to review', message: 'New applications appear here.' },
    noReviewed: { title: 'Nothing reviewed yet', message: 'Applications that were approved or rejected appear here.' },
    formerMember: 'Unknown account',
    submitted: 'Submitted',
    status: { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' },
    details: 'View Details',
    detailsOf: (name: string) => `View details of ${name}`,
    approve: 'Approve',
    approveOf: (name: string) => `Approve ${name}`,
    reject: 'Reject',
    rejectOf: (name: string) => `Reject ${name}`,
  },
  review: {
    approveTitle: 'Approve Application',
    approveMessage: (name: string) => `${name} will be able to publish, define plans and be paid.`,
    rejectTitle: 'Reject Application',
    rejectMessage: (name: string) => `${name} will read the reason, and may submit a new application.`,
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
    title: 'Verification Details',
    fullName: 'Full name',
    address: 'Address',
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
    revealHint: 'Each look at the full number is written to the audit log.',
    revealFailed: 'The number could not be revealed',
    documents: 'ID documents',
    front: 'ID Front',
    back: 'ID Back',
    open: (side: string) => `Open ${side} in a new tab`,
    loadingImage: (side: string) => `Loading ${side}`,
    /** ADM-12 */
    notAvailable: 'Document Not Available: This document is not available for viewing.',
    /** ADM-13 */
    viewFailed: { front: 'Failed to view ID Front', back: 'Failed to view ID Back' },
    download: 'Download Application Data',
  },
} as const

function counted(count: number | undefined): string {
  return count === undefined ? '' : ` (${count.toLocaleString('en-US')})`
}
