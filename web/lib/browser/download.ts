/** Saves a file through the browser's downloads. */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Later, because a browser reads the file after handling the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
