import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

/** A press that lasts longer holds the story; it isn't a tap anymore. */
const holdMs = 220
const swipePx = 60

type Options = {
  onSwipeLeft: (() => void) | undefined
  onSwipeRight: (() => void) | undefined
  onSwipeDown: () => void
}

/** Hold to pause, swipe to the sides for other creators, and down to close. A short tap is a click of what is below it. */
export function useStoryGestures({ onSwipeLeft, onSwipeRight, onSwipeDown }: Options) {
  const [held, setHeld] = useState(false)
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout>; isLong: boolean }>(undefined)
  const ignoresClick = useRef(false)
  useEffect(() => () => clearTimeout(press.current?.timer), [])

  const release = () => {
    clearTimeout(press.current?.timer)
    press.current = undefined
    setHeld(false)
  }
  return {
    held,
    handlers: {
      onPointerDown: ({ clientX, clientY, button, isPrimary }: PointerEvent) => {
        if (button !== 0 || !isPrimary) return
        ignoresClick.current = false
        const timer = setTimeout(() => {
          if (press.current) press.current.isLong = true
          setHeld(true)
        }, holdMs)
        press.current = { x: clientX, y: clientY, timer, isLong: false }
      },
      onPointerUp: ({ clientX, clientY }: PointerEvent) => {
        const begun = press.current
        if (!begun) return
        const [right, down] = [clientX - begun.x, clientY - begun.y]
        release()
        const isSide = Math.abs(right) > swipePx && Math.abs(right) > Math.abs(down)
        const isDown = down > swipePx && down > Math.abs(right)
        ignoresClick.current = begun.isLong || isSide || isDown
        if (isDown) onSwipeDown()
        else if (isSide && right < 0) onSwipeLeft?.()
        else if (isSide) onSwipeRight?.()
      },
      onPointerCancel: release,
      onPointerLeave: release,
      onClickCapture: (event: MouseEvent) => {
        if (!ignoresClick.current) return
        ignoresClick.current = false
        event.preventDefault()
        event.stopPropagation()
      },
      // A long press would open the browser's menu of the picture.
      onContextMenu: (event: MouseEvent) => press.current && event.preventDefault(),
    },
  }
}
