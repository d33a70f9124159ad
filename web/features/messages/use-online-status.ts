import { messageTexts } from '@ovation/contract/texts/messages'
import { useEffect, useRef, useState } from 'react'
import type { Person } from '../../domain/messages/queries.ts'
import { useNow } from '../../lib/browser/use-now.ts'
import { useChannel, userTopic } from '../../lib/live/use-channel.ts'
import { lastSeen, presenceOf } from './presence.ts'

/**
 * Whether the other user is online, or when they last were. Live from their presence (`usePresence`), else from the last record. Nothing
 * if they hide it: the database lets no one watch them (SET-19).
 */
export function useOnlineStatus({ id, last_seen_at }: Pick<Person, 'id' | 'last_seen_at'>): string | null {
  const now = useNow()
  const { present } = useChannel(userTopic(id))
  const isHere = Object.keys(present).length > 0
  const wasHere = useRef(false)
  const [leftAt, setLeftAt] = useState<string>()
  useEffect(() => {
    if (wasHere.current && !isHere) setLeftAt(new Date().toISOString())
    wasHere.current = isHere
  }, [isHere])
  if (isHere) return messageTexts.online
  return leftAt ? lastSeen(leftAt, new Date(now)) : presenceOf(last_seen_at, new Date(now))
}
