import { useCallback, useEffect, useRef, useState } from 'react'
import { conversationTopic, useChannel } from '../../lib/live/use-channel.ts'

const typing = 'typing'
/** The minimum interval between two broadcasts. */
const intervalMs = 2_500
/** After this long without a broadcast, the other user has stopped typing. */
const timeoutMs = 4_000

/** Whether the other user is typing, and a function to report that the viewer is. The text itself isn't sent. */
export function useTyping(viewerId: string, otherId: string) {
  const [isTyping, setIsTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reportedAt = useRef(0)
  const stop = useCallback(() => {
    clearTimeout(timer.current)
    setIsTyping(false)
  }, [])
  useEffect(() => stop, [stop])

  const channel = useChannel(conversationTopic(viewerId, otherId), {
    onBroadcast: (event) => {
      if (event !== typing) return
      clearTimeout(timer.current)
      timer.current = setTimeout(stop, timeoutMs)
      setIsTyping(true)
    },
  })
  const report = () => {
    if (Date.now() - reportedAt.current < intervalMs) return
    reportedAt.current = Date.now()
    channel.broadcast(typing, {})
  }
  /** After sending, the next keystroke is reported at once. */
  const sent = () => {
    reportedAt.current = 0
  }
  return { isTyping, report, sent, /** A message from the other user ends their typing. */ stop }
}
