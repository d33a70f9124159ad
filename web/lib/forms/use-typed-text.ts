import { useEffect, useRef, useState } from 'react'

/**
 * The text of an input that is mirrored in the URL. It follows the URL, which back, forward, and buttons change, but not while
 * the user is still typing and the URL lags behind.
 */
export function useTypedText(addressed: string) {
  const [text, setText] = useState(addressed)
  const typing = useRef(false)
  useEffect(() => {
    if (!typing.current) setText(addressed)
  }, [addressed])
  return {
    text,
    type: (typed: string) => {
      typing.current = true
      setText(typed)
    },
    /** Typing has ended: the input lost the focus, or the text was submitted. */
    rest: () => {
      typing.current = false
    },
    clear: () => {
      typing.current = false
      setText('')
    },
  }
}
