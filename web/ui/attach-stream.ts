const hlsType = 'application/vnd.apple.mpegurl'

/**
 * Has a video play a stream in place of its file: natively where the browser can, else by hls.js, which loads now. When the stream
 * fails, the file plays on from where it was; and if its link is dead as well, whatever address the video is given next.
 * @returns what ends it.
 */
export function attachStream(video: HTMLVideoElement, stream: string, file: string): () => void {
  let ended = false
  let destroy = () => {}

  const goOnFrom = (seconds: number) => {
    if (seconds > 0) video.currentTime = seconds
    void video.play().catch(() => undefined) // a pause in between is the viewer's wish
  }
  const fallBack = () => {
    const seconds = video.currentTime // before the stream goes, and takes the place with it
    destroy()
    video.src = file
    video.addEventListener('loadedmetadata', () => goOnFrom(seconds), { once: true })
    goOnFrom(0) // else a video that fetches nothing before it is played would not fetch it
  }
  const begin = async () => {
    const { default: Hls } = await import('hls.js/light')
    if (ended) return
    if (!Hls.isSupported()) {
      if (video.canPlayType(hlsType) === '') return // the file plays already
      video.src = stream
      return goOnFrom(0)
    }
    // Its worker would be code from a blob, which this site's policy refuses.
    const hls = new Hls({ enableWorker: false, maxBufferLength: 30, capLevelToPlayerSize: true })
    destroy = () => hls.destroy()
    hls.on(Hls.Events.ERROR, (_event, { fatal }) => {
      if (fatal) fallBack()
    })
    hls.on(Hls.Events.MANIFEST_PARSED, () => goOnFrom(0))
    const seconds = video.currentTime
    hls.loadSource(stream)
    hls.attachMedia(video)
    if (seconds > 0) video.currentTime = seconds
  }
  begin().catch(() => undefined) // its code did not come: the file plays on
  return () => {
    ended = true
    destroy()
  }
}
