import type { Conversation } from '../../domain/messages/queries.ts'

export const isUnread = ({ unread_count, is_marked_unread }: Conversation): boolean =>
  unread_count > 0 || is_marked_unread
