import { referralTexts } from '@ovation/contract/texts/referrals'
import { toast } from '../../ui/toast.ts'

const { copied, codeCopied, copyFailed } = referralTexts.link

async function copy(text: string, confirm: () => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    confirm()
  } catch {
    toast.error(copyFailed)
  }
}

/** REF-08 */
export const copyReferralLink = (link: string): Promise<void> =>
  copy(link, () => toast.success(copied.message, copied.title))

export const copyCode = (code: string): Promise<void> => copy(code, () => toast.success(codeCopied))

/** Opens the device's share sheet if there is one, else copies the link (REF-09). */
export async function shareReferralLink(link: string, title: string): Promise<void> {
  const data = { title, url: link }
  if (!navigator.canShare?.(data)) return copyReferralLink(link)
  try {
    await navigator.share(data)
  } catch (error) {
    // Closing the sheet isn't a failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyReferralLink(link)
  }
}
