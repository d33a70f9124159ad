import { copyTexts } from '@ovation/contract/texts/copying'
import { toast } from './toast.ts'

/** Copies an address of this site and confirms it, or explains what to do when the browser doesn't allow it. */
export async function copyLink(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(path, window.location.origin).href)
    toast.success(copyTexts.linkCopied)
  } catch {
    toast.error(copyTexts.copyFailed.message, copyTexts.copyFailed.title)
  }
}

/** Opens the device's share sheet where there is one, else copies the link (POST-06, GEN-30). */
export async function share({ title, path }: { title: string; path: string }): Promise<void> {
  const data = { title, url: new URL(path, window.location.origin).href }
  if (!navigator.canShare?.(data)) return copyLink(path)
  try {
    await navigator.share(data)
  } catch (error) {
    // Closing the sheet isn't a failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyLink(path)
  }
}
