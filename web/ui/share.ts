import { copyTexts } from '@ovation/contract/texts/copying'
import { toast } from './toast.ts'

/**
 * Copies an address of this site and confirms it, or explains what to do when the browser doesn't allow it.
 * @returns whether it was copied.
 */
export async function copyLink(path: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(new URL(path, window.location.origin).href)
    toast.success(copyTexts.linkCopied)
    return true
  } catch {
    toast.error(copyTexts.copyFailed.message, copyTexts.copyFailed.title)
    return false
  }
}

/**
 * Opens the device's share sheet where there is one, else copies the link (POST-06, GEN-30).
 * @returns whether the link was shared or copied.
 */
export async function share({ title, path }: { title: string; path: string }): Promise<boolean> {
  const data = { title, url: new URL(path, window.location.origin).href }
  if (!navigator.canShare?.(data)) return copyLink(path)
  try {
    await navigator.share(data)
    return true
  } catch (error) {
    // Closing the sheet isn't a failure.
    return !(error instanceof DOMException && error.name === 'AbortError') && copyLink(path)
  }
}
