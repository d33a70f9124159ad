import { useEffect, useRef, useState } from 'react'

/**
 * The text of a box whose words stand in the address too. It follows the address, which back, forward and buttons change; but not while
 * somebody types on, before the address comes to what they typed.
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
    /** The typing is over: the box was left, or its words were sent off. */
    rest: () => {
      typing.current = false
    },
    clear: () => {
      typing.current = false
      setText('')
    },
  }
}
