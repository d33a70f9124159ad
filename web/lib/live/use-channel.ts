import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useViewer } from '../auth/viewer.ts'
import type { Channel, Present } from './live.ts'

const nobody: Present = {}

type Options = {
  /** Called with the others' broadcasts. */
  onBroadcast?: (event: string, payload: unknown) => void
  /** The viewer's presence, under their profile id, while the screen is open. */
  shows?: object
}

/**
 * A private topic of realtime/v1: `conversation:{a}:{b}` (two profile ids in order) or `user:{id}`. The database decides who may listen,
 * send, and be present (0035_realtime.sql). `null` joins none. A rejection is silent: nobody is present, nothing arrives.
 * @returns who is present, by profile id, and how to broadcast something ephemeral, such as typing.
 */
export function useChannel(topic: string | null, { onBroadcast, shows }: Options = {}) {
  const viewer = useViewer()
  const key = viewer?.profileId
  const [channel, setChannel] = useState<Channel>()
  const [present, setPresent] = useState<Present>(nobody)
  const heard = useEffectEvent((event: string, payload: unknown) => onBroadcast?.(event, payload))
  const shown = shows && JSON.stringify(shows)

  useEffect(() => {
    if (!topic || !key) return
    let joined: Channel | undefined
    let left = false
    void open().then((live) => {
      if (left) return
      joined = live.join(topic, key, {
        onBroadcast: (event, payload) => heard(event, payload),
        onPresent: setPresent,
      })
      setChannel(joined)
    })
    return () => {
      left = true
      joined?.leave()
      setChannel(undefined)
      setPresent(nobody)
    }
  }, [topic, key])
  useEffect(() => channel?.track(shown === undefined ? null : JSON.parse(shown)), [channel, shown])

  return useMemo(
    () => ({ present, broadcast: (event: string, payload: object) => channel?.broadcast(event, payload) }),
    [present, channel],
  )
}

const open = async () => (await import('./open-live.ts')).openLive()

/** The topic of two users, in the database's order. */
export const conversationTopic = (one: string, other: string): string => `conversation:${[one, other].sort().join(':')}`
/** The topic of a user's online status. */
export const userTopic = (profileId: string): string => `user:${profileId}`
