import type { Message } from '../../domain/messages/queries.ts'

/** An own message can be unsent until it is read or, if it is paid, unlocked (INBOX-07). */
export const canUnsend = (message: Message) => !(message.is_paid ? message.is_unlocked : message.is_read)
