import { type RefObject, useEffect } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { observeIntersection } from '../../lib/browser/observe-intersection.ts'

/** A post counts as seen once half of it, or a screenful of it, has been in sight for this long. */
const lookMs = 1_000
/** Views are told together: scrolling must not send a request for each card. */
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

/** A view that could not be told is not worth a word to anybody; the server counts a post once a day for each person. */
function tell(): void {
  waiting = false
  const ids = gathered.splice(0, most)
  void supabase.rpc('record_post_views', { post_ids: ids }).then(() => undefined)
  if (gathered.length === 0) return
  waiting = true
  setTimeout(tell, gatherMs)
}

/** Tells the server that the viewer has looked at a post (D7, DASH-14). */
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
