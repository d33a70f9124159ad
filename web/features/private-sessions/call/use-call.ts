import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { callFunction } from '../../../lib/api/functions.ts'
import { useChannel } from '../../../lib/live/use-channel.ts'
import { CallConnection, isSignal, type LinkState, type Signal } from './call-connection.ts'
import type { Media } from './use-media.ts'

export type CallState = LinkState | 'joining' | 'failed' | 'moved'

type Options = {
  bookingId: string
  viewerId: string
  otherId: string
  tracks: Media['tracks']
}

const signalEvent = 'signal'
const stateEvent = 'state'
type Shown = { camera: boolean; microphone: boolean }

/**
 * A call that lasts as long as the component that uses it: joins the session's topic and connects to the other participant. The database
 * admits only the two participants, around the booked time.
 */
export function useCall({ bookingId, viewerId, otherId, tracks }: Options) {
  const [state, setState] = useState<CallState>('joining')
  const [remote, setRemote] = useState<MediaStream | null>(null)
  const [unreachable, setUnreachable] = useState(false)
  const [shown, setShown] = useState<Shown>({ camera: true, microphone: true })
  const [joinedAt] = useState(() => Date.now())
  const connection = useRef<CallConnection | undefined>(undefined)

  const { broadcast, present } = useChannel(`session:${bookingId}`, {
    onBroadcast: (event, payload) => {
      // The viewer has just joined from another device, which takes over the call. Its later hellos are ignored.
      if (isFrom(payload, viewerId) && payload.fresh === true && !isFresh(joinedAt)) setState('moved')
      if (!isFrom(payload, otherId)) return
      if (event === signalEvent && isSignal(payload.signal)) connection.current?.receive(payload.signal)
      if (event === stateEvent) setShown({ camera: Boolean(payload.camera), microphone: Boolean(payload.microphone) })
    },
    shows: {},
  })
  const send = useEffectEvent((signal: Signal) =>
    broadcast(signalEvent, { by: viewerId, fresh: isFresh(joinedAt), signal }),
  )
  const tracksNow = useEffectEvent(() => tracks)

  useEffect(() => {
    let left = false
    const window_ = holdCall(bookingId, () => !left && setState('moved'))
    void callFunction<{ iceServers: RTCIceServer[] }>('call-servers', { bookingId })
      .then(({ iceServers }) => {
        if (left) return
        setState('waiting')
        const opened = new CallConnection({
          iceServers,
          offers: viewerId < otherId,
          send: (signal) => send(signal),
          onState: (next) => {
            setState(next)
            if (next === 'connected') setUnreachable(false)
          },
          onRemote: setRemote,
          onUnreachable: () => setUnreachable(true),
        })
        connection.current = opened
        const { audio, video } = tracksNow()
        opened.setTrack('audio', audio)
        opened.setTrack('video', video)
      })
      .catch(() => !left && setState('failed'))
    const leave = () => {
      left = true
      connection.current?.close()
      connection.current = undefined
      window_.release()
    }
    // Also when the tab closes.
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [bookingId, viewerId, otherId])

  useEffect(() => connection.current?.setTrack('audio', tracks.audio), [tracks.audio])
  useEffect(() => connection.current?.setTrack('video', tracks.video), [tracks.video])

  // Also when the other participant has just connected, because earlier broadcasts didn't reach them.
  const camera = tracks.video !== null
  const microphone = tracks.audio !== null
  useEffect(() => {
    if (state === 'connected') broadcast(stateEvent, { by: viewerId, camera, microphone })
  }, [state, camera, microphone, viewerId, broadcast])

  return {
    // A participant without a connection or presence has left, even if their goodbye was lost.
    state: state === 'reconnecting' && !(otherId in present) ? 'waiting' : state,
    remote,
    unreachable,
    shown,
    /** Says goodbye while the topic is still joined. */
    hangUp: () => connection.current?.close(),
  }
}

const freshMs = 5_000
const isFresh = (joinedAt: number): boolean => Date.now() - joinedAt < freshMs

function isFrom(payload: unknown, profileId: string): payload is Record<string, unknown> {
  return typeof payload === 'object' && payload !== null && 'by' in payload && payload.by === profileId
}

/** Only one window of a browser has the call: the last to join. @param onTaken called when another window has taken it. */
function holdCall(bookingId: string, onTaken: () => void): { release: () => void } {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  void navigator.locks?.request(`call-${bookingId}`, { steal: true }, () => held).catch(onTaken)
  return { release }
}
