import { useRef, useState } from 'react'
import { forgetDraft, readDraft, writeDraft } from './draft.ts'

type Next = string | ((current: string) => string)

/** One text that is being written, kept like a form's (`draft.ts`): under its `content`, until it is empty. */
export function useDraftText(key: string): [text: string, change: (next: Next) => void] {
  const [text, setText] = useState(() => {
    const { content } = readDraft(key)
    return typeof content === 'string' ? content : ''
  })
  // What it is by now, for whoever changes it later than the drawing they come from.
  const latest = useRef(text)
  const change = (next: Next) => {
    const content = typeof next === 'string' ? next : next(latest.current)
    latest.current = content
    setText(content)
    if (content) writeDraft(key, { content })
    else forgetDraft(key)
  }
  return [text, change]
}
