import { Button } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { messageTexts } from '@ovation/contract/texts/messages'
import { useEffect, useRef } from 'react'
import classes from './thread.module.css'

type Props = {
  more: boolean
  pending: boolean
  failed: boolean
  onReach: () => void
  /** Shown where the thread begins (MSG-16). */
  beginning: string
}

/** The upper end of a thread: loads older messages before it comes into view. */
export function OlderMessages({ more, pending, failed, onReach, beginning }: Props) {
  const edge = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = edge.current
    // After a failure the user decides: automatic retries would never end.
    if (!element || pending || failed) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onReach(),
      { root: element.closest('[role=log]'), rootMargin: '600px 0px 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [pending, failed, onReach])

  if (!more) return <p className={classes.beginning}>{beginning}</p>
  return (
    <div ref={edge} className={classes.older} role={failed ? 'alert' : undefined}>
      {failed && <p>{messageTexts.olderFailed}</p>}
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        loading={pending}
        onClick={onReach}
        // Not a tab stop: focusing it would scroll to the top and load a page each time. Arrow keys scroll the thread.
        tabIndex={failed ? undefined : -1}
      >
        {failed ? commonTexts.retry : commonTexts.loadMore}
      </Button>
    </div>
  )
}
