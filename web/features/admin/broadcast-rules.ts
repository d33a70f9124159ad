import { pollOptionsMin } from '@ovation/contract/limits'
import { broadcastTexts as texts } from '@ovation/contract/texts/broadcast'
import type { Broadcast } from './use-broadcast.ts'

/** The values as typed; `days` is the select's string. */
export type BroadcastValues = {
  kind: 'announcement' | 'poll'
  title: string
  message: string
  pollTitle: string
  description: string
  options: string[]
  days: string
}

const filled = (options: readonly string[]) => options.map((option) => option.trim()).filter((option) => option !== '')

/** ADM-28..ADM-31; the server enforces the same rules. */
export const validateBroadcast = {
  title: (value: string) => (value.trim() ? null : texts.titleMissing),
  message: (value: string, { kind }: BroadcastValues) =>
    kind === 'announcement' && !value.trim() ? texts.messageMissing : null,
  pollTitle: (value: string, { kind }: BroadcastValues) =>
    kind === 'poll' && !value.trim() ? texts.pollTitleMissing : null,
  options: (value: string[], { kind }: BroadcastValues) => {
    if (kind !== 'poll') return null
    const options = filled(value)
    if (options.length < pollOptionsMin) return texts.optionsMissing
    return new Set(options).size < options.length ? texts.optionsTwice : null
  },
}

export function toBroadcast(values: BroadcastValues): Broadcast {
  const { kind, title, message, pollTitle, description, options, days } = values
  const poll = {
    title: pollTitle.trim(),
    description: description.trim() || null,
    options: filled(options),
    days: Number(days),
  }
  return { kind, title: title.trim(), message: message.trim(), poll: kind === 'poll' ? poll : undefined }
}
