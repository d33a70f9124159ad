import { commonTexts } from '@ovation/contract/texts/common'
import { toast } from '../../ui/toast.ts'

/** Puts a text into the clipboard and says so; a browser may refuse it. */
export async function copyText(text: string, done: string = commonTexts.copied): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.error(commonTexts.copyRefused)
  }
}
