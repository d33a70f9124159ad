import { voiceMaxSeconds } from '../limits.ts'

const minutes = voiceMaxSeconds / 60

/** Voice messages: the player and the recorder (INBOX-05). */
export const voiceTexts = {
  yours: 'Your voice message',
  play: (label: string) => `Play: ${label}`,
  pause: (label: string) => `Pause: ${label}`,
  position: (label: string) => `Position: ${label}`,
  at: (at: string, length: string) => `${at} of ${length}`,
  speed: (rate: string) => `Playback speed: ${rate}`,
  notAvailable: 'Voice message not available',
  playFailed: "Couldn't play the voice message.",
  retry: 'Retry',
  record: {
    group: 'Voice message',
    starting: 'Waiting for your microphone…',
    recording: 'Recording',
    /** Said to screen readers, and shown next to the time. */
    almostOver: (seconds: number) => `${seconds} seconds left`,
    full: `Voice messages can be up to ${minutes} minutes. Yours is ready to send.`,
    stop: 'Stop and listen',
    cancel: 'Delete the recording',
    close: 'Close',
    canceled: 'Recording deleted',
    undo: 'Undo',
    retry: 'Try again',
    empty: "We didn't record anything. Check your microphone and try again.",
    trouble: {
      denied: "Your browser doesn't let this site use the microphone. Allow it in the address bar, then try again.",
      missing: "We couldn't find a microphone. Connect one, then try again.",
      busy: 'Your microphone is in use by another app. Close that app, then try again.',
      unsupported: "Your browser can't record voice messages. Try a newer one.",
    },
  },
} as const
