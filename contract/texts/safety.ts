import type { reportReasons } from '../limits.ts'

type Reason = (typeof reportReasons)[number]

/** Reporting content and blocking users (D39, D43). */
export const safetyTexts = {
  reportNamed: {
    post: 'Report post',
    comment: 'Report comment',
    message: 'Report message',
    profile: 'Report profile',
    product: 'Report product',
  },
  dialog: {
    title: {
      post: 'Report this post',
      comment: 'Report this comment',
      message: 'Report this message',
      profile: 'Report this profile',
      product: 'Report this product',
      story: 'Report this story',
    },
    reason: 'Why are you reporting this?',
    details: 'Details',
    detailsHint: 'Anything else we should know? (optional)',
    submit: 'Send report',
    privacy: "We won't tell them who reported it.",
    failed: "Couldn't send your report",
  },
  reasons: {
    spam: 'Spam',
    harassment: 'Harassment or bullying',
    hate: 'Hate speech',
    nudity: 'Unwanted nudity',
    violence: 'Violence or threats',
    underage: 'Involves a minor',
    copyright: 'Copyright',
    scam: 'Scam or fraud',
    impersonation: 'Impersonation',
    other: 'Something else',
  } satisfies Record<Reason, string>,
  reported: "Thanks. We'll take a look.",
  alreadyReported: "You've already reported this. We'll take a look.",
  block: (name: string) => `Block ${name}`,
  unblock: (name: string) => `Unblock ${name}`,
  unblockShort: 'Unblock',
  blockDialog: {
    title: (name: string) => `Block ${name}?`,
    message:
      "You won't see each other's profiles, posts, or comments, you can't message each other, and you'll stop following each other. Anything already paid for stays available until it expires. We won't tell them.",
    confirm: 'Block',
  },
  blocked: (name: string) => `You blocked ${name}`,
  unblocked: (name: string) => `You unblocked ${name}`,
  blockFailed: "Couldn't change the block",
} as const
