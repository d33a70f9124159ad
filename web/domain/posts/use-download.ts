import { postTexts } from '@ovation/contract/texts/posts'
import { useMutation } from '@tanstack/react-query'
import { toast } from '../../ui/toast.ts'

const linkSeconds = 60

/**
 * Saves a file of a post: fetched as a blob, else by a direct link, else in a new tab (POST-50). What the viewer may not see
 * cannot be signed, so each way is as closed as the post.
 */
export function useDownload(): { start: (path: string) => void; pending: string | undefined } {
  const download = useMutation({
    mutationFn: async (path: string) => {
      const name = path.split('/').at(-1) ?? 'file'
      const { storage } = await import('../../lib/api/storage.ts')
      const { data, error } = await storage().from('posts').createSignedUrl(path, linkSeconds, { download: name })
      if (error) throw error
      try {
        const answer = await fetch(data.signedUrl)
        if (!answer.ok) throw new Error(answer.statusText)
        const address = URL.createObjectURL(await answer.blob())
        follow(address, name)
        setTimeout(() => URL.revokeObjectURL(address), linkSeconds * 1_000)
      } catch {
        // Too large for the memory, or cut off: the browser's own download can take it up.
        if (!follow(data.signedUrl, name) && !window.open(data.signedUrl, '_blank', 'noopener'))
          throw new Error('blocked')
      }
    },
    onError: () => toast.error(postTexts.downloadFailed.message, postTexts.downloadFailed.title),
  })
  return { start: download.mutate, pending: download.isPending ? download.variables : undefined }
}

/** @returns false where the browser knows no download by link. */
function follow(address: string, name: string): boolean {
  const link = document.createElement('a')
  if (!('download' in link)) return false
  link.href = address
  link.download = name
  link.click()
  return true
}
