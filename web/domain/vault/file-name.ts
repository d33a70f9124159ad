import { vaultTexts } from '@ovation/contract/texts/vault'
import { formatDate } from '../../lib/format/format-date.ts'
import type { VaultFile } from './queries.ts'

/** The file's name; if it has none, what it is and when it was uploaded. */
export const fileNameOf = ({ name, kind, created_at }: VaultFile): string =>
  name ?? (kind === 'video' ? vaultTexts.video : vaultTexts.photo)(formatDate(created_at))
