import { useCallback, useEffect, useRef, useState } from 'react'
import { conversationTopic, useChannel } from '../../lib/live/use-channel.ts'

const typing = 'typing'
/** The minimum interval between two broadcasts. */
const gapMs = 2_500
/** After this long without a broadcast, the other user has stopped typing. */
const lastsMs = 4_000

/** Whether the other user is typing, and a function to report that the viewer is. The text itself isn't sent. */
export function useTyping(viewerId: string, otherId: string) {
  const [writes, setWrites] = useState(false)
  const over = useRef<ReturnType<typeof setTimeout>>(undefined)
  const toldAt = useRef(0)
  const stop = useCallback(() => {
    clearTimeout(over.current)
    setWrites(false)
  }, [])
  useEffect(() => stop, [stop])

  const channel = useChannel(conversationTopic(viewerId, otherId), {
    onBroadcast: (event) => {
      if (event !== typing) return
      clearTimeout(over.current)
      over.current = setTimeout(stop, lastsMs)
      setWrites(true)
    },
  })
  const tell = () => {
    if (Date.now() - toldAt.current < gapMs) return
    toldAt.current = Date.now()
    channel.broadcast(typing, {})
  }
  /** After sending, the next keystroke is reported at once. */
  const sent = () => {
    toldAt.current = 0
  }
  return { writes, tell, sent, /** A message from the other user ends their typing. */ stop }
}
