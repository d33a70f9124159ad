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
  serverFailed: 'Something went wrong on our end. Try again in a moment.',
  /** MSG-13, MSG-14 */
  sent: 'Message sent',
  sentAsPaid: (price: string) => `Paid message sent for ${price}`,
  moreFailed: "Couldn't load older conversations.",
  olderFailed: "Couldn't load older messages.",
  /** MSG-16 */
  noConversations: {
    title: 'No messages yet',
    message: "Say hello from a creator's profile. Your chats show up here.",
    action: 'Find creators',
  },
  noMatches: (query: string) => ({
    title: `No results for "${query}"`,
    message: "Search for someone you've messaged.",
  }),
  noneChosen: { title: 'Your messages', message: 'Select a conversation to read and reply.' },
  noneToChoose: {
    title: 'Your messages',
    message: 'When you have a conversation, it opens here.',
  },
  emptyThread: (name: string) => `This is the start of your conversation with ${name}.`,
  personMissing: { title: 'User not found', message: 'This account may have been deleted, or the link is mistyped.' },
  oneself: { title: "That's you", message: "You can't message yourself." },
  thread: (name: string) => `Messages with ${name}`,
  beginning: 'Start of the conversation',
  back: 'Back to conversations',
  unread: (count: number) => `${count} unread`,
  you: 'You: ',
  /** The sender of a file: "Video by you". */
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
  /** Below the viewer's last message. */
  state: { sending: 'Sending…', waiting: 'Waiting for connection…', delivered: 'Sent', seen: 'Seen' },
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
    title: (name: string) => `You can't message ${name}`,
    message: "They only accept messages from people they've messaged first. If they write to you, you can reply here.",
  },
  /** The other user has written before and doesn't accept messages now. */
  closedSince: {
    title: (name: string) => `You can't message ${name}`,
    message: "They're not accepting messages from you right now. Your conversation stays here.",
  },
  blocked: {
    title: (name: string) => `You blocked ${name}`,
    message: 'Unblock them on their profile to message each other again.',
    /** In the composer, next to the button. */
    onProfile: 'Unblock them to message each other again.',
  },
  /** The box on a profile (PROF-17). */
  box: {
    placeholder: (name: string) => `Message ${name}…`,
    open: (name: string) => `Open your conversation with ${name}`,
  },
  moreFor: (name: string) => `More options for ${name}`,
  moreForMine: 'More options for your message',
  report: 'Report this message',
  unsend: {
    action: 'Unsend',
    title: 'Unsend this message?',
    message: (name: string) => `It disappears for you and ${name}.`,
    done: 'Message unsent',
    failed: "Couldn't unsend the message",
  },
  compose: {
    fromVault: 'From vault',
    label: (name: string) => `Message to ${name}`,
    placeholder: 'Write a message…',
    send: 'Send',
    attach: 'Add photos or videos',
    paid: 'Paid message',
    price: 'Price in USD',
    priceHint: 'They pay to open it. Enter 0 to send it free.',
    priceWrong: 'Enter 0, or a price from $1.00 to $9,999.99',
    remove: (name: string) => `Remove ${name}`,
    uploading: (name: string, percent: number) => `${name}: ${percent}%`,
    uploadFailed: (name: string) => `Couldn't upload ${name}. Remove it and try again.`,
    tooMany: `A message can have up to ${messageFilesMax} files.`,
  },
} as const
