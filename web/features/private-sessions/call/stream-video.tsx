import { useEffect, useRef } from 'react'

type Props = {
  stream: MediaStream | null
  /** The viewer's own camera: muted and mirrored. */
  own?: boolean
  label: string
  className?: string
}

/** A live stream. There are no captions for it. */
export function StreamVideo({ stream, own = false, label, className }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current
    if (!element || element.srcObject === stream) return
    element.srcObject = stream
    // A browser may require a click before it plays sound; joining was one.
    if (stream) void element.play().catch(() => undefined)
  }, [stream])
  return (
    <video
      ref={video}
      className={className}
      aria-label={label}
      muted={own}
      autoPlay
      playsInline
      data-own={own || undefined}
    />
  )
}
