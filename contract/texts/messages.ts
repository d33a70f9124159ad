import { messageFilesMax } from '../limits.ts'

/** Messages (MSG). */
export const messageTexts = {
  title: 'Messages',
  conversations: 'Conversations',
  search: 'Search conversations',
  /** MSG-15 */
  conversationsFailed: 'Failed to load conversations',
  loadFailed: 'Failed to load messages',
  sendFailed: 'Failed to send message',
  serverFailed: 'The server couldn’t take it. Try again in a moment.',
  /** MSG-13, MSG-14 */
  sent: 'Message sent',
  sentAsPaid: (price: string) => `Paid message sent for ${price}`,
  moreFailed: 'Older conversations could not be loaded.',
  olderFailed: 'Older messages could not be loaded.',
  /** MSG-16 */
  noConversations: {
    title: 'No messages yet',
    message: 'Open the profile of someone you like and press Message. What you write to each other stands here.',
    action: 'Find creators',
  },
  noMatches: (query: string) => ({
    title: `Nobody called "${query}"`,
    message: 'Search for the name of somebody you have written with.',
  }),
  noneChosen: { title: 'Your messages', message: 'Choose a conversation to read it and to answer.' },
  noneToChoose: {
    title: 'Your messages',
    message: 'Once somebody has written to you, or you to them, the conversation opens here.',
  },
  emptyThread: (name: string) => `This is the beginning of your conversation with ${name}.`,
  personMissing: { title: 'This person is not here', message: 'The account may be gone, or the address mistyped.' },
  oneself: { title: 'This is you', message: 'A conversation is with somebody else.' },
  thread: (name: string) => `Messages with ${name}`,
  beginning: 'The beginning of this conversation',
  back: 'Back to conversations',
  unread: (count: number) => `${count} unread`,
  you: 'You: ',
  /** Whose a file is: "Video by you". */
  yourself: 'you',
  paidMessage: 'Paid message',
  photo: 'Photo',
  video: 'Video',
  files: (count: number) => `${count} files`,
  online: 'Online',
  lastSeen: (when: string) => `Active ${when}`,
  typing: 'is typing…',
  today: 'Today',
  yesterday: 'Yesterday',
  /** Below one's own last message. */
  state: { sending: 'Sending…', waiting: 'Waiting for the connection…', delivered: 'Sent', seen: 'Seen' },
  says: (name: string) => `${name}:`,
  mine: 'You:',
  retry: 'Retry',
  discard: 'Delete',
  unlock: 'Unlock',
  locked: (name: string) => `${name} sent you a paid message`,
  paid: (price: string) => `Paid · ${price}`,
  paidWaiting: (price: string) => `Paid · ${price} · not unlocked yet`,
  paidOpened: (price: string) => `Paid · ${price} · unlocked`,
  closed: {
    title: (name: string) => `You cannot write to ${name}`,
    message:
      'They take messages only from people they have written to first. Should they write to you, you can answer here.',
  },
  /** Somebody who has written before, and takes none now. */
  closedSince: {
    title: (name: string) => `You cannot write to ${name}`,
    message: 'They are not taking messages from you at the moment. What you wrote to each other stays here.',
  },
  blocked: {
    title: (name: string) => `You have blocked ${name}`,
    message: 'To write to each other again, unblock them on their profile.',
    /** There, where the button is in sight. */
    onProfile: 'To write to each other again, unblock them.',
  },
  /** The box on a profile (PROF-17). */
  box: {
    placeholder: (name: string) => `Write to ${name}…`,
    open: (name: string) => `Open your conversation with ${name}`,
  },
  moreFor: (name: string) => `More for ${name}`,
  report: 'Report this message',
  compose: {
    label: (name: string) => `Message to ${name}`,
    placeholder: 'Write a message…',
    send: 'Send',
    attach: 'Add photos or videos',
    paid: 'Paid message',
    price: 'Price in USD',
    priceHint: 'The reader pays to open it. 0 sends it for free.',
    priceWrong: 'Enter 0, or a price from $1.00 to $9,999.99',
    remove: (name: string) => `Remove ${name}`,
    uploading: (name: string, percent: number) => `${name}: ${percent}%`,
    uploadFailed: (name: string) => `${name} could not be uploaded. Remove it and try again.`,
    tooMany: `A message holds up to ${messageFilesMax} files.`,
  },
} as const
