import { copyTexts } from '@ovation/contract/texts/copying'
import { toast } from '../../ui/toast.ts'

/** Copies text to the clipboard and confirms it. Shows an error if the browser denies access. */
export async function copyText(text: string, done: string = copyTexts.copied): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.error(copyTexts.copyRefused)
  }
}
