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
export function OlderMessages({ more, beginning, ...edge }: Props) {
  if (!more) return <p className={classes.beginning}>{beginning}</p>
  return <ThreadEdge failure={messageTexts.olderFailed} margin="600px 0px 0px" {...edge} />
}

/** The lower end of a thread that is open at an older message: loads newer ones. */
export function NewerMessages({ more, ...edge }: Omit<Props, 'beginning'>) {
  if (!more) return null
  return <ThreadEdge failure={messageTexts.newerFailed} margin="0px 0px 600px" {...edge} />
}

type EdgeProps = Omit<Props, 'more' | 'beginning'> & { failure: string; margin: string }

function ThreadEdge({ pending, failed, onReach, failure, margin }: EdgeProps) {
  const edge = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = edge.current
    // After a failure the user decides: automatic retries would never end.
    if (!element || pending || failed) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onReach(),
      { root: element.closest('[role=log]'), rootMargin: margin },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [pending, failed, onReach, margin])

  return (
    <div ref={edge} className={classes.older} role={failed ? 'alert' : undefined}>
      {failed && <p>{failure}</p>}
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
