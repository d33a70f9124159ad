import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useViewer } from '../auth/viewer.ts'
import type { Present, Room } from './live.ts'

const nobody: Present = {}

type Options = {
  /** What others say in the room. */
  onBroadcast?: (event: string, payload: unknown) => void
  /** What the viewer lets the others see of themselves, under their profile id, as long as the screen is open. */
  shows?: object
}

/**
 * A private topic of realtime/v1: `conversation:{a}:{b}` (two profile ids in order) or `user:{id}`; the database decides who hears,
 * speaks and is seen there (0035_realtime.sql). `null` enters none. A refusal is silence: nobody is there, nothing is heard.
 * @returns who is there, by profile id, and how to tell the others something that need not be kept, e.g. that one is typing.
 */
export function useRoom(topic: string | null, { onBroadcast, shows }: Options = {}) {
  const viewer = useViewer()
  const key = viewer?.profileId
  const [room, setRoom] = useState<Room>()
  const [present, setPresent] = useState<Present>(nobody)
  const heard = useEffectEvent((event: string, payload: unknown) => onBroadcast?.(event, payload))
  const shown = shows && JSON.stringify(shows)

  useEffect(() => {
    if (!topic || !key) return
    let entered: Room | undefined
    let left = false
    void open().then((live) => {
      if (left) return
      entered = live.enter(topic, key, {
        onBroadcast: (event, payload) => heard(event, payload),
        onPresent: setPresent,
      })
      setRoom(entered)
    })
    return () => {
      left = true
      entered?.leave()
      setRoom(undefined)
      setPresent(nobody)
    }
  }, [topic, key])
  useEffect(() => room?.track(shown === undefined ? null : JSON.parse(shown)), [room, shown])

  return useMemo(
    () => ({ present, broadcast: (event: string, payload: object) => room?.broadcast(event, payload) }),
    [present, room],
  )
}

const open = async () => (await import('./open-live.ts')).openLive()

/** The topic of two people, in the order in which the database knows it. */
export const conversationTopic = (one: string, other: string): string => `conversation:${[one, other].sort().join(':')}`
/** The topic in which a person is seen online. */
export const userTopic = (profileId: string): string => `user:${profileId}`
