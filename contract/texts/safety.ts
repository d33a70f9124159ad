import type { reportReasons } from '../limits.ts'

type Reason = (typeof reportReasons)[number]

/** Reporting content and blocking people (D39, D43). */
export const safetyTexts = {
  reportNamed: { post: 'Report post', comment: 'Report comment', message: 'Report message', profile: 'Report profile' },
  dialog: {
    title: {
      post: 'Report this post',
      comment: 'Report this comment',
      message: 'Report this message',
      profile: 'Report this profile',
    },
    reason: 'What is wrong with it?',
    details: 'Details',
    detailsHint: 'Optional. What should we know?',
    submit: 'Send report',
    privacy: 'The person is not told who reported.',
    failed: 'The report could not be sent',
  },
  reasons: {
    spam: 'Spam',
    harassment: 'Harassment or bullying',
    hate: 'Hate speech',
    nudity: 'Unwanted nudity',
    violence: 'Violence or threats',
    underage: 'Somebody under 18',
    copyright: 'Copyright',
    scam: 'Scam or fraud',
    impersonation: 'Pretending to be somebody else',
    other: 'Something else',
  } satisfies Record<Reason, string>,
  reported: 'Thank you. We will look at it.',
  alreadyReported: 'You have reported this already. We will look at it.',
  block: (name: string) => `Block ${name}`,
  unblock: (name: string) => `Unblock ${name}`,
  unblockShort: 'Unblock',
  blockDialog: {
    title: (name: string) => `Block ${name}?`,
    message:
      'You no longer see each other’s profile, posts and comments, cannot write to each other, and follows end. What was paid for stays open until it runs out. The person is not told.',
    confirm: 'Block',
  },
  blocked: (name: string) => `${name} is blocked`,
  unblocked: (name: string) => `${name} is no longer blocked`,
  blockFailed: 'The block could not be changed',
  more: 'More',
} as const
