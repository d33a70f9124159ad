import type { Recording } from './record-voice.ts'

/** Voice messages that weren't sent when their thread was left, by thread. In memory only: the browser asks before a reload. */
const kept = new Map<string, Recording[]>()

export function keepRecording(thread: string, recording: Recording): void {
  kept.set(thread, [...(kept.get(thread) ?? []), recording])
}

/** @returns the recordings of this thread, once. */
export function takeRecordings(thread: string): Recording[] {
  const recordings = kept.get(thread) ?? []
  kept.delete(thread)
  return recordings
}
