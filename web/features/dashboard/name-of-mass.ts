import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import type { MassMessage } from '../../domain/mass-messages/queries.ts'

const texts = massMessageTexts.tab

/** What a mass message is called in a list: its text, or its files. */
export const nameOfMass = ({ content, files }: Pick<MassMessage, 'content' | 'files'>): string =>
  content.trim() || (files.length > 0 ? texts.onlyFiles(files.length) : texts.noText)
