import { useRef, useState } from 'react'
import { forgetDraft, readDraft, writeDraft } from './draft.ts'

type Next = string | ((current: string) => string)

/** A single text with a draft (`draft.ts`), stored as its `content` until it is empty. */
export function useDraftText(key: string): [text: string, change: (next: Next) => void] {
  const [text, setText] = useState(() => {
    const { content } = readDraft(key)
    return typeof content === 'string' ? content : ''
  })
  // The latest value, for callbacks from an older render.
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
