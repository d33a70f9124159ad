import { useCallback, useEffect, useRef, useState } from 'react'

export type MediaKind = 'video' | 'audio'
export type Trouble = 'refused' | 'missing' | 'busy' | 'insecure'

/** The viewer's tracks; null while off. */
export type Media = {
  tracks: Readonly<Record<MediaKind, MediaStreamTrack | null>>
  /** Why there is no track at all; `null` once the browser has allowed one. */
  trouble: Trouble | null
  /** The kind without a device. */
  lacks: MediaKind | null
  asking: boolean
  devices: readonly MediaDeviceInfo[]
  /** Asks the browser again, for example after the user has allowed access. */
  ask: () => void
  /** Turning the camera off ends its track, so that its light goes out. */
  toggle: (kind: MediaKind) => void
  choose: (kind: MediaKind, deviceId: string) => void
  chosen: Readonly<Record<MediaKind, string | undefined>>
}

const off = { video: null, audio: null }

/** The viewer's camera and microphone: requested at once, and released on unmount. */
export function useMedia(): Media {
  const [tracks, setTracks] = useState<Media['tracks']>(off)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [lacks, setLacks] = useState<MediaKind | null>(null)
  const [asking, setAsking] = useState(true)
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  const open = useRef<Record<MediaKind, MediaStreamTrack | null>>({ ...off })
  const left = useRef(false)

  const put = useCallback((kind: MediaKind, track: MediaStreamTrack | null) => {
    open.current[kind]?.stop()
    if (left.current) {
      track?.stop()
      return
    }
    open.current[kind] = track
    setTracks({ ...open.current })
    // Unplugged, or stopped in the browser's own menu.
    track?.addEventListener('ended', () => {
      if (open.current[kind] !== track) return
      open.current[kind] = null
      setTracks({ ...open.current })
    })
  }, [])

  const list = useCallback(async () => {
    const found = (await navigator.mediaDevices?.enumerateDevices()) ?? []
    setDevices(found.filter(({ kind }) => kind === 'videoinput' || kind === 'audioinput'))
  }, [])

  const ask = useCallback(async () => {
    setAsking(true)
    const result = await askForBoth()
    if ('trouble' in result) setTrouble(result.trouble)
    else {
      setTrouble(null)
      setLacks(result.lacks)
      for (const track of result.stream.getTracks()) put(track.kind as MediaKind, track)
      await list()
    }
    setAsking(false)
  }, [put, list])

  useEffect(() => {
    left.current = false
    void ask()
    const { mediaDevices } = navigator
    const changed = () => void list()
    mediaDevices?.addEventListener('devicechange', changed)
    return () => {
      left.current = true
      mediaDevices?.removeEventListener('devicechange', changed)
      for (const track of Object.values(open.current)) track?.stop()
      open.current = { ...off }
    }
  }, [ask, list])

  const start = async (kind: MediaKind, deviceId?: string) => {
    const wanted = deviceId ? { deviceId: { exact: deviceId } } : true
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ [kind]: wanted })
      put(kind, stream.getTracks()[0] ?? null)
      setTrouble(null)
      await list()
    } catch (error) {
      setTrouble(troubleOf(error))
    }
  }
  return {
    tracks,
    trouble,
    lacks,
    asking,
    devices,
    ask: () => void ask(),
    toggle: (kind) => (open.current[kind] ? put(kind, null) : void start(kind)),
    choose: (kind, deviceId) => void start(kind, deviceId),
    chosen: { video: tracks.video?.getSettings().deviceId, audio: tracks.audio?.getSettings().deviceId },
  }
}

type MediaResult = { stream: MediaStream; lacks: MediaKind | null } | { trouble: Trouble }

/** Requests both, and else what is available: a call without video is still a call. */
async function askForBoth(): Promise<MediaResult> {
  const { mediaDevices } = navigator
  // Browsers leave it out without HTTPS.
  if (!mediaDevices?.getUserMedia || typeof RTCPeerConnection === 'undefined') return { trouble: 'insecure' }
  let trouble: Trouble = 'missing'
  for (const [constraints, lacks] of [
    [{ video: true, audio: true }, null],
    [{ audio: true }, 'video'],
    [{ video: true }, 'audio'],
  ] as const) {
    try {
      return { stream: await mediaDevices.getUserMedia(constraints), lacks }
    } catch (error) {
      trouble = troubleOf(error)
      if (trouble !== 'missing') return { trouble }
    }
  }
  return { trouble }
}

/** The names come from Media Capture and Streams (W3C). */
function troubleOf(error: unknown): Trouble {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'missing'
}
