import { referralTexts } from '@ovation/contract/texts/referrals'
import { toast } from '../../ui/toast.ts'

const { copied, codeCopied, copyFailed } = referralTexts.link

async function copy(text: string, tell: () => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    tell()
  } catch {
    toast.error(copyFailed)
  }
}

/** REF-08 */
export const copyReferralLink = (link: string): Promise<void> =>
  copy(link, () => toast.success(copied.message, copied.title))

export const copyCode = (code: string): Promise<void> => copy(code, () => toast.success(codeCopied))

/** The device's share sheet where there is one, else a copy (REF-09). */
export async function shareReferralLink(link: string, title: string): Promise<void> {
  const data = { title, url: link }
  if (!navigator.canShare?.(data)) return copyReferralLink(link)
  try {
    await navigator.share(data)
  } catch (error) {
    // Closing the sheet is a decision, not a failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyReferralLink(link)
  }
}
