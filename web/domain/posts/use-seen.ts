import { type RefObject, useEffect } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { observeIntersection } from '../../lib/browser/observe-intersection.ts'

/** A post counts as viewed once half of it, or a screenful, has been in view for this long. */
const lookMs = 1_000
/** Views are sent in batches, so that scrolling doesn't send a request for each post. */
const gatherMs = 4_000
const most = 100

const told = new Set<string>()
const gathered: string[] = []
let waiting = false

function note(id: string): void {
  if (told.has(id)) return
  told.add(id)
  gathered.push(id)
  if (waiting) return
  waiting = true
  setTimeout(tell, gatherMs)
}

/** Sends a batch. Errors are ignored; the server counts a post once a day for each user. */
function tell(): void {
  waiting = false
  const ids = gathered.splice(0, most)
  void supabase.rpc('record_post_views', { post_ids: ids }).then(() => undefined)
  if (gathered.length === 0) return
  waiting = true
  setTimeout(tell, gatherMs)
}

/** Reports to the server that the viewer has seen a post (D7, DASH-14). */
export function useSeen(element: RefObject<HTMLElement | null>, postId: string, counts: boolean): void {
  useEffect(() => {
    const card = element.current
    if (!card || !counts || told.has(postId)) return
    let look: ReturnType<typeof setTimeout> | undefined
    const stop = observeIntersection(card, '-25% 0px', ({ isIntersecting }) => {
      clearTimeout(look)
      if (!isIntersecting) return
      look = setTimeout(() => {
        note(postId)
        stop()
      }, lookMs)
    })
    return () => {
      clearTimeout(look)
      stop()
    }
  }, [element, postId, counts])
}
