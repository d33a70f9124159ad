import { voiceMaxSeconds } from '@ovation/contract/limits'

/** A finished recording. Its name is empty, so that the vault names it by its date. */
export type Recording = {
  file: File
  /** In seconds. */
  duration: number
  /** The loudness over time, from 0 to 1. */
  levels: number[]
}

export type RecordingTrouble = 'denied' | 'missing' | 'busy' | 'unsupported'

export class CannotRecord extends Error {
  readonly trouble: RecordingTrouble
  constructor(trouble: RecordingTrouble) {
    super(trouble)
    this.trouble = trouble
  }
}

export type VoiceRecording = {
  /** Called about ten times a second. */
  onProgress: (listener: (progress: { seconds: number; levels: readonly number[] }) => void) => void
  /** Ends the recording; null if there is nothing in it. At the longest duration it ends by itself. */
  stop: () => void
  /** The recording, once it has ended. */
  result: Promise<Recording | null>
}

/** The server accepts all of them; each browser has at least one. */
const formats = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
const progressMs = 100
/** Clear speech, and five minutes in two megabytes. */
const bitsPerSecond = 64_000
/** Shorter ones are a slip. */
const leastSeconds = 0.5

/** Begins to record with the user's microphone (INBOX-05). @throws CannotRecord */
export async function recordVoice(): Promise<VoiceRecording> {
  // Browsers leave out mediaDevices without HTTPS.
  const mimeType = typeof MediaRecorder === 'undefined' ? undefined : formats.find(MediaRecorder.isTypeSupported)
  if (!mimeType || !navigator.mediaDevices?.getUserMedia) throw new CannotRecord('unsupported')
  const stream = await navigator.mediaDevices
    .getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } })
    .catch((error: unknown) => {
      throw new CannotRecord(troubleOf(error))
    })
  const release = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  const recorder = openRecorder(stream, mimeType, release)
  const meter = measureLevel(stream)
  const pieces: Blob[] = []
  const levels: number[] = []
  let report: (progress: { seconds: number; levels: readonly number[] }) => void = () => undefined
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop()
  }
  const stopIfFull = () => {
    if (elapsed() >= voiceMaxSeconds) stop()
  }
  const clock = setInterval(() => {
    levels.push(meter.read())
    report({ seconds: Math.min(elapsed(), voiceMaxSeconds), levels })
    stopIfFull()
  }, progressMs)

  recorder.addEventListener('dataavailable', ({ data }) => {
    pieces.push(data)
    stopIfFull() // browsers slow down the clock of a tab in the background
  })
  const result = new Promise<Recording | null>((resolve) => {
    // Also when the microphone is unplugged: what was recorded until then is there.
    recorder.addEventListener('stop', () => {
      clearInterval(clock)
      meter.close()
      release()
      const duration = Math.min(elapsed(), voiceMaxSeconds)
      const type = mimeType.split(';')[0] ?? mimeType
      const file = new File(pieces, '', { type })
      resolve(file.size === 0 || duration < leastSeconds ? null : { file, duration, levels })
    })
  })
  // In pieces, so that a browser that stops early loses a second at most.
  recorder.start(1000)
  return {
    stop,
    result,
    onProgress: (listener) => {
      report = listener
    },
  }
}

function openRecorder(stream: MediaStream, mimeType: string, release: () => void): MediaRecorder {
  try {
    return new MediaRecorder(stream, { mimeType, audioBitsPerSecond: bitsPerSecond })
  } catch {
    release()
    throw new CannotRecord('unsupported')
  }
}

/** The names come from Media Capture and Streams (W3C). */
function troubleOf(error: unknown): RecordingTrouble {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'missing'
}

/** How loud the microphone is now, from 0 to 1. Without Web Audio, recording works, only without a picture of it. */
function measureLevel(stream: MediaStream) {
  if (typeof AudioContext === 'undefined') return { read: () => 0, close: () => undefined }
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 2048
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    read: () => {
      analyser.getFloatTimeDomainData(samples)
      const mean = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      // Speech is rarely louder than a quarter of full scale.
      return Math.min(1, Math.sqrt(mean) * 4)
    },
    close: () => void context.close(),
  }
}
