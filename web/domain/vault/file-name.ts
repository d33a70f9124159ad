import { vaultTexts } from '@ovation/contract/texts/vault'
import { formatDate } from '../../lib/format/format-date.ts'
import type { VaultFile } from './queries.ts'

const words = { image: vaultTexts.photo, video: vaultTexts.video, audio: vaultTexts.voice }

/** The file's name; if it has none, what it is and when it was uploaded. */
export const fileNameOf = ({ name, kind, created_at }: Pick<VaultFile, 'name' | 'kind' | 'created_at'>): string =>
  name ?? words[kind](formatDate(created_at))
