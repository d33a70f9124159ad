import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Keeps the messages in place when newer ones are added below. The thread is laid out from the bottom, so they would move up. */
export function useSteadyBottom(scroller: RefObject<HTMLElement | null>, newestId: string | undefined) {
  const last = useRef<{ element: Element; top: number }>(undefined)
  useLayoutEffect(() => {
    const list = scroller.current
    if (!list || newestId === undefined) {
      last.current = undefined
      return
    }
    const { element, top = 0 } = last.current ?? {}
    if (element?.isConnected) list.scrollTop += element.getBoundingClientRect().top - top
    const note = () => {
      const newest = document.getElementById(`message-${newestId}`)
      last.current = newest ? { element: newest, top: newest.getBoundingClientRect().top } : undefined
    }
    note()
    list.addEventListener('scroll', note, { passive: true })
    return () => list.removeEventListener('scroll', note)
  }, [scroller, newestId])
}
