import { supabase } from '../api/supabase.ts'

/** At most one request for a file in this time, however long it plays. */
const sendMs = 10_000
const stepPercent = 5

type Known = {
  /** The furthest position, in percent. */
  furthest: number
  sent: number
  /** The server doesn't count this file: the viewer's own, for example. */
  isIgnored: boolean
}

const files = new Map<string, Known>()
let timer: ReturnType<typeof setTimeout> | undefined
let isListening = false

/**
 * Notes how far the viewer got in a video or in audio, for its creator (STATX-02). Only the furthest position is sent, in steps of 5 %, a few
 * seconds later or when the page hides; a failure is ignored.
 * @param file bucket and path; empty for a file that isn't uploaded.
 */
export function noteProgress(file: string, seconds: number, duration: number): void {
  if (file === '' || !(duration > 0) || !Number.isFinite(duration)) return
  const share = Math.min(Math.max(seconds / duration, 0), 1)
  const percent = Math.floor((share * 100) / stepPercent) * stepPercent
  const known = files.get(file) ?? { furthest: -1, sent: -1, isIgnored: false }
  files.set(file, known)
  if (known.isIgnored || percent <= known.furthest) return
  known.furthest = percent
  timer ??= setTimeout(send, sendMs)
  if (isListening) return
  isListening = true
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && send())
  addEventListener('pagehide', send)
}

function send(): void {
  clearTimeout(timer)
  timer = undefined
  for (const [file, known] of files) {
    if (known.isIgnored || known.sent >= known.furthest) continue
    known.sent = known.furthest
    void supabase.rpc('record_media_progress', { file, percent: known.furthest }).then(({ data }) => {
      known.isIgnored = data === false
    })
  }
}
