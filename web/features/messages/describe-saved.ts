import { savedReplyTexts } from '@ovation/contract/texts/saved-replies'
import type { SavedReply } from '../../domain/messages/saved-replies.ts'
import { formatCents } from '../../lib/format/format-number.ts'

/** `"$5.00 · 2 files"`: what a saved reply has besides its text. */
export const describeSaved = ({ price_cents, files }: Pick<SavedReply, 'price_cents' | 'files'>): string =>
  [price_cents !== null && formatCents(price_cents), files.length > 0 && savedReplyTexts.files(files.length)]
    .filter(Boolean)
    .join(' · ')
