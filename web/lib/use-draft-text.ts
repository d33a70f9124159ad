import { useState } from 'react'
import { forgetDraft, readDraft, writeDraft } from './draft.ts'

type Next = string | ((current: string) => string)

/** One text that is being written, kept like a form's (`draft.ts`): under its `content`, until it is empty. */
export function useDraftText(key: string): [text: string, change: (next: Next) => void] {
  const [text, setText] = useState(() => {
    const { content } = readDraft(key)
    return typeof content === 'string' ? content : ''
  })
  const change = (next: Next) =>
    setText((current) => {
      const content = typeof next === 'string' ? next : next(current)
      if (content) writeDraft(key, { content })
      else forgetDraft(key)
      return content
    })
  return [text, change]
}
