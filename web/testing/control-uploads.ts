import { onTestFinished, vi } from 'vitest'

/** A request whose progress and response the test controls. */
class ControlledUpload extends EventTarget {
  static last: ControlledUpload | undefined
  readonly upload = new EventTarget()
  status = 0
  responseText = ''
  open() {}
  setRequestHeader() {}
  send() {
    ControlledUpload.last = this
  }
  abort() {
    this.answer(0)
  }
  left(loaded: number, total: number) {
    this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total }))
  }
  answer(status: number) {
    this.status = status
    this.dispatchEvent(new ProgressEvent('loadend'))
  }
}

/** Takes over uploads until the test ends. @returns a function that waits for the next upload. */
export function controlUploads(): () => Promise<ControlledUpload> {
  vi.stubGlobal('XMLHttpRequest', ControlledUpload)
  ControlledUpload.last = undefined
  onTestFinished(() => void vi.unstubAllGlobals())
  return async () => {
    const upload = await vi.waitUntil(() => ControlledUpload.last)
    ControlledUpload.last = undefined
    return upload
  }
}
