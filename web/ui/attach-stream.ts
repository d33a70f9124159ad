const hlsType = 'application/vnd.apple.mpegurl'

/**
 * Makes a video play a stream instead of its file: natively where the browser can, else through hls.js, which loads on demand. When the
 * stream fails, the file continues from the same position. If its link has expired too, the next address continues from there.
 * @returns a function that detaches the stream.
 */
export function attachStream(video: HTMLVideoElement, stream: string, file: string): () => void {
  let ended = false
  let destroy = () => {}

  const playFrom = (seconds: number) => {
    if (seconds > 0) video.currentTime = seconds
    void video.play().catch(() => undefined) // rejects when the viewer pauses in between
  }
  const fallBack = () => {
    const seconds = video.currentTime // before detaching, which resets the position
    destroy()
    video.src = file
    video.addEventListener('loadedmetadata', () => playFrom(seconds), { once: true })
    playFrom(0) // else a video that doesn't preload would not load it
  }
  const begin = async () => {
    const { default: Hls } = await import('hls.js/light')
    if (ended) return
    if (!Hls.isSupported()) {
      if (video.canPlayType(hlsType) === '') return // the file already plays
      video.src = stream
      return playFrom(0)
    }
    // Its worker is a blob URL, which our content security policy rejects.
    const hls = new Hls({ enableWorker: false, maxBufferLength: 30, capLevelToPlayerSize: true })
    destroy = () => hls.destroy()
    hls.on(Hls.Events.ERROR, (_event, { fatal }) => {
      if (fatal) fallBack()
    })
    hls.on(Hls.Events.MANIFEST_PARSED, () => playFrom(0))
    const seconds = video.currentTime
    hls.loadSource(stream)
    hls.attachMedia(video)
    if (seconds > 0) video.currentTime = seconds
  }
  begin().catch(() => undefined) // hls.js failed to load: the file keeps playing
  return () => {
    ended = true
    destroy()
  }
}
