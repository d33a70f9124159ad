import { useEffect, useEffectEvent } from 'react'

type Keys = {
  onNext: () => void
  onPrevious: () => void
  onPause: () => void
  onMute: (() => void) | undefined
}

/** Arrow keys, Space, and M, wherever the focus is (STORY-01). Escape belongs to the window. */
export function useStoryKeys(enabled: boolean, { onNext, onPrevious, onPause, onMute }: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, altKey, ctrlKey, metaKey, defaultPrevented } = event
    if (altKey || ctrlKey || metaKey || defaultPrevented || !(target instanceof Element)) return
    if (target.closest('input, textarea, [role="menu"]')) return
    // Space presses the focused button, unless that only turns the page.
    const isOnControl = target.closest('button, a') !== null && !target.closest('[data-side]')
    if (key === 'ArrowRight') onNext()
    else if (key === 'ArrowLeft') onPrevious()
    else if (key === ' ' && !isOnControl) onPause()
    else if (key.toLowerCase() === 'm' && onMute) onMute()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    if (!enabled) return
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [enabled])
}
