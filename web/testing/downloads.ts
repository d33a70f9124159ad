import { onTestFinished, vi } from 'vitest'

type Download = { name: string; blob: Blob }

/** The files that the page downloads until the test ends. */
export function keepDownloads(): readonly Download[] {
  const downloads: Download[] = []
  const made = new Map<string, Blob>()
  const make = (blob: Blob) => {
    const url = `blob:${window.location.origin}/${made.size}`
    made.set(url, blob)
    return url
  }
  // jsdom has no blob URLs.
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: make, revokeObjectURL: () => undefined }))
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = made.get(this.href)
    if (blob) downloads.push({ name: this.download, blob })
  })
  onTestFinished(() => {
    click.mockRestore()
    vi.unstubAllGlobals()
  })
  return downloads
}
