import { useLayoutEffect, useRef } from 'react'
import { revealMessage } from './message-bubble.tsx'

const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Scrolls to a message and gives it the focus. It stays in view while messages around it load, until the viewer moves on or writes: revealing
 * it takes the focus.
 * @param target the message's id, a space, and what differs for each opening of it; empty for no message.
 * @param count how many messages are shown.
 */
export function useRevealedMessage(target: string, count: number, onReveal: (id: string) => void): void {
  const isMoved = useRef(false)
  useLayoutEffect(() => {
    const [id = ''] = target.split(' ')
    isMoved.current = id === ''
    if (id === '') return
    onReveal(id)
    // Again once the messages nearby have their sizes, and after the message field has taken the focus.
    const frame = requestAnimationFrame(() => {
      if (!isMoved.current) revealMessage(id)
    })
    const note = () => {
      isMoved.current = true
    }
    for (const move of moves) document.addEventListener(move, note, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      for (const move of moves) document.removeEventListener(move, note)
    }
  }, [target, onReveal])
  useLayoutEffect(() => {
    const [id = ''] = target.split(' ')
    if (count > 0 && !isMoved.current) revealMessage(id)
  }, [target, count])
}
