import { useCallback, useEffect, useRef, useState } from 'react'
import { conversationTopic, useChannel } from '../../lib/live/use-channel.ts'

const typing = 'typing'
/** Said again at most this often while one writes. */
const gapMs = 2_500
/** Without another word of it, the other has stopped. */
const lastsMs = 4_000

/** Whether the other user is typing, and a function that says that the viewer is. The text itself is not sent. */
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
  /** The message was sent: the next keystroke is reported at once. */
  const sent = () => {
    toldAt.current = 0
  }
  return { writes, tell, sent, /** A message has come: they are done. */ stop }
}
