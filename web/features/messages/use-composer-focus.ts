import { type RefObject, useEffect, useRef } from 'react'

type Composer = {
  box: RefObject<HTMLTextAreaElement | null>
  microphone: RefObject<HTMLButtonElement | null>
  /** The message that is being replied to. */
  quotedId: string | undefined
  recording: boolean
}

/** On a phone, the keyboard would cover the thread. */
const hasKeyboard = () => window.matchMedia('(hover: hover) and (min-width: 48em)').matches

/** Gives the message field the focus when a thread opens, when the viewer replies to a message, and after recording, so that Enter sends. */
export function useComposerFocus({ box, microphone, quotedId, recording }: Composer): void {
  useEffect(() => {
    if (hasKeyboard()) box.current?.focus({ preventScroll: true })
  }, [box])
  useEffect(() => {
    if (quotedId !== undefined) box.current?.focus({ preventScroll: true })
  }, [box, quotedId])
  const wasRecording = useRef(false)
  useEffect(() => {
    if (wasRecording.current && !recording) (hasKeyboard() ? box : microphone).current?.focus({ preventScroll: true })
    wasRecording.current = recording
  }, [box, microphone, recording])
}
