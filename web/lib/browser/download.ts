/** Hands a file to the browser's downloads. */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not at once: a browser reads the file after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
